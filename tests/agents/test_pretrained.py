"""The pretrained agents."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import ginkgo_agents
from ginkgo_agents import MatchConfig, make_agent, play_match
from ginkgo_agents.agents.base import Turn, nth_words, sample_actions
from ginkgo_agents.agents.checkpoints import require_fit
from ginkgo_agents.agents.lookahead import LookaheadAgent
from ginkgo_agents.agents.pretrained import HELD_OUT, PretrainedLookahead, best_checkpoint, folder_of, pretrained
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game

MODELS = Path(ginkgo_agents.__file__).parent / "agents" / "models"


def test_each_fits_the_game_that_it_was_trained_for() -> None:
    kinds = [(kind, "") for kind in ("lookahead", "ppo", "search")] + [(kind, HELD_OUT) for kind in ("lookahead", "ppo")]
    kinds.append(("ppo", folder_of(2)))
    assert all(pretrained(*each) for each in kinds)
    for checkpoint, folder in ((each, one[1]) for one in kinds for each in pretrained(*one)):
        game = make_game(checkpoint.game, **checkpoint.config)
        require_fit(checkpoint, game)
        assert best_checkpoint(checkpoint.kind, game, folder) is checkpoint
        assert (checkpoint.about.get("held_out") is True) == (folder == HELD_OUT)
        assert checkpoint.about
        assert all(np.isfinite(array).all() for array in checkpoint.arrays.values())


def test_where_none_fits() -> None:
    with pytest.raises(ConfigError, match="train one"):
        best_checkpoint("lookahead", make_game("ginkgopolis", players=5, modules=["events"]))
    with pytest.raises(ConfigError, match="there is no pretrained ppo agent for ginkgopolis with"):
        make_agent("ppo:version=2").check(make_game("ginkgopolis", players=3))
    for wrong in ("ppo:version=3", "lookahead:version=0"):
        with pytest.raises(ConfigError, match="version"):
            make_agent(wrong)
    for wrong in ("lookahead:worlds=0", "lookahead:prior=greedy", f"{MODELS}/ginkgopolis_2p.npz:prior=true"):
        with pytest.raises(ConfigError, match=r"worlds|prior"):
            make_agent(wrong)


def test_a_model_whose_layout_has_changed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that there is none; and in a configuration that no model was trained for, that there is none."""
    stale = [dataclasses.replace(model, layouts={**model.layouts, "features": "0" * 16}) for model in pretrained("lookahead")]
    monkeypatch.setattr("ginkgo_agents.agents.pretrained.pretrained", lambda kind, folder: tuple(stale))
    changed = r"lookahead agent for ginkgopolis with 2 sides no longer fits: the layout of features has changed"
    for config in ({"players": 2}, {"players": 2, "setup": "introductory"}):
        with pytest.raises(ConfigError, match=changed):
            best_checkpoint("lookahead", make_game("ginkgopolis", **config))
    with pytest.raises(
        ConfigError,
        match="there is no pretrained lookahead agent for ginkgopolis with modules=events; the closest was trained with",
    ):
        best_checkpoint("lookahead", make_game("ginkgopolis", players=5, modules=["events"]))


def test_the_prior_of_lookahead() -> None:
    """With several players the policy for as many; alone only in version 2, with a small weight."""
    for players, prior in ((1, False), (2, True), (5, False)):
        agent = make_agent("lookahead").agent_for(make_game("ginkgopolis", players=players))  # type: ignore[attr-defined]
        assert (agent.prior is not None) == prior
    assert best_checkpoint("ppo", make_game("ginkgopolis", players=1)).config["players"] == 1
    two, other_two, three, other_three = (
        make_agent(f"lookahead:version={version}").agent_for(make_game("ginkgopolis", players=players))  # type: ignore[attr-defined]
        for players, version in ((2, 1), (2, 2), (3, 1), (3, 2))
    )
    assert two.prior.checkpoint.digest != other_two.prior.checkpoint.digest and other_two.prior_weight > two.prior_weight == 1
    assert three.prior.checkpoint.digest == other_three.prior.checkpoint.digest  # version 2 is for two players
    assert other_three.prior_weight == 1
    alone = make_agent("lookahead:version=2").agent_for(make_game("ginkgopolis", players=1))  # type: ignore[attr-defined]
    assert alone.prior.checkpoint is best_checkpoint("ppo", make_game("ginkgopolis", players=1)) and alone.prior_weight == 0.3
    assert make_agent("lookahead:version=2").agent_for(make_game("my_city", players=1)).prior is None  # type: ignore[attr-defined]


