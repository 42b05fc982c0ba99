"""Kernels against the oracle (docs/trust.md): positions, legal actions, scores and random outcomes, decision by decision."""

import itertools
import random
from typing import Any

import pytest

from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

from ...ginkgopolis.cases import COMBINATIONS, COVERING, QUICK, THOROUGH
from ..side_by_side import play_matches
from .compare import GinkgopolisMatch, play_match
from .styles import seat_styles

CONFIGS = [config for config in Ginkgopolis.configurations() if "modules" not in config]
EXTRA = [{"strict": True}, {"max_rounds": 6}]
CASES = [config | extra for config, extra in itertools.product(CONFIGS, [{}, *EXTRA])]
SEED = 1000  # of the first game
QUICK_DECISIONS = 60  # for each of a few, always
DECISIONS = 700  # for each case, more than 20,000 in all
ALL = tuple(Ginkgopolis.modules)
SPECIAL_CASES = [
    *({"players": n, "modules": ALL, "strict": True} for n in range(2, 6)),
    *({"players": n, "modules": ALL, "hand_size": 5} for n in range(2, 5)),
    *({"players": n, "modules": ALL[:-1], "setup": "introductory"} for n in range(2, 6)),
    {"players": 3, "modules": ALL, "max_rounds": 6},
]
MODULE_DECISIONS = 300  # for each combination and number of players


def id_of(config: dict[str, Any]) -> str:
    return "-".join("+".join(value) if isinstance(value, tuple) else str(value) for value in config.values())


@pytest.mark.parametrize("config", [*(config for config in CASES if config in QUICK), *COVERING], ids=id_of)
def test_kernels_and_oracle_agree(config: dict[str, Any]) -> None:
    play_matches(play_match, config, QUICK_DECISIONS, SEED)


@pytest.mark.full
@pytest.mark.parametrize("config", CASES, ids=id_of)
def test_they_agree_in_many_games(config: dict[str, Any]) -> None:
    play_matches(play_match, config, DECISIONS, SEED)


def test_enough_is_compared() -> None:
    assert len(CASES) * DECISIONS >= 20_000


@pytest.mark.parametrize(
    "config",
    [pytest.param(c, marks=pytest.mark.full if c in THOROUGH else pytest.mark.exhaustive) for c in COMBINATIONS],
    ids=id_of,
)
def test_they_agree_with_modules(config: dict[str, Any]) -> None:
    play_matches(play_match, config, MODULE_DECISIONS, SEED)


@pytest.mark.full
@pytest.mark.parametrize("config", SPECIAL_CASES, ids=lambda c: "-".join(str(v) for k, v in c.items() if k != "modules"))
def test_they_agree_with_modules_and_other_options(config: dict[str, Any]) -> None:
    play_matches(play_match, config, MODULE_DECISIONS, SEED)


def test_every_kind_of_decision_is_met() -> None:
    """With everything on the styles come to all of them."""
    kinds: set[str] = set()
    for seed in range(12):
        chance, match = random.Random(seed), GinkgopolisMatch({"players": 3, "modules": ALL, "max_rounds": 30}, seed)
        styles = seat_styles(chance, 3)
        while not match.over:
            kind, actor = match.theirs.decision()
            kinds.add(kind)
            match.play(styles[actor or 0](chance, sorted(match.ours.legal())), whole=False)
    assert kinds == {*match.ours.game.decisions} - {"events", "over"}


def test_every_combination_is_compared() -> None:
    assert len({(c["players"], c["modules"]) for c in COMBINATIONS}) == 63 * 4
