// After the game: the points of all sides by source, and what one could expect before each own decision, with the largest mistakes,
// which the server works out in the background.

const REVIEW_WAIT = 500; // milliseconds between questions how far it is
let reviewed = null; // the review of this seat, once it is made
let isReviewing = false;

// Rows of sources, columns of sides; sources that gave nobody anything are left out.
function sourceTable() {
  const named = game.scores[0].sources.map(({ name }, at) => ({ name, points: game.scores.map((score) => score.sources[at].points) }));
  const head = game.names.map((name, side) => html("th", { scope: "col", title: name }, badge(side), html("span", { class: "unseen" }, name)));
  const cells = (numbers) => numbers.map((points) => html("td", {}, numberText(points)));
  const rows = named
    .filter(({ points }) => points.some((one) => one !== 0))
    .map(({ name, points }) => html("tr", {}, html("th", { scope: "row" }, labelOf("source", name)), ...cells(points)));
  const total = html("tr", { class: "all" }, html("th", { scope: "row" }, t("total")), ...cells(game.result.scores));
  return html("table", { id: "by-source" }, html("thead", {}, html("tr", {}, html("td"), ...head)), html("tbody", {}, ...rows, total));
}

function showReview() {
  const node = byId("review");
  if (!node) return;
  if (reviewed === null) {
    if (!isReviewing) askForReview();
    return;
  }
  if (reviewed.error) return node.replaceChildren(html("p", { class: "dim" }, reviewed.error));
  const share = t("In {best} of {decisions} decisions you took the best action.", { best: reviewed.best, decisions: reviewed.decisions });
  const judged = t("As {agent} judges it, from what you could know.", { agent: reviewed.agent });
  const cut = reviewed.complete ? "" : t("The time was up before the end of the game.");
  const title = t(reviewed.unit === "win" ? "Your chance to win" : "The points that you could expect");
  const mistakes = reviewed.mistakes.map((one) => html("li", {}, ...mistakeText(one)));
  const worst = mistakes.length ? [html("h3", {}, tn("Your largest mistake", "Your {number} largest mistakes", mistakes.length)), html("ol", {}, ...mistakes)] : [];
  node.replaceChildren(html("h3", {}, title), course(reviewed, title), ...worst, html("p", { class: "dim" }, [share, cut, judged].filter(Boolean).join(" ")));
}

async function askForReview() {
  isReviewing = true;
  const [line, bar] = [html("p", { class: "dim" }), html("progress", { max: 1, value: 0 })];
  byId("review").replaceChildren(line, bar);
  try {
    for (let found = { of: 0, done: 0 }; found.of !== undefined; ) {
      found = await ask(seatPath("/review"), {});
      reviewed = found.of === undefined ? found : null;
      setText(line, found.of ? t("Looking at your decisions: {done} of {all}", { done: found.done, all: found.of }) : t("Looking at your decisions …"));
      Object.assign(bar, { max: found.of || 1, value: found.done || 0 });
      bar.setAttribute("aria-label", line.textContent);
      if (!reviewed) await new Promise((done) => setTimeout(done, REVIEW_WAIT));
    }
  } catch (error) {
    reviewed = { error: error.message };
  }
  isReviewing = false;
  showReview();
}

// What was chosen, what would have been better and by how much, and the way to it in the replay.
function mistakeText({ step, round, taken, best, loss, low, high }) {
  const isChance = reviewed.unit === "win";
  const [lost, from, to] = [loss, low, high].map((value) => (isChance ? Math.round(100 * value) : Number(value.toFixed(1))));
  const amount = isChance ? tn("{number} percentage point", "{number} percentage points", lost) : pointsText(lost);
  const values = { taken: actionText(taken), best: actionText(best), loss: amount, low: numberText(from), high: numberText(to) };
  const text = t("{taken}: {best} would have brought {loss} more (95 % interval {low} to {high}).", values);
  const where = round === null ? t("Step {number}", { number: step }) : roundName(round);
  return [button(where, { class: "step", "data-step": step }, () => watchReplay(step)), " ", text];
}

// The course of the values as a line, with the result at its end and marks at the mistakes.
const COURSE = { width: 320, height: 120, left: 42, right: 8, top: 8, bottom: 8 };

function course({ unit, course: points, end, steps, mistakes }, label) {
  const values = [...points.map(([, value]) => value), ...(end === null ? [] : [end])];
  const [low, high] = unit === "win" ? [0, 1] : [Math.min(...values) - 1, Math.max(...values) + 1];
  const x = (step) => COURSE.left + (step / (steps + 1)) * (COURSE.width - COURSE.left - COURSE.right);
  const y = (value) => COURSE.top + ((high - value) / (high - low)) * (COURSE.height - COURSE.top - COURSE.bottom);
  const lines = [low, (low + high) / 2, high].flatMap((value) => [
    svg("line", { class: "s-line", x1: COURSE.left, x2: COURSE.width - COURSE.right, y1: y(value), y2: y(value) }),
    svg("text", { class: "dim", x: COURSE.left - 5, y: y(value) + 4, "font-size": 11, "text-anchor": "end" }, unit === "win" ? percentText(value) : numberText(Math.round(value))),
  ]);
  const way = [...points.map(([step, value]) => [x(step), y(value)]), ...(end === null ? [] : [[x(steps + 1), y(end)]])];
  const marks = points.filter(([step]) => mistakes.some((one) => one.step === step)).map(([step, value]) => svg("path", { class: "f-red s-edge", d: `M${x(step) - 5} ${y(value) - 10}h10l-5 8z` }));
  const line = svg("polyline", { class: `none s-${game.hues[game.seat]}`, "stroke-width": 2.2, points: way.map((point) => point.map((n) => n.toFixed(1)).join()).join(" ") });
  const text = values.map((value) => (unit === "win" ? percentText(value) : numberText(value, 1))).join(", ");
  const made = drawing({ viewBox: `0 0 ${COURSE.width} ${COURSE.height}`, role: "img", "aria-label": `${label}: ${text}` }, "");
  made.append(...lines, line, ...marks);
  return made;
}
