// Points of each side, and on demand what they come from.

const explained = new Set(); // sides whose points are explained

function showScores() {
  setText(byId("scores-title"), t(isOver() ? "Final scores" : "Points now"));
  const rows = game.names.flatMap((_, side) => [{ side, sources: null }, ...(explained.has(side) ? [{ side, sources: game.scores[side].sources }] : [])]);
  showSignals();
  fillList(byId("sides"), rows, (one) => `${one.side}${one.sources ? "-sources" : ""}`, makeRow, fillRow);
}

function makeRow({ side, sources }) {
  if (sources) return html("tr", { class: "sources", id: `sources-${side}` }, html("td", { colspan: 2 }, html("div", { class: "rows" }), html("dl")));
  const toggle = button("", { class: "side", "data-side": side }, () => explain(side));
  return html("tr", { "data-side": side }, html("th", { scope: "row" }, toggle), html("td", { class: "total" }));
}

function fillRow(row, { side, sources }) {
  if (sources) {
    fillRows(row.querySelector(".rows"), side === game.seat ? [] : game.picture.sides[side] || []);
    return fillSources(row.querySelector("dl"), sources);
  }
  const toggle = row.querySelector("button");
  const notes = [game.seat === side ? t("you") : "", agentText(side)].filter(Boolean).join(", ");
  const wins = isOver() && game.names.length > 1 && game.result.winners.includes(side);
  const parts = [html("b", {}, game.names[side]), notes ? html("span", { class: "dim" }, ` ${notes}`) : null, presence(side), signalOf(side), wins ? html("span", { class: "won" }, t("wins")) : null];
  const text = parts.map((part) => (part ? part.textContent : "")).join("|");
  if (toggle.dataset.text !== text) {
    toggle.replaceChildren(badge(side), html("span", {}, ...parts.filter(Boolean)));
    toggle.dataset.text = text;
  }
  setState(toggle, "aria-expanded", explained.has(side));
  setState(toggle, "title", t("what the points come from"));
  row.classList.toggle("active", game.actor === side);
  countTo(row.querySelector(".total"), game.scores[side].total);
}

// Which agent sits at a side, with its strength; where its name tells which, the strength alone.
function agentText(side) {
  const agent = side < game.seats ? game.agents[side] : null;
  if (agent === null) return "";
  if (!game.names[side].startsWith(agent)) return agentName(agent, game.levels);
  return game.levels[agent] ? t(`level:${game.levels[agent]}`) : t("computer");
}

function explain(side) {
  if (!explained.delete(side)) explained.add(side);
  showScores();
}

// Each source with its points, what they are made of, and what brings them.
function fillSources(list, sources) {
  const made = sources.flatMap(({ name, points, items }) => {
    const note = hasText(`note:${name}`) ? t(`note:${name}`) : "";
    const parts = items.filter(([, value]) => value !== 0).map(([of, value]) => `${of}: ${numberText(value)}`);
    const kind = points === 0 ? "none" : null;
    return [
      html("dt", { class: kind, "data-source": name }, html("span", {}, labelOf("source", name)), html("b", {}, numberText(points))),
      html("dd", { class: kind }, ...[note, parts.join(", ")].filter(Boolean).map((text) => html("p", {}, ...withRules(text)))),
    ];
  });
  list.replaceChildren(...made);
}
