// The game in this file, and the current step and view.

let game = null;

const state = {
  view: 0, // index into game.views
  at: 0, // index into the entries of the view
  playing: false,
  theme: "auto",
  zoom: "wide",
};

// The data: JSON, deflated, in base 64.
async function unpack() {
  const packed = atob(byId("game").textContent);
  const bytes = Uint8Array.from(packed, (sign) => sign.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(plain).text());
}

// A text in the language of the page, with values for its {placeholders}.
const t = (english, values = {}) => (game.texts[english] || english).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

// The texts of the page itself.
function translatePage() {
  document.documentElement.lang = game.language;
  for (const node of document.querySelectorAll("body *:not(script)")) {
    for (const name of ["title", "aria-label"]) if (node.hasAttribute(name)) node.setAttribute(name, t(node.getAttribute(name)));
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE && child.data.trim()) child.data = child.data.replace(child.data.trim(), t(child.data.trim()));
  }
}

const view = () => game.views[state.view];
const entries = () => view().entries;
const entry = () => entries()[state.at];
const isOpen = () => view().seat === null;

const viewName = (one) => (one.seat === null ? t("Everything") : game.names[one.seat]);

// The name of a step without a choice in the panel and the list.
function stepName(one, index) {
  if (index === 0) return t("Setup");
  return index === entries().length - 1 ? t("Result") : one.sentences[0] || t("Something happened");
}

// The index of the step in which a decision becomes visible: a simultaneous one when all have chosen.
const indexOfDecision = (number) => entries().findIndex((one) => one.n >= number);

const roundName = (round) => (round === 0 ? t("Before round 1") : t("Round {n}", { n: round }));

// The index of the last step of a view that is not after the step of this number.
const indexOf = (number) => Math.max(0, entries().findLastIndex((one) => one.n <= number));
