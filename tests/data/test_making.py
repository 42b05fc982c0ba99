"""Generating data sets: the same command makes the same files, interrupted or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ginkgo_agents.datasets import GenerationJob, generate, seatings
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.datasets import DataError, load

from .conftest import OTHER, Make

MY_CITY = {"players": 2}


def job(**settings: Any) -> GenerationJob:
    return GenerationJob(
        **{"game": "my_city", "agents": ("random", OTHER), "config": MY_CITY, "games": 7, "shard_games": 2, **settings}
    )


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class Stop(Exception):
    """Raised in the middle of a shard, like KeyboardInterrupt."""


def stop_after(games: int) -> Any:
    ended = 0

    def tick(n: int) -> None:
        nonlocal ended
        ended += n
        if ended >= games:
            raise Stop

    return tick


def test_an_interrupted_command_continues(tmp_path: Path) -> None:
    generate(job(), tmp_path / "whole")
    with pytest.raises(Stop):
        generate(job(), tmp_path / "parts", progress=stop_after(3))
    left = {name for name in files(tmp_path / "parts") if name.endswith(".parquet")}
    assert left == {"steps/00000.parquet", "games/00000.parquet"}
    before = (tmp_path / "parts" / "steps" / "00000.parquet").stat().st_mtime_ns
    (tmp_path / "parts" / "steps" / ".00001.parquet.99999999.part").write_bytes(b"half")  # as a killed process leaves it
    other = tmp_path / "parts" / "steps" / f".00001.parquet.{os.getppid()}.part"
    other.write_bytes(b"half")  # as a running process has it
    counted: list[int] = []
    generate(job(), tmp_path / "parts", threads=2, progress=counted.append)
    assert sum(counted) == 7 and counted[0] == 2
    assert (tmp_path / "parts" / "steps" / "00000.parquet").stat().st_mtime_ns == before
    other.unlink()
    assert files(tmp_path / "parts") == files(tmp_path / "whole")


def test_a_command_interrupted_before_the_first_game_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any, **__: Any) -> None:
        raise Stop

    with monkeypatch.context() as patch:
        patch.setattr("ginkgo_env.datasets.shards.remove_abandoned", stopped)  # when the first of the folders has been made
        with pytest.raises(Stop):
            generate(job(), tmp_path / "new")
    generate(job(), tmp_path / "new")
    assert len(load(tmp_path / "new").numbers) == job().games


@pytest.mark.parametrize(
    ("modules", "options"), [({"prestige", "events"}, "--set modules=events,prestige"), ([], "--shard-games 1 --set players=2")]
)
def test_lists_and_sets_on_the_command_line(modules: Any, options: str) -> None:
    assert (
        GenerationJob("ginkgopolis", config={"players": 2, "modules": modules}, agents=("random",), games=1)
        .command()
        .endswith(options)
    )


def test_rows_do_not_depend_on_shards_or_on_how_many_games_there_are(made: Make) -> None:
    one = made("my_city", MY_CITY, games=5, shard_games=2).arrays()
    other = made("my_city", MY_CITY, games=7, shard_games=4).arrays()
    n = len(one["game"])
    assert all(one[name].tobytes() == other[name][:n].tobytes() for name in one)
    assert len(other["game"]) > n


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [({"seed": 1}, "seed is 0, expected 1"), ({"agents": ("random",)}, "agents is"), ({"games": 8}, "games is 7, expected 8")],
)
def test_other_settings_are_refused(tmp_path: Path, settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Stop):
        generate(job(), tmp_path, progress=stop_after(1))
    before = files(tmp_path)
    with pytest.raises(DataError, match=f"holds another data set: {sentence}"):
        generate(job(**settings), tmp_path)
    assert files(tmp_path) == before


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DataError, match="not empty, and holds no data set"):
        generate(job(), tmp_path)
    assert files(tmp_path) == {"thesis.txt": b"mine"}


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"agents": ()}, "at least one agent"),
        ({"agents": ("random", "random")}, "duplicate agent"),
        ({"games": 0}, "invalid games 0; expected 1..100000000"),
        ({"seed": -1}, "invalid seed -1"),
        ({"rows": "pictures"}, "invalid rows 'pictures'; expected observation or features"),
    ],
)
def test_bad_settings(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        job(**settings)


def test_agents_sit_everywhere_equally_often() -> None:
    assert seatings(("a",), 3) == [[0, 0, 0]]
    assert seatings(("a", "b"), 2) == [[0, 1], [1, 0]]
    three = seatings(("a", "b", "c"), 2)
    assert sorted(map(tuple, three)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    for seat in range(3):
        assert sorted(row[seat] for row in seatings(("b", "a"), 3)) == [0, 0, 0, 1, 1, 1]


def test_the_card_describes_the_data_set(made: Make) -> None:
    dataset = made("my_city", MY_CITY)
    card = (dataset.folder / "README.md").read_text()
    assert f"5 games of my_city (version 0 of the game) with {len(dataset)} decisions, played by random, {OTHER}." in card
    assert "ginkgo generate FOLDER --game my_city --agents random," in card and "--set players=2" in card
    assert f"| player_1 | {dataset.games['score_1'].mean():.2f} |" in card
    assert "Schema, version 2" in card and "license: mit" in card and "| observation | fixed_size_binary[3758] |" in card


COMMAND = [sys.executable, "-m", "ginkgo_env", "generate"]
SMALL = ["--game", "my_city", "--agents", "random", "--games", "5", "--shard-games", "2"]


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_killed_command_continues(tmp_path: Path, number: signal.Signals) -> None:
    arguments = ["--game", "my_city", "--agents", "random", "--games", "400000", "--shard-games", "500"]
    options: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    process = subprocess.Popen([*COMMAND, str(tmp_path), *arguments], **options, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "games" / "00001.parquet").exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate()
    whole = sorted(path.name for path in (tmp_path / "games").glob("*.parquet"))
    if number == signal.SIGINT:
        assert process.returncode == 130 and errors.splitlines()[-1].startswith(f"interrupted: {len(whole)} of 800 shards")
        assert not list(tmp_path.rglob("*.part"))
    dataset = load(tmp_path, partial=True)
    assert len(dataset.numbers) == 500 * len(whole)
    first = {name: (tmp_path / "steps" / name).read_bytes() for name in whole}
    with pytest.raises(Stop):
        generate(
            GenerationJob("my_city", ("random",), games=400000, shard_games=500),
            tmp_path,
            progress=stop_after(500 * len(whole) + 800),
        )
    assert {name: (tmp_path / "steps" / name).read_bytes() for name in whole} == first
    assert (tmp_path / "games" / f"{len(whole):05d}.parquet").exists()


@pytest.mark.full
def test_the_command(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, str(tmp_path / "new"), *SMALL], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "5 games are in" in done.stdout, done.stderr
    assert len(load(tmp_path / "new").numbers) == 5
    for more in (["--seed", "9"], ["--set", "players=1,2"], ["--set", "players"], ["--reward", "fame"]):
        done = subprocess.run([*COMMAND, str(tmp_path / "new"), *SMALL, *more], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.lstrip().startswith("ginkgo: ") and "Traceback" not in done.stderr
