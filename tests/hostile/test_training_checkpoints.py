"""Training checkpoints of any content: each is refused by a ConfigError, or can be trained from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

pytest.importorskip("torch")

from dataclasses import replace as changed

from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint, write_checkpoint
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import CHECKPOINT, Trainer

OPPONENTS = OpponentSettings(baselines=("random",), baseline_share=0.2, past_share=0.5, snapshot_every=1, snapshots=2)
LOOKAHEAD = LookaheadSettings(games=4, n_steps=4, batch_size=16, hidden=4, opponents=OPPONENTS)
PPO = PpoSettings(
    games=4,
    n_steps=4,
    batch_size=16,
    network=NetworkSettings("features", hidden=4, width=4),
    opponents=OPPONENTS,
)
SEARCH = SearchSettings(
    games=4,
    n_steps=4,
    batch_size=8,
    simulations=2,
    warm_up=4,
    network=PolicySettings(hidden=4, critic_hidden=4),
    opponents=OPPONENTS,
)
KINDS = ["lookahead", "ppo", "search"]
TIMES = [1, pytest.param(2, marks=pytest.mark.full), pytest.param(10, marks=pytest.mark.exhaustive)]
pytestmark = pytest.mark.usefixtures("trial_game")


def trainer(kind: str, seed: int = 3, **config: Any) -> Trainer:
    game = make_game("three_cards", **{"deck": "pairs"} | config)
    if kind == "search":
        return SearchTrainer(game, SEARCH, seed)
    return PpoTrainer(game, PPO, seed) if kind == "ppo" else LookaheadTrainer(game, LOOKAHEAD, seed)


def trained(kind: str) -> Checkpoint:
    one = trainer(kind)
    for _ in range(3):
        one.training_step(1.0)
    return one.checkpoint(training=True)


def is_refused(one: Trainer, checkpoint: Checkpoint) -> bool:
    """Whether a checkpoint is refused; one that is not is trained from."""
    try:
        one.restore(checkpoint)
    except ConfigError as error:
        assert 10 < len(str(error)) < 500
        return True
    try:
        one.training_step(1.0)
    except (ValueError, RuntimeError) as error:  # weights so large that probabilities are not numbers
        assert "constraint" in str(error) or "probabilit" in str(error) or "'tau'" in str(error)
    return False


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("kind", KINDS)
def test_random_bytes_in_every_array(kind: str, times: int) -> None:
    checkpoint, rng, one = trained(kind), np.random.default_rng(1), trainer(kind)
    refused = dict.fromkeys(checkpoint.arrays, 0)
    for name, array in checkpoint.arrays.items():
        for _ in range(times):
            noise = np.frombuffer(rng.bytes(array.nbytes), array.dtype if array.dtype != bool else np.uint8).reshape(array.shape)
            noise = noise % 2 == 1 if array.dtype == bool else noise
            refused[name] += is_refused(one, changed(checkpoint, arrays={**checkpoint.arrays, name: noise}))
    for name in (
        "games/actions",
        "games/counts",
        "random",
        "learned_scorer.columns",
        "pool/players",
        "pool/rates",
        "pool/past_rates",
    ):
        assert refused.get(name, times) == times, name


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_shapes_types_and_names(kind: str) -> None:
    checkpoint, one = trained(kind), trainer(kind)
    for name, array in checkpoint.arrays.items():
        rest = {key: value for key, value in checkpoint.arrays.items() if key != name}
        wrong = [
            array[None],
            array.astype({"float16": np.float32, "float32": np.float64}.get(array.dtype.name, np.float16)),
            np.zeros((0, 3), array.dtype),
        ]
        if array.ndim:
            wrong += [np.concatenate([array, array[:1]])]
        for value in wrong:
            assert is_refused(one, changed(checkpoint, arrays={**rest, name: value})), (name, value.shape)
        assert is_refused(one, changed(checkpoint, arrays=rest)) or name.startswith(("optimizer/", "pool/")), name
    assert is_refused(one, changed(checkpoint, arrays={**checkpoint.arrays, "more": np.zeros(3)}))


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_actions(kind: str) -> None:
    """Each action that differs is illegal, or leads to another game that is whole."""
    checkpoint, one = trained(kind), trainer(kind)
    name = "games/actions"
    actions = checkpoint.arrays[name]
    assert len(actions)
    refused = 0
    for at in range(len(actions)):
        for value in (-2, -1, 0, 1, 2, 3, 10**6, -(2**31)):
            other = actions.copy()
            other[at] = value
            was_refused = is_refused(one, changed(checkpoint, arrays={**checkpoint.arrays, name: other}))
            assert was_refused or 0 <= value < one.game.actions.size
            refused += was_refused
    assert refused > 4 * len(actions)


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_headers(kind: str) -> None:
    checkpoint, one = trained(kind), trainer(kind)
    for key in ("seed", "decisions", "rollouts", "seconds", "training", "run"):
        for value in (None, -1, "x", [], 1e400):
            assert is_refused(one, changed(checkpoint, about={**checkpoint.about, key: value})), key
    rest = {key: value for key, value in checkpoint.about.items() if key != "training_format"}
    assert is_refused(one, changed(checkpoint, about=rest))


@pytest.mark.parametrize("kind", KINDS)
def test_another_configuration_is_named(kind: str) -> None:
    """Both configurations are in the message, and so are options that change no layout: the games would be others."""
    other = trainer(kind, deck="kuhn")
    with pytest.raises(ConfigError, match=r"pairs.*expected.*kuhn"):
        other.restore(trained(kind))
    with pytest.raises(ConfigError, match=r'"players": 2.*expected.*"players": 1'):
        trainer(kind, players=1).restore(trained(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_changes_of_one_byte(kind: str, tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path / CHECKPOINT, trained(kind))
    data, rng = path.read_bytes(), np.random.default_rng(2)
    for at in (0, len(data) - 1, *rng.integers(0, len(data), 60).tolist()):
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << int(rng.integers(8)))]) + data[at + 1 :])
        try:
            checkpoint = read_checkpoint(path)
        except ConfigError:
            continue
        is_refused(trainer(kind), checkpoint)
    for length in (0, 1, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(ConfigError):
            runs.read_training_checkpoint(tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["my_city", "ginkgopolis"])
def test_a_run_that_goes_on_with_a_new_trainer_after_each_rollout(name: str, kind: str, tmp_path: Path) -> None:
    """All arrays are those of an unbroken run, whose games last for several rollouts, and which never saves."""
    game, rollouts = make_game(name, players=2), 8

    def new() -> Trainer:
        settings: Any = replace(PPO if kind == "ppo" else LOOKAHEAD, n_steps=12)
        return PpoTrainer(game, settings, 3) if kind == "ppo" else LookaheadTrainer(game, settings, 3)

    unbroken, one = new(), new()
    for k in range(rollouts):
        unbroken.training_step(1 - k / rollouts)
        one.training_step(1 - k / rollouts)
        path = write_checkpoint(tmp_path / f"{k}.npz", one.checkpoint(training=True))
        one = new()
        one.restore(read_checkpoint(path))
    arrays, wanted = (trainer.checkpoint(training=True).arrays for trainer in (one, unbroken))
    assert arrays.keys() == wanted.keys()
    assert [key for key in arrays if arrays[key].tobytes() != wanted[key].tobytes()] == []


def test_other_settings_are_refused() -> None:
    one = LookaheadTrainer(make_game("three_cards", deck="pairs"), replace(LOOKAHEAD, games=8), 3)
    with pytest.raises(ConfigError, match="games=4; expected games=8"):
        one.restore(trained("lookahead"))
