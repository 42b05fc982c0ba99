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

const view = () => game.views[state.view];
const entries = () => view().entries;
const entry = () => entries()[state.at];
const isOpen = () => view().seat === null;

const viewName = (one) => (one.seat === null ? "Everything" : game.names[one.seat]);

// The name of a step without a choice in the panel and the list.
function stepName(one, index) {
  if (index === 0) return "Setup";
  return index === entries().length - 1 ? "Result" : one.said[0] || "Something happened";
}

// The index of the step in which a decision becomes visible: a simultaneous one when all have chosen.
const indexOfDecision = (number) => entries().findIndex((one) => one.n >= number);

const roundName = (round) => (round === 0 ? "Before round 1" : `Round ${round}`);

// The index of the last step of a view that is not after the step of this number.
const indexOf = (number) => Math.max(0, entries().findLastIndex((one) => one.n <= number));
