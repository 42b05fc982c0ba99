// Motion: a placed piece flies from the hand to its place, pieces that stay move to where they lie now, and numbers count. Nothing
// moves for people who want no motion.

const FLIGHT = 400; // milliseconds
const COUNT = 600;
const PLACED = ["tile", "heading"]; // groups of picks whose piece comes to lie on the places of the action
let departing = null; // the piece that the last decision places: a copy, where it was, and where it comes to lie

const isStill = () => isCalm() || document.hidden;

// The drawing in the hand of what picks place; null if there is none.
function placedPiece(picks, groups = PLACED) {
  const pick = picks.find(([group]) => groups.includes(group));
  return (pick && partsNamed(pick.join(":"), byId("hand"))[0]?.closest("[data-piece]")) || null;
}

// A copy of a drawing that is part of nothing: neither picked nor read out.
function copyOf(drawn) {
  const copy = drawn.cloneNode(true);
  for (const one of [copy, ...copy.querySelectorAll("*")]) for (const name of one.getAttributeNames()) if (/^(data-|aria-|role|tabindex)/.test(name)) one.removeAttribute(name);
  copy.setAttribute("aria-hidden", "true");
  return copy;
}

// Called when an action is on its way, while everything is where it was.
function depart(action) {
  const piece = isStill() ? null : placedPiece(action.picks);
  const [place] = nodesOf(byId("figure"), action.places);
  departing = piece && place ? { copy: copyOf(piece), from: piece.getBoundingClientRect(), to: place.getBoundingClientRect() } : null;
}

function arrive() {
  if (departing) fly(departing.copy, departing.from, departing.to);
  departing = null;
}

function fly(copy, from, to) {
  const size = Math.min(to.width, to.height) / Math.max(from.width, from.height, 1);
  const move = `translate(${to.left + to.width / 2 - from.left - from.width / 2}px, ${to.top + to.height / 2 - from.top - from.height / 2}px)`;
  copy.classList.add("flying");
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` });
  document.body.append(copy);
  const steps = [{ transform: "none" }, { transform: `${move} scale(${size})`, opacity: 0.9 }];
  copy.animate(steps, { duration: FLIGHT, easing: "ease-in-out" }).finished.finally(() => copy.remove());
}

// Where parts of the drawings lie, and afterwards the way of those in the hand from there.
function placesOfParts() {
  if (isStill()) return new Map();
  const drawn = ["figure", "hand"].flatMap((id) => [...byId(id).querySelectorAll("[data-part]")]);
  return new Map(drawn.map((node) => [node.dataset.part, node.getBoundingClientRect()]));
}

function movePieces(before) {
  for (const node of isStill() ? [] : byId("hand").querySelectorAll("[data-part]")) {
    const [old, now] = [before.get(node.dataset.part), node.getBoundingClientRect()];
    const [x, y] = old ? [old.left - now.left, old.top - now.top] : [0, 0];
    if (Math.hypot(x, y) < 8) continue;
    node.closest("[data-piece]").animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }], { duration: FLIGHT, easing: "ease-out" });
  }
}

// A number that changes passes the numbers between. What it comes to is in its data, whatever is shown meanwhile.
function countTo(node, value, before = Number(node.dataset.value ?? value)) {
  node.dataset.value = value;
  if (isStill() || before === value) return setText(node, numberText(value));
  const start = performance.now();
  const step = (now) => {
    if (Number(node.dataset.value) !== value || !node.isConnected) return;
    const share = Math.min(Math.max((now - start) / COUNT, 0), 1);
    setText(node, numberText(Math.round(before + (value - before) * share)));
    if (share < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}

// The numbers in a row of drawings that is drawn anew, from what they were.
const NUMBER = /^-?\d+$/;
const numbersIn = (node) => [...node.querySelectorAll("text")].map((one) => one.textContent);

function countIn(node, before) {
  const texts = [...node.querySelectorAll("text")];
  if (texts.length !== before.length) return;
  texts.forEach((one, k) => {
    if (NUMBER.test(before[k]) && NUMBER.test(one.textContent)) countTo(one, Number(one.textContent), Number(before[k]));
  });
}
