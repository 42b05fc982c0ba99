// The picture, its size, and the colors of the page.

const THEMES = { auto: "Colors: auto", light: "Colors: light", dark: "Colors: dark" };
const ZOOMS = { wide: "Size: wide", whole: "Size: whole", large: "Size: large" };

const chosenTheme = () => state.theme;

function nameTheme() {
  byId("theme").textContent = THEMES[state.theme];
}

function showZoom() {
  byId("figure").dataset.zoom = state.zoom;
  byId("zoom").textContent = ZOOMS[state.zoom];
}

function showPicture() {
  const one = entry();
  const [width, height] = one.size;
  const viewer = isOpen() ? "all information visible" : `as ${game.names[view().seat]} sees it`;
  const label = `${game.title}, step ${one.n}, ${viewer}. The table as text follows.`;
  const inside = game.patterns + one.picture.map((number) => game.elements[number]).join("");
  const made = drawing({ viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, inside);
  made.style.setProperty("--ratio", width / height);
  byId("figure").replaceChildren(made);
  byId("told").textContent = one.told.map((number) => game.lines[number]).join("\n");
}
