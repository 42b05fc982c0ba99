"""The policy network in numpy, and the agent that plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.checkpoints import Checkpoint, blocks_of, read_checkpoint, write_checkpoint
from ginkgo_agents.ppo import CRITIC, LAYOUTS, Network, NetworkSettings, PpoAgent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game

WORDS = np.random.SeedSequence(3).generate_state(100, np.uint64)
SMALL = {"hidden": 16, "width": 8}


def made(game: Any, observation: Any = "both", seed: int = 1) -> Checkpoint:
    """A checkpoint with random weights, large enough to tell actions apart."""
    network = Network(game, NetworkSettings(observation, **SMALL))
    weights = network.first_weights(seed) | network.scales(seed, steps=40, size=4)
    weights["other"] = weights["other"] * 1000
    arrays = {f"policy/{name}": array for name, array in weights.items() if not name.startswith(CRITIC)}
    digests = blocks_of(game, ("actions", *LAYOUTS[observation]))
    return Checkpoint("ppo", game.name, game.config_dict, digests, network.settings.as_dict(), {}, arrays)


@pytest.mark.parametrize("observation", ["features", "both"])
def test_a_row_does_not_depend_on_the_others(played: Callable[..., Batch], observation: str) -> None:
    """Alone, in reverse, in a larger turn: bit for bit the same logits and the same drawn actions."""
    batch = played(30, 70, players=2)
    agent = PpoAgent(made(batch.game, observation), sample=True)
    rows = np.flatnonzero(~batch.over)
    together, drawn = (
        agent.all_logits(DecisionBatch(batch, rows, WORDS[rows])),
        agent.act(DecisionBatch(batch, rows, WORDS[rows])),
    )
    assert np.ptp(together, axis=0).max() > 0.1
    for some in (rows[::-1], rows[:7], rows[5:6], rows[3::9]):
        where = np.searchsorted(rows, some)
        turn = DecisionBatch(batch, some, WORDS[some])
        assert np.array_equal(agent.all_logits(turn), together[where])
        assert np.array_equal(agent.act(turn), drawn[where])


def test_legal_actions_only_the_best_or_by_probability(played: Callable[..., Batch]) -> None:
    batch = played(30, 3, players=2)
    row, checkpoint = np.flatnonzero(~batch.over)[:1], made(batch.game)
    turn = DecisionBatch(batch, np.repeat(row, 4000), np.random.SeedSequence(1).generate_state(4000, np.uint64))
    best, drawn = PpoAgent(checkpoint).act(turn), PpoAgent(checkpoint, sample=True).act(turn)
    logits = np.where(turn.masks[0] != 0, PpoAgent(checkpoint).all_logits(turn)[0].astype(float), -np.inf)
    assert (best == logits.argmax()).all() and turn.masks[0, drawn].all()
    wanted = np.exp(logits - logits.max())
    wanted /= wanted.sum()
    assert np.abs(np.bincount(drawn, minlength=len(wanted)) / 4000 - wanted).max() < 0.05 and len(set(drawn)) > 1


def test_what_does_not_fit_is_refused(played: Callable[..., Batch], tmp_path: Any) -> None:
    batch = played(3, 2, players=2)
    turn, good = DecisionBatch(batch, np.arange(2), WORDS[:2]), made(batch.game)
    again = PpoAgent(write_checkpoint(tmp_path / "agent.npz", good))
    assert np.array_equal(again.all_logits(turn), PpoAgent(good).all_logits(turn))
    assert read_checkpoint(tmp_path / "agent.npz").settings == good.settings
    short = replace(good, arrays={name: array for name, array in good.arrays.items() if name != "policy/trunk_1"})
    for bad, message in [
        (replace(good, kind="lookahead"), "invalid checkpoint of kind 'lookahead'; expected kind 'ppo'"),
        (replace(good, settings={"depth": 3}), "unknown 'depth'"),
        (short, "trunk_1"),
        (
            made(make_game("ginkgopolis", players=3)),
            "with players=3 does not fit players=2: the block turn of the observation had the shape 3x5 in training, now 2x5",
        ),
    ]:
        with pytest.raises(ConfigError, match=message):
            PpoAgent(bad).act(turn)


def test_which_games_get_encoders(trial_game: str) -> None:
    """Those with the blocks, whatever their name."""
    for modules in ((), ("events",)):
        game = make_game("ginkgopolis", players=2, modules=modules)
        assert Network(game, NetworkSettings("both", **SMALL)).structured
        assert not Network(game, NetworkSettings("features", **SMALL)).structured
    game = make_game(trial_game)
    batch = Batch(game, 4)
    assert not Network(game, NetworkSettings("both", **SMALL)).structured
    batch.step(PpoAgent(made(game)).act(DecisionBatch(batch, np.arange(4), WORDS[:4])))
