// Elements, and the colors of the page. Texts are inserted as text nodes, never as HTML.

const byId = (id) => document.getElementById(id);
const after = (all, now) => all[(all.indexOf(now) + 1) % all.length];
const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const html = (name, attributes, ...children) => filled(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => filled(document.createElementNS(SVG, name), attributes, children);

function button(content, attributes, act) {
  const made = html("button", { type: "button", ...attributes }, ...[content].flat());
  made.addEventListener("click", act);
  return made;
}

// Drawings come from the file itself; their texts were escaped when it was written.
function drawing(attributes, inside) {
  const made = svg("svg", { class: "gk", ...attributes });
  made.innerHTML = inside;
  return made;
}

// The badge of a side; its name is beside it.
const badge = (side) => drawing({ viewBox: "0 0 24 24", "data-badge": true, "aria-hidden": "true" }, game.badges[side]);

const ICONS = {
  first: "M5 5v14M19 5l-10 7 10 7z",
  previous: "M17 5l-10 7 10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3v14h-3zM14 5h3v14h-3z",
  next: "M7 5l10 7-10 7z",
  last: "M19 5v14M5 5l10 7-10 7z",
};

function setIcon(node, name) {
  const shape = svg("path", { d: ICONS[name] });
  node.replaceChildren(svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, shape));
}

// Light or dark: as the system, unless chosen. A page has `chosenTheme()`, and `nameTheme()` for its buttons.
function showTheme() {
  document.documentElement.style.colorScheme = chosenTheme() === "auto" ? "" : chosenTheme();
  nameTheme();
}
