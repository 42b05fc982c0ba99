"""PettingZoo's own tests, for every configuration and reward. Any warning but the known ones is an error."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils import turn_based_aec_to_parallel

import ginkgo_env
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

from ..ginkgopolis.cases import CONFIGURATIONS, QUICK
from ..tiers import by_tier

REWARDS = ("win", "margin", "score")
CASES = [(config, reward) for config in Ginkgopolis.configurations() for reward in REWARDS]
EACH = by_tier(CASES, [case for k, case in enumerate(case for case in CASES if case[0] in QUICK) if k % 4 == 0])

pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore:Observation space for each agent probably should be:UserWarning",  # Dict spaces, as in PettingZoo's own games
    "ignore:Observation is not a NumPy array:UserWarning",  # the same
    "ignore:ginkgopolis_v0 has no reset options.*ignored. options:UserWarning",  # the suite passes an unknown option
)


def named(config: dict[str, Any]) -> str:
    return "-".join(map(str, config.values()))


@pytest.mark.parametrize("case", EACH, ids=lambda case: f"{case[1]}-{named(case[0])}")
def test_api(case: tuple[dict[str, Any], Any]) -> None:
    config, reward = case
    api_test(ginkgo_env.env(reward=reward, **config))


@pytest.mark.parametrize("config", CONFIGURATIONS, ids=named)
def test_api_without_wrappers(config: dict[str, Any]) -> None:
    api_test(ginkgo_env.raw_env(**config))


def test_api_when_cut_off() -> None:
    api_test(ginkgo_env.env(players=3, max_rounds=2))


@pytest.mark.parametrize("case", EACH, ids=lambda case: f"{case[1]}-{named(case[0])}")
def test_parallel_api(case: tuple[dict[str, Any], Any]) -> None:
    config, reward = case
    parallel_api_test(turn_based_aec_to_parallel(ginkgo_env.env(reward=reward, **config)))


@pytest.mark.parametrize("config", CONFIGURATIONS, ids=named)
def test_seeds(config: dict[str, Any]) -> None:
    seed_test(functools.partial(ginkgo_env.env, **config))
    seed_test(functools.partial(ginkgo_env.raw_env, reward="score", **config))


def test_parallel_seeds() -> None:
    parallel_seed_test(lambda: turn_based_aec_to_parallel(ginkgo_env.env(players=3)))


@pytest.mark.full
@pytest.mark.parametrize("players", range(1, 6))
def test_render(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    own = {
        "ansi": lambda text: isinstance(text, str) and text,
        "svg": lambda svg: isinstance(svg, str) and svg.startswith("<svg"),
    }
    render_test(functools.partial(ginkgo_env.env, players=players), own)
    assert "player_0" in capsys.readouterr().out


def test_state() -> None:
    state_test(ginkgo_env.env(players=3), turn_based_aec_to_parallel(ginkgo_env.env(players=3)))
