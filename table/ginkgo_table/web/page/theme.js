// Light or dark: as the system, unless the person has chosen. Needs keep.js and i18n.js.

const THEMES = ["auto", "light", "dark"];
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
let printing = false;

const chosenTheme = () => (THEMES.includes(kept("theme", "auto")) ? kept("theme", "auto") : "auto");

function shownTheme() {
  if (printing) return "light";
  if (chosenTheme() !== "auto") return chosenTheme();
  return systemDark.matches ? "dark" : "light";
}

function showTheme() {
  const theme = shownTheme();
  document.documentElement.dataset.theme = theme;
  for (const one of document.querySelectorAll("svg.gk")) one.setAttribute("class", `gk gk-${theme}`);
  const names = { auto: t("page.colors_auto"), light: t("page.colors_light"), dark: t("page.colors_dark") };
  for (const one of document.querySelectorAll("[data-theme-button]")) one.textContent = names[chosenTheme()];
}

function chooseTheme() {
  keep("theme", THEMES[(THEMES.indexOf(chosenTheme()) + 1) % THEMES.length]);
  showTheme();
}

// Buttons with data-theme-button switch the colors.
function connectTheme() {
  for (const one of document.querySelectorAll("[data-theme-button]")) one.addEventListener("click", chooseTheme);
  systemDark.addEventListener("change", showTheme);
  const printAs = (light) => {
    printing = light;
    showTheme();
  };
  window.addEventListener("beforeprint", () => printAs(true));
  window.addEventListener("afterprint", () => printAs(false));
  showTheme();
}
