// The picture, its size, and the colors of the page.

const THEMES = { auto: "Colors: auto", light: "Colors: light", dark: "Colors: dark" };
const ZOOMS = { wide: "Size: wide", whole: "Size: whole", large: "Size: large" };

const chosenTheme = () => state.theme;

function nameTheme() {
  byId("theme").textContent = t(THEMES[state.theme]);
}

function showZoom() {
  byId("figure").dataset.zoom = state.zoom;
  byId("zoom").textContent = t(ZOOMS[state.zoom]);
}

function showPicture() {
  const one = entry();
  const [width, height] = one.size;
  const viewer = isOpen() ? t("all information visible") : t("as {name} sees it", { name: game.names[view().seat] });
  const label = t("{title}, step {n}, {viewer}. The table as text follows.", { title: game.title, n: one.n, viewer });
  const inside = game.patterns + one.picture.map((number) => game.elements[number]).join("");
  const made = drawing({ viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, inside);
  made.style.setProperty("--ratio", width / height);
  byId("figure").replaceChildren(made);
  byId("description").textContent = one.description.map((number) => game.lines[number]).join("\n");
}
