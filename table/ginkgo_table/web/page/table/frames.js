// Frames over the drawings: what can be picked, what is picked, what an action is about, and what is pointed at.

const ROOM = 2; // units between a part and its frame
const picture = () => document.querySelector("#figure > svg");
const drawings = () => [...document.querySelectorAll("#figure > svg, [data-piece]")];

// The drawings of a part; `place:NAME` is a place, whether it can be picked or not.
function partsNamed(part, root = document) {
  const [kind, name] = part.startsWith("place:") ? ["place", part.slice(6)] : ["part", part];
  return [...root.querySelectorAll(`[data-${kind}="${CSS.escape(name)}"]`)];
}

// The box of a part in units of its drawing, whatever groups it is in.
function boxOf(node) {
  const box = node.getBBox();
  const change = node.ownerSVGElement.getScreenCTM().inverse().multiply(node.getScreenCTM());
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
function area(root, parts) {
  const boxes = nodesOf(root, parts).map(boxOf).filter((box) => box.width && box.height);
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

const nodesOf = (root, parts) => [...new Set(parts)].flatMap((part) => partsNamed(part, root));
const framesOf = (root, parts, kind) => nodesOf(root, parts).flatMap((node) => frame(node, kind));

// A layer over each drawing; `made` gives what is in it.
function showLayer(name, made) {
  for (const root of drawings()) {
    const nodes = made(root);
    root.querySelector(`[data-frames="${name}"]`)?.remove();
    if (nodes.length) root.append(svg("g", { "data-frames": name, "aria-hidden": "true" }, ...nodes));
  }
}

// What is chosen, in a layer of its own; `about` is the action that is shown.
function showFrames() {
  const { can, picked, places } = framed();
  const hidden = new Set([...picked, ...places]);
  const open = can.filter((part) => !hidden.has(part));
  const noted = open.filter((part) => noteOf(...pickIn(part)));
  showLayer("chosen", (root) => [
    ...framesOf(root, open.filter((part) => !noted.includes(part)), "can"),
    ...framesOf(root, noted, "noted"),
    ...area(root, places.filter((part) => !picked.includes(part))),
    ...framesOf(root, picked, "picked"),
  ]);
  showLayer("ghost", (root) => (root === picture() ? ghost(places) : []));
  for (const node of document.querySelectorAll("[data-part]")) node.classList.toggle("live", isLive(node.dataset.part));
}

// The chosen tile, pale, on its place.
function ghost(places) {
  const piece = isMyTurn() && placedPiece(actionOf(chosen.action)?.picks || Object.entries(chosen.picks), ["tile"]);
  const [place] = nodesOf(picture(), places);
  if (!piece || !place) return [];
  const copy = copyOf(piece);
  filled(copy, { ...boxOf(place), class: "ghost", style: null }, []);
  return [copy];
}

function framed() {
  if (!isMyTurn() || sending) return { can: [], picked: [], places: [] };
  const action = actionOf(chosen.action);
  const picks = Object.entries(chosen.picks).map(([group, name]) => `${group}:${name}`);
  const can = groupsOf(actions(), chosen).flatMap(({ group, names }) => names.filter(([, fits]) => fits).map(([name]) => `${group}:${name}`));
  if (!action) return { can, picked: picks, places: chosen.about === null ? sharedPlaces(actions(), chosen.picks) : [chosen.about] };
  return { can, picked: [...picks, ...action.picks.map(([group, name]) => `${group}:${name}`)], places: action.places };
}

// A part that does something when it is clicked now.
function isLive(part) {
  return !sending && actions().some((action) => partsOf(action).includes(part));
}

// The parts under the pointer or behind the button that has the focus.
let pointed = "";

function pointAt(parts) {
  pointed = String(parts);
  showLayer("pointed", (root) => framesOf(root, parts, "pointed"));
}

// A button that points at parts.
function pointing(made, parts) {
  for (const kind of ["pointerenter", "focus"]) made.addEventListener(kind, () => pointAt(parts));
  for (const kind of ["pointerleave", "blur"]) made.addEventListener(kind, () => pointAt([]));
  return made;
}

const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// Parts that are out of sight come into it; what they lie in moves as little as possible.
function bringIntoSight(parts) {
  const node = nodesOf(byId("figure"), parts)[0] || nodesOf(byId("hand"), parts)[0];
  if (node) node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: isCalm() ? "auto" : "smooth" });
}
