// The size of the board: all of it where there is room, as large as can be read and hit on a phone. What is too large is panned by
// scrolling; two fingers, a wheel with Ctrl and a button make it larger.

const SMALL_SCREEN = window.matchMedia("(max-width: 820px), (max-height: 480px)");
const LEAST_TEXT = 10; // pixels
const LEAST_TARGET = 24;
const TAP = 300; // milliseconds that two fingers stay to turn what is placed
const MOST = 3; // pixels a unit at which a board opens
const ZOOMS = { 1: "Size: whole", 1.5: "Size: larger", 2.25: "Size: largest" };
let zoom = Object.hasOwn(ZOOMS, kept("zoom", 1)) ? Number(kept("zoom", 1)) : 1;
let scale = 1; // pixels a unit
let needed = 0; // the scale at which everything can be read and hit

// Measured whenever the board has been drawn.
function measure() {
  const sizes = [...picture().querySelectorAll("text")].map((one) => Number(one.getAttribute("font-size")));
  const parts = [...picture().querySelectorAll("[data-part]")].map(boxOf).flatMap(({ width, height }) => [width, height]);
  const least = (all, pixels) => Math.max(0, ...all.filter((one) => one > 0).map((one) => pixels / one));
  needed = 1.01 * Math.max(least(sizes, LEAST_TEXT), least(parts, LEAST_TARGET)); // lengths are rounded
}

function opening() {
  const { clientWidth, clientHeight } = byId("figure");
  const { width, height } = game.picture.board;
  const whole = Math.min(clientWidth / width, clientHeight / height, MOST);
  return SMALL_SCREEN.matches ? Math.max(whole, Math.min(needed, MOST)) : whole;
}

// Another zoom; the point of the board at (x, y) in the figure stays where it is.
function zoomTo(next, x = byId("figure").clientWidth / 2, y = byId("figure").clientHeight / 2) {
  const [figure, before] = [byId("figure"), picture().getBoundingClientRect()];
  const { left, top } = figure.getBoundingClientRect();
  const [u, v] = [(left + x - before.left) / (before.width || 1), (top + y - before.top) / (before.height || 1)];
  zoom = Math.min(Math.max(next, 0.4), 6);
  scale = opening() * zoom;
  picture().style.width = `${Math.floor(game.picture.board.width * scale)}px`;
  const now = picture().getBoundingClientRect();
  figure.scrollBy({ left: now.left + u * now.width - left - x, top: now.top + v * now.height - top - y, behavior: "instant" });
}

function nameZoom() {
  byId("zoom").textContent = t(ZOOMS[zoom] || "Size: own");
}

function chooseZoom() {
  zoomTo(Number(after(Object.keys(ZOOMS).sort(), String(zoom))));
  keep("zoom", zoom);
  nameZoom();
}

function connectZoom() {
  const figure = byId("figure");
  let pinch = null; // the distance of two fingers, the zoom and the time when they came
  const at = ({ left, top }, [one, other]) => [(one.clientX + other.clientX) / 2 - left, (one.clientY + other.clientY) / 2 - top];
  const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  figure.addEventListener("touchstart", ({ touches }) => (pinch = touches.length === 2 ? [apart(touches), zoom, performance.now()] : null), { passive: true });
  figure.addEventListener("touchend", () => {
    if (pinch && zoom === pinch[1] && performance.now() - pinch[2] < TAP) turn(1);
    pinch = null;
  });
  figure.addEventListener("touchmove", (event) => {
    if (!pinch || event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault(); // one finger scrolls
    zoomTo((pinch[1] * apart(event.touches)) / pinch[0], ...at(figure.getBoundingClientRect(), event.touches));
    nameZoom();
  }, { passive: false });
  figure.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = figure.getBoundingClientRect();
    zoomTo(zoom * Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
    nameZoom();
  }, { passive: false });
  new ResizeObserver(() => picture() && zoomTo(zoom)).observe(figure);
  byId("zoom").addEventListener("click", chooseZoom);
  nameZoom();
}
