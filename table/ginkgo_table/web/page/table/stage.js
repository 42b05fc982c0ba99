// The board, and what clicks on drawings do.

let shownBody = null;

function showStage() {
  const { width, height, body } = game.picture.board;
  const views = game.public ? "{title} as everybody sees it. The table as text follows." : game.seat === null ? "{title}, everything open. The table as text follows." : "{title} as {name} sees it. The table as text follows.";
  const label = t(views, { title: game.title, name: game.names[game.seat] });
  const before = placesOfParts();
  showRows();
  if (body !== shownBody) {
    byId("figure").replaceChildren(drawing({ viewBox: `0 0 ${width} ${height}`, role: "group" }, PATTERNS + body));
    shownBody = body;
    measure();
    zoomTo(zoom);
  }
  readTitles();
  picture().setAttribute("aria-label", label);
  setText(byId("description"), game.description);
  showFrames();
  showMove();
  movePieces(before);
  arrive();
  pointAt([]); // the button that was pointed with may be gone
}

function center() {
  const figure = byId("figure");
  figure.scrollTo({ left: (figure.scrollWidth - figure.clientWidth) / 2, top: (figure.scrollHeight - figure.clientHeight) / 2, behavior: "instant" });
}

// The innermost part here that does something now.
function livePart(node) {
  let part = node.closest("[data-part]");
  while (part && !isLive(part.dataset.part)) part = part.parentElement.closest("[data-part]");
  return part ? part.dataset.part : null;
}

// What a click there would be about: the places of the action, such as those that a building would cover.
function partsAt(part) {
  if (part === null) return [];
  if (isPick(part)) return [part];
  const action = actionOf(withPlace(actions(), chosen, part).action);
  return action && action.id !== chosen.action ? action.places : [part];
}

// Whether a part is a pick of an action, and not only a place that actions are about.
const isPick = (part) => actions().some((action) => hasPick(action, ...pickIn(part)));

// The choice after a click on a part.
const withPart = (choice, part) => (isPick(part) ? withPick(actions(), choice, ...pickIn(part)) : withPlace(actions(), choice, part));

function turn(step) {
  if (isMyTurn()) choose(turned(actions(), chosen, step), { look: false });
}

// A wheel turns what is placed, where it does not scroll the board.
function onWheel(event) {
  const figure = byId("figure");
  const turns = actions().some((action) => action.picks.some(([group]) => group === "heading"));
  if (event.ctrlKey || !turns || figure.scrollHeight > figure.clientHeight) return;
  event.preventDefault();
  turn(Math.sign(event.deltaY));
}

function onPart(event) {
  const part = isMyTurn() ? livePart(event.target) : null;
  if (part === null) return tellWhyNot(event.target.closest("[data-place], [data-part]"));
  const before = Object.entries(chosen.picks);
  choose(withPart(chosen, part), { look: false });
  if (isPick(part)) return;
  const [, name] = pickIn(part);
  const now = { ...chosen.picks, ...Object.fromEntries(actionOf(chosen.action)?.picks || []) };
  const gone = before.filter(([of, what]) => now[of] !== what && now[of] !== name && partsNamed(`${of}:${what}`).length);
  if (gone.length) showProblem(t("{picks} does not go with {name}.", { picks: pickedText(gone), name }));
}

// Why a click there does nothing: it is not my turn, or what the game says about places that no action is about.
function tellWhyNot(node) {
  if (node === null || sending || isOver() || game.seat === null) return;
  if (!isMyTurn()) return showTrouble(t("Not your turn: {turn}.", { turn: turnText() }));
  const name = node.dataset.place || pickIn(node.dataset.part)[1];
  const key = `elsewhere:${decision().kind}`;
  showProblem(hasText(key) && byId("figure").contains(node) ? t("{name}: {value}", { name, value: t(key) }) : t("None of your possible actions is about {name}.", { name }));
}

// A piece that is dragged with a mouse onto another part is picked with it.
const DRAG = 6; // pixels
let dragged = null; // {part, x, y, copy}: where it was taken, and from when it moves, what follows the pointer

function onDragStart(event) {
  const part = isMyTurn() && event.pointerType === "mouse" && event.button === 0 ? livePart(event.target) : null;
  dragged = part && { part, x: event.clientX, y: event.clientY, piece: event.target.closest("[data-piece]"), copy: null };
}

function onDrag(event) {
  if (!dragged || (!dragged.copy && Math.hypot(event.clientX - dragged.x, event.clientY - dragged.y) < DRAG)) return;
  if (!dragged.copy) {
    hideTitle();
    const { left, top, width } = (dragged.piece || event.target).getBoundingClientRect();
    dragged.copy = dragged.piece ? copyOf(dragged.piece) : html("span");
    dragged.copy.classList.add("flying");
    Object.assign(dragged.copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
    document.body.append(dragged.copy);
    choose(withPart(noChoice(), dragged.part), { look: false });
  }
  dragged.copy.style.transform = `translate(${event.clientX - dragged.x}px, ${event.clientY - dragged.y}px)`;
}

function onDrop(event) {
  const { part, copy } = dragged || {};
  dragged = null;
  if (!copy) return;
  copy.remove();
  const target = document.elementFromPoint(event.clientX, event.clientY);
  const onto = target?.closest("#figure, #hand") ? livePart(target) : null;
  if (onto === null) tellWhyNot(target?.closest("#figure :is([data-place], [data-part])") ?? null);
  else if (onto !== part) choose(withPart(chosen, onto), { look: false });
}

function connectStage() {
  for (const node of [byId("figure"), byId("hand")]) {
    node.addEventListener("click", onPart);
    node.addEventListener("pointerdown", onDragStart);
    node.addEventListener("pointermove", (event) => {
      const part = isMyTurn() && event.pointerType === "mouse" ? livePart(event.target) : null;
      const parts = partsAt(part);
      if (String(parts) !== pointed) pointAt(parts);
    });
    node.addEventListener("pointerleave", () => pointAt([]));
  }
  byId("figure").addEventListener("wheel", onWheel, { passive: false });
  window.addEventListener("resize", fitHand);
  window.addEventListener("pointermove", onDrag);
  window.addEventListener("pointerup", onDrop);
  connectZoom();
}
