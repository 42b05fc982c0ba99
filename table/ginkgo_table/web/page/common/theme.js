// The colors that the person has chosen.

const THEMES = ["auto", "light", "dark"];

const chosenTheme = () => (THEMES.includes(kept("theme", "auto")) ? kept("theme", "auto") : "auto");

function nameTheme() {
  const names = { auto: t("Colors: auto"), light: t("Colors: light"), dark: t("Colors: dark") };
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
