"""Random games, step by step, for tests of texts."""

from __future__ import annotations

import csv
import random
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.games.golden_city.board import SHIPPED

from ..tiers import by_tier

Json = dict[str, Any]
EVERY = (2, 3, 4)
PLAYERS = by_tier(EVERY, (3,))


class Step(NamedTuple):
    """A step of a game: the setup has no state before it."""

    before: States | None
    action: int
    after: States
    rows: Rows
    legal: list[int]
    """The legal actions after it."""


@cache
def game(players: int) -> Game:
    return ginkgo_env.make_game("golden_city", players=players)


def played(table: Game, seed: int) -> Iterator[Step]:
    """A game at random."""
    rng, playback = random.Random(seed), Playback(table)
    rows, before, action = playback.start(seed), None, -1
    while True:
        after = playback.state()
        legal = np.flatnonzero(playback.mask[0]).tolist()
        yield Step(before, action, after, rows, legal)
        if not legal:
            return
        before, action = after, rng.choice(legal)
        rows = playback.play(action)


@cache
def steps(players: int, seed: int = 1) -> list[Step]:
    return list(played(game(players), seed))


@cache
def states(players: int) -> dict[str, States]:
    """A state of each kind of decision that came up in a few games, and a final one."""
    found: dict[str, States] = {}
    for seed in range(3):
        for step in reversed(steps(players, seed)):
            found[game(players).position(step.after)["decision"]["kind"]] = step.after
    return found


def another_board(folder: Path) -> Path:
    """A board with four kinds of goods cards and other ids."""
    shutil.copytree(SHIPPED / "own", folder)
    goods = [("spices", "wine"), ("pottery", "wine"), ("cloth", "pottery"), ("cloth", "spices")]
    edits = {
        "places": lambda row: row | {"place": f"X{row['place']}"},
        "roads": lambda row: row | {"place_1": f"X{row['place_1']}", "place_2": f"X{row['place_2']}"},
        "scoring": lambda row: row | {"card": f"S{row['card']}"},
    }
    for file, edit in edits.items():
        _rewrite(folder / f"{file}.csv", edit)
    kinds = iter(goods)

    def new_kind(row: dict[str, str]) -> dict[str, str] | None:
        pair = next(kinds, None)
        return pair and row | {"card": "+".join(pair), "good_1": pair[0], "good_2": pair[1], "copies": "2"}

    _rewrite(folder / "goods.csv", new_kind)
    return folder


def _rewrite(path: Path, edit: Any) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for row in map(edit, rows) if row)