def test_the_prior_counts_by_its_weight(played: Callable[..., Batch]) -> None:
    batch = played(30, 6, players=2)
    turn = Turn(batch, np.arange(6), np.arange(6, dtype=np.uint64))
    checkpoint, prior = best_checkpoint("lookahead", batch.game), make_agent("ppo:version=2")
    none, once, twice, never = (
        LookaheadAgent(checkpoint, 2, given, prior_weight=weight).logits(turn)[1]
        for given, weight in ((None, 1), (prior, 1), (prior, 2), (prior, 0))
    )
    np.testing.assert_allclose(twice - none, 2 * (once - none), atol=1e-9)
    np.testing.assert_array_equal(never, none)
    assert (once < none).all() and np.ptp(once - none) > 1
    for wrong in (-1, 1e7):
        with pytest.raises(ConfigError, match=f"invalid prior_weight {wrong:.0f}"):
            LookaheadAgent(checkpoint, prior=prior, prior_weight=wrong)


def test_version_2_of_search_tries_what_version_2_of_ppo_ranks(played: Callable[..., Batch]) -> None:
    batch = played(30, 6, players=2)
    turn = Turn(batch, np.arange(6), np.arange(6, dtype=np.uint64))
    found = make_agent("search:version=2:simulations=0").search(turn)  # type: ignore[attr-defined]
    policy = make_agent("ppo:version=2")
    np.testing.assert_array_equal(found.chosen, policy.act(turn))
    logits = policy.agent_for(batch.game).all_logits(turn)  # type: ignore[attr-defined]
    for row, (start, end) in enumerate(pairwise(found.offsets)):
        legal = np.flatnonzero(turn.masks[row])
        best = legal[np.argsort(-logits[row, legal], kind="stable")][:8]
        np.testing.assert_array_equal(found.actions[start:end], best)
        np.testing.assert_array_equal(found.logits[start:end], logits[row, best])
    one, two = (make_agent(f"search:version={k}").agent_for(make_game("ginkgopolis", players=3)) for k in (1, 2))  # type: ignore[attr-defined]
    assert one.root is two.root is None and one.checkpoint is two.checkpoint


@pytest.mark.full
def test_it_plays_without_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import numpy as np, ginkgo_env\n"
        "from ginkgo_agents import act, make_agent\n"
        "batch = ginkgo_env.Batch(ginkgo_env.make_game('ginkgopolis', players=2), 2)\n"
        "batch.step(act(make_agent('lookahead:worlds=1'), batch, np.arange(2, dtype=np.uint64)))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.full
@pytest.mark.parametrize("name", ["lookahead:worlds=2", "ppo", "greedy"])
def test_chances(name: str) -> None:
    """Probabilities of legal actions, of which the agent plays the likeliest, the same whatever stands in other rows."""
    batch, rows = Batch(make_game("ginkgopolis", players=2), 24, autoreset=True), np.arange(24)
    agent, words = make_agent(name), np.arange(24, dtype=np.uint64)
    batch.reset(seed=5)
    for _ in range(30):
        batch.step(batch.sample())
    chances = agent.probabilities(Turn(batch, rows, words))
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all() and not chances[batch.mask == 0].any()
    actions = agent.act(Turn(batch, rows, words))
    np.testing.assert_array_equal(chances[rows, actions], chances.max(axis=1))
    alone = [agent.probabilities(Turn(batch, rows[k : k + 1], words[k : k + 1]))[0] for k in rows]
    np.testing.assert_array_equal(chances, alone)
    if name != "greedy":  # which has no probabilities: it plays one action
        assert ((chances > 0.01).sum(axis=1) > 1).any()


def test_draws_follow_the_chances() -> None:
    chances = np.tile([0.0, 0.5, 0.3, 0.2, 0.0], (20_000, 1))
    drawn = sample_actions(chances, nth_words(np.arange(20_000, dtype=np.uint64), 3))
    np.testing.assert_allclose(np.bincount(drawn, minlength=5) / 20_000, chances[0], atol=0.02)


@pytest.mark.full
def test_it_is_strong() -> None:
    """Far from chance, so that a network that is fed wrongly is noticed."""
    assert isinstance(make_agent("lookahead"), PretrainedLookahead)
    played = play_match(MatchConfig("ginkgopolis", ("lookahead", "greedy"), {"players": 2}), 60, 4)
    assert played.wins[:, :, 0].mean() > 0.65
    alone = play_match(MatchConfig("ginkgopolis", ("lookahead",), {"players": 1, "level": "advanced"}), 100, 4)
    assert alone.wins[:, :, 0].mean() > 0.45
    reactive = play_match(MatchConfig("ginkgopolis", ("ppo", "greedy"), {"players": 2}), 60, 4)
    assert reactive.wins[:, :, 0].mean() > 0.6
