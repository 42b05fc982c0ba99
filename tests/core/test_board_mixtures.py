"""Games of different boards in one batch: each row has the components of its own board."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_agents import make_agent
from ginkgo_agents.base import DecisionBatch, act
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_env import Batch, ConfigError, make_game
from ginkgo_env.core.loops import any_components, make_loops
from ginkgo_env.core.mixture import Mixture
from ginkgo_env.registry import game_class
from ginkgo_env.testing import CHECKS, run_contract

from ..tiers import by_tier

BOARDS = [{"board": board} for board in ("own", "generated_3", "generated_40")]
PLAYERS = {"my_city": 2, "golden_city": 3}


def mixture(name: str, boards: list[dict[str, Any]] = BOARDS) -> Mixture:
    game = make_game(game_class(name), mixture=boards, players=PLAYERS[name])
    assert isinstance(game, Mixture)
    return game


def alone(batch: Batch, row: int, **options: Any) -> Batch:
    """A batch of one row's game, in its own configuration."""
    twin = Batch(batch.game.game_of(batch.state(row)), 1, **options)
    twin.set_states([0], batch.state(row))
    return twin


@pytest.mark.parametrize("name", PLAYERS)
def test_each_row_equals_a_batch_of_its_board(name: str) -> None:
    batch = Batch(mixture(name), 9, reward="score")
    batch.reset(range(9))
    assert len(set(batch.configurations)) == 3
    twins = [Batch(batch.game.game_of(batch.state(row)), 1, reward="score") for row in range(9)]
    for row, twin in enumerate(twins):
        twin.reset([row])
    for step in range(300):
        if batch.over.all():
            break
        if step % 20 == 5:
            seen, features = batch.observe(), batch.features()
            after = batch.afterstates(2, seed=step)
            for row, twin in enumerate(twins):
                assert (twin.observe()[0] == seen[row]).all() and (twin.features()[0] == features[row]).all()
            for row in np.flatnonzero(~batch.over):
                keys = np.full(1, row, np.uint64)
                turns = DecisionBatch(batch, np.array([row]), keys), DecisionBatch(twins[row], np.arange(1), keys)
                views = [turn.afterstates(2).views for turn in turns]
                assert (views[0] == views[1]).all()
            assert len(after.actions) == batch.mask.sum()
        actions = batch.sample()
        batch.step(actions)
        for row, twin in enumerate(twins):
            twin.step(actions[row : row + 1])
            assert twin.states.tobytes() == batch.state(row).tobytes() and (twin.mask[0] == batch.mask[row]).all()
            assert (twin.rewards[0] == batch.rewards[row]).all()
    assert batch.over.all()
    for row, twin in enumerate(twins):
        assert (twin.totals[0] == batch.totals[row]).all() and batch.outcome(row) == twin.outcome(0)


@pytest.mark.parametrize("name", PLAYERS)
def test_autoreset_draws_a_board_anew(name: str) -> None:
    batch = Batch(mixture(name), 4, autoreset=True)
    started = set()
    for _ in range(700):
        batch.step(batch.sample())
        for row in np.flatnonzero(batch.done).tolist():
            fresh = Batch(batch.game.game_of(batch.state(row)), 1)
            fresh.reset([int(batch.states["seed"][row])])
            assert fresh.states.tobytes() == batch.state(row).tobytes() and (fresh.mask[0] == batch.mask[row]).all()
            started.add(int(batch.configurations[row]))
    assert started == {0, 1, 2}


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("agent", by_tier(["random", "greedy", "lookahead", "search:simulations=4"], ["search:simulations=4"]))
def test_agents_play_as_on_the_board_alone(name: str, agent: str) -> None:
    batch, player = Batch(mixture(name), 6), make_agent(agent, name)
    batch.reset(range(6))
    for _ in range(9):
        batch.step(batch.sample())
    keys = np.arange(6, dtype=np.uint64)
    actions = act(player, batch, keys)
    for row in range(6):
        assert act(player, alone(batch, row), keys[row : row + 1])[0] == actions[row]


@pytest.mark.full
@pytest.mark.parametrize("name", PLAYERS)
def test_contract(name: str) -> None:
    run_contract(mixture(name), [check for check in CHECKS if check.__name__ != "check_options_refused"])


@pytest.mark.parametrize("name", PLAYERS)
def test_components_are_those_of_different_boards(name: str) -> None:
    game = mixture(name, [*BOARDS, BOARDS[0]])
    assert game.components is not None and len(game.components) == 3 and not game.components.flags.writeable
    assert game.shares_states(make_game(game_class(name), **game.config_dict))
    named = make_game(game_class(name), mixture="training_boards", players=PLAYERS[name])
    assert [one.config_dict["board"] for one in named.games] == [f"generated_{k}" for k in range(32)]  # type: ignore[attr-defined]
    held_out = game_class(name).mixtures()["held_out_boards"]
    assert held_out == [{"board": f"generated_{k}"} for k in range(32, 48)]


def test_components_that_cannot_be_told_apart_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("golden_city")
    plain = game.kernels.scalars._replace(has_components=any_components)
    monkeypatch.setattr(type(game), "kernels", make_loops(plain))
    with pytest.raises(ConfigError, match="configurations with the same components, got board=own and board=generated_3"):
        mixture("golden_city")


def test_evaluations_on_several_boards() -> None:
    strength = evaluate("builder", mixture("my_city"), ["random"], 12, seed=0)["random"]
    assert strength["games"] == 12 and strength["win"][0] > 0.5
