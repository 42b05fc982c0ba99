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
  const lines = fresh.flatMap((one, k) => addEntry(log, one, game.log[shownEntries.length + k - 1]));
  for (const one of log.querySelectorAll(".new")) one.classList.remove("new");
  if (goesOn && shownEntries.length) {
    for (const { node } of lines) node.classList.add("new");
    showMoves(lines);
  }
  shownEntries = entries;
  shownLanguage = catalog.language;
  setTimeout(() => setState(log, "aria-live", "polite"), 500);
}

function addEntry(log, one, before) {
  if (one.round !== null && (!before || before.round !== one.round)) log.prepend(html("h3", {}, roundName(one.round)));
  const lines = linesOf(one);
  for (const { node } of lines) {
    if (one.round === null) log.prepend(node);
    else log.firstElementChild.after(node);
  }
  return lines;
}

// The lines of an entry, {node, side, text}: the sentences about one side are a line with its badge.
function linesOf({ sentences, seats, picks }) {
  const made = (...inside) => html("div", { class: "entry" }, ...inside);
  if (!sentences.length) return [{ node: made(...seats.map((side) => choiceLine(side, picks))), side: null, text: "" }];
  const lines = [];
  for (const sentence of sentences) {
    const last = lines.at(-1);
    const side = sideOf(sentence) ?? (last ? last.side : (seats[0] ?? null));
    if (last && last.side === side) last.text += ` ${sentence}`;
    else lines.push({ side, text: sentence });
  }
  return lines.map((line) => ({ ...line, node: made(html("p", {}, ...(line.side === null ? [] : [badge(line.side)]), ...linked(line.text))) }));
}

// The side with whose name a sentence begins; null if there is none.
function sideOf(sentence) {
  const sides = game.names.flatMap((name, side) => (sentence.startsWith(`${name} `) ? [side] : []));
  return sides.length ? sides.reduce((one, other) => (game.names[other].length > game.names[one].length ? other : one)) : null;
}

// A choice without consequences yet; where it is hidden, that somebody has chosen.
function choiceLine(side, picks) {
  const what = picks.length ? linked(t("Chosen: {action}", { action: pickedText(picks) })) : [html("span", { class: "dim" }, t("has chosen"))];
  return html("p", { class: "choice" }, badge(side), html("b", {}, game.names[side]), " ", ...what);
}

// What the others did since my last decision, in their order: above the question until the first pick.
let readNews = null; // the number of the decision before which it was read

function showNews() {
  const own = game.log.findLastIndex(({ seats }) => seats.includes(game.seat));
  const isNew = isMyTurn() && decision().number !== readNews;
  const lines = isNew ? game.log.slice(Math.max(own, 1)).flatMap((one) => linesOf(one)) : []; // the first entry is the setup
  const told = lines.filter(({ side, text }) => text && side !== null && side !== game.seat);
  const texts = JSON.stringify(told.map(({ text }) => text));
  if (byId("news").dataset.texts === texts) return; // nothing is read out twice
  byId("news").dataset.texts = texts;
  byId("news").replaceChildren(...told.map(({ node }) => node));
  byId("news").scrollTop = 0;
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
