// The colors that the person has chosen.

const THEMES = ["auto", "light", "dark"];

const chosenTheme = () => (THEMES.includes(kept("theme", "auto")) ? kept("theme", "auto") : "auto");

function nameTheme() {
  const names = { auto: t("page.colors_auto"), light: t("page.colors_light"), dark: t("page.colors_dark") };
  for (const one of document.querySelectorAll("[data-theme-button]")) one.textContent = names[chosenTheme()];
}

function chooseTheme() {
  keep("theme", after(THEMES, chosenTheme()));
  showTheme();
}

// Buttons with data-theme-button switch the colors.
function connectTheme() {
  for (const one of document.querySelectorAll("[data-theme-button]")) one.addEventListener("click", chooseTheme);
  showTheme();
}
