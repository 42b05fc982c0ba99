"""The agents made for The Golden City."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_agents import act, make_agent
from ginkgo_agents.evaluation.leaderboard import Plan, play_plan, report_of
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.evaluation.statistics import wilson
from ginkgo_agents.golden_city import WEIGHTS, BuilderAgent, GreedyAgent, site_values
from ginkgo_agents.registry import agent_names
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.layout import Observation
from ginkgo_env.games.golden_city.features import SIDES

from .conftest import batch_after

GAME = "golden_city"


def rate(agent: str, other: str, players: int, games: int, seed: int = 4) -> float:
    """The agent's share of wins at a table with the other one in all other seats."""
    played = play_match(MatchConfig(GAME, (agent,) + (other,) * (players - 1), {"players": players}), games // players, seed)
    return float(played.wins[:, :, 0].mean())


def test_one_name_is_another_agent_in_each_game() -> None:
    assert isinstance(make_agent("greedy", GAME), GreedyAgent)
    assert type(make_agent("greedy", "ginkgopolis")) is type(make_agent("greedy")) is not GreedyAgent
    assert set(agent_names(GAME)) >= {"random", "builder", "greedy"} and "william" not in agent_names(GAME)
    with pytest.raises(ConfigError, match="'builder' does not play ginkgopolis"):
        make_agent("builder", "ginkgopolis")


def test_the_builder_values_sites() -> None:
    batch = batch_after(0, 3, game=GAME, players=4)
    game = batch.game
    board = game.board  # type: ignore[attr-defined]
    values = site_values(Observation(game.observation, batch.observe()), board)
    place = {name: values[0, i] for i, name in enumerate(board.place_ids)}
    assert place["FI"] > place["FO2"] > place["FO1"] > place["F7"] > place["C1"] > place["C4"]


def test_the_builder_builds_what_is_worth_a_house() -> None:
    batch = batch_after(0, 16, game=GAME, players=4)
    agent, keys, built = BuilderAgent(), np.arange(16, dtype=np.uint64), 0
    done = batch.game.actions["build"].stop - 1
    while not batch.over.all():
        asked = batch.kind == batch.game.decisions.index("build")
        actions = act(agent, batch, keys)
        built += int((actions[asked & ~batch.over] != done).sum())
        batch.step(actions)
    assert built > 16 * 4 * 8  # houses


def test_bad_options_of_greedy_are_refused() -> None:
    with pytest.raises(ConfigError, match="invalid worlds 0"):
        make_agent("greedy:worlds=0", GAME)
    with pytest.raises(ConfigError, match="got 'luck'"):
        GreedyAgent(weights={"luck": 1.0})
    assert set(WEIGHTS) <= set(SIDES)


def test_weights_change_what_greedy_does() -> None:
    batch, keys = batch_after(31, 16, game=GAME, players=2), np.arange(16, dtype=np.uint64)
    misers = GreedyAgent(weights={"coins": 1000.0})
    assert (act(misers, batch, keys) != act(GreedyAgent(), batch, keys)).any()


@pytest.mark.full
def test_two_players_are_ranked_apart() -> None:
    plan, finished = Plan(GAME, ("random", "builder"), games=12), []
    play_plan(plan, finished)
    report = report_of(plan, finished)
    tables = {row["configuration"] for row in report["results"]}
    assert tables == {"3 players", "4 players", "2 players (variant)"}
    games = {row["ranking"]: row["games"] for row in report["ratings"]}
    assert set(games) == {"", "variant"} and games["variant"] == 12 < games[""]


@pytest.mark.full
def test_the_order_of_strength() -> None:
    assert rate("builder", "random", 2, 40) > 0.9
    assert rate("greedy", "builder", 2, 24) > 0.6


@pytest.mark.parametrize(("agent", "other", "players", "games", "least"), [
    pytest.param("greedy", "builder", 2, 1000, 0.70, marks=pytest.mark.full),
    pytest.param("greedy", "random", 2, 1000, 0.98, marks=pytest.mark.full),
    pytest.param("greedy", "builder", 4, 1000, 0.43, marks=pytest.mark.full),
    pytest.param("lookahead", "greedy", 2, 200, 0.55, marks=pytest.mark.full),
    pytest.param("lookahead", "greedy", 2, 1000, 0.65, marks=pytest.mark.exhaustive),
])  # fmt: skip
def test_agents_are_as_strong_as_they_are_said_to_be(agent: str, other: str, players: int, games: int, least: float) -> None:
    deals = games // players
    assert wilson(rate(agent, other, players, games) * deals, deals).low > least
