"""Connect Four as a game of another package: rules, texts and pictures in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ginkgo_env.core import state
from ginkgo_env.core.checks import integer
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.errors import NotationError, PositionError, short_repr
from ginkgo_env.core.events import emit
from ginkgo_env.core.game import WIDTH, Game
from ginkgo_env.core.language import Texts
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.loops import Scalars, make_loops
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.core.playback import Playback
from ginkgo_env.core.state import NO_SEAT, Array, States, VisibleState, empty_state, number, record_dtype, uint64
from ginkgo_env.pictures.presenter import Choice, Presenter
from ginkgo_env.pictures.svg import Box, below, circle, label, named, rect

ROWS, COLUMNS, LINE, NOBODY = 6, 7, 4, -1
DROP, OVER = 0, 1  # kinds of decision


class State(state.State, Protocol):
    """The record as kernels see it; all of it is public."""

    rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
    seed: np.uint64 = uint64("seed of this game", seen_by=NO_SEAT)
    actor: int = number("the seat that decides, NOBODY at the end", low=NOBODY, high=1, empty=NOBODY)
    stage: int = number("DROP or OVER", high=OVER)
    winner: int = number("a seat or NOBODY", low=NOBODY, high=1, empty=NOBODY)
    discs: Array = number("1 + seat, 0 for an empty cell; row 0 is the lowest", ROWS, COLUMNS, high=2)
    moves: Array = number("columns, in order", ROWS * COLUMNS, below=COLUMNS)
    n_moves: int = number("discs that have been dropped", high=ROWS * COLUMNS)


@kernel
def reset(g: State, t: None, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Start with an empty board; the seed has no influence."""
    g.seed = seed
    g.rng = seed
    g.actor = 0
    legal(g, t, mask)


@kernel
def legal(g: State, t: None, mask: np.ndarray) -> None:
    """Allow every column that is not full."""
    for column in range(COLUMNS):
        mask[column] = g.stage == DROP and g.discs[ROWS - 1, column] == 0


