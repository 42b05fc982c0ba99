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
  fitHand();
}

// Beside the board, pieces are as large as the room allows; where it is short, the names of rows stand beside their pieces.
const WIDE = window.matchMedia("(min-width: 1200px) and (min-height: 481px)");
const PIECE_SIZES = [2.2, 2, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1];

function fitHand() {
  const hand = byId("hand");
  hand.classList.remove("dense");
  hand.style.removeProperty("--piece");
  if (!WIDE.matches) return;
  const fits = (size) => {
    hand.style.setProperty("--piece", size);
    return hand.scrollHeight <= hand.clientHeight && hand.scrollWidth <= hand.clientWidth;
  };
  if (PIECE_SIZES.some(fits)) return;
  hand.classList.add("dense");
  [...PIECE_SIZES, 0.9, 0.8].some(fits);
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
  const before = numbersIn(node);
  node.lastElementChild.replaceChildren(...boxes.map(makePiece));
  countIn(node, before);
}

function makePiece({ width, height, body }) {
  const made = drawing({ viewBox: `0 0 ${width} ${height}`, "data-piece": true }, body);
  made.style.setProperty("--width", width);
  return made;
}
