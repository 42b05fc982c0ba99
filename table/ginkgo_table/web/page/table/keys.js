// Keys, and the list that tells them.

const KEYS = [
  ["Tab", "to the next group, list or button"],
  ["← → ↑ ↓", "move among the buttons of a group, or in the list of actions"],
  ["1 2 … 9", "picks the button that shows it"],
  ["R3, g10, …", "in a group: picks what is spelled"],
  ["Enter", "pick; confirm what is chosen"],
  ["Esc", "take the picks back"],
  ["c", "to the picks"],
  ["l", "to the list of actions"],
  ["h", "hint"],
  ["p", "to the picture, which arrow keys scroll"],
  ["g", "to the log"],
  ["b", "earlier moments of the game"],
  ["r", "turn what is placed (or a wheel, or a tap with two fingers)"],
  ["z", "size of the board"],
  ["t", "colors"],
  ["?", "this list"],
];

const isVisible = (node) => node.checkVisibility();

// The first node that is visible, by the order of the selectors.
function focusOn(...selectors) {
  const node = selectors.flatMap((one) => [...document.querySelectorAll(one)]).find(isVisible);
  if (node) node.focus({ preventScroll: true });
}

const FIRST_PICK = ['#drawn-groups [tabindex="0"]', '#groups [tabindex="0"]', "#left:not([open]) > summary", "#actions"];

function toPicks() {
  unfold();
  focusOn(...FIRST_PICK);
}

function toActions() {
  unfold();
  focusOn("#actions", ...FIRST_PICK);
}

const ACTS = {
  Escape: () => takeBack(),
  c: toPicks,
  l: toActions,
  h: () => askForAdvice(),
  p: () => focusOn("#figure"),
  g: () => byId("log").focus(),
  b: openPast,
  r: () => turn(1),
  z: chooseZoom,
  t: chooseTheme,
  "?": () => byId("help").showModal(),
};

// Enter confirms what is chosen, unless the element that has the focus does something else with it.
function isOwnEnter(target) {
  if (target.matches(".group button")) return target.getAttribute("aria-pressed") !== "true";
  if (target.matches(".advised")) return target.getAttribute("aria-pressed") !== "true";
  return target.matches("button, a, summary, select, input");
}

function onEnter(event) {
  if (!event.repeat && (isOwnEnter(event.target) || chosen.action === null)) return;
  event.preventDefault(); // a key that is held down decides nothing
  if (!event.repeat) commit();
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const { key, target } = event;
  if (target.matches("input") || (target.matches("select") && key.length === 1)) return;
  if (key === "Enter") return onEnter(event);
  if (typePick(key, target)) return event.preventDefault();
  if (!Object.hasOwn(ACTS, key)) return;
  event.preventDefault();
  ACTS[key]();
}

function showKeys() {
  byId("keys").replaceChildren(...KEYS.flatMap(([keys, what]) => [html("dt", {}, keys), html("dd", {}, t(what))]));
}

function connectKeys() {
  document.addEventListener("keydown", onKey);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  byId("menu").addEventListener("click", () => {
    const open = byId("menu").getAttribute("aria-expanded") !== "true";
    setState(byId("menu"), "aria-expanded", open);
  });
}
