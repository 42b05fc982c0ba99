"""The texts of a seat have every number of its observation: a reader rebuilds the vector from nothing else."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.game import Game
from ginkgo_env.envs.text import text_env
from ginkgo_env.registry import OWN_GAMES

from ..tiers import by_tier
from .games import as_case, id_of, own

CASES = [as_case(game, config) for game in OWN_GAMES for config in own(game, "reader", "CONFIGURATIONS", [])]
QUICK = [next(case for case in CASES if case.split()[0] == game) for game in OWN_GAMES]


def differences(game: Game, expected: Any, read: Any) -> list[str]:
    """The numbers that were read wrongly, by block."""
    wrong = [game.observation.locate(int(i)) for i in np.flatnonzero(expected != read)]
    return [
        f"{block.name}{place}: {game.observation.view(expected, block.name)[place]}, read as "
        f"{game.observation.view(read, block.name)[place]}"
        for block, place in wrong
    ]


@pytest.mark.parametrize("case", by_tier(CASES, QUICK), ids=id_of)
def test_observations_are_rebuilt_from_the_texts_of_one_seat(case: str) -> None:
    for seed in range(1 if case in QUICK else 4):
        check(case, seed)


def check(case: str, seed: int) -> None:
    """In a whole random game, each text that a seat gets, the earlier ones and the rules give the seat's observation."""
    name, _, config = case.partition(" ")
    env = text_env(name, seat="all", rules=True, **json.loads(config))
    game, random, reader = env.game, np.random.default_rng(seed), own(name, "reader", "Reader", None)
    rules, read = env.rules().strip(), {seat: reader(game, seat, env.rules()).read for seat in range(game.seats)}
    text, info = env.reset(seed=seed)
    over = False
    while True:
        for seat in range(game.seats) if over else [info["seat"]]:
            state = env._snapshot()[1]
            shown = text.removeprefix(rules).strip() if seat == info["seat"] else game.describe(state, seat)
            wrong = differences(game, game.observe(state, seat), read[seat](shown))
            assert not wrong, f"seat {seat}: {wrong}\n{shown}"
        if over:
            break
        text, _, terminated, truncated, info = env.step(str(random.choice(info["legal_actions"])))
        over = terminated or truncated
