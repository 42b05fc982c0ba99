// Titles of pieces: a box beside the piece, on hover, long press and keyboard focus; paragraphs of the rules are links.

const SOON = 350; // milliseconds until a hovered piece shows its title
const LONG_PRESS = 500;
const AWAY = 250; // until the box closes, so that the pointer can reach its links
let titleTimer = null;

const TITLED = ["figure", "hand", "on-table"]; // where pieces with titles are
const titled = () => [...document.querySelectorAll(TITLED.map((id) => `#${id} [data-title]`).join())];

// The titles of new drawings: for screen readers, and one stop of Tab with arrow keys among them.
function readTitles() {
  const found = document.querySelectorAll(TITLED.map((id) => `#${id} svg title`).join());
  if (!found.length) return;
  for (const title of found) {
    const piece = title.parentElement;
    filled(piece, { "data-title": title.textContent, "aria-label": title.textContent, role: "img", tabindex: -1 }, []);
    title.remove();
  }
  titled().forEach((piece, k) => piece.setAttribute("tabindex", k ? -1 : 0));
  hideTitle();
}

// Text in which "(R8.2)" and the like are links to the rules.
function withRules(text) {
  if (!game.rules) return [text];
  return text.split(/\b([A-Z]\d+(?:\.\d+)*)\b(?=[^(]*\))/).map((part, k) => {
    if (k % 2 === 0) return part;
    return html("a", { href: `../rules/${game.game}#${part}`, target: "_blank", hreflang: "en" }, part);
  });
}

function showTitle(piece) {
  clearTimeout(titleTimer);
  if (dragged) return;
  const box = byId("piece");
  box.replaceChildren(...withRules(piece.dataset.title));
  box.hidden = false;
  const { left, right, bottom, top } = piece.getBoundingClientRect();
  const x = Math.max(8, Math.min((left + right - box.offsetWidth) / 2, window.innerWidth - box.offsetWidth - 8));
  const y = bottom + 6 + box.offsetHeight < window.innerHeight ? bottom + 6 : Math.max(8, top - 6 - box.offsetHeight);
  Object.assign(box.style, { left: `${x}px`, top: `${y}px` });
}

function hideTitle() {
  clearTimeout(titleTimer);
  byId("piece").hidden = true;
}

function titleLater(act, wait) {
  clearTimeout(titleTimer);
  titleTimer = setTimeout(act, wait);
}

// Escape closes the box first, wherever the focus is.
function onEscape(event) {
  if (event.key !== "Escape" || byId("piece").hidden) return;
  hideTitle();
  event.stopPropagation();
}

function onTitleKey(event) {
  const here = document.activeElement;
  if (!here.dataset.title) return;
  if (event.key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else moveInside(event, titled());
}

function connectTitles() {
  const box = byId("piece");
  for (const id of TITLED) connectTitlesIn(byId(id));
  document.addEventListener("keydown", onEscape, true);
  box.addEventListener("pointerenter", () => clearTimeout(titleTimer));
  box.addEventListener("focusin", () => clearTimeout(titleTimer));
  for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => titleLater(hideTitle, AWAY));
  document.addEventListener("pointerdown", (event) => event.target.closest(["#piece", ...TITLED.map((id) => `#${id}`)].join()) || hideTitle());
}

function connectTitlesIn(node) {
  node.addEventListener("pointerover", (event) => {
    const piece = event.pointerType === "mouse" && event.target.closest("[data-title]");
    if (piece) titleLater(() => showTitle(piece), SOON);
    else if (event.pointerType === "mouse") titleLater(hideTitle, AWAY);
  });
  node.addEventListener("pointerleave", () => titleLater(hideTitle, AWAY));
  node.addEventListener("pointerdown", (event) => {
    const piece = event.pointerType !== "mouse" && event.target.closest("[data-title]");
    if (piece) titleLater(() => showTitle(piece), LONG_PRESS);
  });
  for (const kind of ["pointerup", "pointercancel"]) node.addEventListener(kind, (event) => event.pointerType !== "mouse" && clearTimeout(titleTimer));
  node.addEventListener("focusin", (event) => event.target.matches("[data-title]:focus-visible") && showTitle(event.target));
  node.addEventListener("focusout", () => titleLater(hideTitle, AWAY));
  node.addEventListener("keydown", onTitleKey);
}
