// Opening the table that was chosen.

const LONG = 3000; // milliseconds after which waiting is explained
let opening = false;

// What is refused, as a sentence; the server's own are in English. `lead` says in the person's language what this is about.
function showRefusal(error, id = "refused", lead = "") {
  byId(id).hidden = !error;
  const language = error && error.status ? "en" : catalog.language;
  byId(id).replaceChildren(...(error ? [lead, html("span", { lang: language }, error.message)] : []));
  if (id === "refused") showOpen();
}

function showOpen() {
  byId("open").setAttribute("aria-disabled", String(opening || !chosen.room));
  byId("open").textContent = opening ? t("Opening …") : t("Open the table");
  showNote(...ownDesigns());
}

// What in this game is our own design, with the language of the text: a sentence of the server, or what the game's labels say
// of options that leave no choice.
function ownDesigns() {
  const note = (chosen.room && chosen.room.note) || "";
  const offered = new Set(note ? chosen.game.options.map((option) => option.name) : []);
  const fixed = Object.entries(catalog.texts)
    .map(([key, text]) => [key.split(":"), text])
    .filter(([[kind, option]]) => kind === "value" && !offered.has(option))
    .map(([[, option], text]) => t("{option}: {value}", { option: labelOf("option", option), value: text }));
  return note && fixed.length && catalog.language !== "en" ? [`${fixed.join("; ")}.`, catalog.language] : [note, "en"];
}

function showNote(text, language) {
  byId("note").textContent = text;
  byId("note").lang = language;
  byId("note").hidden = !text;
}

// What the page itself can see to be wrong; null if all is well.
function ownRefusal(seats, seed) {
  const nameless = seats.findIndex((assignment) => !assignment.name);
  if (nameless >= 0) return t("Seat {number} needs a name.", { number: nameless + 1 });
  if (seed !== null && !Number.isSafeInteger(seed)) return t("A seed is a whole number from 0 to 9,007,199,254,740,991.");
  return null;
}

function seedToSend() {
  const text = byId("seed").value.trim();
  if (!text || byId("seed").disabled) return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

// With one click: the game as it is usually played, against an easy opponent, with explanations where this browser knows no table
// of it yet.
async function playNow(game, guided = !keptTables().some((one) => one.title === game.title)) {
  if (opening) return;
  await chooseGame(game);
  listGames();
  chosen.seats = chosen.seats.map((assignment, seat) => ({ ...assignment, agent: seat ? game.seats.first_opponent : null }));
  showSeats();
  await openTable(guided);
}

async function openTable(guided = false) {
  if (opening) return;
  opening = true;
  showOpen();
  await answered;
  const explain = setTimeout(explainWaiting, LONG);
  try {
    if (chosen.room) await openNow(guided);
  } catch (error) {
    showRefusal(error);
    byId("refused").scrollIntoView({ block: "center" });
  }
  clearTimeout(explain);
  opening = false;
  showOpen();
}

function explainWaiting() {
  showNote(t("The first table of a game takes up to a minute: its rules are compiled, once."), catalog.language);
  byId("note").scrollIntoView({ block: "center" }); // the button would cover it
}

async function openNow(guided) {
  const [seats, seed] = [seatsToSend(), seedToSend()];
  const wrong = ownRefusal(seats, seed);
  if (wrong) throw new Refused(wrong, 0);
  showRefusal(null);
  const table = await ask("api/tables", { game: chosen.game.name, options: chosen.options, seats, seed, hints: byId("hints").checked });
  remember(seats, table, guided);
  location.assign(urlOf(`seat/${table.seats[0].token}`));
}

function remember(seats, table, guided) {
  keepTable({ title: chosen.game.title, names: seats.map((assignment) => assignment.name), seats: table.seats, guided });
  const own = chosen.seats.find((assignment, seat) => seat === ownSeat() && assignment.name !== null);
  if (own) keep("name", own.name.trim());
  keep("last", { game: chosen.game.name, options: chosen.options });
}
