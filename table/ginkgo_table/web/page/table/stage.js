// The board, and what clicks on drawings do.

let shownBody = null;

function showStage() {
  const { width, height, body } = game.picture.board;
  const views = game.public ? "{title} as everybody sees it. The table as text follows." : game.seat === null ? "{title}, everything open. The table as text follows." : "{title} as {name} sees it. The table as text follows.";
  const label = t(views, { title: game.title, name: game.names[game.seat] });
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
  const [group, name] = part.split(/:(.*)/s);
  if (actions().some((action) => hasPick(action, group, name))) return [part];
  const action = actionOf(withPlace(actions(), chosen, part).action);
  return action && action.id !== chosen.action ? action.places : [part];
}

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
  const [group, name] = part.split(/:(.*)/s); // at the first colon
  if (actions().some((action) => hasPick(action, group, name))) return pick(group, name, { look: false });
  const before = Object.entries(chosen.picks);
  choose(withPlace(actions(), chosen, part), { look: false });
  const now = { ...chosen.picks, ...Object.fromEntries(actionOf(chosen.action)?.picks || []) };
  const gone = before.filter(([of, what]) => now[of] !== what && now[of] !== name && partsNamed(`${of}:${what}`).length);
  if (gone.length) showProblem(t("{picks} does not go with {name}.", { picks: pickedText(gone), name }));
}

// Why a click there does nothing: it is not my turn, or what the game says about places that no action is about.
function tellWhyNot(node) {
  if (node === null || sending || isOver() || game.seat === null) return;
  if (!isMyTurn()) return showTrouble(t("Not your turn: {turn}.", { turn: turnText() }));
  const name = node.dataset.place || node.dataset.part.split(/:(.*)/s)[1];
  const key = `elsewhere:${decision().kind}`;
  showProblem(hasText(key) && byId("figure").contains(node) ? t("{name}: {value}", { name, value: t(key) }) : t("None of your possible actions is about {name}.", { name }));
}

function connectStage() {
  for (const node of [byId("figure"), byId("hand")]) {
    node.addEventListener("click", onPart);
    node.addEventListener("pointermove", (event) => {
      const part = isMyTurn() && event.pointerType === "mouse" ? livePart(event.target) : null;
      const parts = partsAt(part);
      if (String(parts) !== pointed) pointAt(parts);
    });
    node.addEventListener("pointerleave", () => pointAt([]));
  }
  byId("figure").addEventListener("wheel", onWheel, { passive: false });
  connectZoom();
}
