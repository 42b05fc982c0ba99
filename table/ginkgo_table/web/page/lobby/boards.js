// The games to choose from, with pictures of their boards: the server draws them as soon as the rules are compiled, those of the
// chosen game first.

const PAUSE = 700; // milliseconds between questions
const prepared = new Map(); // how much is compiled, from 0 to 1, by the name of the game

const nextGame = () => [chosen.game, ...chosen.offer.games].find((game) => prepared.get(game.name) !== 1);

async function prepareGames() {
  for (let game = nextGame(); game; game = nextGame()) {
    const { done } = await ask(`api/prepared/${game.name}`).catch(() => ({ done: 0 }));
    prepared.set(game.name, done);
    document.querySelector(`[data-game="${CSS.escape(game.name)}"] .board`).replaceWith(board(game));
    if (done < 1) await new Promise((later) => setTimeout(later, PAUSE));
  }
}

function board({ name }) {
  const done = prepared.get(name) || 0;
  const bar = () => html("progress", { value: done, "aria-label": t("The rules are being compiled") });
  const drawn = () => html("img", { src: localizedUrl(`pictures/${name}/board.svg`), alt: "" }); // is asked for as soon as it is made
  return html("span", { class: "board" }, done < 1 ? bar() : drawn());
}

function listGames() {
  document.querySelector("#games .cards").replaceChildren(...chosen.offer.games.map(gameCard));
}

function gameCard(game) {
  const input = html("input", { type: "radio", name: "game", value: game.name, "aria-label": game.title, checked: game === chosen.game });
  input.addEventListener("change", () => chooseGame(game));
  const about = [html("b", {}, game.title), html("span", { class: "dim" }, factsText(game)), html("span", {}, game.sentence)];
  const ways = html("div", { class: "row" }, button(t("Play now"), { class: "main" }, () => playNow(game)));
  if (game.has_guide) ways.append(html("a", { class: "button", href: localizedUrl(`learn/${game.name}`) }, t("How to play")));
  return html("div", { class: "card", "data-game": game.name }, html("label", {}, input, board(game), html("span", { class: "about" }, ...about)), ways);
}

function factsText({ options, seats, minutes }) {
  const { values } = options.find((option) => option.name === "players") || { values: [seats.seats] };
  const players = values.length > 1 ? `${values[0]}–${values.at(-1)}` : values[0];
  return [t("{players} players", { players }), ...(minutes ? [t("about {minutes} minutes", { minutes })] : [])].join(" · ");
}
