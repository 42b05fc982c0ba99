// Who sits where: links and codes for empty seats, one's own name, leaving, and agents that take over.

let ableAgents = null; // names of agents that play this game, once they are known
let isLeaving = false; // the person has been asked whether to leave

const isPlaying = () => game.seat !== null && game.people[game.seat];
const emptySeats = () => game.empty.flatMap((empty, seat) => (empty ? [seat] : []));
const addressOf = (link) => new URL(`join/${encodeURIComponent(link)}`, HOME).href;

function showSeats() {
  byId("links").hidden = isOver() || !game.people.some(Boolean) || game.seat === null;
  byId("seats-note").hidden = byId("links-local").hidden = emptySeats().length === 0;
  if (!/^(localhost|127\..*|\[::1\])$/.test(location.hostname)) byId("links-local").hidden = true;
  if (byId("links").hidden && byId("others").open) byId("others").close();
  const rows = game.agents.slice(0, game.seats).map((agent, seat) => ({ seat, state: stateOf(seat, agent), language: catalog.language }));
  fillList(byId("seats"), rows, ({ seat, state, language }) => `${seat} ${state} ${language}`, makeSeat, fillSeat);
  if (byId("others").open) askForLinks();
}

const STATES = { agent: "computer player: {agent}", empty: "empty seat", handed: "you, played by {agent}", own: "you", taken: "sits there" };

function stateOf(seat, agent) {
  if (game.empty[seat]) return "empty";
  if (agent !== null) return seat === game.seat ? "handed" : "agent";
  return seat === game.seat ? "own" : "taken";
}

function makeSeat({ seat, state }) {
  const parts = { empty: emptySeat, own: ownSeat, handed: handedSeat }[state];
  return html("li", { "data-seat": seat, "data-state": state }, html("p", { class: "who" }, badge(seat), html("b"), html("span", { class: "dim" })), ...(parts ? parts(seat) : []));
}

function fillSeat(row, { seat, state }) {
  setText(row.querySelector("b"), game.names[seat]);
  setText(row.querySelector(".who span"), t(STATES[state], { agent: agentName(game.agents[seat] || "", game.levels) }));
  const field = row.querySelector(".link");
  const link = state === "empty" ? keptInvitation(token, seat) : null;
  if (field && link && field.value !== addressOf(link)) {
    field.value = addressOf(link);
    row.querySelector("a").href = addressOf(link);
  }
}

const emptySeat = (seat) => [...linkRow(t("Link to the seat of {name}", { name: game.names[seat] })), handOver(seat, t("Let a computer player sit there"))];

// A link to copy, to open, and as a code.
function linkRow(label, address = "") {
  const field = html("input", { class: "link", readonly: true, value: address, "aria-label": label });
  field.addEventListener("focus", () => field.select());
  const copy = button(t("Copy link"), { class: "copy" }, () => copyLink(field, copy));
  const code = html("div", { class: "code", role: "img", "aria-label": t("QR code: {link}", { link: label }), hidden: true });
  const show = button(t("QR code"), { class: "show-code", "aria-expanded": "false" }, () => toggleCode(field, code, show));
  const open = html("a", { class: "button", href: address || null, target: "_blank", rel: "noopener" }, t("Open"));
  return [html("div", { class: "row" }, field, copy, show, open), code];
}

// The link for spectators is made when somebody wants it.
function showWatchers() {
  const link = (keptTable(token) || {}).watch;
  if (typeof link === "string") {
    byId("watchers").replaceChildren(...linkRow(t("Link for spectators"), new URL(`seat/${encodeURIComponent(link)}`, HOME).href));
  } else byId("watchers").replaceChildren(button(t("Make a link for spectators"), { id: "make-watch" }, makeWatchLink));
}

async function makeWatchLink() {
  try {
    keepInTable(token, { watch: (await ask(seatPath("/watch"), {})).token });
    showWatchers();
  } catch (error) {
    showSeatsProblem(error.message);
  }
}

