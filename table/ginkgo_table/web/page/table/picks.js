// What fits together: picks narrow the legal actions. No function here touches the page.
//
// A choice is {picks: {group: name}, about: part | null, action: id | null}. Groups stand in the order in which they were picked.

const noChoice = () => ({ picks: {}, about: null, action: null });
const hasPick = (action, group, name) => action.picks.some(([of, what]) => of === group && what === name);
const pickIn = (part) => part.split(/:(.*)/s, 2); // group and name: at the first colon
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

// What all actions with some picks are about, such as the building that a card names.
function sharedPlaces(legal, picks) {
  const [first, ...others] = Object.keys(picks).length ? fitting(legal, picks, null) : [];
  return first ? first.places.filter((place) => others.every((action) => action.places.includes(place))) : [];
}

// The choice after a part was pointed at: where all actions about it have the same places, the picks that they share, such as the
// card that names it; else the first of the actions, and the next one at each further time.
function withPlace(legal, choice, part) {
  const picks = choice.about === part ? choice.picks : keptWith(legal, {}, part, choice.picks);
  const left = fitting(legal, picks, part);
  const isOne = left.every((action) => String(action.places) === String(left[0].places));
  const shared = left[0].picks.filter(([group, name]) => !(group in picks) && left.every((action) => hasPick(action, group, name)));
  if (isOne && shared.length) return settled(legal, { picks: { ...picks, ...Object.fromEntries(shared) }, about: part, action: null });
  const at = choice.about === part ? left.findIndex((one) => one.id === choice.action) : -1;
  return { picks, about: part, action: left[(at + 1) % left.length].id };
}

// The choice with what is placed turned: the next name of the group "heading", with the other picks of the action as far as they go.
function turned(legal, choice, step) {
  const { names = [] } = groupsOf(legal, noChoice()).find(({ group }) => group === "heading") || {};
  const action = legal.find((one) => one.id === choice.action);
  const now = { ...choice.picks, ...Object.fromEntries(action ? action.picks : []) };
  const at = names.findIndex(([name]) => name === now.heading);
  const order = names.map((_, k) => names.at((at + step * (k + 1)) % names.length)[0]).filter((name) => name !== now.heading);
  const kept = order.find((name) => fitting(legal, { ...now, heading: name }, null).length);
  const heading = kept || order.find((name) => fitting(legal, { heading: name }, choice.about).length);
  if (!heading) return choice;
  const about = fitting(legal, { heading }, choice.about).length ? choice.about : null;
  return settled(legal, { picks: kept ? { ...now, heading } : { heading }, about: kept ? null : about, action: null });
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
