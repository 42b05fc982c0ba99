// Moves of others, one after another: each lights up the places that it names, its line in the log, and the points of its side, whose
// sign flies to the first of the places.

const MOVE_TIME = 400; // milliseconds
const moves = []; // lines of the log; the first is lit

// New lines of the log. Nothing is shown to people who want no motion, or who look elsewhere.
function showMoves(fresh) {
  if (isCalm() || document.hidden) return;
  const wasDark = moves.length === 0;
  moves.push(...fresh.filter(({ side }) => side !== null && side !== game.seat));
  if (wasDark && moves.length) lightMove();
}

function lightMove() {
  showMove();
  flySign(moves[0].side);
  setTimeout(() => {
    moves.shift().node.classList.remove("now");
    if (moves.length) lightMove();
    else showMove();
  }, MOVE_TIME);
}

function flySign(side) {
  const sign = byId("sides").querySelector(`[data-side="${side}"] svg`);
  const place = document.querySelector('[data-frames="moved"] .line')?.getBoundingClientRect();
  if (sign && place?.width) fly(copyOf(sign), sign.getBoundingClientRect(), place);
}

// Called whenever the drawings may be new. A side with a board of its own has its places there.
function showMove() {
  const [move] = moves;
  if (move) move.node.classList.add("now");
  for (const row of byId("sides").children) row.classList.toggle("now", Boolean(move) && row.dataset.side === String(move.side));
  const names = move ? namesIn(move.text) : [];
  const own = move ? (game.picture.sides[move.side] || []).flatMap(([, boxes]) => boxes.map(({ body }) => body)).join("") : "";
  const hasBoard = names.some((name) => own.includes(`data-place="${name}"`));
  const isLit = (root) => !hasBoard || root.closest(`#sources-${move.side}`);
  showLayer("moved", (root) => (isLit(root) ? framesOf(root, names.map((name) => `place:${name}`), "moved") : []));
}
