// Frames over the picture: what can be picked, what is picked, what an action is about, and what is pointed at.

const ROOM = 2; // units between a part and its frame
const picture = () => document.querySelector("#figure > svg");
const placesNamed = (name) => [...document.querySelectorAll(`#figure [data-place="${CSS.escape(name)}"]`)];

// The drawings of a part; `place:NAME` is a place, whether it can be picked or not.
const partsNamed = (part) =>
  part.startsWith("place:") ? placesNamed(part.slice(6)) : [...document.querySelectorAll(`#figure [data-part="${CSS.escape(part)}"]`)];

// The box of a part in units of the whole picture, whatever groups it is in.
function boxOf(node) {
  const box = node.getBBox();
  const change = picture().getScreenCTM().inverse().multiply(node.getScreenCTM());
  const corners = [
    [box.x, box.y],
    [box.x + box.width, box.y + box.height],
  ].map(([x, y]) => new DOMPoint(x, y).matrixTransform(change));
  const [left, right] = corners.map((one) => one.x).sort((a, b) => a - b);
  const [top, bottom] = corners.map((one) => one.y).sort((a, b) => a - b);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// Two rectangles, one wider and pale behind, so that a frame is seen on every ground.
function frame(node, kind) {
  const { x, y, width, height } = boxOf(node);
  if (!width || !height) return [];
  const size = { x: x - ROOM, y: y - ROOM, width: width + 2 * ROOM, height: height + 2 * ROOM, rx: 4 };
  return ["halo", "line"].map((layer) => svg("rect", { class: `frame ${kind} ${layer}`, ...size }));
}

// What an action is about, as one area: edges between two places that touch are left out.
function area(parts) {
  const boxes = [...new Set(parts)].flatMap(partsNamed).map(boxOf).filter((box) => box.width && box.height);
  const edges = new Map();
  for (const { x, y, width, height } of boxes) {
    const [right, bottom] = [x + width, y + height];
    for (const edge of [[x, y, right, y], [x, bottom, right, bottom], [x, y, x, bottom], [right, y, right, bottom]]) {
      const key = edge.map(Math.round).join();
      edges.set(key, edges.has(key) ? null : `M${edge[0]} ${edge[1]}L${edge[2]} ${edge[3]}`);
    }
  }
  const d = [...edges.values()].filter(Boolean).join("");
  const grounds = boxes.map((box) => svg("rect", { class: "ground", ...box }));
  return d ? [...grounds, ...["halo", "line"].map((layer) => svg("path", { class: `frame place ${layer}`, d }))] : [];
}

const framesOf = (parts, kind) => [...new Set(parts)].flatMap(partsNamed).flatMap((node) => frame(node, kind));

function overlay(name) {
  const there = picture().querySelector(`[data-frames="${name}"]`);
  if (there) return there;
  const made = svg("g", { "data-frames": name, "aria-hidden": "true" });
  picture().append(made);
  return made;
}

// What is chosen, in a layer of its own; `about` is the action that is shown.
function showFrames() {
  if (!picture()) return;
  const { can, picked, places } = framed();
  const hidden = new Set([...picked, ...places]);
  const nodes = [
    ...framesOf(can.filter((part) => !hidden.has(part)), "can"),
    ...area(places.filter((part) => !picked.includes(part))),
    ...framesOf(picked, "picked"),
  ];
  overlay("chosen").replaceChildren(...nodes);
  for (const node of document.querySelectorAll("#figure [data-part]")) node.classList.toggle("live", isLive(node.dataset.part));
}

function framed() {
  if (!isMyTurn() || sending) return { can: [], picked: [], places: [] };
  const action = actionOf(chosen.action);
  const picks = Object.entries(chosen.picks).map(([group, name]) => `${group}:${name}`);
  const can = groupsOf(actions(), chosen).flatMap(({ group, names }) => names.filter(([, fits]) => fits).map(([name]) => `${group}:${name}`));
  if (!action) return { can, picked: picks, places: chosen.about === null ? [] : [chosen.about] };
  return { can, picked: [...picks, ...action.picks.map(([group, name]) => `${group}:${name}`)], places: action.places };
}

// A part that does something when it is clicked now.
function isLive(part) {
  return !sending && actions().some((action) => partsOf(action).includes(part));
}

// The parts under the pointer or behind the button that has the focus.
function pointAt(parts) {
  if (picture()) overlay("pointed").replaceChildren(...framesOf(parts, "pointed"));
}

// A button that points at parts.
function pointing(made, parts) {
  for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, () => pointAt(parts));
  for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, () => pointAt([]));
  return made;
}

// Parts that are out of sight come into it; the picture moves as little as possible.
function bringIntoSight(parts) {
  const node = [...new Set(parts)].flatMap(partsNamed)[0];
  if (!node) return;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const stage = byId("stage");
  const scroller = stage.scrollHeight > stage.clientHeight + 1 && getComputedStyle(stage).overflowY !== "visible" ? stage : null;
  const box = node.getBoundingClientRect();
  const room = scroller ? scroller.getBoundingClientRect() : { top: 0, bottom: window.innerHeight - panelHeight() };
  const by = box.top < room.top + 8 ? box.top - room.top - 24 : box.bottom > room.bottom - 8 ? box.bottom - room.bottom + 24 : 0;
  if (by) (scroller || window).scrollBy({ top: by, behavior: calm ? "auto" : "smooth" });
}

// On a phone the page scrolls, under a panel that stays at its lower end.
const panelHeight = () => (getComputedStyle(byId("panel")).position === "sticky" ? byId("panel").offsetHeight : 0);
