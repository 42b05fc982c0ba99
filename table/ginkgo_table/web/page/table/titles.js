// Titles of pieces: a box beside the piece, on hover, long press and keyboard focus; paragraphs of the rules are links.

const SOON = 350; // milliseconds until a hovered piece shows its title
const LONG_PRESS = 500;
const AWAY = 250; // until the box closes, so that the pointer can reach its links
let titleTimer = null;

const pieces = () => [...document.querySelectorAll("#figure [data-title]")];

// The titles of a new picture: for screen readers, and one stop of Tab with arrow keys among them.
function readTitles() {
  for (const title of document.querySelectorAll("#figure > svg title")) {
    const piece = title.parentElement;
    filled(piece, { "data-title": title.textContent, "aria-label": title.textContent, role: "img", tabindex: -1 }, []);
    title.remove();
  }
  if (pieces().length) pieces()[0].setAttribute("tabindex", 0);
  hideTitle();
}

// Text in which "(R8.2)" and the like are links to the rules.
function withRules(words) {
  if (!game.rules) return [words];
  return words.split(/\b([A-Z]\d+(?:\.\d+)*)\b(?=[^(]*\))/).map((part, k) => {
    if (k % 2 === 0) return part;
    return html("a", { href: `../rules/${game.game}#${part}`, target: "_blank", hreflang: "en" }, part);
  });
}

function showTitle(piece) {
  clearTimeout(titleTimer);
  const box = byId("piece");
  box.replaceChildren(...withRules(piece.dataset.title));
  box.hidden = false;
  const { left, right, bottom, top } = piece.getBoundingClientRect();
  const x = Math.max(8, Math.min((left + right - box.offsetWidth) / 2, window.innerWidth - box.offsetWidth - 8));
  const y = bottom + 6 + box.offsetHeight < window.innerHeight ? bottom + 6 : Math.max(8, top - 6 - box.offsetHeight);
  Object.assign(box.style, { left: `${x}px`, top: `${y}px` });
}

function hideTitle() {
  clearTimeout(titleTimer);
  byId("piece").hidden = true;
}

function titleLater(act, wait) {
  clearTimeout(titleTimer);
  titleTimer = setTimeout(act, wait);
}

function onTitleKey(event) {
  const here = document.activeElement;
  if (event.key === "Escape" && !byId("piece").hidden) {
    hideTitle();
    event.stopPropagation();
    return;
  }
  if (!here.dataset.title) return;
  if (event.key === "Enter") {
    event.preventDefault();
    event.stopPropagation();
    here.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  } else moveInside(event, pieces());
}

function connectTitles() {
  const figure = byId("figure");
  const box = byId("piece");
  figure.addEventListener("pointerover", (event) => {
    const piece = event.pointerType === "mouse" && event.target.closest("[data-title]");
    if (piece) titleLater(() => showTitle(piece), SOON);
    else if (event.pointerType === "mouse") titleLater(hideTitle, AWAY);
  });
  figure.addEventListener("pointerleave", () => titleLater(hideTitle, AWAY));
  figure.addEventListener("pointerdown", (event) => {
    const piece = event.pointerType !== "mouse" && event.target.closest("[data-title]");
    if (piece) titleLater(() => showTitle(piece), LONG_PRESS);
  });
  for (const kind of ["pointerup", "pointercancel"]) figure.addEventListener(kind, (event) => event.pointerType !== "mouse" && clearTimeout(titleTimer));
  figure.addEventListener("focusin", (event) => event.target.matches("[data-title]:focus-visible") && showTitle(event.target));
  figure.addEventListener("focusout", () => titleLater(hideTitle, AWAY));
  figure.addEventListener("keydown", onTitleKey);
  box.addEventListener("pointerenter", () => clearTimeout(titleTimer));
  box.addEventListener("focusin", () => clearTimeout(titleTimer));
  for (const kind of ["pointerleave", "focusout"]) box.addEventListener(kind, () => titleLater(hideTitle, AWAY));
  document.addEventListener("pointerdown", (event) => box.contains(event.target) || figure.contains(event.target) || hideTitle());
}
