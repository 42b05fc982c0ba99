// Moves of others, one after another: each lights up the places that it names, and its line in the log.

const MOVE_TIME = 400; // milliseconds
const moves = []; // entries of the log with their lines; the first is lit

// New entries of the log, each with its line. Nothing is shown to people who want no motion, or who look elsewhere.
function showMoves(fresh) {
  if (isCalm() || document.hidden) return;
  const wasDark = moves.length === 0;
  moves.push(...fresh.filter(({ entry }) => entry.sentences.length && !entry.seats.includes(game.seat)));
  if (wasDark && moves.length) lightMove();
}

function lightMove() {
  showMove();
  setTimeout(() => {
    moves.shift().line.classList.remove("now");
    if (moves.length) lightMove();
    else showMove();
  }, MOVE_TIME);
}

// Called whenever the drawings may be new.
function showMove() {
  const [move] = moves;
  if (move) move.line.classList.add("now");
  const places = move ? namesIn(move.entry.sentences.join(" ")).map((name) => `place:${name}`) : [];
  showLayer("moved", (root) => framesOf(root, places, "moved"));
}
