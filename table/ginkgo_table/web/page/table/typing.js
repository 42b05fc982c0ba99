// Picks by keys: a digit picks the button that shows it; in a group, letters and digits spell a name that has no digit, such as g10.
// Where a group has many names, all in notation, digits are left for others.

const numbered = () => [...document.querySelectorAll(".group .names:not(.spelled) button")].filter(isVisible).slice(0, 9);
let spelled = "";

function showDigits() {
  for (const one of document.querySelectorAll(".group [aria-keyshortcuts]")) one.removeAttribute("aria-keyshortcuts");
  numbered().forEach((one, at) => setState(one, "aria-keyshortcuts", at + 1));
}

// Returns whether the key was for a pick.
function typePick(key, target) {
  if (!isMyTurn() || sending || key.length !== 1) return false;
  if (spell(key.toLowerCase(), target.closest(".group"))) return true;
  const wanted = numbered()[Number(key) - 1];
  if (wanted) press(wanted);
  return Boolean(wanted);
}

// The focus goes to the name that is spelled; it is picked as soon as it is complete.
function spell(key, group) {
  const all = group ? [...group.querySelectorAll("[data-name]:not([aria-keyshortcuts])")] : [];
  const named = (text) => all.filter((one) => one.dataset.name.toLowerCase().startsWith(text));
  spelled = [spelled + key, key].find((text) => named(text).length) || "";
  if (!spelled) return false;
  const found = named(spelled);
  const whole = found.find((one) => one.dataset.name.toLowerCase() === spelled);
  (whole || found[0]).focus();
  if (whole && found.length === 1) spelled = "";
  if (whole) press(whole);
  return true;
}

// Picks, and goes on to what else is asked: to the button itself if nothing is.
function press(wanted) {
  if (wanted.getAttribute("aria-pressed") !== "true") wanted.click();
  const groups = [...byId("drawn-groups").children, ...byId("groups").children].filter(isVisible);
  const next = groups.find((one) => !one.querySelector('[aria-pressed="true"]') && one.querySelector('[aria-disabled="false"]'));
  const goesOn = chosen.action === null && next && !spelled;
  (goesOn ? next.querySelector('[tabindex="0"]') : wanted).focus({ preventScroll: true });
}
