// The person's language: texts from the server's catalog, numbers as that language writes them.
//
// In HTML: data-t="English" gives an element its text, data-t-title, data-t-label and data-t-placeholder an attribute.
// In scripts: t("English", { name: value }), tn("singular", "plural", number), and labelOf("pick", "tile", "new_tile").

const LANGUAGES = { en: "English", de: "Deutsch" };
const ATTRIBUTES = { "data-t-title": "title", "data-t-label": "aria-label", "data-t-placeholder": "placeholder" };
const catalog = { language: "en", game: "-", texts: {} };

function chosenLanguage() {
  const wanted = [kept("language", ""), ...(navigator.languages || [navigator.language])];
  return wanted.map((one) => String(one).slice(0, 2).toLowerCase()).find((one) => Object.hasOwn(LANGUAGES, one)) || "en";
}

// Loads the texts of the page and of a game, and puts them into the page. Throws where the server cannot be reached.
async function loadLabels(game = "-", language = chosenLanguage()) {
  const answer = await fetch(urlOf(`api/labels/${encodeURIComponent(language)}/${encodeURIComponent(game)}`));
  if (!answer.ok) throw new Error((await answer.json()).error);
  Object.assign(catalog, { language, game, texts: await answer.json() });
  document.documentElement.lang = language;
  translate(document);
}

// The translation of a text with values for its {placeholders}.
function t(english, values = {}) {
  const text = hasText(english) ? catalog.texts[english] : english;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(values, name) ? shownValue(values[name]) : whole));
}

const hasText = (key) => Object.hasOwn(catalog.texts, key);
const shownValue = (value) => (typeof value === "number" ? numberText(value) : String(value));
const tn = (one, other, number, values = {}) => t(number === 1 ? one : other, { number, ...values });

// A label of the game; without one, the last part of its key.
function labelOf(...parts) {
  const key = parts.join(":");
  return hasText(key) ? t(key) : parts.at(-1).replaceAll("_", " ");
}

// An agent by its measured strength, with its name in brackets; by its name alone where it was not measured.
const agentName = (agent, levels) => (levels[agent] ? `${t(`level:${levels[agent]}`)} (${agent})` : agent);

// The address of what the server writes in the language of now.
const localizedUrl = (path) => `${urlOf(path)}?language=${catalog.language}`;

// With a minus sign, as in print.
const numberText = (value, digits = 0) =>
  new Intl.NumberFormat(catalog.language, { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, 2) })
    .format(value)
    .replace("-", "\u2212");

// A share between 0 and 1 in percent.
const percentText = (value, digits = 0) =>
  new Intl.NumberFormat(catalog.language, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

const listText = (names, type = "conjunction") => new Intl.ListFormat(catalog.language, { type }).format(names);

function translate(root) {
  for (const one of root.querySelectorAll("[data-t]")) one.textContent = t(one.getAttribute("data-t"));
  for (const [from, to] of Object.entries(ATTRIBUTES)) {
    for (const one of root.querySelectorAll(`[${from}]`)) one.setAttribute(to, t(one.getAttribute(from)));
  }
}

// Makes a <select> the switch of the language; `after` draws anew what scripts have written.
function languageSwitch(select, after) {
  for (const [language, name] of Object.entries(LANGUAGES)) select.append(html("option", { value: language, lang: language }, name));
  select.value = catalog.language;
  select.addEventListener("change", async () => {
    try {
      await loadLabels(catalog.game, select.value);
      keep("language", select.value);
      await after();
    } catch {
      select.value = catalog.language; // the server is away: the page stays as it is
    }
  });
}
