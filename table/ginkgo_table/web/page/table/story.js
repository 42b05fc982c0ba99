// The log: what has happened, by rounds, the newest first.

let shownEntries = []; // entries that are shown, as text
let shownLanguage = ""; // the language of the texts around them

function showStory() {
  const log = byId("log");
  const entries = game.log.map((one) => JSON.stringify(one));
  const goesOn = shownLanguage === catalog.language && shownEntries.length <= entries.length && shownEntries.every((one, k) => one === entries[k]);
  if (!goesOn) {
    setState(log, "aria-live", "off"); // the past is not read out
    log.replaceChildren();
    shownEntries = [];
  }
  const fresh = game.log.slice(shownEntries.length);
  const lines = fresh.map((one, k) => addEntry(log, one, game.log[shownEntries.length + k - 1]));
  for (const one of log.querySelectorAll(".new")) one.classList.remove("new");
  if (goesOn && shownEntries.length) {
    for (const line of lines) line.classList.add("new");
    showMoves(fresh.map((entry, k) => ({ entry, line: lines[k] })));
  }
  shownEntries = entries;
  shownLanguage = catalog.language;
  setTimeout(() => setState(log, "aria-live", "polite"), 500);
}

function addEntry(log, one, before) {
  if (one.round !== null && (!before || before.round !== one.round)) log.prepend(html("h3", {}, roundName(one.round)));
  const node = entryNode(one);
  if (one.round === null) log.prepend(node);
  else log.firstElementChild.after(node);
  return node;
}

function entryNode(one) {
  const lines = one.sentences.length ? [sentenceLine(one)] : one.seats.map((side) => choiceLine(side, one.picks));
  return html("div", { class: "entry" }, ...lines);
}

// What happened, in sentences, with the badge of whoever decided.
const sentenceLine = (one) => html("p", {}, ...one.seats.slice(0, 1).map(badge), ...linked(one.sentences.join(" ")));

// A choice without consequences yet; where it is hidden, that somebody has chosen.
function choiceLine(side, picks) {
  const what = picks.length ? linked(t("Chosen: {action}", { action: pickedText(picks) })) : [html("span", { class: "dim" }, t("has chosen"))];
  return html("p", { class: "choice" }, badge(side), html("b", {}, game.names[side]), " ", ...what);
}

const NAME = /([\p{L}\p{N}]+)/u;
const namesIn = (sentence) => sentence.split(NAME).filter((_, k) => k % 2);

// Names of places of the picture point at them.
function linked(sentence) {
  return sentence.split(NAME).map((part, k) => {
    if (k % 2 === 0 || !partsNamed(`place:${part}`).length) return part;
    return pointing(button(part, { class: "place" }, () => bringIntoSight([`place:${part}`])), [`place:${part}`]);
  });
}
