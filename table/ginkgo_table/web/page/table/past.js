// A look back: the game after each entry of the log, as this seat knew it then.

let moment = 0; // the number of the entry

function openPast() {
  byId("past").showModal();
  lookBack(game.log.length - 1);
}

async function lookBack(number) {
  const last = game.log.length - 1;
  moment = Math.max(0, Math.min(number, last));
  const wanted = moment;
  byId("moment").max = last;
  byId("moment").value = moment;
  setState(byId("earlier"), "aria-disabled", moment === 0);
  setState(byId("later"), "aria-disabled", moment === last);
  try {
    const found = await ask(seatPath(`/moments/${moment}`));
    if (wanted === moment) showMoment(found);
  } catch (error) {
    setText(byId("past-trouble"), error.message);
    byId("past-trouble").hidden = false;
  }
}

function showMoment({ picture: { width, height, body }, description }) {
  const entry = game.log[moment];
  const counter = t("Moment {number} of {all}", { number: moment + 1, all: game.log.length });
  const round = entry.round === null ? "" : ` \u00b7 ${roundName(entry.round)}`;
  byId("past-entry").replaceChildren(html("p", { class: "dim" }, counter + round), ...linesOf(entry).map(({ node }) => node));
  byId("past-trouble").hidden = true;
  byId("past-figure").replaceChildren(drawing({ viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": counter }, PATTERNS + body));
  setText(byId("past-text"), description);
}

function connectPast() {
  byId("look-back").addEventListener("click", openPast);
  byId("earlier").addEventListener("click", () => lookBack(moment - 1));
  byId("later").addEventListener("click", () => lookBack(moment + 1));
  byId("moment").addEventListener("input", () => lookBack(Number(byId("moment").value)));
}
