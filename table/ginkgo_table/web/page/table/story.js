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
  const lines = fresh.map((one, k) => addTold(log, one, game.log[told.length + k - 1]));
  for (const one of log.querySelectorAll(".new")) one.classList.remove("new");
  if (goesOn && told.length) {
    for (const line of lines) line.classList.add("new");
    showMoves(fresh.map((entry, k) => ({ entry, line: lines[k] })));
  }
  if (fresh.length && (atEnd || !told.length)) log.scrollTop = log.scrollHeight;
  told = entries;
  toldIn = catalog.language;
  setTimeout(() => setState(log, "aria-live", "polite"), 500);
}

function addTold(log, one, before) {
  if (one.round !== null && (!before || before.round !== one.round)) log.append(html("h3", {}, roundName(one.round)));
  return log.appendChild(toldEntry(one));
}

function toldEntry(one) {
  const lines = one.said.length ? [toldLine(one)] : one.seats.map((side) => choiceLine(side, one.picks));
  return html("div", { class: "told" }, ...lines);
}

// What happened, in sentences, with the badge of whoever decided.
const toldLine = (one) => html("p", {}, ...one.seats.slice(0, 1).map(badge), ...linked(one.said.join(" ")));

// A choice without consequences yet; where it is hidden, that somebody has chosen.
function choiceLine(side, picks) {
  const what = picks.length ? linked(t("Chosen: {action}", { action: pickedText(picks) })) : [html("span", { class: "dim" }, t("has chosen"))];
  return html("p", { class: "choice" }, badge(side), html("b", {}, game.names[side]), " ", ...what);
}

const NAME = /([\p{L}\p{N}]+)/u;
const namesIn = (sentence) => sentence.split(NAME).filter((_, k) => k % 2);

// Words that name a place of the picture point at it.
function linked(sentence) {
  return sentence.split(NAME).map((word, k) => {
    if (k % 2 === 0 || !partsNamed(`place:${word}`).length) return word;
    return pointing(button(word, { class: "place" }, () => bringIntoSight([`place:${word}`])), [`place:${word}`]);
  });
}
