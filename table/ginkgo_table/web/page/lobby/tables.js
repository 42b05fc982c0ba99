// The tables that this browser knows: how they stand, going on, and removing them.

const EVERY = 15_000; // milliseconds between questions how tables stand
const rows = new Map(); // by the token of a table's first seat: {table, row, view, error}
let removing = null;

const keyOf = (table) => table.seats[0].token;

function showTables() {
  const tables = keptTables();
  showNumber(tables.length);
  rows.clear();
  for (const table of tables) rows.set(keyOf(table), { table, row: html("li", { "data-table": keyOf(table) }), view: null, error: null });
  for (const one of rows.values()) fillRow(one);
  byId("tables").replaceChildren(...[...rows.values()].map((one) => one.row));
  askTables();
}

function showNumber(number) {
  byId("none").hidden = number > 0;
  byId("mine").classList.toggle("some", number > 0);
}

let rounds = 0;

// One question after another: a long list is no burden for the server. A new round ends the one before.
async function askTables() {
  const round = ++rounds;
  for (const one of [...rows.values()]) {
    if (document.hidden || round !== rounds) return;
    if ((one.view && one.view.result) || (one.error && one.error.status === 404)) continue;
    try {
      Object.assign(one, { view: (await askAnew(one)) || one.view, error: null });
    } catch (error) {
      one.error = error;
      if (error.status === 0) break; // the server is away
    }
    fillRow(one);
  }
}

const askAnew = ({ table, view }) => ask(`api/seats/${keyOf(table)}`, undefined, { known: view && view.version });

// How a table stands: a word for the style sheet, and a sentence.
function standing({ table, view, error }) {
  if (error && error.status === 404) return ["gone", t("Gone: the server no longer has this table")];
  if (error) return ["trouble", error.message];
  if (!view) return ["asking", t("Looking how it stands …")];
  if (view.result) return ["over", overText(view)];
  if (view.trouble) return ["trouble", view.trouble];
  if (view.watch && !view.public) return ["waiting", t("Computer players at play")];
  const empty = view.names.filter((_, seat) => view.empty[seat]);
  if (empty.length) return ["waiting", t("Empty seats: {names}. The game goes on when all seats are taken.", { names: listText(empty) })];
  if (view.simultaneous) return view.decision ? ["turn", t("Your turn")] : ["waiting", t("Waiting until all have chosen")];
  const name = view.names[view.actor];
  if (!table.seats.some((one) => one.seat === view.actor)) return ["waiting", t("Waiting for {name}", { name })];
  return ["turn", table.seats.length > 1 ? t("It is the turn of {name}", { name }) : t("Your turn")];
}

function overText(view) {
  const winners = view.result.winners.map((side) => view.names[side]);
  const scores = view.names.map((name, side) => t("{name}: {points}", { name, points: view.result.scores[side] }));
  const won = winners.length && view.names.length > 1 ? [tn("{names} wins", "{names} win", winners.length, { names: listText(winners) })] : [];
  return [t("Over"), ...won, scores.join(", ")].join(" · ");
}

function fillRow(one) {
  const { table, view } = one;
  const [state, sentence] = standing(one);
  const focused = one.row.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  const title = html("h3", {}, (view && view.title) || table.title);
  const when = new Intl.DateTimeFormat(catalog.language, { dateStyle: "medium", timeStyle: "short" }).format(table.time);
  const about = html("p", { class: "dim" }, `${listText(table.names)} · `, html("time", { datetime: new Date(table.time).toISOString() }, when));
  const line = html("p", { class: `state ${state}`, lang: state === "trouble" ? "en" : catalog.language }, sentence);
  one.row.replaceChildren(title, line, about, html("div", { class: "row" }, ...acts(one, state)));
  if (focused) one.row.querySelector(`[data-act="${CSS.escape(focused)}"]`)?.focus();
}

// Ways to the seats that are known, and away with the table.
function acts(one, state) {
  const { table, view } = one;
  const what = table.names.join(", ");
  const remove = button(t("Remove"), { "data-act": "remove", "aria-label": t("Remove the table of {names}", { names: what }) }, () => askRemoval(one));
  if (state === "gone") return [remove];
  if (one.error && one.error.status === 410) return [recordLink(table), remove];
  const links = table.seats.map((seat) => {
    const turn = state === "turn" && (view.decision !== null || view.actor === seat.seat);
    const text = table.seats.length > 1 ? t("Play as {name}", { name: seat.name }) : resumeText(seat, state);
    return html("a", { class: turn ? "button main" : "button", href: urlOf(`seat/${seat.token}`), "data-act": seat.token }, text);
  });
  return [...links, remove];
}

// A table that cannot be played any more can still be read.
const recordLink = (table) => html("a", { class: "button", href: urlOf(`api/seats/${keyOf(table)}/record`), download: true }, t("Download the record"));

function resumeText(seat, state) {
  if (state === "over") return t("Look at it");
  return seat.seat === null ? t("Watch") : t("Go on");
}

function askRemoval(one) {
  if (one.error && one.error.status === 404) {
    forget(one);
    return;
  }
  removing = one;
  byId("removing-text").textContent = t("{title} with {names}: this browser’s key to it is given up for good. A finished game stays with the others.", { title: one.table.title, names: listText(one.table.names) });
  byId("kept-text").hidden = true;
  byId("forget").hidden = true;
  byId("remove").hidden = false;
  byId("removing").showModal();
  byId("cancel").focus();
}

async function remove() {
  try {
    await ask(`api/seats/${keyOf(removing.table)}/remove`, {});
    forget(removing);
  } catch (error) {
    if (error.status === 404) {
      forget(removing);
      return;
    }
    showRefusal(error, "kept-text");
    byId("remove").hidden = true;
    byId("forget").hidden = error.status === 0;
    byId(error.status === 0 ? "cancel" : "forget").focus();
  }
}

function forget(one) {
  byId("removing").close();
  forgetTable(keyOf(one.table));
  rows.delete(keyOf(one.table));
  const next = one.row.nextElementSibling || one.row.previousElementSibling;
  one.row.remove();
  showNumber(rows.size);
  (next ? next.querySelector("[data-act=remove]") : byId("mine-title")).focus();
}

function connectTables() {
  byId("remove").addEventListener("click", remove);
  byId("forget").addEventListener("click", () => forget(removing));
  byId("cancel").addEventListener("click", () => byId("removing").close());
  document.addEventListener("visibilitychange", () => document.hidden || askTables());
  window.addEventListener("storage", (event) => event.key === keyIn("tables") && showTables()); // another tab has opened one
  setInterval(askTables, EVERY);
}
