"""Kernels against the oracle (docs/trust.md): positions, legal actions, scores and random outcomes, decision by decision."""

import itertools
from typing import Any

import pytest

from .compare import play_match

QUICK_DECISIONS, DECISIONS = 150, 2_000  # for each number of players


def compare(config: dict[str, Any], decisions: int, seed: int) -> None:
    seeds = itertools.count(seed)
    compared = 0
    while compared < decisions:
        compared += play_match(config, next(seeds))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernels_and_oracle_agree(players: int) -> None:
    compare({"players": players}, QUICK_DECISIONS, 1000)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_agree_in_many_games(players: int) -> None:
    compare({"players": players}, DECISIONS, 2000)


def test_enough_is_compared() -> None:
    assert 3 * DECISIONS >= 5_000 and 3 * QUICK_DECISIONS >= 300
