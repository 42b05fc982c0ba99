"""Games with a chosen deck, played by action texts; boards and buildings made up for a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.core.batch import Batch, prepare
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.game import Outcome, States
from ginkgo_env.core.log import new_log, read_log
from ginkgo_env.core.loops import PlayArrays, PlayMode
from ginkgo_env.core.masks import NO_ACTION, sets_of
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.playout import playout
from ginkgo_env.games.my_city.rules.machine import open_game

PLAYERS = (1, 2, 3, 4)
COLORS = ("yellow", "red", "blue", "church")
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


class Table:
    """A game in play, opened with a whole deck (names of cards in drawing order)."""

    def __init__(self, game: MyCity, deck: Sequence[str]) -> None:
        assert sorted(deck) == sorted(game.buildings.cards)
        self.game, self.state = game, game.template.copy()
        self.state["deck"][0, : len(deck)] = [game.buildings.cards.index(card) for card in deck]
        self.mask = np.zeros((1, game.actions.size), np.int8)
        self._log = new_log()
        open_game(self.state, game.tables, self.mask[0], self._log)
        self.rows = read_log(self._log)

    def play(self, *texts: str) -> Table:
        """Play actions, each legal."""
        for text in texts:
            assert text in self.legal, f"{text} is not legal for {self.current}"
            self._play(self.game.parse_action(self.state, text))
        return self

    def _play(self, action: int) -> None:
        game = self.game
        nobody, points = np.zeros(1, np.int8), np.zeros((1, game.sides, len(game.sources)), np.int32)
        standings, seeds, template = np.zeros((1, game.sides), np.int64), np.zeros(1, np.uint64), game.template.view(np.ndarray)
        results = self.mask, sets_of(self.mask), nobody, points, standings
        arrays = PlayArrays(np.array([action]), seeds, *results, template, template[:0])
        game.kernels.play(0, 1, self.state, game.tables, tuple(arrays), tuple(PlayMode(log=self._log)))
        self.rows += read_log(self._log)

    def copy(self) -> Table:
        other = object.__new__(Table)
        other.__dict__ = self.__dict__ | {"state": self.state.copy(), "mask": self.mask.copy(), "rows": list(self.rows)}
        return other

    @property
    def g(self) -> Any:
        """The record."""
        return self.state[0]

    @property
    def legal(self) -> list[str]:
        return [self.game.action_text(self.state, int(action)) for action in np.flatnonzero(self.mask[0])]

    @property
    def current(self) -> str | None:
        return None if self.g["current"] < 0 else self.game.buildings.ids[self.g["current"]]

    @property
    def actor(self) -> int | None:
        return None if self.g["actor"] < 0 else int(self.g["actor"])

    @property
    def counters(self) -> list[int]:
        return [int(n) for n in self.g["points"][: self.game.seats]]

    @property
    def ended(self) -> list[int]:
        return [int(n) for n in self.g["ended"][: self.game.seats]]

    @property
    def sources(self) -> list[dict[str, int]]:
        """Points by source as they stand, for each player; zeros left out."""
        return [{s: n for s, n in own.items() if n and s != "total"} for own in self.outcome.breakdown]

    @property
    def scores(self) -> list[int]:
        return list(self.outcome.scores)

    @property
    def ending(self) -> str | None:
        return self.game.ending(self.state)

    @property
    def outcome(self) -> Outcome:
        return self.game.outcome(self.state)

    def seen(self, seat: int = 0) -> dict[str, Any]:
        """The blocks of a seat's observation."""
        out = batch_of(self.game, self.state).observe(seat)[0]
        return {name: self.game.observation.view(out, name) for name in self.game.observation}

    def logged(self, kind: int) -> list[tuple[int, int, int]]:
        """What was logged of a kind of event."""
        return [row[1:] for row in self.rows if row[0] == kind]


def deck_of(game: MyCity, *first: str, last: Sequence[str] = ("X",)) -> list[str]:
    """A whole deck: some cards first, some last, the others between them in the order of their names."""
    return [*first, *(card for card in game.buildings.cards if card not in {*first, *last}), *(c for c in last if c not in first)]


def table(*first: str, players: int = 1, last: Sequence[str] = ("X",), game: MyCity | None = None) -> Table:
    """A game whose deck begins with these cards."""
    game = game or game_of(players)
    return Table(game, deck_of(game, *first, last=last))


def played(*plays: str, players: int = 1, last: Sequence[str] = ("X",), game: MyCity | None = None) -> Table:
    """A game from plays such as ``"Y1 e1E"``, in each of which all players do the same while they have to choose."""
    pairs = [play.split() for play in plays]
    found = table(*(card for card, *_ in pairs), players=players, last=last, game=game)
    for card, *texts in pairs:
        assert not texts or found.current == card, f"{found.current} came up, not {card}"
        for text in texts * (players if len(texts) == 1 else 1):
            found.play(text)
    return found


def batch_of(game: MyCity, states: States) -> Batch:
    """States as a batch."""
    batch = Batch(game, len(states))
    batch.set_states(np.arange(len(states)), states)
    return batch


def in_play(players: int, rows: int = 4, seed: int = 0, every: int = 3, game: MyCity | None = None) -> Iterator[Batch]:
    """The same batch again and again, every so many decisions, until all games are over, and then.

    Half of the choices are uniform, but an end is mostly drawn again: else games would be short.
    """
    batch = Batch(game or game_of(players), rows)
    batch.reset(seed=seed)
    end, step = batch.mask.shape[1] - 1, 0
    while not batch.over.all():
        if step % every == 0:
            yield batch
        actions = batch.sample()
        for _ in range(3):
            again = batch.sample()
            actions = np.where(actions == end, again, actions)
        batch.step(actions)
        step += 1
    yield batch


@entry
def choose_many(states: Any, tables: Any, masks: Any, words: Any, out: Any) -> None:
    """The playout's action for each row whose mask (B, A) is not empty, from random words (B,) uint64, into out (B,) int64."""
    for i in range(masks.shape[0]):
        if masks[i].any():
            out[i] = playout(states[i], tables[0], 0, masks[i], words[i])


def as_builder(batch: Batch, random: np.random.Generator) -> np.ndarray:
    """For each row a random placement, a pass if there is none, the end if there is neither."""
    out = np.full(batch.size, NO_ACTION, np.int64)
    choose_many(batch.states, batch.game.tables, batch.mask, random.integers(2**63, size=batch.size).astype(np.uint64), out)
    return out


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
    """A game on a board and with buildings that are given as for :func:`board_file` and :func:`buildings_file`."""
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
