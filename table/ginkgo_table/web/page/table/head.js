// The head of the page: which game this is, whose turn, and whether the server can be heard.

function showHead() {
  setText(byId("title"), game.title);
  setText(byId("about"), game.options.map(optionText).join(" · "));
  setState(byId("about"), "title", byId("about").textContent); // it may be cut
  showTurn();
}

function optionText([name, text]) {
  const one = (value) => labelOf("value", name, value);
  const value = hasText(`value:${name}:${text}`) ? one(text) : text.split(",").map(one).join(", "); // such as several modules
  return t("{name}: {value}", { name: labelOf("option", name), value });
}

function showTurn() {
  const text = turnText();
  const node = byId("turn");
  const side = isOver() || emptySeats().length || game.simultaneous ? null : game.actor;
  if (node.dataset.text !== text) {
    node.replaceChildren(...(side === null ? [] : [badge(side)]), html("span", {}, text));
    node.dataset.text = text;
  }
  node.classList.toggle("thinking", game.working && !isMyTurn());
  document.body.classList.toggle("my-turn", isMyTurn());
  document.body.classList.toggle("over", isOver());
  document.body.classList.toggle("watch", game.seat === null);
  setText(byId("announced"), isMyTurn() || isOver() ? text : ""); // not every thought of an agent
  document.title = isMyTurn() ? t("● Your turn: {title}", { title: game.title }) : isOver() ? t("Over: {title}", { title: game.title }) : game.title;
  showTrouble(game.trouble || "");
}

function showTrouble(sentence) {
  setText(byId("trouble"), sentence);
  byId("trouble").hidden = sentence === "";
}

function turnText() {
  if (isOver()) return t("The game is over");
  if (emptySeats().length) return t("Empty seats: {names}. The game goes on when all seats are taken.", { names: listText(emptySeats().map((seat) => game.names[seat])) });
  if (game.simultaneous && !isMyTurn()) {
    const pending = game.pending.map(pickOfNotation).join(" · ");
    return pending ? t("You have chosen {action}. Waiting until all have chosen", { action: pending }) : t("Waiting until all have chosen");
  }
  const name = game.names[game.simultaneous ? game.seat : game.actor];
  if (isMyTurn()) return t("Your turn, {name}", { name });
  return t(isAgent(game.actor) ? "{name} is thinking" : "Waiting for {name}", { name });
}

// "" when all is well, "away" while the server cannot be heard.
function showConnection(state) {
  const node = byId("connection");
  node.dataset.state = state;
  setText(node, state === "away" ? t("Connection lost, trying again …") : "");
}

// A table that is not there, or a server that cannot be reached at the start: a sentence and a way back.
function showNotice(sentence) {
  byId("notice").hidden = sentence === "";
  document.querySelector("main").hidden = sentence !== "";
  setText(byId("sentence"), sentence);
  if (sentence) showConnection("");
}
