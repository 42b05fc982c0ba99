"""Generating data sets: the same command makes the same files, interrupted or not."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.datasets import GenerationJob, generate, seatings
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.datasets import DataError, load
from ginkgo_env.datasets.card import _size_category
from ginkgo_env.datasets.metadata import VERSION
from ginkgo_env.datasets.shards import GAME_COLUMNS, REPLAY_COLUMNS, STEP_COLUMNS

from .conftest import GAMES, OTHER, Make

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


# --- the page of the docs ----------------------------------------------------------------------------------------------------


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text()


@pytest.mark.parametrize("columns", [STEP_COLUMNS, REPLAY_COLUMNS, GAME_COLUMNS], ids=["steps", "replay", "games"])
def test_tables_equal_the_schema(columns: tuple[tuple[str, str, str], ...]) -> None:
    rows = "".join(f"| `{name}` | {kind} | {meaning} |\n" for name, kind, meaning in columns)
    assert f"| column | type | meaning |\n|---|---|---|\n{rows}\n" in PAGE
    assert f"## Schema, version {VERSION}\n" in PAGE


# --- other tools: the code on the data card runs in the folder, and finds what the loader finds ------------------------------


def snippets(folder: Path) -> dict[str, str]:
    """The Python blocks of a card by the word before each that names the tool."""
    text = (folder / "README.md").read_text()
    names = ("datasets.load", "numpy", "torch", "polars", "duckdb", "datasets")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return {next(name for name in names if name in block): block for block in blocks}


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *tools: str) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    found = snippets(folder)
    names: dict[str, Any] = {}
    for tool in tools:
        exec(compile(found[tool], str(folder / "README.md"), "exec", dont_inherit=True), names)
    return names


def test_the_ids_of_legal_actions(made: Make) -> None:
    import pyarrow.parquet as pq

    for game, config, reward in GAMES:
        dataset = made(game, config, reward=reward)
        lists = pq.read_table(dataset.folder / "steps", columns=["legal"])["legal"].to_pylist()
        assert lists == [np.flatnonzero(mask).tolist() for mask in dataset.arrays(["mask"])["mask"]]


def test_the_card_is_that_of_a_hub(made: Make) -> None:
    hub = pytest.importorskip("huggingface_hub")
    for rows, content in (("observation", "steps"), ("replay", "replay")):
        folder = made("my_city", {"players": 1}, reward="score", rows=rows).folder
        data = hub.DatasetCard.load(folder / "README.md").data
        assert data.license == "mit" and data.task_categories == ["reinforcement-learning"]
        assert data.size_categories == (["n<1K"])
        (default,) = [config for config in data.configs if config.get("default")]
        assert default == {"config_name": content, "data_files": f"{content}/*.parquet", "default": True}
        assert all(list(folder.glob(config["data_files"])) for config in data.configs)


def test_categories_of_sizes() -> None:
    numbers = (1, 999, 1000, 9999, 10_000, 1_000_000, 10**9)
    assert [_size_category(n) for n in numbers] == [
        "n<1K", "n<1K", "1K<n<10K", "1K<n<10K", "10K<n<100K", "1M<n<10M", "1B<n<10B",
    ]  # fmt: skip


def test_our_loader_and_numpy(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    for rows, name in (("observation", "observation"), ("features", "features")):
        for game, config, reward in GAMES[:2]:
            dataset = made(game, config, reward=reward, rows=rows)
            names, arrays = run(dataset.folder, monkeypatch, "datasets.load", "numpy"), dataset.arrays()
            assert len(names["dataset"]) == len(dataset)
            assert names[name].dtype == arrays[name].dtype and np.array_equal(names[name], arrays[name])
            assert np.array_equal(names["mask"], arrays["mask"]) and np.array_equal(names["action"], arrays["action"])


def test_torch(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    dataset = made(*GAMES[0][:2], reward=GAMES[0][2])
    names, arrays = run(dataset.folder, monkeypatch, "numpy", "torch"), dataset.arrays()
    observation, mask, action = names["tensors"]
    assert np.array_equal(observation, arrays["observation"]) and mask.dtype == torch.bool
    assert bool(mask[torch.arange(len(mask)), action].all())
    assert sum(len(batch) for batch, _, _ in names["loader"]) == len(dataset)


def test_polars(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    for rows, name in (("observation", "observation"), ("features", "features")):
        dataset = made(*GAMES[0][:2], reward=GAMES[0][2], rows=rows)
        frame, arrays = run(dataset.folder, monkeypatch, "polars")["frame"], dataset.arrays()
        assert np.array_equal(frame[name].to_numpy(), arrays[name])
        assert np.array_equal(frame["n_legal"].to_numpy(), arrays["mask"].sum(axis=1))
    replay = made(*GAMES[0][:2], reward=GAMES[0][2], rows="replay")
    games = run(replay.folder, monkeypatch, "polars")["games"]
    assert np.array_equal(np.concatenate(games["actions"].to_list()), replay.arrays(["action"])["action"])


def test_duckdb(made: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    dataset = made(*GAMES[0][:2], reward=GAMES[0][2])
    kinds, arrays = run(dataset.folder, monkeypatch, "duckdb")["kinds"], dataset.arrays()
    for kind, decisions, mean_legal in kinds:
        own = arrays["kind"] == kind
        assert own.sum() == decisions and np.isclose(arrays["mask"][own].sum(axis=1).mean(), mean_legal)
    assert sum(decisions for _, decisions, _ in kinds) == len(dataset)


@pytest.mark.full
def test_hugging_face(made: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path))
    dataset = made(*GAMES[0][:2], reward=GAMES[0][2])
    names, arrays = run(dataset.folder, monkeypatch, "datasets"), dataset.arrays()
    assert names["steps"]["action"][:] == arrays["action"].tolist()
    assert names["steps"]["legal"][0] == np.flatnonzero(arrays["mask"][0]).tolist()
    assert len(names["games"]) == len(dataset.numbers)
