// The page of a seat as a whole: what is drawn when.

let comesBack = false; // the focus was in the panel, which is away until the next decision

function showView(view) {
  const before = game && game.decision;
  comesBack ||= byId("panel").contains(document.activeElement);
  const first = game === null;
  if (!first && game.version !== undefined && game.version === view.version) return;
  game = view;
  keepOrDrop(before);
  if (first) showNotice("");
  drawAll();
  if (first) center();
  else notifyTurn(before);
  if (document.activeElement.offsetParent !== null) comesBack = byId("panel").contains(document.activeElement);
  else if (comesBack && (isMyTurn() || isOver())) focusOn(...(isOver() ? ["#replay"] : FIRST_PICK));
}

function drawAll() {
  showHead();
  showStage();
  showPanel();
  showEnding();
  showScores();
  showStory();
  showSeats();
}

// All texts, in the language of now; those of the game come from the server.
async function inLanguage() {
  drawAnew();
  await refresh();
  listen();
}

function drawAnew() {
  showTheme();
  nameZoom();
  showKeys();
  nameAdvisers();
  if (game) drawAll();
}

async function firstView() {
  await loadLabels();
  connectTheme();
  const view = await ask(seatPath());
  await loadLabels(view.game);
  return view;
}

async function start() {
  let view;
  try {
    view = await firstView();
  } catch (error) {
    if (error.status === 404 || error.status === 410) leave(error);
    else {
      showNotice(error.message);
      setTimeout(start, 3000); // the server may come back
    }
    return;
  }
  keepSeat(token, view);
  languageSwitch(byId("language"), inLanguage);
  connectStage();
  connectTitles();
  connectPanel();
  connectKeys();
  connectPast();
  connectNotify();
  showView(view);
  drawAnew();
  connectSeats();
  loadAdvisers();
  listen();
  document.addEventListener("visibilitychange", onSight);
}

document.addEventListener("DOMContentLoaded", start);
