// The lobby as a whole: what is drawn when.

// Troubles before anything can be shown, such as a server that is away.
async function tellingTrouble(act) {
  try {
    await act();
    byId("notice").hidden = true;
    return true;
  } catch (error) {
    byId("notice").textContent = error.message;
    byId("notice").hidden = false;
    return false;
  }
}

// All that scripts have written, in the language of now.
function drawAnew() {
  document.title = t("Ginkgo: tables");
  showTheme();
  listGames();
  showOptions();
  showSeats();
  showOpen();
  for (const one of rows.values()) fillRow(one);
}

async function start() {
  const ready = await tellingTrouble(async () => {
    await loadLabels();
    chosen.offer = await ask("api/offer");
  });
  connectTheme();
  if (!ready) return;
  const last = kept("last", {}) || {};
  const games = chosen.offer.games;
  const game = games.find((one) => one.name === last.game) || games[0];
  languageSwitch(byId("language"), drawAnew);
  byId("opening").addEventListener("submit", openTable);
  connectTables();
  connectRecorded();
  document.querySelector("main").hidden = false;
  showTables();
  await chooseGame(game, last.options || {});
  drawAnew();
}

// Whoever comes back by the browser's "back" finds the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) showTables();
});

document.addEventListener("DOMContentLoaded", start);
