// Hints: what an agent would do, asked for one decision.

const advice = { number: null, asking: false, found: null };
let advisers = [];

async function loadAdvisers() {
  try {
    const offer = await ask("api/offer");
    advisers = (offer.hint_agents || {})[game.game] || [];
  } catch {
    advisers = []; // the server takes its own choice
  }
  byId("adviser").replaceChildren(...advisers.map((name) => html("option", { value: name })));
  nameAdvisers();
  byId("adviser").hidden = advisers.length < 2;
  byId("adviser").addEventListener("change", askForAdvice);
}

function nameAdvisers() {
  for (const one of byId("adviser").options) setText(one, agentName(one.value, game.levels));
}

async function askForAdvice() {
  if (!isMyTurn() || !game.hints || advice.asking || sending) return;
  const number = decision().number;
  Object.assign(advice, { number, asking: true, found: null });
  byId("panel").classList.remove("folded");
  showProblem("");
  showPanel();
  try {
    const found = await ask(seatPath("/hint"), { agent: byId("adviser").value || null });
    if (advice.number === number) advice.found = found;
  } catch (error) {
    showProblem(error.message);
  }
  advice.asking = false;
  showAdvice();
  if (advice.found) byId("advice").scrollIntoView({ block: "nearest" });
}

function showAdvice() {
  byId("hint").hidden = !game.hints;
  const now = isMyTurn() && advice.number === decision().number;
  const found = now ? advice.found : null;
  setState(byId("hint"), "aria-disabled", advice.asking || sending);
  byId("advice").hidden = !now || (!found && !advice.asking);
  if (byId("advice").hidden) return;
  const name = found ? found.agent : byId("adviser").value;
  setText(byId("advice-title"), t(found ? "What {agent} would do" : "{agent} is thinking …", { agent: name }));
  setText(byId("unit"), found ? unitText(found) : "");
  fillList(byId("advised"), found ? found.actions : [], (one) => one.id, makeAdvised, (made, one) => fillAdvised(made, one, found));
}

// In what the values are, in a sentence.
function unitText(found) {
  const keys = { win: "The chance to win after this action, with its 95 % interval.", score: "The points that would be expected at the end after this action, with its 95 % interval." };
  return keys[found.unit] ? t(keys[found.unit]) : found.meaning;
}

const valueText = (value, unit) => (value === null ? "?" : unit === "win" ? percentText(value) : numberText(value, 1));

function intervalText(one, unit) {
  const values = { value: valueText(one.value, unit), low: valueText(one.low, unit), high: valueText(one.high, unit) };
  return one.low === null || one.high === null ? t("{value}", values) : t("{value}, 95 % interval {low} to {high}", values);
}

function makeAdvised(one) {
  const made = button("", { class: "advised", "data-action": one.id }, () => chooseAnew(one.id));
  const action = actionOf(one.id);
  return pointing(made, action ? partsOf(action) : []);
}

function fillAdvised(made, one, found) {
  const ends = found.actions.flatMap((other) => [other.low, other.high, other.value]).filter((n) => n !== null);
  const range = ends.length ? [Math.min(...ends), Math.max(...ends)] : [0, 1];
  const action = actionOf(one.id);
  const text = html("span", { class: "action-text" }, action ? actionText(action) : one.action);
  const value = html("span", { class: "value" }, valueText(one.value, found.unit));
  made.replaceChildren(text, value, interval(one, range, intervalText(one, found.unit)));
  setState(made, "aria-pressed", one.id === chosen.action);
}
