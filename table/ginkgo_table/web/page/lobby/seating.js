// Who sits at each seat.

const bestAgent = () => chosen.room.hint_agents[0] || chosen.room.agents.at(-1) || null;
const ownName = () => (typeof kept("name", "") === "string" ? kept("name", "") : "");
const ownSeat = () => chosen.places.findIndex(isPerson); // the first person's; the others are invited
const personName = (seat) => (seat === ownSeat() && ownName()) || t("Player {number}", { number: seat + 1 });
const isPerson = (place) => place.agent === null;
const people = () => chosen.places.filter(isPerson).length;

// As many places as there are seats: you first, the best agents elsewhere. What cannot stay is told.
function seatAll() {
  const gone = new Set();
  chosen.places = Array.from({ length: chosen.room.seats }, (_, seat) => {
    const before = chosen.places[seat];
    if (!before) return { agent: seat === 0 ? null : bestAgent(), name: null, own: false };
    if (before.agent === null || (before.own && chosen.room.agents.includes(before.agent))) return before;
    if (before.own) gone.add(before.agent);
    return { ...before, agent: bestAgent(), own: false };
  });
  const told = gone.size ? t("Not able to play this: {gone}. {agent} sits there instead.", { gone: listText([...gone]), agent: bestAgent() || t("person") }) : "";
  byId("replaced").textContent = told;
  byId("replaced").hidden = !told;
}

// Names as they are sent: agents are called as such, with a number where there are several.
function placesToSend() {
  const all = chosen.places.map((place) => place.agent);
  return chosen.places.map((place, seat) => {
    if (isPerson(place)) return { name: (place.name ?? personName(seat)).trim(), agent: null };
    const same = all.filter((agent) => agent === place.agent).length;
    const number = all.slice(0, seat + 1).filter((agent) => agent === place.agent).length;
    return { name: same > 1 ? `${place.agent} ${number}` : place.agent, agent: place.agent };
  });
}

function showPlaces() {
  byId("who").hidden = !chosen.room;
  if (!chosen.room) return;
  const rows = chosen.places.map((place, seat) => placeRow(place, seat));
  byId("places").replaceChildren(...rows, ...automata());
  showPresets();
  showSeed();
}

function placeRow(place, seat) {
  const number = html("span", { class: "seat", id: `seat-${seat}` }, t("Seat {number}", { number: seat + 1 }));
  const person = isPerson(place);
  const beside = person ? nameInput(place, seat) : html("span", { class: "dim" }, agentText(place.agent));
  return html("li", { class: person ? "person" : "agent" }, number, whoSelect(place, seat), beside);
}

// What an agent is like, where there are words for that.
const agentText = (agent) => t(hasText(`agent:${agent}`) ? `agent:${agent}` : "computer player");

function whoSelect(place, seat) {
  const label = t("Who sits at seat {number}", { number: seat + 1 });
  const select = html("select", { "aria-label": label, "data-seat": seat }, html("option", { value: "" }, t("person")));
  const best = bestAgent();
  for (const agent of [...chosen.room.agents].reverse()) {
    select.append(html("option", { value: agent }, agent === best ? t("{agent} (suggested)", { agent }) : agent));
  }
  select.value = place.agent ?? "";
  select.addEventListener("change", () => {
    chosen.places[seat] = { ...place, agent: select.value || null, own: true };
    showPlaces();
    byId("places").querySelector(`select[data-seat="${seat}"]`).focus();
  });
  return select;
}

function nameInput(place, seat) {
  const value = place.name ?? personName(seat);
  const label = t("Name at seat {number}", { number: seat + 1 });
  const input = html("input", { value, maxlength: 40, "aria-label": label, autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => {
    chosen.places[seat].name = input.value;
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
  const offered = able.filter((name) => name !== "people" || chosen.places.length > 1);
  if (chosen.places.length === 1) names.agents = t("I play");
  const buttons = offered.map((name) => {
    const pressed = chosen.places.every((place, seat) => PRESETS[name](seat) === !isPerson(place));
    return button(names[name], { "data-preset": name, "aria-pressed": String(pressed) }, () => seatAs(name));
  });
  byId("presets").replaceChildren(...buttons);
}

function seatAs(name) {
  chosen.places = chosen.places.map((place, seat) => {
    if (!PRESETS[name](seat)) return { ...place, agent: null, own: true };
    return { ...place, agent: place.agent ?? bestAgent(), own: true };
  });
  showPlaces();
  byId("presets").querySelector(`[data-preset="${name}"]`).focus();
}

// A seed would tell several persons what is hidden from them.
function showSeed() {
  const allowed = people() <= 1;
  byId("inviting").hidden = allowed;
  byId("seed").disabled = !allowed;
  byId("seed-note").textContent = allowed ? t("A whole number. The same seed and the same decisions give the same game; without one it is random.") : t("Only where at most one person plays: a seed tells what is hidden.");
}
