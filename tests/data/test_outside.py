"""Data sets in other tools: the code on the data card runs in the folder, and finds what the loader finds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_env.datasets.card import _size_category

from .conftest import GAMES, Make


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
