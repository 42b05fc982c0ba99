"""Rollouts in shards in one process; ``tests/cluster/test_training.py`` has those on workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import ginkgo_env
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game

torch = pytest.importorskip("torch")

from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.networks import evaluate
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.shards import ShardedPpoTrainer, ShardedSearchTrainer, ShardedTrainer
from ginkgo_training.trainer import CHECKPOINT, Trainer

from .checkpoints import same

SMALL = LookaheadSettings(games=8, n_steps=6, batch_size=16, hidden=8, shards=4)
pytestmark = pytest.mark.usefixtures("trial_game")


def trainer(seed: int = 3, kind: type[LookaheadTrainer] = ShardedTrainer, **settings: Any) -> LookaheadTrainer:
    return kind(ginkgo_env.make_game("three_cards", deck="pairs"), replace(SMALL, **settings), seed)


def run(one: Trainer, rollouts: int, folder: Path, **more: Any) -> Checkpoint:
    runs.train(one, runs.Budget(rollouts=rollouts), folder, **more)
    return read_checkpoint(folder / CHECKPOINT)


class Interrupted(ShardedTrainer):
    """Ctrl-C while the third shard of the third rollout is collected."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.asked = 0

    def collect(self, *arguments: Any) -> Any:
        self.asked += 1
        if self.asked == 2 * 4 + 3:
            raise KeyboardInterrupt
        return ShardedTrainer.collect(*arguments)


def test_interrupted_in_a_rollout_and_resumed_it_is_as_if_unbroken(tmp_path: Path) -> None:
    whole = run(trainer(), 6, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        run(trainer(kind=Interrupted), 6, tmp_path / "cut")
    assert read_checkpoint(tmp_path / "cut" / CHECKPOINT).about["rollouts"] == 2
    same(run(trainer(), 6, tmp_path / "cut", resume=True), whole)


def test_the_games_of_a_shard_depend_on_nothing_but_the_shard() -> None:
    one, other = trainer(), trainer()
    other.randoms[1].random()  # another shard has other random numbers
    seen, found = one.rollout(), other.rollout()
    assert len(seen.actors) == len(found.actors) == SMALL.n_steps and seen.actors[0].shape == (SMALL.games,)
    states, others = (each.batch.states.reshape(4, 2) for each in (one, other))
    assert [k for k in range(4) if states[k].tobytes() != others[k].tobytes()] == [1]
    assert one.decisions == SMALL.games * SMALL.n_steps


def test_a_rollout_of_shards_is_learned_from_as_any_other() -> None:
    """The arrays of a step belong together: log-probabilities follow from leaves and weights."""
    one = trainer()
    seen = one.rollout()
    for t in range(SMALL.n_steps):
        known, ended = torch.from_numpy(seen.outcomes[t]), torch.from_numpy(seen.ended[t])
        with torch.no_grad():
            logits = one._logits(seen.leaves[t].flatten(0, 1), known, ended).split(seen.counts[t].tolist())
            told = [torch.log_softmax(row, 0)[place].item() for row, place in zip(logits, seen.places[t], strict=True)]
            np.testing.assert_allclose(told, seen.log_probs[t], atol=1e-5)
            np.testing.assert_allclose(one.critic(seen.features[t]).numpy(), seen.values[t], atol=1e-5)
    assert np.isfinite(list(one.learn(seen).values())).all()


@pytest.mark.parametrize("shards", [3, 16])
def test_shards_that_do_not_divide_the_games(shards: int) -> None:
    with pytest.raises(ConfigError, match=f"games=8 cannot be divided into shards={shards}"):
        trainer(shards=shards)


def test_another_number_of_shards_cannot_go_on() -> None:
    written = trainer().checkpoint(training=True)
    for other in (trainer(shards=2), trainer(shards=1, kind=LookaheadTrainer)):
        with pytest.raises(ConfigError, match="trained with shards=4"):
            other.restore(written)
    plain = trainer(shards=1, kind=LookaheadTrainer).checkpoint(training=True)
    with pytest.raises(ConfigError, match="trained with shards=1"):
        trainer().restore(plain)


# --- search ------------------------------------------------------------------------------------------------------------------


def searcher(kind: type[SearchTrainer] = ShardedSearchTrainer, **settings: Any) -> SearchTrainer:
    small = SearchSettings(
        games=8, n_steps=6, batch_size=16, simulations=4, warm_up=8, window=2, shards=2, network=PolicySettings(8, 8)
    )
    return kind(ginkgo_env.make_game("three_cards", deck="pairs"), replace(small, **settings), 3)


def test_search_is_trained_in_shards_and_resumed() -> None:
    one, other = searcher(), searcher()
    for _ in range(2):
        numbers = one.training_step(0.5)
        other.training_step(0.5)
    assert np.isfinite(list(numbers.values())).all() and one.decisions == 2 * 8 * 6
    same(one.checkpoint(training=True), other.checkpoint(training=True))
    resumed = searcher()
    resumed.restore(one.checkpoint(training=True))
    for each in (one, resumed):
        each.training_step(0.25)
    same(one.checkpoint(training=True), resumed.checkpoint(training=True))
    with pytest.raises(ConfigError, match="trained with shards=2"):
        searcher(SearchTrainer, shards=1).restore(one.checkpoint(training=True))


def test_a_shard_of_a_search_starts_from_the_weights_of_the_trainer() -> None:
    """And not from those of a file or from random ones."""
    one = searcher(teacher="random")
    estimates = [one.critic(one.critic.prepared(one.batch.features())).detach().numpy()]
    np.testing.assert_allclose(one.rollout().estimates[0], estimates[0], atol=1e-5)


# --- ppo ---------------------------------------------------------------------------------------------------------------------


def learner(game: Game | None = None, **settings: Any) -> ShardedPpoTrainer:
    network, alone = NetworkSettings(hidden=8), OpponentSettings()
    small = PpoSettings(games=8, n_steps=6, batch_size=16, shards=2, network=network, opponents=alone)
    return ShardedPpoTrainer(game or ginkgo_env.make_game("three_cards", deck="pairs"), replace(small, **settings), 3)


def test_a_joined_rollout_of_ppo_belongs_together() -> None:
    """Values and log-probabilities follow from inputs, legal actions and weights, which are not the almost equal first ones."""
    one = learner(ginkgo_env.make_game("ginkgopolis", players=2))
    with torch.no_grad():
        for parameter in one.policy.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    seen = one.rollout()
    assert seen.inputs.shape[:2] == seen.places.shape == (6, 8) and one.decisions == 48
    for t in range(6):
        with torch.no_grad():
            logits, values = evaluate(one.policy, seen.inputs[t], seen.legal[t])
        rows = logits.split(np.diff(seen.legal[t].offsets).tolist())
        told = [torch.log_softmax(row, 0)[place].item() for row, place in zip(rows, seen.places[t], strict=True)]
        np.testing.assert_allclose(told, seen.log_probs[t], atol=1e-5)
        np.testing.assert_allclose(values.numpy(), seen.values[t], atol=1e-5)
    assert np.isfinite(list(one.learn(seen).values())).all()


def test_ppo_in_shards_is_resumed_as_if_unbroken(tmp_path: Path) -> None:
    whole = run(learner(), 4, tmp_path / "whole")
    first = learner()

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(first, 4, tmp_path / "cut", report=stop)
    same(run(learner(), 4, tmp_path / "cut", resume=True), whole)


def test_opponents_do_not_play_in_shards() -> None:
    with pytest.raises(ConfigError, match="opponents play in this process alone; expected shards=1, got 2"):
        learner(opponents=OpponentSettings(baselines=("random",), baseline_share=0.1))
