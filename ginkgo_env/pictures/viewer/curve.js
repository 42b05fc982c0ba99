// The values over the game: a clickable line for each seat.

const CURVE = { width: 400, height: 132, left: 44, right: 20, top: 10, bottom: 16 };
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "4 4"];
let cursor = null;

const curveX = (index) =>
  CURVE.left + (index / Math.max(1, entries().length - 1)) * (CURVE.width - CURVE.left - CURVE.right);

function curveRange(decisions) {
  if (isChance()) return [0, 1];
  const values = decisions.map((one) => one.value).filter((value) => value !== null);
  const low = Math.min(...values, ...(game.analysis.end || []).filter((value) => value !== null));
  const high = Math.max(...values, ...(game.analysis.end || []).filter((value) => value !== null));
  return high > low ? [low, high] : [low - 1, high + 1];
}

function showCurve() {
  const decisions = shownDecisions().filter((one) => one.value !== null);
  byId("curve").replaceChildren();
  cursor = null;
  if (!decisions.length) return;
  const [low, high] = curveRange(decisions);
  const y = (value) => CURVE.top + ((high - value) / (high - low)) * (CURVE.height - CURVE.top - CURVE.bottom);
  const label = `${isChance() ? "Chance to win" : "Expected score"} of each player along the game; the list of moves has the numbers`;
  const size = { viewBox: `0 0 ${CURVE.width} ${CURVE.height}`, role: "img", "aria-label": label };
  const made = drawing(size, "");
  for (const value of [low, (low + high) / 2, high]) made.append(...gridLine(value, y(value)));
  cursor = svg("line", { class: "s-mark cursor", y1: CURVE.top, y2: CURVE.height - CURVE.bottom });
  made.append(cursor);
  const seats = [...new Set(decisions.map((one) => one.seat))].sort();
  for (const seat of seats) made.append(...seatLine(seat, decisions.filter((one) => one.seat === seat), y));
  made.addEventListener("click", (event) => {
    const box = made.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * CURVE.width;
    const share = (x - CURVE.left) / (CURVE.width - CURVE.left - CURVE.right);
    goTo(Math.round(share * (entries().length - 1)));
  });
  byId("curve").append(made);
  moveCursor();
}

function gridLine(value, y) {
  const text = isChance() ? `${Math.round(100 * value)} %` : value.toFixed(0);
  return [
    svg("line", { class: "s-line", x1: CURVE.left, x2: CURVE.width - CURVE.right, y1: y, y2: y }),
    svg("text", { class: "dim", x: CURVE.left - 5, y: y + 4, "font-size": 11, "text-anchor": "end" }, text),
  ];
}

// The line of a seat, its worst decisions as triangles, the result as a square, its sign at the end.
function seatLine(seat, decisions, y) {
  const hue = game.hues[seat];
  const points = decisions.map((one) => [curveX(indexOfDecision(one.step)), y(one.value)]);
  const end = game.analysis.end ? game.analysis.end[seat] : null;
  const last = end === null || end === undefined ? points.at(-1) : [curveX(entries().length - 1), y(end)];
  const path = (end === null || end === undefined ? points : [...points, last]).map((point) => point.map((n) => n.toFixed(1)));
  const line = { class: `none s-${hue}`, points: path.join(" "), "stroke-width": 2.2, "stroke-dasharray": DASHES[seat % 5] || null };
  const worst = (game.analysis.summary.find((one) => one.seat === seat) || { worst: [] }).worst;
  const triangles = decisions
    .map((one, k) => (worst.includes(one.step) ? points[k] : null))
    .filter((point) => point !== null)
    .map(([x, top]) => svg("path", { class: `f-${hue} s-edge`, d: `M${x - 5} ${top - 9}h10l-5 8z` }));
  const sign = drawing({ viewBox: "0 0 24 24", x: last[0], y: last[1] - 9, width: 18, height: 18 }, game.badges[seat]);
  return [svg("polyline", line), ...triangles, sign];
}

function moveCursor() {
  if (cursor === null) return;
  cursor.setAttribute("x1", curveX(state.at));
  cursor.setAttribute("x2", curveX(state.at));
}
