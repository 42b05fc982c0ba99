"""The loader: batches, splits, and invalid data sets."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.errors import GinkgoError, MissingPackageError
from ginkgo_env.datasets import DataError, Dataset, load, loader, shards
from ginkgo_env.datasets.loader import _ShuffleBuffer
from ginkgo_env.records import Record, replay

from .conftest import Make

CONFIG = {"players": 2}


@pytest.fixture
def steps(made: Make, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.setattr(shards, "GROUP_ROWS", 16)  # so that a file has several groups
    return made("my_city", CONFIG, games=12, shard_games=5, seed=4)


@pytest.fixture(params=["steps", "replay"])
def either(request: pytest.FixtureRequest, made: Make, steps: Dataset, monkeypatch: pytest.MonkeyPatch) -> Dataset:
    monkeypatch.setattr(loader, "_GAMES", 2)
    return steps if request.param == "steps" else made("my_city", CONFIG, games=12, shard_games=5, seed=4, rows="replay")


def keys(dataset: Dataset, **settings: Any) -> list[tuple[int, int]]:
    batch_keys = []
    for batch in dataset.batches(10, columns=["step", "game", "observation"], **settings):
        assert batch["observation"].shape == (len(batch["game"]), 3758) and list(batch) == ["step", "game", "observation"]
        batch_keys += list(zip(batch["game"].tolist(), batch["step"].tolist(), strict=True))
    return batch_keys


def test_in_order_all_decisions_come_once(either: Dataset) -> None:
    batch_keys = keys(either, shuffle=False)
    assert batch_keys == sorted(set(batch_keys)) and len(batch_keys) == len(either)
    sizes = [len(batch["action"]) for batch in either.batches(10, shuffle=False)]
    assert sizes == [10] * (len(either) // 10) + [len(either) % 10] * (len(either) % 10 > 0)


@pytest.mark.parametrize("memory", [1 << 28, 100_000, 1])
def test_shuffled_all_decisions_come_once(either: Dataset, memory: int) -> None:
    batch_keys = keys(either, seed=3, memory=memory)
    assert sorted(batch_keys) == keys(either, shuffle=False) and batch_keys != sorted(batch_keys)
    assert batch_keys == keys(either, seed=3, memory=memory) != keys(either, seed=4, memory=memory)
    assert len({game for game, _ in batch_keys[: len(batch_keys) // 3]}) > 3  # from all over the data set


def test_a_shuffled_row_stays_together(steps: Dataset) -> None:
    ordered = steps.arrays()
    at = {key: k for k, key in enumerate(zip(ordered["game"].tolist(), ordered["step"].tolist(), strict=True))}
    for batch in steps.batches(7, seed=1):
        own = [at[key] for key in zip(batch["game"].tolist(), batch["step"].tolist(), strict=True)]
        for name, values in batch.items():
            np.testing.assert_array_equal(values, ordered[name][own])


def test_no_game_is_on_both_sides_of_a_split(either: Dataset) -> None:
    train, validation = either.split(0.25, seed=2)
    assert sorted([*train.numbers, *validation.numbers]) == list(range(12)) and len(validation.numbers) == 3
    one, other = keys(train), keys(validation)
    assert {game for game, _ in one} == set(train.numbers) and {game for game, _ in other} == set(validation.numbers)
    assert sorted(one + other) == keys(either, shuffle=False)
    assert len(train) == len(one) and train.games["game"].tolist() == train.numbers.tolist()
    assert either.split(0.25, seed=2)[1].numbers.tolist() == validation.numbers.tolist()


def test_games_can_be_chosen(steps: Dataset) -> None:
    won = steps.select(steps.games["share_0"] == 1)
    assert 0 < len(won.numbers) < 12 and set(won.arrays(["game"])["game"]) == set(won.numbers)
    with pytest.raises(DataError, match="games must be a boolean"):
        won.select([99])


def test_no_game_is_selected(steps: Dataset) -> None:
    nothing = steps.select(np.zeros(len(steps.games["game"]), np.bool_))
    assert list(nothing.batches(8)) == []
    with pytest.raises(DataError, match="no game is selected"):
        nothing.arrays()


def test_memory_is_bounded_when_the_first_chunk_is_empty() -> None:
    buffer = _ShuffleBuffer(memory=800, least=2, most=1_000_000)
    buffer.add({"mask": np.zeros((0, 40), np.int8)})
    assert buffer.has_room(20) and not buffer.has_room(21)


def test_views_in_order(steps: Dataset) -> None:
    first = next(steps.batches(5, shuffle=False))
    assert not first["observation"].flags.owndata and first["observation"].dtype == np.int8
    assert first["mask"].dtype == np.int8 and (first["mask"][np.arange(5), first["action"]] == 1).all()


@pytest.mark.full
def test_tensors(steps: Dataset) -> None:
    torch = pytest.importorskip("torch")
    first = next(steps.batches(5, shuffle=False))
    tensors = next(steps.batches(5, shuffle=False, torch=True))
    assert tensors["observation"].dtype == torch.int8 and tensors["reward"].dtype == torch.float32
    np.testing.assert_array_equal(tensors["observation"].numpy(), first["observation"])


def test_blocks_by_name(steps: Dataset) -> None:
    batch = next(steps.batches(5, shuffle=False))
    name = next(iter(steps.observation))
    np.testing.assert_array_equal(
        steps.observation.view(batch["observation"], name), steps.game.observation.view(batch["observation"], name)
    )
    assert steps.actions.size == batch["mask"].shape[1]


def test_a_game_as_a_record(either: Dataset) -> None:
    record = either.record(7)
    last = list(replay(Record.read(record.dumps())))[-1]
    assert last.entry["result"]["scores"] == [either.games[f"score_{side}"][7] for side in range(2)]
    with pytest.raises(DataError, match="no game 12"):
        either.record(12)


def test_bad_arguments(steps: Dataset) -> None:
    for bad in ({"columns": ["moves"]}, {"columns": "action"}, {"columns": []}, {"size": 0}, {"seed": -1}, {"shuffle": 2}):
        with pytest.raises(DataError):
            steps.batches(**bad)
    with pytest.raises(DataError, match="fraction must be between 0 and 1"):
        steps.split(1.0)


# --- invalid data sets ----------------------------------------------------------------------------------------------


@pytest.fixture
def copied(steps: Dataset, tmp_path: Path) -> Path:
    return copytree(steps.folder, tmp_path / "copy")


def changed(folder: Path, **values: Any) -> None:
    info = json.loads((folder / "dataset.json").read_text())
    (folder / "dataset.json").write_text(json.dumps(info | values))


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no data set in"):
        load(tmp_path)


def test_a_shard_is_missing(copied: Path) -> None:
    (copied / "games" / "00001.parquet").unlink()
    with pytest.raises(DataError, match="2 of 3 shards"):
        load(copied)
    part = load(copied, partial=True)
    assert part.numbers.tolist() == [0, 1, 2, 3, 4, 10, 11] and set(part.arrays(["game"])["game"]) == set(part.numbers)


def rows_of(folder: Path) -> tuple[list[bytes], list[Any]]:
    dataset = load(folder)
    return [values.tobytes() for values in dataset.arrays().values()], [values.tolist() for values in dataset.games.values()]


@pytest.mark.parametrize(
    ("kind", "times"),
    [("steps", 4), *(pytest.param(kind, 60, marks=pytest.mark.full) for kind in ("steps", "games"))],
)
def test_a_damaged_byte_is_noticed_or_does_no_harm(copied: Path, kind: str, times: int) -> None:
    path, noticed, right = copied / kind / "00000.parquet", 0, rows_of(copied)
    data, rng = path.read_bytes(), np.random.default_rng(times)
    for at in rng.integers(len(data), size=times):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x90]) + data[at + 1 :])
        try:
            assert rows_of(copied) == right  # the byte is in a part that Arrow does not read
        except DataError as error:
            noticed += "00000" in str(error)
    assert noticed >= times // 2
    path.write_bytes(data[:700])
    with pytest.raises(DataError, match="00000"):
        rows_of(copied)


@pytest.mark.full
def test_files_of_two_data_sets(copied: Path, made: Make) -> None:
    other = made("my_city", CONFIG, games=12, shard_games=5, seed=5)
    (copied / "steps" / "00000.parquet").write_bytes((other.folder / "steps" / "00000.parquet").read_bytes())
    with pytest.raises(DataError, match="belongs to another data set: seed is 5, expected 4"):
        load(copied).arrays()


@pytest.mark.parametrize("version", [0, 3, "2", True, None, []])
def test_another_version_of_the_schema(copied: Path, version: Any) -> None:
    changed(copied, version=version)
    with pytest.raises(DataError, match=r"has version .* of the schema; expected 2"):
        load(copied)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"games": True}, "games: expected int, got bool"),
        ({"games": 0}, "games: expected int >= 1"),
        ({"seats": "2"}, "seats: expected int, got str"),
        ({"seatings": []}, "seatings: expected array of length >= 1"),
        ({"seatings": [[0, None]]}, r"seatings\[0\]\[1\]: expected int, got null"),
        ({"content": "pictures"}, "content: invalid enum value 'pictures'"),
        ({"layouts": {}}, "the layout of actions is missing"),
        ({"layouts": {"actions": {"size": 3}}}, r"layouts\[...\]: missing 'dtype'"),
        ({"comment": ""}, "unknown 'comment'"),
    ],
    ids=str,
)
def test_other_types_in_the_description(copied: Path, values: dict[str, Any], problem: str) -> None:
    changed(copied, **values)
    with pytest.raises(DataError, match=rf"dataset.json: {problem}"):
        load(copied)


def test_another_version_of_the_game(copied: Path) -> None:
    changed(copied, game_version=7)
    with pytest.raises(DataError, match="game_version was '7', and is '0' here"):
        load(copied)


def test_another_layout_is_refused_unless_unchecked(copied: Path, steps: Dataset) -> None:
    import pyarrow.parquet as pq

    info = json.loads((copied / "dataset.json").read_text())
    info["layouts"]["observation"]["blocks"][0]["name"] = "old"
    info["layouts"]["observation"]["digest"] = "0"
    changed(copied, layouts=info["layouts"])
    for path in copied.rglob("*.parquet"):  # as an older version of the package would have written it
        table = pq.read_table(path)
        pq.write_table(table.replace_schema_metadata({"ginkgo": (copied / "dataset.json").read_bytes()}), path)
    with pytest.raises(DataError, match=r"another layout of observation of my_city: the block .* has changed"):
        load(copied)
    old = load(copied, check=False)
    assert next(iter(old.observation)) == "old"
    assert old.arrays()["observation"].tobytes() == steps.arrays()["observation"].tobytes()
    with pytest.raises(DataError, match="another layout"):
        old.record(0)


def test_actions_that_do_not_replay(copied: Path, made: Make) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    dataset = made("my_city", CONFIG, games=12, shard_games=5, seed=4, rows="replay")
    folder = copytree(dataset.folder, copied.parent / "replay")
    path = folder / "replay" / "00001.parquet"
    table = pq.read_table(path)
    lists = table["actions"].to_pylist()
    for bad in (lists[0][::-1], lists[0][:-1], [99999, *lists[0][1:]]):
        column = pa.array([bad, *lists[1:]], table.schema.field("actions").type)
        pq.write_table(table.set_column(1, table.schema.field("actions"), column), path)
        with pytest.raises(GinkgoError, match="game 5"):
            load(folder).arrays()


def test_without_pyarrow_the_error_says_what_to_install(steps: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"pyarrow is not installed: pip install 'ginkgo-env\[data\]'"):
        load(steps.folder).arrays()
