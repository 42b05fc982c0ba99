// The panel with the analysis. A seat's view shows only that seat's decisions, as actions of others may be hidden from it.

function shownDecisions() {
  if (!game.analysis) return [];
  return game.analysis.decisions.filter((one) => isOpen() || one.seat === view().seat);
}

function showAnalysis() {
  const found = shownDecisions().filter((one) => indexOfDecision(one.step) === state.at);
  const parts = found.length ? found.flatMap(decisionParts) : [html("p", { class: "dim" }, noDecision())];
  byId("decision").replaceChildren(...parts);
  moveCursor();
}

function noDecision() {
  if (!shownDecisions().length) return "None of the decisions in this view was analysed.";
  if (!entry().choices.length) return "No decision in this step.";
  return isOpen() ? "This decision was not analysed." : "Not a decision of this seat, or not analysed.";
}

function decisionParts(one) {
  const legal = one.legal === null ? "" : ` could take ${one.legal} ${one.legal === 1 ? "action" : "actions"}`;
  const head = html("p", {}, badge(one.seat), html("b", {}, game.names[one.seat]), legal);
  return [head, html("p", { class: "verdict" }, verdict(one)), optionTable(one)];
}

function verdict(one) {
  const best = one.actions[0];
  if (!best || one.loss === null) return "";
  if (best.action === one.taken || lossText(one.loss) === "0") return "The action taken is the best one found.";
  const sure = one.loss_low !== null && one.loss_low > 0;
  return `${one.taken} lost ${valueText(one.loss, 1)}${lossUnit()} against ${best.action}${sure ? "." : ", perhaps nothing."}`;
}

function optionTable(one) {
  const ends = one.actions.flatMap((option) => [option.low, option.high, option.value]).filter((n) => n !== null);
  const range = [Math.min(...ends), Math.max(...ends)];
  const heads = ["Action", isChance() ? "Chance" : "Score", "95 % interval", "Loss"];
  const head = html("tr", {}, ...heads.map((text) => html("th", { scope: "col" }, text)));
  const rows = one.actions.map((option) => optionRow(option, option.action === one.taken, range));
  return html("table", { class: "options" }, html("thead", {}, head), html("tbody", {}, ...rows));
}

function optionRow(option, taken, range) {
  const name = html("th", { scope: "row" }, html("span", { class: "action" }, option.action));
  if (taken) name.append(" ", html("span", { class: "taken" }, "taken"));
  const cells = [valueText(option.value), interval(option, range, intervalText(option)), lossText(option.loss)];
  return html("tr", { class: taken ? "played" : null }, name, ...cells.map((cell) => html("td", {}, cell)));
}

function showSummary() {
  const { agent, meaning, complete, summary } = game.analysis;
  byId("analysis-title").textContent = agent ? `Analysis by ${agent}` : "Analysis";
  const players = summary.filter((one) => isOpen() || one.seat === view().seat).map(playerLine);
  const partly = complete ? [] : [html("p", {}, "The analysis was ended early: some decisions are missing.")];
  const note = meaning ? [html("p", { class: "dim" }, `A value is: ${meaning}.`)] : [];
  byId("summary").replaceChildren(...players, ...partly, ...note);
}

function playerLine(one) {
  const mean = one.loss === null ? "" : `, mean loss ${valueText(one.loss, 1)}${lossUnit()}`;
  const parts = [badge(one.seat), html("b", {}, game.names[one.seat]), `: the best action in ${one.best} of ${one.decisions} decisions${mean}`];
  const jumps = one.worst.map((step) => button(`step ${step}`, { class: "jump" }, () => goTo(indexOfDecision(step))));
  return html("p", {}, ...parts, ...(jumps.length ? ["; worst: ", ...jumps] : []));
}
