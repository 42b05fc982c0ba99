// Rows of cards and counters around the board; each piece is a drawing of its own.

// The hand, then what can be picked now and lies on the table, then the rest of the own area.
function showRows() {
  const { hand, sides, table } = game.picture;
  const asked = new Set(actions().flatMap(partsOf));
  const now = table.filter(([, boxes]) => boxes.some(({ body }) => partsIn(body).some((part) => asked.has(part))));
  const own = game.seat === null ? [] : sides[game.seat] || [];
  fillRows(byId("hand"), [...hand, ...now, ...own]);
  fillRows(byId("on-table"), table.filter((row) => !now.includes(row)));
  byId("beside").hidden = table.length === now.length;
}

const partsIn = (body) => [...body.matchAll(/data-part="([^"]*)"/g)].map(([, part]) => part);

function fillRows(node, rows) {
  fillList(node, rows, ([name]) => name, makeRowOf, fillRowOf);
  node.hidden = rows.length === 0;
}

const makeRowOf = ([name]) => html("div", { class: "pieces", "data-row": name }, html("span", { class: "dim" }), html("div"));

function fillRowOf(node, [name, boxes]) {
  setText(node.firstElementChild, labelOf("row", name));
  const bodies = boxes.map(({ body }) => body).join("\n");
  if (node.shown === bodies) return;
  node.shown = bodies;
  node.lastElementChild.replaceChildren(...boxes.map(makePiece));
}

function makePiece({ width, height, body }) {
  const made = drawing({ viewBox: `0 0 ${width} ${height}`, "data-piece": true }, body);
  made.style.setProperty("--width", width);
  return made;
}
