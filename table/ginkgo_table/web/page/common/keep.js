// What the browser keeps between visits, in localStorage. Where that is forbidden, until the page is left.

const forgotten = new Map();

// Other servers of tables may be below other paths of the same host.
const keyIn = (name) => `ginkgo${HOME.pathname.slice(0, -1)}.${name}`;

function kept(name, otherwise) {
  try {
    const text = localStorage.getItem(keyIn(name));
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return forgotten.has(name) ? forgotten.get(name) : otherwise;
  }
}

function keep(name, value) {
  forgotten.set(name, value);
  try {
    localStorage.setItem(keyIn(name), JSON.stringify(value));
  } catch {
    // no room or not allowed: it is kept as long as this page is open
  }
}

// Tables of which seats are known here, the latest first: {title, names, time, seats: [{seat, name, token}]}: the seats that were
// taken in this browser. A token is the only key to a seat.
function keptTables() {
  const list = kept("tables", []);
  return Array.isArray(list) ? list.filter(isTable) : [];
}

// Whoever else writes there: what is no table is passed over.
function isTable(one) {
  if (!one || !Array.isArray(one.seats) || !one.seats.length || !Array.isArray(one.names)) return false;
  return one.seats.every((seat) => seat && typeof seat.token === "string") && Number.isFinite(new Date(one.time).getTime());
}

const keptTable = (token) => keptTables().find((one) => one.seats.some((seat) => seat.token === token)) || null;

function keepTable(table) {
  const tokens = new Set(table.seats.map((one) => one.token));
  const others = keptTables().filter((one) => !one.seats.some((seat) => tokens.has(seat.token)));
  keep("tables", [{ time: Date.now(), ...table }, ...others].slice(0, 200));
}

// A seat that was opened by its link: `view` is what the server tells of it.
function keepSeat(token, view) {
  if (keptTable(token)) return;
  const name = view.seat === null ? "" : view.names[view.seat];
  keepTable({ title: view.title, names: view.names, seats: [{ seat: view.seat, name, token }] });
}

// Links to empty seats of a table, by seat. They give access to nothing once the seat is taken.
function keptInvitation(token, seat) {
  const { invitations } = keptTable(token) || {};
  return (invitations && typeof invitations[seat] === "string" && invitations[seat]) || null;
}

function keepInTable(token, more) {
  const table = keptTable(token);
  if (table) keepTable({ ...table, ...more });
}

function forgetTable(token) {
  keep("tables", keptTables().filter((one) => !one.seats.some((seat) => seat.token === token)));
}
