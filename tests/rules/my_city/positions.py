"""Games with a chosen deck, played by action texts; boards and buildings made up for a test.

>>> played("Y1 e1E", "R1 f1E").scores
[-62]
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

import ginkgo_env
from ginkgo_env.core.batch import prepare
from ginkgo_env.core.events import new_log, read_log
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.rules.machine import open_game

from ...perft.perft import leaves
from ..kernel_play import Json, KernelPlay

PLAYERS = (1, 2, 3, 4)
HEADER = "id,color,shape,rows,cells,provenance"


def game_with(players: int, board: str, buildings: str) -> MyCity:
    game = ginkgo_env.make_game("my_city", players=players, board=board, buildings=buildings)
    assert isinstance(game, MyCity)
    prepare(game)
    return game


@cache
def game_of(players: int = 1) -> MyCity:
    """The game with the shipped board and buildings."""
    return game_with(players, "own", "own")


class Table(KernelPlay):
    """A game of My City being played by the kernels."""

    game: MyCity

    def open(self, deck: Sequence[str]) -> Self:
        """The beginning of a game with a whole deck (names of cards in drawing order)."""
        assert sorted(deck) == sorted(self.game.buildings.cards)
        state, log = self.game.template.copy(), new_log()
        state["deck"][0, : len(deck)] = [self.game.buildings.cards.index(card) for card in deck]
        open_game(state, self.game.components, self.playback.mask[0], log)
        self.rows = read_log(log)
        return self.set_state(state)

    @property
    def mask(self) -> np.ndarray:
        return self.playback.mask

    @property
    def g(self) -> Any:
        """The record."""
        return self.state[0]

    def seen(self, seat: int = 0) -> Json:
        return super().seen(seat)

    @property
    def empty_by_row(self) -> list[list[int]]:
        """What decides ties (M8.8)."""
        found: list[list[int]] = self.game.result_details(self.state)["empty_by_row"]
        return found

    def leaves(self, depth: int) -> int:
        """How many sequences of so many decisions there are from here."""
        return int(leaves(self.game, self.state, depth)[0])

    def logged(self, kind: int) -> list[tuple[int, int, int]]:
        """What was logged of a kind of event."""
        return [row[1:] for row in self.rows if row[0] == kind]

    # --- what follows from position, outcome and view

    @property
    def revealed(self) -> list[str]:
        """The cards that have been turned up."""
        cards: list[str] = self.position["revealed"]
        return cards

    @property
    def current(self) -> str | None:
        """The building of the round, None when the game is over."""
        return None if self.actor is None else self.revealed[-1]

    @property
    def actor(self) -> int | None:
        actor: int | None = self.position["decision"]["actor"]
        return actor

    @property
    def round(self) -> int:
        return int(self.position["round"])

    @property
    def ending(self) -> str | None:
        ending: str | None = self.position["ending"]
        return ending

    @property
    def counters(self) -> list[int]:
        return self.by_seat("points")

    @property
    def ended(self) -> list[int | None]:
        """The round in which each player has ended."""
        return self.by_seat("ended")

    @property
    def sources(self) -> list[dict[str, int]]:
        """Points by source as they stand, for each player; zeros left out."""
        return [{s: n for s, n in own.items() if n and s != "total"} for own in self.outcome.breakdown]

    @property
    def scores(self) -> list[int]:
        return list(self.outcome.scores)

    @property
    def winners(self) -> tuple[int, ...]:
        winners: tuple[int, ...] = self.outcome.winners
        return winners

    def cells(self, seat: int = 0) -> set[str]:
        """The cells that a player has built on, as the player sees them."""
        colors = self.seen(seat)["boards"][0][1:5]
        rows, columns = len(colors[0]), len(colors[0][0])
        return {
            self.game.board.cell_name(r * columns + c)
            for r in range(rows)
            for c in range(columns)
            if any(plane[r][c] for plane in colors)
        }


implementation: type[Table] = Table  # who plays tables; conftest.py tells the oracle to


def deck_of(game: MyCity, *first: str, last: Sequence[str] = ("X",)) -> list[str]:
    """A whole deck: some cards first, some last, the others between them in the order of their names."""
    return [*first, *(card for card in game.buildings.cards if card not in {*first, *last}), *(c for c in last if c not in first)]


def table(*first: str, players: int = 1, last: Sequence[str] = ("X",), game: MyCity | None = None) -> Table:
    """A game whose deck begins with these cards."""
    game = game or game_of(players)
    return implementation(game).open(deck_of(game, *first, last=last))


def table_from_seed(seed: int, players: int = 1) -> Table:
    """A game from its beginning."""
    return implementation(game_of(players)).reset(seed)


def table_at(position: Json) -> Table:
    """A game on the shipped board that goes on from a position."""
    return implementation(game_of(len(position["players"]))).set_position(position)


def played(*plays: str, players: int = 1, last: Sequence[str] = ("X",), game: MyCity | None = None) -> Table:
    """A game from plays such as ``"Y1 e1E"``, in each of which all players do the same while they have to choose."""
    pairs = [play.split() for play in plays]
    found = table(*(card for card, *_ in pairs), players=players, last=last, game=game)
    for card, *texts in pairs:
        assert not texts or found.current == card, f"{found.current} came up, not {card}"
        for text in texts * (players if len(texts) == 1 else 1):
            found.play(text)
    return found


def board_file(folder: Path, terrain: str, banks: str, name: str = "made_up") -> str:
    """A board with these rows, whose letters stand without spaces."""
    grids = [[" ".join(row) for row in grid.split()] for grid in (terrain, banks)]
    columns = " ".join("abcdefghijklmnop"[: len(terrain.split()[0])])
    lines = [f"name {name}", f"columns {columns}", "terrain", *grids[0], "banks", *grids[1]]
    path = folder / f"{name}.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def buildings_file(folder: Path, *buildings: str, name: str = "pieces") -> str:
    """Buildings such as ``"Y1 yellow ##/#."``."""
    rows = [HEADER]
    for building in buildings:
        card, color, shape = building.split()
        rows.append(f"{card},{color},any,{shape},{shape.count('#')},test")
    path = folder / f"{name}.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def made_up(folder: Path, terrain: str, banks: str, *buildings: str, players: int = 1) -> MyCity:
    """A game on a board and with buildings that are given as for :func:`board_file` and :func:`buildings_file`.

    Its files have a folder of their own.
    """
    folder = Path(tempfile.mkdtemp(dir=folder))
    return game_with(players, board_file(folder, terrain, banks), buildings_file(folder, *buildings))


def three_banks(folder: Path, players: int) -> MyCity:
    """5 x 9 cells, three banks, one vein, six buildings."""
    return made_up(
        folder,
        "..t.v...F .rr.w.... M..w..... ......... ....t..MF",
        "aaabbbccc aaabbbccc aabbbbccc aabbbcccc aabbbcccc",
        *(
            "Y1 yellow ##/#.",
            "R1 red ###/.#.",
            "B1 blue ##/.#/.#",
            "C1 church #",
            "C2 church ####/####",
            "Y7 yellow ..#/..#/..#/..#/..#/###",
        ),
        players=players,
    )


def singles(n: int) -> list[str]:
    """Buildings of one cell: Y1, Y2, ..."""
    return [f"Y{i} yellow #" for i in range(1, n + 1)]


def built(folder: Path, terrain: str, banks: str, *plays: str) -> Table:
    """A game of one player to its end, from plays such as ``"Y1 yellow ## b2E"``: the buildings in the order they are placed."""
    cut = [play.rsplit(" ", 1) for play in plays]
    found = table(game=made_up(folder, terrain, banks, *(building for building, _ in cut)))
    return found.play(*(at for _, at in cut))
