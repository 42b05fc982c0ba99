"""Export to Minari, and its own collector of data, read again by Minari."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

from ginkgo_env.core.batch import Batch
from ginkgo_env.datasets import DataError
from ginkgo_env.envs.minari import to_minari

from .conftest import Make

pytestmark = [pytest.mark.full, pytest.mark.filterwarnings("ignore")]  # Minari takes seconds to import; it wants an author


@pytest.mark.parametrize("rows", ["observation", "replay"])
def test_episodes_are_the_decisions_of_a_seat(made: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = made("ginkgopolis", {"players": 2}, rows=rows, reward="outcome")
    to_minari(dataset, "ginkgopolis/random-v0", author="tests")
    read, table = minari.load_dataset("ginkgopolis/random-v0"), dataset.arrays()
    assert read.total_episodes == 10 and read.total_steps == len(dataset)
    batch = Batch(dataset.game, 1)
    for k, episode in enumerate(read.iterate_episodes()):
        game, seat = divmod(k, 2)
        own = (table["game"] == game) & (table["seat"] == seat)
        np.testing.assert_array_equal(episode.observations["observation"][:-1], table["observation"][own])
        np.testing.assert_array_equal(episode.observations["action_mask"][:-1], table["mask"][own])
        np.testing.assert_array_equal(episode.actions, table["action"][own])
        np.testing.assert_array_equal(episode.rewards, table["reward"][own])
        assert episode.terminations.tolist() == table["last"][own].tolist() and not episode.truncations.any()
        batch.reset([int(dataset.games["seed"][game])])
        for action in table["action"][table["game"] == game]:
            batch.step([int(action)])
        np.testing.assert_array_equal(episode.observations["observation"][-1], batch.observe(seat)[0])
        assert read.observation_space.contains({name: values[0] for name, values in episode.observations.items()})
    with pytest.raises(DataError, match="Minari cannot write"):
        to_minari(dataset, "ginkgopolis/random-v0", author="tests")


def test_one_seat_of_some_games(made: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = made("ginkgopolis", {"players": 2}, rows="replay", reward="outcome").select([1, 3])
    assert to_minari(dataset, "ginkgopolis/second-v0", seats=[1], author="tests").total_episodes == 2
    with pytest.raises(DataError, match="invalid seats"):
        to_minari(dataset, "ginkgopolis/third-v0", seats=[2])


@pytest.mark.parametrize(
    ("game", "config", "settings", "seats"),
    [
        ("ginkgopolis", {"players": 2, "setup": "introductory"}, {"reward": "outcome", "agents": ("greedy",)}, None),
        ("my_city", {"players": 1}, {"reward": "score"}, [0]),
    ],
)
def test_the_environment_is_recovered(
    made: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, config: dict[str, Any], settings: Any, seats: Any
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    dataset = made(game, config, games=1, rows="replay", **settings)
    to_minari(dataset, "mine/played-v0", seats, author="tests")
    read = minari.load_dataset("mine/played-v0")
    env = read.recover_environment()
    assert env.unwrapped.game.config_dict == dataset.game.config_dict
    assert env.observation_space == read.observation_space and env.action_space == read.action_space
    assert env.spec.kwargs["reward"] == settings["reward"]
    assert env.spec.kwargs["opponents"] == ("greedy" if game == "ginkgopolis" else "random")
    observation, info = env.reset(seed=int(dataset.games["seed"][0]))
    if seats:  # alone the recorded actions give the recorded episode
        episode = next(iter(read.iterate_episodes()))
        for k, action in enumerate(episode.actions):
            assert np.array_equal(observation["observation"], episode.observations["observation"][k])
            observation, reward, terminated, _, _ = env.step(action)
            assert reward == episode.rewards[k] and terminated == episode.terminations[k]
    else:
        assert env.observation_space.contains(observation) and info["action_mask"].any()


@pytest.mark.parametrize("observation", ["dict", "features"])
@pytest.mark.parametrize("name", ["Ginkgopolis", "MyCity"])
def test_the_collector_records_infos(name: str, observation: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses infos whose keys change between the steps of an episode."""
    pytest.importorskip("jax")  # of minari[create]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    env = minari.DataCollector(gymnasium.make(f"ginkgo_env/{name}-v0", observation=observation), record_infos=True)
    rng, masks, scores = np.random.default_rng(0), [], []
    for seed in (3, 4):
        _, info = env.reset(seed=seed)
        masks.append([info["action_mask"]])
        over = False
        while not over:
            _, _, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
            masks[-1].append(info["action_mask"])
        scores.append(info["scores"])
    env.create_dataset("mine/collected-v0", author="tests")
    for episode, seen, final in zip(minari.load_dataset("mine/collected-v0").iterate_episodes(), masks, scores, strict=True):
        np.testing.assert_array_equal(episode.infos["action_mask"], seen)
        np.testing.assert_array_equal(episode.infos["scores"][-1], final)
        assert len(seen) == len(episode.actions) + 1 and episode.infos["is_success"].dtype == np.bool_
