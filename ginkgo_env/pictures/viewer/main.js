// The whole page: updates, and the address, which contains step and view.

function showStep() {
  showPicture();
  showSentences();
  showBar();
  markMove();
  if (game.analysis) showAnalysis();
  writeAddress();
}

function showView() {
  byId("slider").max = entries().length - 1;
  [...byId("views").children].forEach((one, index) => one.setAttribute("aria-pressed", String(index === state.view)));
  listMoves();
  if (game.analysis) {
    showCurve();
    showSummary();
  }
  showStep();
}

function showHead() {
  byId("title").textContent = game.title;
  const seed = game.seed === null ? [] : [t("seed {n}", { n: game.seed })];
  byId("configuration").textContent = [...game.options, ...seed].join(" · ");
  const seen = game.seat === null ? [] : [t("as {name} saw it", { name: game.names[game.seat] })];
  const scores = game.result ? [game.names.map((name, side) => `${name} ${game.result.scores[side]}`).join(", ")] : [t("not finished")];
  byId("about").textContent = [...scores, ...seen].join(" · ");
  if (game.views.length < 2) return;
  const signed = (one) => [one.seat === null ? null : badge(one.seat), viewName(one)];
  byId("views").append(...game.views.map((one, index) => button(signed(one), {}, () => chooseView(index))));
}

function writeAddress() {
  const seat = view().seat === null ? "all" : view().seat;
  try {
    history.replaceState(null, "", `#step=${entry().n}&view=${seat}`);
  } catch {
    // browsers refuse too many changes in a short time: the next one will succeed
  }
}

function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const wanted = asked.get("view");
  const index = game.views.findIndex((one) => String(one.seat === null ? "all" : one.seat) === wanted);
  if (index >= 0) state.view = index;
  const step = Number.parseInt(asked.get("step"), 10);
  state.at = Number.isNaN(step) ? Math.min(state.at, entries().length - 1) : indexOf(step);
  pause();
  showView();
}

async function start() {
  try {
    game = await unpack();
  } catch (error) {
    byId("notice").textContent = `This browser cannot show the game (${error.message}). A current one can.`;
    byId("notice").hidden = false;
    return;
  }
  document.querySelector("main").hidden = false;
  byId("analysis").hidden = !game.analysis;
  translatePage();
  connect();
  showTheme();
  showZoom();
  showHead();
  readAddress();
}

start();
