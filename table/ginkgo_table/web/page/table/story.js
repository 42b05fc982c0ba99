// The log: what has happened, by rounds, the newest last and in sight.

let told = []; // entries that are shown, as text
let toldIn = ""; // the language of the words around them

function showStory() {
  const log = byId("log");
  const entries = game.log.map((one) => JSON.stringify(one));
  const goesOn = toldIn === catalog.language && told.length <= entries.length && told.every((one, k) => one === entries[k]);
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  if (!goesOn) {
    setState(log, "aria-live", "off"); // the past is not read out
    log.replaceChildren();
    told = [];
  }
  const fresh = game.log.slice(told.length);
  fresh.forEach((one, k) => addTold(log, one, game.log[told.length + k - 1]));
  for (const one of log.querySelectorAll(".new")) one.classList.remove("new");
  if (goesOn && told.length) [...log.querySelectorAll(".told")].slice(told.length).forEach((one) => one.classList.add("new"));
  if (fresh.length && (atEnd || !told.length)) log.scrollTop = log.scrollHeight;
  told = entries;
  toldIn = catalog.language;
  setTimeout(() => setState(log, "aria-live", "polite"), 500);
}

function addTold(log, one, before) {
  if (one.round !== null && (!before || before.round !== one.round)) log.append(html("h3", {}, roundName(one.round)));
  log.append(toldEntry(one));
}

const toldEntry = (one) =>
  html("div", { class: "told" }, ...one.choices.map(choiceLine), ...one.said.map((sentence) => html("p", { lang: "en" }, sentence)));

// Who chose what; where it is hidden, that somebody has chosen.
function choiceLine([side, action]) {
  const what = action === null ? html("span", { class: "dim" }, t("table.has_chosen")) : actionTold(action);
  return html("p", { class: "choice" }, badge(side), html("b", {}, game.names[side]), " ", what);
}

// An action that is one pick with words for it, such as take:tile, in words.
function actionTold(action) {
  const words = pickOfNotation(action);
  return words === action ? html("span", { class: "action" }, action) : html("span", { title: action }, words);
}
