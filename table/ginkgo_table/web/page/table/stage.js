// The picture of the table, its sizes, and what clicks on it do.

const ZOOMS = { wide: "table.zoom_wide", whole: "table.zoom_whole", large: "table.zoom_large" };
const chosenZoom = () => (Object.hasOwn(ZOOMS, kept("zoom", "wide")) ? kept("zoom", "wide") : "wide");
let shownBody = null;

function showStage() {
  const { width, height, body } = game.picture;
  const label = t(game.seat === null ? "table.picture_open" : "table.picture_of", { title: game.title, name: game.names[game.seat] });
  if (body !== shownBody) {
    const made = drawing({ viewBox: `0 0 ${width} ${height}`, role: "group" }, PATTERNS + body);
    made.style.setProperty("--ratio", width / height);
    byId("figure").replaceChildren(made);
    shownBody = body;
    readTitles();
  }
  picture().setAttribute("aria-label", label);
  setText(byId("told"), game.told);
  showFrames();
}

function showZoom() {
  byId("figure").dataset.zoom = chosenZoom();
  byId("zoom").textContent = t(ZOOMS[chosenZoom()]);
  if (game && picture()) showFrames();
}

function chooseZoom() {
  keep("zoom", after(Object.keys(ZOOMS), chosenZoom()));
  showZoom();
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
  const figure = byId("figure");
  figure.addEventListener("click", onPart);
  figure.addEventListener("pointermove", (event) => {
    const part = isMyTurn() && event.pointerType === "mouse" ? livePart(event.target) : null;
    if (part === figure.dataset.pointed) return;
    if (part === null) delete figure.dataset.pointed;
    else figure.dataset.pointed = part;
    pointAt(part === null ? [] : [part]);
  });
  figure.addEventListener("pointerleave", () => {
    delete figure.dataset.pointed;
    pointAt([]);
  });
  byId("zoom").addEventListener("click", chooseZoom);
  showZoom();
}
