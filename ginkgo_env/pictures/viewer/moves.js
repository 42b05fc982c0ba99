// The list of moves, and the events of the current step.

let moveButtons = [];

// The choices of a step: one, or several that become known together.
function choiceParts(one, index) {
  if (!one.choices.length) return [html("span", { class: "event" }, stepName(one, index))];
  return one.choices.flatMap(([side, action]) => [
    badge(side),
    html("span", { class: "who" }, game.names[side]),
    html("span", { class: action === null ? "event" : "action" }, action === null ? t("has chosen") : action),
  ]);
}

function moveButton(one, index, decisions) {
  const parts = [html("span", { class: "number" }, String(one.n)), ...choiceParts(one, index)];
  const decision = decisions.get(index);
  if (decision && lossText(decision.loss) !== "0") {
    const sure = decision.loss_low !== null && decision.loss_low > 0;
    const title = sure ? "What this action lost" : "What this action lost: perhaps nothing";
    parts.push(html("span", { class: sure ? "loss sure" : "loss", title }, lossText(decision.loss)));
  }
  return button(parts, { tabindex: "-1", "data-index": index }, () => goTo(index));
}

function listMoves() {
  const decisions = new Map(shownDecisions().map((one) => [indexOfDecision(one.step), one]));
  moveButtons = entries().map((one, index) => moveButton(one, index, decisions));
  const groups = [];
  let list = null;
  entries().forEach((one, index) => {
    if (list === null || (one.round !== entries()[index - 1].round && index < entries().length - 1)) {
      list = html("ol");
      if (one.round !== null) groups.push(html("h3", {}, roundName(one.round)));
      groups.push(list);
    }
    list.append(html("li", {}, moveButtons[index]));
  });
  byId("moves").replaceChildren(html("h2", {}, t("Moves")), ...groups);
}

function markMove() {
  const list = byId("moves");
  const focused = list.contains(document.activeElement);
  for (const one of moveButtons) {
    one.removeAttribute("aria-current");
    one.tabIndex = -1;
  }
  const now = moveButtons[state.at];
  now.setAttribute("aria-current", "step");
  now.tabIndex = 0;
  if (focused) now.focus({ preventScroll: true });
  const room = list.getBoundingClientRect();
  const place = now.getBoundingClientRect();
  if (place.top < room.top + 40 || place.bottom > room.bottom - 8) {
    list.scrollTop += place.top - room.top - room.height / 2; // scroll the list, not the page
  }
}

function showSentences() {
  const one = entry();
  const round = one.round === null ? [] : [html("span", { class: "round" }, roundName(one.round))];
  byId("what").replaceChildren(...choiceParts(one, state.at), ...round);
  const sentences = one.sentences.map((sentence) => html("p", {}, sentence));
  const silent = html("p", { class: "dim" }, t("Nothing else happens yet."));
  const scores = state.at === entries().length - 1 && game.result ? [scoreTable()] : [];
  byId("sentences").replaceChildren(...(sentences.length ? sentences : [silent]), ...scores);
}

function scoreTable() {
  const order = game.names.map((_, side) => side).sort((a, b) => game.result.scores[b] - game.result.scores[a]);
  const rows = order.map((side) => {
    const won = game.names.length > 1 && game.result.winners.includes(side);
    const name = html("th", { scope: "row" }, badge(side), game.names[side], won ? html("b", {}, ` ${t("wins")}`) : null);
    return html("tr", {}, name, html("td", {}, t("{n} points", { n: game.result.scores[side] })));
  });
  return html("table", { class: "scores" }, html("caption", {}, t("Final scores")), ...rows);
}
