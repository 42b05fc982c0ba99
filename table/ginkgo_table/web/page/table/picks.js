// What fits together: picks narrow the legal actions. No function here touches the page.
//
// A choice is {picks: {group: name}, about: part | null, action: id | null}. Groups stand in the order in which they were picked.

const noChoice = () => ({ picks: {}, about: null, action: null });
const hasPick = (action, group, name) => action.picks.some(([of, what]) => of === group && what === name);
const partsOf = (action) => [...action.picks.map(([group, name]) => `${group}:${name}`), ...action.places];

// The legal actions that have all picks, and are about the part.
function fitting(legal, picks, about) {
  const wanted = Object.entries(picks);
  return legal.filter(
    (action) => wanted.every(([group, name]) => hasPick(action, group, name)) && (about === null || partsOf(action).includes(about)),
  );
}

// As many earlier picks as go with what is new, the latest first.
function keptWith(legal, newest, about, earlier) {
  let found = newest;
  for (const [group, name] of Object.entries(earlier).reverse()) {
    if (group in newest) continue;
    const more = { [group]: name, ...found };
    if (fitting(legal, more, about).length) found = more;
  }
  return found;
}

// The choice after a pick; picking again takes it back. What contradicts the pick is dropped.
function withPick(legal, choice, group, name) {
  const { [group]: now, ...others } = choice.picks;
  if (now === name) return settled(legal, { ...choice, picks: others, action: null });
  const newest = { [group]: name };
  const picks = keptWith(legal, newest, null, others);
  const about = choice.about !== null && fitting(legal, picks, choice.about).length ? choice.about : null;
  return settled(legal, { ...choice, picks, about });
}

// The choice after a part was pointed at: the first of the actions about it, the next one at each further time.
function withPlace(legal, choice, part) {
  const picks = choice.about === part ? choice.picks : keptWith(legal, {}, part, choice.picks);
  const left = fitting(legal, picks, part);
  const at = choice.about === part ? left.findIndex((one) => one.id === choice.action) : -1;
  return { picks, about: part, action: left[(at + 1) % left.length].id };
}

// An action that no longer fits is dropped; the only one that does is chosen.
function settled(legal, choice) {
  const left = fitting(legal, choice.picks, choice.about);
  const some = Object.keys(choice.picks).length > 0 || choice.about !== null;
  if (some && left.length === 1) return { ...choice, action: left[0].id };
  return { ...choice, action: left.some((one) => one.id === choice.action) ? choice.action : null };
}

// What can be picked: {group, names: [[name, fits]]} in the order of the actions. A name fits if it goes with the picks of the
// other groups.
function groupsOf(legal, choice) {
  const groups = new Map();
  for (const action of legal) {
    for (const [group, name] of action.picks) {
      if (!groups.has(group)) groups.set(group, new Map());
      groups.get(group).set(name, false);
    }
  }
  for (const [group, names] of groups) {
    const { [group]: _, ...others } = choice.picks;
    for (const action of fitting(legal, others, choice.about)) {
      for (const [of, name] of action.picks) if (of === group) names.set(name, true);
    }
  }
  return [...groups].map(([group, names]) => ({ group, names: [...names] }));
}

// A choice that is still possible in what the server tells now.
function still(legal, choice) {
  if (!fitting(legal, choice.picks, choice.about).length) return noChoice();
  return { ...choice, action: legal.some((one) => one.id === choice.action) ? choice.action : null };
}
