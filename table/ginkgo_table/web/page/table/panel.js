// The panel in which a person decides: what is asked, what has been chosen, and the decision itself.

function showPanel() {
  byId("choice").hidden = !isMyTurn();
  byId("panel").classList.toggle("mine", isMyTurn());
  byId("fold").hidden = !isMyTurn();
  byId("takeback").hidden = !game.takes_back;
  setText(byId("fold"), t(isFolded() ? "Picks" : "fold:board"));
  setState(byId("fold"), "aria-expanded", !isFolded());
  if (isMyTurn()) setText(byId("question"), questionText());
  showNews();
  showGuide();
  showGroups();
  showRemaining();
  showAdvice();
  showChosen();
  showFrames();
}

// On a phone the picks can be folded away, to see more of the board.
const isFolded = () => byId("panel").classList.contains("folded");

function fold() {
  byId("panel").classList.toggle("folded");
  showPanel();
}

const questionText = () => (hasText(`question:${decision().kind}`) ? t(`question:${decision().kind}`) : t("Choose an action"));

function showChosen() {
  setText(byId("chosen"), chosenText());
  setText(byId("note"), (isMyTurn() && actionOf(chosen.action)?.note) || "");
  showPreview();
  const some = chosen.action !== null || chosen.about !== null || Object.keys(chosen.picks).length > 0;
  setState(byId("confirm"), "aria-disabled", chosen.action === null || sending);
  setState(byId("undo"), "aria-disabled", !some || sending);
  setState(byId("panel"), "aria-busy", sending);
  setText(byId("confirm"), t(sending ? "Sending …" : "Confirm"));
}

function chosenText() {
  if (!isMyTurn()) return "";
  const action = actionOf(chosen.action);
  if (action) return t("Chosen: {action}", { action: actionText(action) });
  const picks = pickedText(Object.entries(chosen.picks));
  return picks ? t("So far: {picks}", { picks }) : t("Nothing is chosen yet.");
}

const pickedText = (picks) => picks.map(([group, name]) => pickText(group, name)).join(" · ");

// All changes of the choice come through here. `look`: the picture shows where that is.
function choose(next, { look = true } = {}) {
  if (sending || !isMyTurn()) return;
  Object.assign(chosen, next);
  readNews = decision().number;
  showProblem("");
  showPanel();
  const action = actionOf(chosen.action);
  if (action && look) bringIntoSight([...action.places, ...partsOf(action)]);
}

const pick = (group, name, how) => choose(withPick(actions(), chosen, group, name), how);
const chooseAction = (id) => choose({ action: id });
const takeBack = () => choose(noChoice());

// An action from elsewhere, such as a hint: it is chosen, whatever was picked before.
const chooseAnew = (id) => choose({ ...noChoice(), action: id });

async function commit() {
  const action = actionOf(chosen.action);
  if (sending || action === null) return;
  const number = decision().number;
  sending = true;
  depart(action);
  showProblem("");
  showPanel();
  try {
    await ask(seatPath("/act"), { decision: number, action: action.id });
    await refreshIfAway();
  } catch (error) {
    answered();
    if (error.status === 409) await refresh(); // the game is elsewhere than this page thought
    showProblem(error.message);
    return;
  }
  const isOpen = () => sending && isMyTurn() && decision().number === number; // and not a later one
  setTimeout(() => isOpen() && refresh().finally(() => isOpen() && answered()), 5000); // if the news gets lost
}

// The answer to a decision is here: a view with another question, or a refusal.
function answered() {
  sending = false;
  departing = null;
  showPanel();
}

function showProblem(sentence) {
  setText(byId("problem"), sentence);
  byId("problem").hidden = sentence === "";
}

// A view has come. Picks stay as long as it is the same question.
function keepOrDrop(before) {
  const same = before !== null && game.decision !== null && before.number === game.decision.number;
  if (same) {
    Object.assign(chosen, still(actions(), chosen));
    return;
  }
  Object.assign(chosen, noChoice());
  sending = false;
  spelled = "";
  showProblem("");
  if (game.decision) for (const id of ["column", "panel", "choosing"]) byId(id).scrollTop = 0;
  openRemaining();
}

// The last decision that was played, where that is allowed.
async function takeBackPlayed() {
  try {
    await ask(seatPath("/takeback"), {});
    await refreshIfAway();
  } catch (error) {
    showProblem(error.message);
  }
}

function connectPanel() {
  byId("takeback").addEventListener("click", takeBackPlayed);
  byId("confirm").addEventListener("click", () => commit());
  byId("undo").addEventListener("click", takeBack);
  byId("fold").addEventListener("click", fold);
  byId("hint").addEventListener("click", () => askForAdvice());
  connectGuide();
  connectRemaining();
  connectSheet();
}
