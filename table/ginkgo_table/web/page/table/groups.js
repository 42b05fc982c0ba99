// Groups of buttons, one for each pick. What does not go with the other picks stays there, as disabled: picking it drops them. What
// can be clicked in the picture is folded away with the list of actions.

// Where each action is its notation alone, the list of actions says it all.
const hasGroups = () => actions().some((action) => action.picks.some(([group]) => group !== "action"));

function showGroups() {
  const groups = isMyTurn() && hasGroups() ? groupsOf(actions(), chosen) : [];
  for (const [id, wanted] of [["groups", false], ["drawn-groups", true]]) {
    const shown = groups.map(({ group, names }) => ({ group, id, names: names.filter(([name]) => isDrawn(group, name) === wanted) }));
    fillList(byId(id), shown.filter(({ names }) => names.length), (one) => one.group, makeGroup, fillGroup);
  }
}

// Whether a pick can be made in the picture: by a click on its piece or place, or on the places of its actions, if no others have
// just these.
function isDrawn(group, name) {
  const isInPicture = (part) => ["figure", "hand"].some((id) => partsNamed(part, byId(id)).length);
  const isAlone = (action) => actions().every((other) => other === action || String(other.places) !== String(action.places));
  return isInPicture(`${group}:${name}`) || fitting(actions(), { [group]: name }, null).every((action) => action.places.some(isInPicture) && isAlone(action));
}

function makeGroup({ group, id }) {
  const title = html("h3", { id: `${id}-${group}` });
  const made = html("div", { class: "group", role: "group", "data-group": group, "aria-labelledby": title.id }, title);
  const names = html("div", { class: "names" });
  names.addEventListener("keydown", (event) => moveInside(event, [...names.children]));
  made.append(names);
  return made;
}

function fillGroup(node, { group, names }) {
  setText(node.firstElementChild, groupText(group));
  const list = node.lastElementChild;
  list.classList.toggle("spelled", names.length > 6 && !names.some(([name]) => hasText(`pick:${group}:${name}`)));
  fillList(list, inOrder(group, names), ([name]) => name, ([name]) => makePick(group, name), (made, [name, fits]) => fillPick(made, group, name, fits));
  oneStop([...list.children], [...list.children].find((one) => one.getAttribute("aria-pressed") === "true"));
}

// Names with a label stand where the game has them, notation as people look things up: c9 before c10.
function inOrder(group, names) {
  const isLabeled = ([name]) => hasText(`pick:${group}:${name}`);
  const bare = names.filter((one) => !isLabeled(one)).sort(([one], [other]) => one.localeCompare(other, "en", { numeric: true }));
  return names.map((one) => (isLabeled(one) ? one : bare.shift()));
}

// The note of all actions that have a pick with the picks of the other groups; none if one of them has no note.
function noteOf(group, name) {
  const left = fitting(actions(), { ...chosen.picks, [group]: name }, null);
  return left.length && left.every((action) => action.note) ? left[0].note : "";
}

function makePick(group, name) {
  return pointing(button("", { "data-name": name }, () => pick(group, name)), [`${group}:${name}`]);
}

function fillPick(made, group, name, fits) {
  const action = actionOf(chosen.action);
  const pressed = chosen.picks[group] === name || (action !== null && hasPick(action, group, name));
  setText(made, pickText(group, name));
  made.classList.toggle("notation", !hasText(`pick:${group}:${name}`));
  setState(made, "aria-pressed", pressed);
  setState(made, "aria-disabled", !fits || sending);
  setState(made, "aria-description", noteOf(group, name));
}
