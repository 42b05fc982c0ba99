// The list of the actions that remain: a listbox, in which the one chosen is shown in the picture.

// Where every action is one pick of one group, its buttons are the list.
function needsList() {
  const groups = new Set(actions().flatMap((action) => action.picks.map(([group]) => group)));
  return !hasGroups() || groups.size > 1 || actions().some((action) => action.picks.length > 1);
}

function showRemaining() {
  byId("actions").hidden = !isMyTurn() || !needsList();
  byId("left").hidden = byId("actions").hidden && !byId("drawn-groups").childElementCount;
  const left = isMyTurn() ? fitting(actions(), chosen.picks, chosen.about) : [];
  setText(byId("left-title"), t("All actions: {number}", { number: left.length }));
  fillList(byId("actions"), left, (one) => one.id, makeOption, fillOption);
  markOption();
  showDigits();
}

function makeOption(action) {
  const made = html("li", { role: "option", id: `action-${action.id}`, "data-action": action.id });
  made.append(html("span", { class: "action-text" }), html("span", { class: "action-note" }));
  return made;
}

function fillOption(made, action) {
  setText(made.firstElementChild, actionText(action));
  setText(made.lastElementChild, action.note);
  setState(made, "title", action.text); // as in the log
  setState(made, "aria-selected", action.id === chosen.action);
}

function markOption() {
  const list = byId("actions");
  const now = list.querySelector('[aria-selected="true"]');
  if (!now) return list.removeAttribute("aria-activedescendant");
  list.setAttribute("aria-activedescendant", now.id);
  now.scrollIntoView({ block: "nearest" });
}

const PAGE_STEP = 8;

function onListKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || sending) return;
  const left = fitting(actions(), chosen.picks, chosen.about);
  const at = left.findIndex((one) => one.id === chosen.action);
  const last = left.length - 1;
  const steps = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? last : at - 1,
    Home: 0,
    End: last,
    PageDown: at + PAGE_STEP,
    PageUp: at - PAGE_STEP,
  };
  if (!(event.key in steps)) return;
  event.preventDefault();
  chooseAction(left[Math.min(Math.max(steps[event.key], 0), last)].id);
}

// The list is as the person has left it; it is open where nothing else offers the actions.
function openRemaining() {
  byId("left").open = kept("list", false) === true || (isMyTurn() && !hasGroups());
}

function unfold() {
  byId("left").open = true;
  keep("list", true);
  showDigits();
}

function connectRemaining() {
  const list = byId("actions");
  byId("left-title").addEventListener("click", () => keep("list", !byId("left").open)); // it opens or closes after this
  byId("left").addEventListener("toggle", () => {
    showDigits();
    markOption();
  });
  list.addEventListener("keydown", onListKey);
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[data-action]");
    if (option && !sending) chooseAction(Number(option.dataset.action));
  });
  list.addEventListener("pointerover", (event) => {
    const option = event.target.closest("[data-action]");
    const action = option && event.pointerType === "mouse" ? actionOf(Number(option.dataset.action)) : null;
    pointAt(action ? partsOf(action) : []);
  });
  list.addEventListener("pointerleave", () => pointAt([]));
}
