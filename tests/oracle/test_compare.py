"""Kernels against the oracle (docs/trust.md): positions, legal actions, scores and random outcomes, decision by decision."""

import itertools
from typing import Any

import pytest

from ginkgo_env.registry import game_class

from .compare import play_match

CONFIGS = game_class("ginkgopolis").configurations()
EXTRA = [{"strict": True}, {"max_rounds": 6}]
CASES = [config | extra for config, extra in itertools.product(CONFIGS, [{}, *EXTRA])]
DECISIONS = 700  # for each case, more than 20,000 in all


@pytest.mark.parametrize("config", CASES, ids=lambda c: "-".join(str(v) for v in c.values()))
def test_kernels_and_oracle_agree(config: dict[str, Any]) -> None:
    seeds = itertools.count(1000)
    compared = 0
    while compared < DECISIONS:
        compared += play_match(config, next(seeds))


def test_enough_is_compared() -> None:
    assert len(CASES) * DECISIONS >= 20_000
