// Which game, and its options.

const chosen = {
  offer: null, // what the server can open
  game: null, // one of offer.games
  options: {}, // values by option
  seats: [], // who sits where: {agent, name, own}; `own` where the person has said so
  room: null, // the server's answer on seats and agents, null where it refuses
};

// Options with something to choose: those with a single value are left to the server.
const openOptions = () => chosen.game.options.filter((option) => option.many || option.values.length > 1);

// Labels name values as Python writes them.
const codeOf = (value) => ({ true: "True", false: "False", null: "None" })[String(value)] || String(value);

function valueName(option, value) {
  const plain = value === true ? "yes" : value === false ? "no" : value === null ? "as usual" : "";
  const code = codeOf(value);
  return plain && !hasText(`value:${option}:${code}`) ? t(plain) : labelOf("value", option, code);
}

let answered = Promise.resolve(); // settled when nothing is asked any more: whoever is quick opens what is shown next

const chooseGame = (game, options = {}) => settling(changeGame(game, options));
const askRoom = () => settling(findRoom());

function settling(work) {
  byId("opening").setAttribute("aria-busy", "true");
  const all = work.then(() => answered === all && byId("opening").setAttribute("aria-busy", "false"));
  answered = all;
  return all;
}

async function changeGame(game, options) {
  chosen.game = game;
  chosen.options = {};
  for (const option of openOptions()) {
    const values = [options[option.name], option.default, option.values[0]];
    chosen.options[option.name] = values.find((value) => fitting(option, value));
  }
  chosen.seats = [];
  await tellingTrouble(() => loadLabels(game.name, catalog.language));
  showTheme(); // its button has a text
  showOptions();
  await findRoom();
}

// Whether a value that was chosen another time is still offered.
function fitting(option, value) {
  const offered = (one) => option.values.some((other) => codeOf(other) === codeOf(one));
  if (option.many) return Array.isArray(value) && value.every(offered);
  return value !== undefined && offered(value);
}

function showOptions() {
  byId("options").replaceChildren(...openOptions().map((option) => optionFields(option)));
  hideIdle();
}

// Options that make no difference with the others as they are stay away, unless something was chosen there.
function hideIdle() {
  for (const option of openOptions()) byId("options").querySelector(`[data-option="${CSS.escape(option.name)}"]`).hidden = isIdle(option);
}

function isIdle(option) {
  const idle = (chosen.room && chosen.room.idle) || [];
  const now = chosen.options[option.name];
  return idle.includes(option.name) && (option.many ? now.length === 0 : codeOf(now) === codeOf(option.default));
}

function optionFields(option) {
  const pills = option.values.map((value, index) => pill(option, value, index));
  const name = html("legend", {}, labelOf("option", option.name));
  return html("fieldset", { class: "option", "data-option": option.name }, name, html("div", { class: "pills" }, ...pills));
}

function pill(option, value, index) {
  const now = chosen.options[option.name];
  const checked = option.many ? now.includes(value) : codeOf(now) === codeOf(value);
  const type = option.many ? "checkbox" : "radio";
  const input = html("input", { type, name: `option-${option.name}`, value: index, checked });
  input.addEventListener("change", () => chooseValue(option, value, input.checked));
  return html("label", { class: "pill" }, input, html("span", {}, valueName(option.name, value)));
}

function chooseValue(option, value, checked) {
  if (option.many) {
    const now = new Set(chosen.options[option.name]);
    if (checked) now.add(value);
    else now.delete(value);
    chosen.options[option.name] = option.values.filter((one) => now.has(one));
  } else {
    chosen.options[option.name] = value;
  }
  askRoom();
}

let questions = 0;

// Whether these options go together, and who can sit there. Of several questions on their way the last one counts.
async function findRoom() {
  const number = ++questions;
  let room = null;
  let refused = null;
  try {
    room = await ask("api/seats_of", { game: chosen.game.name, options: chosen.options });
  } catch (error) {
    refused = error;
  }
  if (number !== questions) return;
  chosen.room = room;
  showRefusal(refused, "refused", refused && refused.status ? `${t("These do not go together:")} ` : "");
  if (room) seatAll();
  hideIdle();
  showSeats();
}
