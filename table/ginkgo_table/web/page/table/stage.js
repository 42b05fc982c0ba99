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

function onPart(event) {
  const part = isMyTurn() ? livePart(event.target) : null;
  if (part === null) return;
  const [group, name] = part.split(/:(.*)/s); // at the first colon
  if (actions().some((action) => hasPick(action, group, name))) pick(group, name, { look: false });
  else choose(withPlace(actions(), chosen, part), { look: false });
}

function connectStage() {
  for (const node of [byId("figure"), byId("hand")]) {
    node.addEventListener("click", onPart);
    node.addEventListener("pointermove", (event) => {
      const part = isMyTurn() && event.pointerType === "mouse" ? livePart(event.target) : null;
      const parts = part === null ? [] : [part];
      if (String(parts) !== pointed) pointAt(parts);
    });
    node.addEventListener("pointerleave", () => pointAt([]));
  }
  connectZoom();
}
