"""Games of builders (M15), step by step, for tests of texts; and data files of other boards and buildings."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import ginkgo_env
from ginkgo_env.core.game import States
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.games.my_city.game import MyCity

from ..tiers import by_tier

Json = dict[str, Any]
EVERY = (1, 2, 3, 4)
PLAYERS = by_tier(EVERY, (1, 3))
HERE = Path(__file__).parent


class Step(NamedTuple):
    """A step of a game: the setup has no state before it."""

    before: States | None
    action: int
    after: States
    rows: Rows


@cache
def game(players: int, **config: str) -> MyCity:
    found = ginkgo_env.make_game("my_city", players=players, **config)
    assert isinstance(found, MyCity)
    return found


def played(table: MyCity, seed: int) -> Iterator[Step]:
    """A game of builders: now and then one passes or ends although it could build."""
    rng, playback = random.Random(seed), Playback(table)
    rows, before, action = playback.start(seed), None, -1
    while True:
        yield Step(before, action, playback.state(), rows)
        legal = np.flatnonzero(playback.mask[0]).tolist()
        if not legal:
            return
        before, n_placements = playback.state(), table.actions["place"].size
        placements = [choice for choice in legal if choice < n_placements]
        action = rng.choice(legal if rng.random() < 0.1 or not placements else placements)
        rows = playback.play(action)


MIDROUND: Json = json.loads((HERE / "position.json").read_text(encoding="utf-8"))
"""The position of the rules (M11.9): seat 0 has chosen, seat 1 decides."""
TWO = game(2)


def accepted(data: Json) -> ginkgo_env.Batch:
    """A batch at this position, which is written as it was read."""
    batch = ginkgo_env.Batch(game(data["config"]["players"]), 1)
    batch.set_position(0, data)
    assert batch.position(0) == data
    return batch


@cache
def steps(players: int, seed: int = 1) -> list[Step]:
    return list(played(game(players), seed))


def record_of(players: int, seed: int = 1) -> ginkgo_env.Record:
    actions = [step.action for step in steps(players, seed)[1:]]
    return ginkgo_env.Record.from_actions(game(players), seed, actions)


def after(data: Json, *texts: str) -> list[Step]:
    """Steps from a position."""
    table = game(data["config"]["players"])
    playback, found = Playback(table), []
    playback.continue_from(table.from_position(data))
    for text in texts:
        before, action = playback.state(), table.parse_action(playback.states, text)
        rows = playback.play(action)
        found.append(Step(before, action, playback.state(), rows))
    return found


def opening(players: int, deck: list[str]) -> Json:
    """The position before the first decision of a game with this deck."""
    n = 3 if deck[0] == "X" else 1
    data = game(players).position(steps(players)[0].after)
    blocked = deck[1] if n == 3 else None
    return data | {"revealed": deck[:n], "deck": deck[n:], "blocked": blocked, "decision": {"kind": "build", "actor": 0}}


def examples() -> Iterator[tuple[Json, Playback]]:
    """The complete games of the rules (M13), before each decision and at the end."""
    for line in (HERE / "examples.jsonl").read_text(encoding="utf-8").splitlines():
        example = json.loads(line)
        table = game(example["players"])
        playback = Playback(table)
        playback.continue_from(table.from_position(opening(table.seats, example["deck"])))
        for seat, building, text, legal in example["actions"]:
            assert (playback.actor, int(playback.mask.sum())) == (seat, legal), (building, text)
            yield example, playback
            playback.play(table.parse_action(playback.states, text))
        yield example, playback


SMALL = """name small
columns a b c d e f
terrain
. t . . . w
. . v . r .
M . . . . F
. . . . . .
banks
l l m m r r
l l m m r r
l l l l r r
l l l l r r
"""
DRY = SMALL.replace("v", ".").replace("name small", "name dry")
FEW = """id,color,shape,rows,cells,provenance
A1,yellow,one,#,1,test
A12,red,bar,##,2,test
Z3,church,corner,#./##,3,test
"""
ONE = "\n".join(FEW.splitlines()[:2]) + "\n"


def files(folder: Path, board: str = SMALL, buildings: str = FEW) -> dict[str, str]:
    """Options of a game with these data files, which are written into a folder."""
    (folder / "small.txt").write_text(board, encoding="utf-8")
    (folder / "few.csv").write_text(buildings, encoding="utf-8")
    return {"board": str(folder / "small.txt"), "buildings": str(folder / "few.csv")}
