"""Rows of data sets agree with the games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.datasets import GenerationJob, generate
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.rewards import final_rewards
from ginkgo_env.datasets import Dataset, load, play
from ginkgo_env.registry import make_game

from .conftest import GAMES, OTHER, Make


def check_against_play(dataset: Dataset) -> None:
    """Replay each game in a batch of one and compare everything in the rows with it."""
    rows, games, batch = dataset.arrays(), dataset.games, Batch(dataset.game, 1)
    at = 0
    for k, number in enumerate(games["game"]):
        batch.reset([int(games["seed"][k])])
        for step in range(games["decisions"][k]):
            assert (rows["game"][at], rows["step"][at]) == (number, step)
            assert (rows["seat"][at], rows["kind"][at]) == (batch.actor[0], batch.kind[0])
            np.testing.assert_array_equal(rows["observation"][at], batch.observe()[0])
            np.testing.assert_array_equal(rows["features"][at], batch.features()[0])
            np.testing.assert_array_equal(rows["mask"][at], batch.mask[0])
            assert games[f"agent_{rows['seat'][at]}"][k] == dataset.info.agents[rows["agent"][at]]
            batch.step([int(rows["action"][at])])
            at += 1
        assert batch.over[0] and at == games["decisions"][: k + 1].sum()
        assert games["ending"][k] == dataset.game.ending(batch.state(0))
        for side in range(dataset.game.sides):
            assert games[f"score_{side}"][k] == batch.totals[0, side]
            assert games[f"standing_{side}"][k] == batch.standings[0, side]
    assert at == len(dataset)


@pytest.mark.parametrize(("game", "config", "reward"), GAMES)
def test_rows_agree_with_a_batch(made: Make, game: str, config: dict[str, Any], reward: str) -> None:
    check_against_play(made(game, config, rows="both", reward=reward))


@pytest.mark.full
@pytest.mark.parametrize(("game", "config", "reward"), [("my_city", {"players": 1}, "score"), ("my_city", {"players": 3}, "win")])
def test_the_longest_games_go_on_in_smaller_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, config: dict[str, Any], reward: Any
) -> None:
    """Games of very different lengths; the second shard reuses the memory of the first."""
    sizes: list[int] = []
    shrink = play.GameRunner._shrink

    def shrink_and_count(runner: play.GameRunner, *arguments: Any) -> Any:
        result = shrink(runner, *arguments)
        sizes.append(result[0].size)
        return result

    monkeypatch.setattr(play, "_MIN_SHRINK", 2)
    monkeypatch.setattr(play.GameRunner, "_shrink", shrink_and_count)
    generate(GenerationJob(game, ("random",), config, games=24, shard_games=8, reward=reward, rows="both"), tmp_path)
    assert {4, 2} <= set(sizes)
    check_against_play(load(tmp_path))


@pytest.mark.parametrize(("game", "config", "reward"), GAMES)
def test_rebuilt_rows_equal_written_rows(made: Make, game: str, config: dict[str, Any], reward: str) -> None:
    written, rebuilt = (made(game, config, rows=rows, reward=reward) for rows in ("both", "replay"))
    assert rebuilt.columns == written.columns
    one, other = written.arrays(), rebuilt.arrays()
    for name in written.columns:
        assert (one[name].dtype, one[name].shape) == (other[name].dtype, other[name].shape), name
        assert one[name].tobytes() == other[name].tobytes(), name
    for name, values in written.games.items():
        assert values.tolist() == rebuilt.games[name].tolist(), name


@pytest.mark.parametrize(("game", "config", "reward"), GAMES)
def test_rewards_of_a_seat_sum_to_its_outcome(made: Make, game: str, config: dict[str, Any], reward: str) -> None:
    dataset = made(game, config, rows="both", reward=reward)
    rows, games = dataset.arrays(), dataset.games
    start = Batch(dataset.game, len(games["game"]))
    start.reset(games["seed"])
    before = start.scores().sum(axis=2)
    totals, standings = (
        np.stack([games[f"{name}_{side}"] for side in range(dataset.game.sides)], axis=1) for name in ("score", "standing")
    )
    paid = totals - before if reward == "score" else final_rewards(reward, totals, standings)
    for k, number in enumerate(games["game"]):
        for seat in range(dataset.game.seats):
            own = (rows["game"] == number) & (rows["seat"] == seat)
            assert rows["reward"][own].sum() == pytest.approx(paid[k, seat], abs=1e-6)
            assert rows["last"][own].tolist() == [False] * (own.sum() - 1) + [True]
            if reward != "score":
                assert not rows["reward"][own & ~rows["last"]].any()
            assert (rows["score"][own] == totals[k, seat]).all()
            best = standings[k] == standings[k].max()
            assert (rows["share"][own] == (best / best.sum()).astype(np.float32)[seat]).all()
            if dataset.game.sides > 1:
                others = (totals[k].sum() - totals[k, seat]) / (dataset.game.sides - 1)
                assert rows["margin"][own] == pytest.approx(totals[k, seat] - others, abs=1e-4)


def test_score_before_the_first_decision_is_added_to_its_reward(made: Make) -> None:
    """Points from other seats' moves belong to the seat's own previous decision; compared with a replay step by step."""
    dataset = made("golden_city", {"players": 3}, rows="both", reward="score")
    rows, batch = dataset.arrays(), Batch(dataset.game, 1, reward="score")
    game = rows["game"] == 1
    batch.reset([int(dataset.games["seed"][1])])
    paid: list[float] = []
    waiting, at = np.zeros(3), np.full(3, -1)
    for step, action in enumerate(rows["action"][game]):
        seat = int(batch.actor[0])
        if at[seat] >= 0:
            paid[at[seat]] = waiting[seat]
            waiting[seat] = 0
        at[seat] = step
        paid.append(0.0)
        batch.step([int(action)])
        waiting += batch.rewards[0]
    for seat in range(3):
        paid[at[seat]] = waiting[seat]
    assert rows["reward"][game].tolist() == paid
    assert np.count_nonzero(paid) > 6


def test_observations_and_masks_are_of_fixed_size(made: Make) -> None:
    import pyarrow.parquet as pq

    dataset = made("ginkgopolis", {"players": 2}, rows="both", reward="outcome")
    schema = pq.read_schema(dataset.folder / "steps" / "00000.parquet")
    widths = {name: schema.field(name).type.byte_width for name in ("observation", "features", "mask")}
    game = dataset.game
    assert widths == {
        "observation": game.observation.size,
        "features": 4 * game.features.size,
        "mask": (game.actions.size + 7) // 8,
    }


def test_endings_of_many_games_at_once() -> None:
    for name in ("ginkgopolis", "golden_city", "my_city"):
        batch = Batch(make_game(name), 40)
        batch.reset(seed=3)
        for _ in range(60):  # some games are not over
            batch.step(batch.sample())
        assert batch.game.endings(batch.states) == [batch.game.ending(batch.state(row)) for row in range(40)]


@pytest.mark.full
def test_a_game_of_another_package(trial_game: str, tmp_path: Any) -> None:
    for rows in ("both", "replay"):
        generate(
            GenerationJob(trial_game, ("random", OTHER), {"players": 2}, games=40, rows=rows, shard_games=16), tmp_path / rows
        )
        check_against_play(load(tmp_path / rows))
    one, other = (load(tmp_path / rows).arrays() for rows in ("both", "replay"))
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)


@pytest.mark.full
@pytest.mark.parametrize("config", [{"players": 1}, {"players": 3, "modules": ["events", "prestige"]}])
def test_other_configurations(made: Make, config: dict[str, Any]) -> None:
    for rows in ("both", "replay"):
        check_against_play(made("ginkgopolis", config, rows=rows, reward="score", agents=("random",)))
