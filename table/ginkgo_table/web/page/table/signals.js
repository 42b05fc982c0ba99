// Who is here, and three signals in place of a chat.

const SIGNALS = { hello: "👋", well_played: "👏", moment: "⏳" };
const SIGNAL_TIME = 6000; // milliseconds that a signal stays
const given = new Map(); // by seat: the number of the last signal that was seen, and whether it still stands there

const isCompany = () => game.people.filter((one, seat) => one && !game.empty[seat]).length > 1;
const signalText = (name) => `${SIGNALS[name]} ${t(`signal:${name}`)}`;

// Whether the page of another person is open and in sight.
function presence(side) {
  if (side === game.seat || !game.people[side] || game.empty[side]) return null;
  return html("span", { class: game.present[side] ? "here" : "away" }, t(game.present[side] ? "here" : "away"));
}

function signalOf(side) {
  const [, name] = game.signals.find(([seat]) => seat === side) || [];
  return given.get(side)?.stands ? html("span", { class: "signal" }, signalText(name)) : null;
}

// New signals stand beside the points for a while; those from before the page was opened do not.
function showSignals() {
  const isFirst = shownEntries.length === 0;
  for (const [seat, , number] of game.signals) {
    if (given.get(seat)?.number === number) continue;
    given.set(seat, { number, stands: !isFirst });
    if (!isFirst) setTimeout(() => endSignal(seat, number), SIGNAL_TIME);
  }
  const node = byId("signals");
  node.hidden = !isCompany() || !isPlaying();
  if (node.dataset.language === catalog.language) return;
  node.dataset.language = catalog.language;
  node.replaceChildren(...Object.keys(SIGNALS).map((name) => button(signalText(name), { "data-signal": name }, () => sendSignal(name))));
}

function endSignal(seat, number) {
  if (given.get(seat).number !== number) return;
  given.get(seat).stands = false;
  showScores();
}

async function sendSignal(name) {
  await ask(seatPath("/signal"), { signal: name }).catch(() => null); // too fast: the last one still stands
  await refreshIfAway();
}
