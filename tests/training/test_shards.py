"""Rollouts in shards, in one process: resumed, interrupted, refused. On workers: ``tests/cluster/test_training.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_env.core.errors import ConfigError

torch = pytest.importorskip("torch")

from ginkgo_training import runs
from ginkgo_training.lookahead import Settings, Trainer
from ginkgo_training.shards import ShardedTrainer

from .checkpoints import same

SMALL = Settings(games=8, steps=6, minibatch=16, hidden=8, shards=4)
pytestmark = pytest.mark.usefixtures("trial_game")


def trainer(seed: int = 3, kind: type[Trainer] = ShardedTrainer, **settings: Any) -> Trainer:
    return kind(ginkgo_env.make_game("three_cards", deck="pairs"), Settings(**{**SMALL.__dict__, **settings}), seed)


def run(one: Trainer, rollouts: int, folder: Path, **more: Any) -> Checkpoint:
    runs.train(one, runs.Budget(rollouts=rollouts), folder, **more)
    return read_checkpoint(folder / runs.CHECKPOINT)


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
    assert read_checkpoint(tmp_path / "cut" / runs.CHECKPOINT).about["rollouts"] == 2
    same(run(trainer(), 6, tmp_path / "cut", resume=True), whole)


def test_the_games_of_a_shard_depend_on_nothing_but_the_shard() -> None:
    one, other = trainer(), trainer()
    other.randoms[1].random()  # another shard has other random numbers
    seen, found = one.rollout(), other.rollout()
    assert len(seen.actors) == len(found.actors) == SMALL.steps and seen.actors[0].shape == (SMALL.games,)
    states, others = (each.batch.states.reshape(4, 2) for each in (one, other))
    assert [k for k in range(4) if states[k].tobytes() != others[k].tobytes()] == [1]
    assert one.decisions == SMALL.games * SMALL.steps


def test_a_rollout_of_shards_is_learned_from_as_any_other() -> None:
    """What is told of each step belongs together: the log-probabilities of the choices follow from leaves and weights."""
    one = trainer()
    seen = one.rollout()
    for t in range(SMALL.steps):
        known, ended = torch.from_numpy(seen.known[t]), torch.from_numpy(seen.ended[t])
        with torch.no_grad():
            logits = one._logits(seen.leaves[t].flatten(0, 1), known, ended).split(seen.counts[t].tolist())
            told = [torch.log_softmax(row, 0)[place].item() for row, place in zip(logits, seen.chosen[t], strict=True)]
            np.testing.assert_allclose(told, seen.logs[t], atol=1e-5)
            np.testing.assert_allclose(one.critic(seen.present[t]).numpy(), seen.values[t], atol=1e-5)
    assert np.isfinite(list(one.learn(seen).values())).all()


@pytest.mark.parametrize("shards", [3, 16])
def test_shards_that_do_not_divide_the_games(shards: int) -> None:
    with pytest.raises(ConfigError, match=f"games=8 cannot be divided into shards={shards}"):
        trainer(shards=shards)


def test_another_number_of_shards_cannot_go_on() -> None:
    written = trainer().checkpoint({})
    for other in (trainer(shards=2), trainer(shards=1, kind=Trainer)):
        with pytest.raises(ConfigError, match="trained with shards=4"):
            other.resume(written)
    plain = trainer(shards=1, kind=Trainer).checkpoint({})
    with pytest.raises(ConfigError, match="trained with shards=1"):
        trainer().resume(plain)
