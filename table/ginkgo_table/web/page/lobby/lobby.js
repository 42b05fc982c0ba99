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
  const first = kept("first", null); // the page on how to play it sends people here
  keep("first", null);
  const games = chosen.offer.games;
  const game = games.find((one) => one.name === (first || last.game)) || games[0];
  languageSwitch(byId("language"), inLanguage);
  byId("opening").addEventListener("submit", (event) => {
    event.preventDefault();
    openTable();
  });
  connectTables();
  connectRecorded();
  document.querySelector("main").hidden = false;
  showTables();
  await chooseGame(game, last.options || {});
  drawAnew();
  prepareGames();
  if (first) playNow(game, true);
}

// What is said of the games comes from the server.
async function inLanguage() {
  chosen.offer = await ask("api/offer");
  chosen.game = chosen.offer.games.find((one) => one.name === chosen.game.name);
  drawAnew();
}

// Whoever comes back by the browser's "back" finds the page as it was left.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) showTables();
});

document.addEventListener("DOMContentLoaded", start);