@kernel
def step(g: State, t: None, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Drop a disc; where a single column is left, the next discs drop without a decision."""
    column, n_legal = action, 1
    while n_legal == 1:
        drop(g, column, log)
        legal(g, t, mask)
        n_legal = 0
        for k in range(COLUMNS):
            n_legal += mask[k]
            column = k if mask[k] else column
    return RUNNING if n_legal else ENDED


@kernel
def drop(g: State, column: int, log: np.ndarray) -> None:
    """Drop a disc of the actor, and find out whether the game is over."""
    row = 0
    while g.discs[row, column] != 0:
        row += 1
    emit(log, 0, g.actor, column, 0)
    g.discs[row, column] = 1 + g.actor
    g.moves[g.n_moves] = column
    g.n_moves += 1
    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if 1 + count(g, row, column, up, right) + count(g, row, column, -up, -right) >= LINE:
            g.winner = g.actor
    g.actor = 1 - g.actor
    if g.winner != NOBODY or g.n_moves == ROWS * COLUMNS:
        g.actor, g.stage = NOBODY, OVER


@kernel
def count(g: State, row: int, column: int, up: int, right: int) -> int:
    """Count the discs of the same color that follow in a direction."""
    n, y, x = 0, row + up, column + right
    while 0 <= y < ROWS and 0 <= x < COLUMNS and g.discs[y, x] == g.discs[row, column]:
        n, y, x = n + 1, y + up, x + right
    return n


@kernel
def observe(g: State, t: None, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the own discs and those of the other player."""
    for cell in range(ROWS * COLUMNS):
        disc = g.discs[cell // COLUMNS, cell % COLUMNS]
        out[offsets[0] + cell] = disc == 1 + seat
        out[offsets[1] + cell] = disc == 2 - seat


@kernel
def score(g: State, t: None, out: np.ndarray) -> None:
    """Write a point for the player who has a line."""
    for seat in range(out.shape[0]):
        out[seat, 0] = g.winner == seat


class ConnectFour(Game):
    """Connect Four: four discs in a line win."""

    name, title, version = "connect_four", "Connect Four", 0
    presenter_entry_point = f"{__name__}:ConnectFourPresenter"
    has_chance, has_hidden_information = False, False
    decisions, over, sources = ("drop",), OVER, ("line",)
    seats = sides = 2
    actions = Layout([Block("column", (COLUMNS,), "column to drop a disc into")])
    observation = Layout([Block(owner, (ROWS, COLUMNS), f"{owner} discs, lowest row first") for owner in ("own", "other")])
    observation_dtype = np.uint8
    state = State
    template = empty_state(State, record_dtype(State))
    kernels = make_loops(Scalars(reset, step, legal, observe, score))

    def kind(self, states: States) -> Any:
        """Return the kinds of decision."""
        return states["stage"]

    def ending(self, state: States) -> str | None:
        """Return ``line`` or ``full board``."""
        return None if state["stage"][0] == DROP else "full board" if state["winner"][0] == NOBODY else "line"

    def action_text(self, state: States, action: int) -> str:
        """Return the number of a column, from 1."""
        return str(1 + integer(action, 0, COLUMNS - 1, "action", NotationError))

    def parse_action(self, state: States, text: str) -> int:
        """Return the column with that number."""
        if text not in (columns := [str(k + 1) for k in range(COLUMNS)]):
            raise NotationError(f"unknown action {short_repr(text)}; expected 1..{COLUMNS}")
        return columns.index(text)

    def position(self, state: States) -> dict[str, Any]:
        """Return the moves and the state of the generator."""
        g = self.checked_state(state)[0]
        moves = (g.moves[: g.n_moves] + 1).tolist()
        return {"game": self.name, "config": {}, "rng": int(g.rng), "seed": int(g.seed), "moves": moves}

    def from_position(self, position: Mapping[str, Any]) -> States:
        """Play the moves of a position."""
        expected = self.position(self.template)
        if not isinstance(position, Mapping) or set(position) != set(expected) or not isinstance(position["moves"], list):
            raise PositionError(f"position must have the keys {', '.join(expected)}, and a list of moves")
        if (position["game"], position["config"]) != (self.name, {}):
            raise PositionError(f"game must be {self.name!r} without options, got {short_repr(position['game'])}")
        rng, seed = (integer(position[key], 0, 2**64 - 1, key, PositionError) for key in ("rng", "seed"))
        playback = Playback(self)
        playback.start(seed)
        for k, move in enumerate(position["moves"]):
            column = integer(move, 1, COLUMNS, f"moves[{k}]", PositionError) - 1
            if playback.states["n_moves"][0] <= k:  # else it dropped without a decision
                if not playback.is_legal(column):
                    raise PositionError(f"moves[{k}] must be legal, got {column + 1}")
                playback.play(column)
        state = playback.state()
        state["rng"] = rng
        return state

    def narrate(self, rows: Sequence[tuple[int, int, int, int]], names: Sequence[str]) -> list[str]:
        """Return a sentence for each disc."""
        return [f"{names[seat]} drops a disc into column {column + 1}." for _, seat, column, _ in rows]

    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """Return the board, with x for the first player and o for the second."""
        players, discs, _ = self.checked_names(names), self.checked_state(state)["discs"][0], self.checked_seat(seat)
        board = [" ".join(".xo"[disc] for disc in row) for row in discs[::-1]]
        return "\n".join([f"{players[0]} (x) against {players[1]} (o)", *board, "1 2 3 4 5 6 7"])


class ConnectFourPresenter(Presenter):
    """Draws the board, whose columns can be clicked."""

    texts = Texts({"en": {"question:drop": "Choose a column", "group:column": "Column"}})

    def draw(self, g: VisibleState) -> Box:
        """Draw the names and the columns with their discs."""
        columns = ""
        for k, discs in enumerate(zip(*g.discs, strict=True)):
            colors = [("f-page", "f-red", "f-yellow")[disc] for disc in discs]
            cells = [circle(60 * k + 29, 330 - 60 * n, 24, color) for n, color in enumerate(colors)]
            columns += named(f"column:{k + 1}", rect(60 * k, 0, 58, 360, "f-blue") + "".join(cells))
        return below([label(f"{g.names[0]} (red) against {g.names[1]} (yellow)"), Box(60 * COLUMNS, 360, columns)])

    def choice(self, state: States, action: int) -> Choice:
        """Return the column."""
        return Choice({"column": str(action + 1)})
