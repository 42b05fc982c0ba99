// Who sits at each seat.

const bestAgent = () => chosen.room.hint_agents[0] || chosen.room.agents.at(-1) || null;
const ownName = () => (typeof kept("name", "") === "string" ? kept("name", "") : "");
const ownSeat = () => chosen.seats.findIndex(isPerson); // the first person's; the others are invited
const personName = (seat) => (seat === ownSeat() && ownName()) || t("Player {number}", { number: seat + 1 });
const isPerson = (assignment) => assignment.agent === null;
const people = () => chosen.seats.filter(isPerson).length;

// All seats: you first, the best agents elsewhere. A sentence names agents that cannot stay.
function seatAll() {
  const gone = new Set();
  chosen.seats = Array.from({ length: chosen.room.seats }, (_, seat) => {
    const before = chosen.seats[seat];
    if (!before) return { agent: seat === 0 ? null : bestAgent(), name: null, own: false };
    if (before.agent === null || (before.own && chosen.room.agents.includes(before.agent))) return before;
    if (before.own) gone.add(before.agent);
    return { ...before, agent: bestAgent(), own: false };
  });
  const sentence = gone.size ? t("Not able to play this: {gone}. {agent} sits there instead.", { gone: listText([...gone]), agent: bestAgent() || t("person") }) : "";
  byId("replaced").textContent = sentence;
  byId("replaced").hidden = !sentence;
}

// Names as they are sent: agents are called as such, with a number where there are several.
function seatsToSend() {
  const all = chosen.seats.map((assignment) => assignment.agent);
  return chosen.seats.map((assignment, seat) => {
    if (isPerson(assignment)) return { name: (assignment.name ?? personName(seat)).trim(), agent: null };
    const same = all.filter((agent) => agent === assignment.agent).length;
    const number = all.slice(0, seat + 1).filter((agent) => agent === assignment.agent).length;
    return { name: same > 1 ? `${assignment.agent} ${number}` : assignment.agent, agent: assignment.agent };
  });
}

function showSeats() {
  byId("who").hidden = !chosen.room;
  if (!chosen.room) return;
  const rows = chosen.seats.map((assignment, seat) => seatRow(assignment, seat));
  const { id, selectionStart, selectionEnd } = document.activeElement; // an answer may come while somebody chooses or types
  byId("seats").replaceChildren(...rows, ...automata());
  const focused = byId("seats").querySelector(`[id="${id}"]`);
  focused?.focus();
  focused?.setSelectionRange?.(selectionStart, selectionEnd);
  showPresets();
  showSeed();
}

function seatRow(assignment, seat) {
  const number = html("span", { class: "seat", id: `seat-${seat}` }, t("Seat {number}", { number: seat + 1 }));
  const person = isPerson(assignment);
  const beside = person ? nameInput(assignment, seat) : html("span", { class: "dim" }, agentText(assignment.agent));
  return html("li", { class: person ? "person" : "agent" }, number, whoSelect(assignment, seat), beside);
}

// What an agent is like, where there is a text for that.
const agentText = (agent) => t(hasText(`agent:${agent}`) ? `agent:${agent}` : "computer player");

function whoSelect(assignment, seat) {
  const label = t("Who sits at seat {number}", { number: seat + 1 });
  const select = html("select", { id: `who-${seat}`, "aria-label": label, "data-seat": seat }, html("option", { value: "" }, t("person")));
  const { agents, levels } = chosen.room;
  for (const agent of agents.toReversed()) {
    const isSuggested = agent === bestAgent() && !levels[agent];
    select.append(html("option", { value: agent }, isSuggested ? t("{agent} (suggested)", { agent }) : agentName(agent, levels)));
  }
  select.value = assignment.agent ?? "";
  select.addEventListener("change", () => {
    chosen.seats[seat] = { ...assignment, agent: select.value || null, own: true };
    showSeats();
  });
  return select;
}

function nameInput(assignment, seat) {
  const value = assignment.name ?? personName(seat);
  const label = t("Name at seat {number}", { number: seat + 1 });
  const input = html("input", { id: `name-${seat}`, value, maxlength: 40, "aria-label": label, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => {
    chosen.seats[seat].name = input.value;
  });
  return input;
}

// Sides beyond the seats, which play by the rules of the game.
function automata() {
  return chosen.room.names.slice(chosen.room.seats).map((name) => {
    const sign = html("span", { class: "seat" }, "+");
    return html("li", {}, sign, html("b", {}, name), html("span", { class: "dim" }, t("plays by the rules of the game")));
  });
}

const PRESETS = {
  agents: (seat) => seat !== 0,
  people: () => false,
  watch: () => true,
};

function showPresets() {
  const names = { agents: t("Me against computers"), people: t("People only"), watch: t("Watch computers") };
  const able = bestAgent() ? Object.keys(PRESETS) : [];
  const offered = able.filter((name) => name !== "people" || chosen.seats.length > 1);
  if (chosen.seats.length === 1) names.agents = t("I play");
  const buttons = offered.map((name) => {
    const pressed = chosen.seats.every((assignment, seat) => PRESETS[name](seat) === !isPerson(assignment));
    return button(names[name], { "data-preset": name, "aria-pressed": String(pressed) }, () => seatAs(name));
  });
  byId("presets").replaceChildren(...buttons);
}

function seatAs(name) {
  chosen.seats = chosen.seats.map((assignment, seat) => {
    if (!PRESETS[name](seat)) return { ...assignment, agent: null, own: true };
    return { ...assignment, agent: assignment.agent ?? bestAgent(), own: true };
  });
  showSeats();
  byId("presets").querySelector(`[data-preset="${name}"]`).focus();
}

// A seed would tell several persons what is hidden from them.
function showSeed() {
  const allowed = people() <= 1;
  byId("inviting").hidden = allowed;
  byId("seed").disabled = !allowed;
  byId("seed-note").textContent = allowed ? t("A whole number. The same seed and the same decisions give the same game; without one it is random.") : t("Only where at most one person plays: a seed tells what is hidden.");
}
