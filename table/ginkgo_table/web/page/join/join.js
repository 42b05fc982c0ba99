// Taking the seat of an invitation.

const token = decodeURIComponent(location.pathname.split("/").pop());
const invitationPath = (what = "") => `api/invitations/${encodeURIComponent(token)}${what}`;
let offered = null; // {title, seat, seats: [{name, agent, empty}]}

function say(id, sentence) {
  byId(id).textContent = sentence;
  byId(id).hidden = sentence === "";
}

function show() {
  document.title = t("Take a seat");
  showTheme();
  if (!offered) return;
  byId("title").textContent = offered.title;
  const others = offered.seats.filter((assignment, seat) => seat !== offered.seat && !assignment.empty).map((assignment) => assignment.name);
  const about = { title: offered.title, number: offered.seat + 1, names: listText(others) };
  byId("about").textContent = t(others.length ? "{title}: seat {number} is kept for you. At the table: {names}." : "{title}: seat {number} is kept for you.", about);
  const isFree = offered.seats[offered.seat].empty;
  byId("taking").hidden = !isFree;
  if (!isFree) say("refused", t("Somebody has taken this seat. Ask for another link."));
}

async function take(event) {
  event.preventDefault();
  const name = byId("name").value.trim();
  if (!name) {
    say("refused", t("Your seat needs a name."));
    byId("name").focus();
    return;
  }
  try {
    const seat = await ask(invitationPath("/claim"), { name });
    keep("name", name);
    const names = offered.seats.map((assignment, number) => (number === seat.seat ? name : assignment.name));
    keepTable({ title: offered.title, names, seats: [seat] });
    location.replace(urlOf(`seat/${seat.token}`));
  } catch (error) {
    say("refused", error.status === 409 ? t("Somebody has taken this seat. Ask for another link.") : error.message);
  }
}

async function start() {
  try {
    await loadLabels();
    connectTheme();
    languageSwitch(byId("language"), show);
    offered = await ask(invitationPath());
  } catch (error) {
    say("notice", error.status === 404 ? t("This invitation is not valid any more: the table was removed, or there is a newer link.") : error.message);
    showTheme();
    return;
  }
  const own = kept("name", "");
  byId("name").value = typeof own === "string" && own ? own : offered.seats[offered.seat].name;
  byId("taking").addEventListener("submit", take);
  document.querySelector("main").hidden = false;
  show();
  byId("name").select();
}

document.addEventListener("DOMContentLoaded", start);
