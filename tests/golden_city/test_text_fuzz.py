"""Bad text: a typed error with a sentence, nothing else. What a reader accepts can be played to its end."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ginkgo_env
from ginkgo_env import GinkgoError, NotationError

from ..junk import is_refused
from .components import LANDSCAPES
from .random_games import PLAYERS, states
from .table import game_of
from .test_positions_refused import BASES

Json = dict[str, Any]

FEW = settings(derandomize=True, deadline=None, max_examples=40)


@cache
def positions(players: int) -> list[Json]:
    """Positions of every kind of decision, and of a finished game."""
    found = [game_of(players).position(state) for state in states(players).values()]
    return found + ([*BASES.values()] if players == 3 else [])


@cache
def batch_of(players: int) -> ginkgo_env.Batch:
    return ginkgo_env.Batch(game_of(players), 1)


def play_on(data: Json, seed: int, every: int = 5) -> None:
    """Play an accepted position to its end; all that comes up can be read again, which counts all pieces."""
    players = data["config"]["players"]
    batch, table = batch_of(players), game_of(players)
    batch.set_position(0, data)
    rng = random.Random(seed)
    for step in range(1_000):
        if step % every == 0 or batch.over[0]:
            again = table.from_position(batch.position(0))
            assert again.tobytes() == batch.states.tobytes()
            for seat in range(players):
                batch.observe(seat)
        if batch.over[0]:
            table.outcome(batch.state(0))
            return
        batch.step([rng.choice(np.flatnonzero(batch.mask[0]).tolist())])
    raise AssertionError("not over after 1000 decisions")


# --- positions --------------------------------------------------------------------------------------------------------------


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from([*LANDSCAPES, "C1", "bid"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def shuffled_about(rng: random.Random, data: Json) -> Json:
    """Some small changes that keep the pieces together: moves from list to list, houses, numbers, decisions."""
    whole: Json = copy.deepcopy(data)
    n = len(whole["players"])
    for _ in range(rng.randint(1, 3)):
        player = rng.choice(whole["players"])
        kind = rng.randrange(9)
        if kind == 0:
            piles = [whole["deck"], whole["discard"], *(p["hand"] for p in whole["players"])]
            source, target = rng.sample(piles, 2)
            if source:
                target.append(source.pop(rng.randrange(len(source))))
            for pile in piles[1:]:
                pile.sort(key=LANDSCAPES.index)
        elif kind == 1:
            whole["houses"][rng.choice(list(game_of(n).board.place_ids))] = [rng.randrange(n)]  # type: ignore[attr-defined]
            for p, each in enumerate(whole["players"]):
                most = 16 if n == 4 else 18
                each["houses_left"] = most - sum(seats.count(p) for seats in whole["houses"].values())
        elif kind == 2:
            whole["decision"]["actor"] = rng.randrange(n)
            if whole["turn"]:
                whole["turn"]["player"] = whole["decision"]["actor"]
        elif kind == 3:
            whole["first_player"] = rng.randrange(n)
        elif kind == 4:
            player["coins"], whole["coins"] = 0, whole["coins"] + player["coins"]
        elif kind == 5:
            whole["decision"]["kind"] = rng.choice(["bid", "build", "pay", "goods", "box", "bonus", "discard", "over"])
        elif kind == 6:
            whole["displacements"] = rng.randrange(8)
        elif kind == 7 and whole["turn"]:
            whole["turn"]["built"] = rng.randrange(3)
        elif kind == 8:
            whole["blocked"] = sorted(rng.sample(range(n), rng.randrange(n)))
            whole["ending"] = rng.choice([None, "houses", "blocked", "cards"])
    return whole


def accepted_changes(players: int, n: int) -> list[Json]:
    """Changed positions that are accepted, of n tried."""
    rng = random.Random(players)
    tried = (shuffled_about(rng, rng.choice(positions(players))) for _ in range(n))
    return [data for data in tried if data not in positions(players) and not is_refused(game_of(players), data)]


@pytest.mark.full
def test_changed_positions_that_are_accepted_can_be_played() -> None:
    found = accepted_changes(3, 300)
    assert len(found) > 30
    for seed, data in enumerate(found[:30]):
        play_on(data, seed)


@pytest.mark.full
@pytest.mark.timeout(2_400)
@pytest.mark.parametrize("players", PLAYERS)
def test_many_changed_positions_can_be_played_within_bounds(players: int) -> None:
    """In a process of its own, with bounds checks on."""
    found = accepted_changes(players, 400)
    environment = os.environ | {"GINKGO_BOUNDSCHECK": "1"}
    script = f"import sys, json; from {__name__} import play_on\nfor i, d in enumerate(json.load(sys.stdin)): play_on(d, i)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(found),
        env=environment,
        cwd=FilePath(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=1_800,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-1500:]


# --- notation ---------------------------------------------------------------------------------------------------------------

TOKENS = st.sampled_from(
    ["bid", "build", "pay", "goods", "box", "bonus", "discard", ":", "+", "a", "C1", "FI", "done", "stack", "coast", "desert",
     "pottery+wine", "rivers", " ", "\u0661"]
)  # fmt: skip


@FEW
@given(text=st.text(max_size=40) | st.lists(TOKENS, max_size=5).map("".join), which=st.integers(0, 99))
def test_any_text_is_an_action_or_an_error(text: str, which: int) -> None:
    table, found = game_of(3), [*states(3).values()]
    state = found[which % len(found)]
    try:
        action = table.parse_action(state, text)
    except NotationError as error:
        assert 10 < len(str(error)) < 300
    else:
        assert table.action_text(state, action) == text


@FEW
@given(value=JSON | st.binary(max_size=5))
def test_anything_else_is_an_error(value: Any) -> None:
    if isinstance(value, str):
        return
    with pytest.raises(GinkgoError):
        game_of(3).parse_action(states(3)["bid"], value)
