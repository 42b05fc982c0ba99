// The end of the game: who has won, and what can be done with the game now.

function showEnding() {
  const node = byId("result");
  if (isOver() && node.hidden) window.scrollTo({ top: 0 });
  node.hidden = !isOver();
  if (!isOver()) return;
  const state = `${catalog.language} ${game.rematch}`;
  if (node.dataset.state !== state) {
    const path = urlOf(seatPath("/record"));
    const replay = button(t("Watch the replay"), { id: "replay", class: "main" }, () => watchReplay());
    const isAlone = game.people.filter(Boolean).length < 2;
    const text = t(game.rematch ? "Join the new game" : isAlone ? "Play again" : "Play again together");
    const rematch = game.seat === null ? [] : [button(text, { id: "rematch" }, playAgain)];
    const record = html("a", { id: "record", class: "button", href: path, download: true }, t("Download the record"));
    const again = html("a", { id: "again", class: "button", href: urlOf("") }, t("New game"));
    const trouble = html("p", { id: "ending-trouble", class: "bad", role: "alert", hidden: true });
    const review = isReviewed() ? [html("div", { id: "review", "aria-live": "polite" })] : [];
    const points = game.names.length > 1 ? [sourceTable()] : [];
    node.replaceChildren(html("p", { id: "verdict" }), html("p", { id: "how", class: "dim" }), html("div", { class: "row" }, replay, ...rematch, record, again), trouble, ...points, ...review);
    node.dataset.state = state;
    showReview();
  }
  setText(byId("verdict"), verdictText());
  const how = `ending:${game.result.ending}`;
  const notes = [how, ...(isTieBroken() ? ["tie_break"] : [])].filter(hasText);
  setText(byId("how"), notes.map((key) => t(key)).join(" "));
}

function verdictText() {
  const { winners, scores } = game.result;
  if (game.names.length === 1) return t("You reach {points}", { points: pointsText(scores[0]) });
  const names = listText(winners.map((side) => game.names[side]));
  return tn("{names} wins with {points}", "{names} win with {points} each", winners.length, { names, points: pointsText(Math.max(...winners.map((side) => scores[side]))) });
}

// Whether another side has the score of a winner.
function isTieBroken() {
  const { winners, scores } = game.result;
  return scores.some((points, side) => !winners.includes(side) && winners.some((winner) => scores[winner] === points));
}

async function playAgain() {
  byId("ending-trouble").hidden = true;
  try {
    const seat = await ask(seatPath("/rematch"), {});
    keepTable({ title: game.title, names: game.names, seats: [seat] });
    location.assign(urlOf(`seat/${encodeURIComponent(seat.token)}`));
  } catch (error) {
    setText(byId("ending-trouble"), error.message);
    byId("ending-trouble").hidden = false;
  }
}

const isReviewed = () => game.seat !== null && game.people[game.seat];

async function watchReplay(step = null) {
  setState(byId("replay"), "aria-busy", true);
  byId("ending-trouble").hidden = true;
  try {
    const { replay } = await ask(seatPath("/replay"), {});
    location.assign(urlOf(`replays/${encodeURIComponent(replay)}`) + (step === null ? "" : `#step=${step}`));
  } catch (error) {
    setText(byId("ending-trouble"), error.message);
    byId("ending-trouble").hidden = false;
  }
  setState(byId("replay"), "aria-busy", false);
}