function ownSeat(seat) {
  const field = html("input", { class: "name", value: game.names[seat], maxlength: 40, "aria-label": t("Your name"), spellcheck: "false" });
  const rename = button(t("Rename"), { class: "rename" }, () => act("/rename", { name: field.value }));
  const leave = button(t("Leave the seat"), { class: "leave", hidden: game.people.filter((one, other) => one && !game.empty[other]).length < 2 }, () => leaveSeat(leave));
  return [html("div", { class: "row" }, field, rename, leave), handOver(seat, t("Let a computer player finish for me"))];
}

function handedSeat(seat) {
  return [html("div", { class: "row" }, button(t("Play again myself"), { class: "back" }, () => act("/assign", { seat, agent: null })))];
}

// A choice of agents, and the button that seats one.
function handOver(seat, text) {
  const select = html("select", { "aria-label": t("Computer player") }, ...agentOptions());
  return html("div", { class: "row" }, button(text, { class: "assign" }, () => act("/assign", { seat, agent: select.value })), select);
}

const agentOptions = () => (ableAgents || []).map((name) => html("option", { value: name }, agentName(name, game.levels)));

async function act(what, sent) {
  showSeatsProblem("");
  try {
    await ask(seatPath(what), sent);
    await refreshIfAway();
    return true;
  } catch (error) {
    showSeatsProblem(error.message);
    return false;
  }
}

function showSeatsProblem(sentence) {
  setText(byId("seats-problem"), sentence);
  byId("seats-problem").hidden = sentence === "";
}

async function leaveSeat(leave) {
  if (!isLeaving) {
    isLeaving = true;
    setText(leave, t("Really leave?"));
    return;
  }
  if (!(await act("/leave", {}))) return;
  forgetTable(token);
  location.assign(urlOf(""));
}

async function toggleCode(field, code, show) {
  const hide = !code.hidden;
  if (!hide && code.dataset.link !== field.value) {
    const { size, path } = await ask("api/qr", { text: field.value });
    const ground = svg("rect", { width: size, height: size, fill: "#fff" });
    code.replaceChildren(svg("svg", { viewBox: `0 0 ${size} ${size}` }, ground, svg("path", { d: path, fill: "#000" })));
    code.dataset.link = field.value;
  }
  code.hidden = hide;
  setState(show, "aria-expanded", !hide);
}

async function copyLink(field, copy) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    if (!document.execCommand("copy")) return; // without a secure connection: what is selected can be copied by hand
  }
  setText(copy, t("Copied"));
  setTimeout(() => setText(copy, t("Copy link")), 2000);
}

// Each empty seat gets a link, which this browser keeps: it works whenever the seat is empty.
async function askForLinks() {
  for (const seat of emptySeats().filter((one) => keptInvitation(token, one) === null)) {
    try {
      const { invitation } = await ask(seatPath("/invite"), { seat });
      keepInTable(token, { invitations: { ...(keptTable(token) || {}).invitations, [seat]: invitation } });
    } catch (error) {
      if (error.status !== 409) showSeatsProblem(error.message);
      return;
    }
    showSeats();
  }
}

async function openSeats() {
  isLeaving = false;
  showSeatsProblem("");
  if (!byId("others").open) byId("others").showModal();
  showWatchers();
  byId("seats").replaceChildren();
  showSeats();
  if (ableAgents !== null) return;
  const offer = await ask("api/offer").catch(() => ({ games: [] }));
  ableAgents = (offer.games.find((one) => one.name === game.game) || { agents: [] }).agents.toReversed();
  for (const select of byId("seats").querySelectorAll("select")) select.replaceChildren(...agentOptions()); // a name may be half typed
}

// Whoever opens a table with empty seats has somebody to invite.
function connectSeats() {
  byId("links").addEventListener("click", openSeats);
  if (emptySeats().length && keptTable(token) && !keptTable(token).invitations) openSeats();
}
