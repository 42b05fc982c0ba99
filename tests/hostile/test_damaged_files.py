"""Damaged files of every kind: each is refused by an error of this package, or what is read from it can be used."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ginkgo_agents import make_agent
from ginkgo_agents.analysis.run import source_of
from ginkgo_agents.checkpoints import write_checkpoint
from ginkgo_agents.datasets import GenerationJob, generate
from ginkgo_agents.evaluation.files import REPORT, RESULTS, read_folder
from ginkgo_agents.evaluation.leaderboard import FORMAT, VERSION
from ginkgo_env import Batch, Record, make_game, replay
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.playback import Playback
from ginkgo_env.datasets import load
from ginkgo_env.games.golden_city import board as golden_city
from ginkgo_env.games.my_city import board as my_city
from ginkgo_env.testing import play
from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.store import Store, StoredTable

from .test_checkpoints import small

SIZES = [20, pytest.param(400, marks=pytest.mark.full), pytest.param(10_000, marks=pytest.mark.exhaustive)]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to three flips, cuts, zeroed or exchanged parts, doubled parts, or a part of text as other text."""
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        i, j = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        part = out[i : i + rng.choice((1, 4, 512))]
        match rng.randrange(7):
            case 0 if i < len(out):
                out[i] ^= 1 << rng.randrange(8)
            case 1:
                del out[i:]
            case 2:
                out[i : i + len(part)] = bytes(len(part))
            case 3:
                out[j:j] = part
            case 4:
                out[i : i + len(part)], out[j : j + len(part)] = out[j : j + len(part)], part
            case 5:
                del out[i : i + len(part)]
            case 6:
                out[i : i + 1] = rng.choice(
                    (b"[" * 20_000, b"-1", b"1e999", b"9" * 30, b"null", b'"', b"\xff", b"\n", b"{}", b"true")
                )
    return bytes(out)


class Kind(NamedTuple):
    """How a file is made in a folder, and opened. If it is sealed, what is read is what was written."""

    make: Callable[[Path], Path]
    open: Callable[[Path], Any]
    sealed: bool = False


def make_record(folder: Path) -> Path:
    game, actions = make_game("my_city", players=2), list[int]()
    playback = Playback(game)
    playback.start(3)
    while playback.actor is not None:
        actions.append(int(np.flatnonzero(playback.mask[0])[-2:][0]))
        playback.play(actions[-1])
    Record.from_actions(game, 3, actions).write(folder / "game.jsonl")
    return folder / "game.jsonl"


def make_position(folder: Path) -> Path:
    playback = Playback(make_game("my_city", players=2))
    playback.start(3)
    for _ in range(6):
        playback.play(int(np.flatnonzero(playback.mask[0])[0]))
    (folder / "position.json").write_text(json.dumps(playback.game.position(playback.states)), encoding="utf-8")
    return folder / "position.json"


def open_source(path: Path) -> None:
    source = source_of(path)
    source.game.describe(source.points[0].state)


def open_record(path: Path) -> None:
    for _ in replay(Record.read(path)):
        pass


def copied(shipped: Path, name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        text = shipped.read_text("utf-8").replace("name own", "name mine")
        (folder / name).write_text(text, encoding="utf-8")
        return folder / name

    return make


def open_components(game: str, option: str) -> Callable[[Path], None]:
    def opened(path: Path) -> None:
        batch = Batch(make_game(game, **{option: str(path)}), 2)
        batch.reset(seed=1)
        for _ in islice(play(batch), 5):
            pass

    return opened


def make_island(folder: Path) -> Path:
    for path in (golden_city.SHIPPED / "own").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return max(folder.glob("*.csv"))


def make_data(file: str, **settings: Any) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        generate(GenerationJob("my_city", ("random",), {"players": 1}, games=2, shard_games=1, **settings), folder)
        return folder / file

    return make


def open_data(path: Path) -> Any:
    dataset = load(next(folder for folder in path.parents if (folder / "dataset.json").exists()))
    assert dataset.game is not None
    rows, games = dataset.arrays(), dataset.games
    return {
        name: np.asarray(values).tobytes()
        for name, values in (*rows.items(), *games.items())
        if np.asarray(values).dtype != object
    }


def make_leaderboard(file: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        (folder / RESULTS).write_text("agent,games\nrandom,2\n" * 20)
        files = {RESULTS: hashlib.sha256((folder / RESULTS).read_bytes()).hexdigest()}
        (folder / REPORT).write_text(json.dumps({"format": FORMAT, "version": VERSION, "files": files}, indent=2))
        return folder / file

    return make


def make_log(folder: Path) -> Path:
    lines = [
        {"game": "g", "seconds": 6.5 * k, "decisions": 100 * k, "evaluation": {"random": {"win": [0.5, 0.4, 0.6], "games": 9}}}
        for k in range(9)
    ]
    (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder / "log.jsonl"


def open_log(path: Path) -> None:
    logs = pytest.importorskip("ginkgo_training.logs")
    for points in logs.read_log(path).curves.values():
        assert all(0 <= point.mean <= 1 for point in points)


def make_training(folder: Path) -> Path:
    pytest.importorskip("torch")
    from .test_training_checkpoints import trained

    return write_checkpoint(folder / "checkpoint.npz", trained("lookahead"))


def open_training(path: Path) -> Any:
    from ginkgo_training.runs import read_training_checkpoint

    return {name: array.tobytes() for name, array in read_training_checkpoint(path.parent).arrays.items()}


def make_tables(folder: Path) -> Path:
    path = folder / "tables.sqlite3"
    store = Store(path)
    for name in "abc":
        seats = (SeatAssignment("Ann"), SeatAssignment("Rob", "random"))
        store.add(StoredTable(name, "my_city", {"players": 2}, {"version": 0}, 7, seats), {f"token {name}": 0})
        for number in range(40):
            store.append(name, number, [number], False, {0: [number]})
    store.close()
    return path


def open_tables(path: Path) -> None:
    for other in path.parent.glob(f"{path.name}-*"):
        other.unlink()
    store = Store(path)
    try:
        for table in store.ids():
            assert isinstance(store.table(table), StoredTable | None)
            assert all(isinstance(action, int) for action in store.actions(table))
            assert all(isinstance(action, int) for actions in store.pending(table).values() for action in actions)
        store.access("token a")
        store.append("a", 40, [1], False)
        store.remove("b")
    finally:
        store.close()


def open_agent(path: Path) -> Any:
    agent: Any = make_agent(str(path))
    agent.check(make_game("my_city", players=2))
    return {name: array.tobytes() for name, array in agent.checkpoint.arrays.items()}


KINDS = {
    "agent": Kind(lambda folder: write_checkpoint(folder / "agent.npz", small()), open_agent, True),
    "training checkpoint": Kind(make_training, open_training, True),
    "training log": Kind(make_log, open_log),
    "record": Kind(make_record, open_record),
    "position": Kind(make_position, open_source),
    "board": Kind(copied(my_city.SHIPPED / "board.txt", "board.txt"), open_components("my_city", "board")),
    "buildings": Kind(copied(my_city.SHIPPED / "buildings.csv", "mine.csv"), open_components("my_city", "buildings")),
    "island": Kind(make_island, lambda path: open_components("golden_city", "board")(path.parent)),
    "data set": Kind(make_data("dataset.json"), open_data),
    "rows of a data set": Kind(make_data("steps/00000.parquet"), open_data, True),
    "games of a data set": Kind(make_data("games/00001.parquet"), open_data, True),
    "leaderboard": Kind(make_leaderboard(REPORT), lambda path: read_folder(path.parent)),
    "results of a leaderboard": Kind(make_leaderboard(RESULTS), lambda path: read_folder(path.parent), True),
    "database of tables": Kind(make_tables, open_tables),
}


@pytest.mark.usefixtures("trial_game")
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", KINDS)
def test_damaged_files(name: str, n: int, tmp_path: Path) -> None:
    kind, rng, refused = KINDS[name], random.Random(f"{name} {n}"), 0
    (tmp_path / "isle").mkdir()
    path = kind.make(tmp_path / "isle")
    whole = path.read_bytes()
    written = kind.open(path)
    for k in range(n):
        data = damaged(whole, rng)
        path.write_bytes(data)
        try:
            found = kind.open(path)
        except GinkgoError as error:
            refused += 1
            assert 5 < len(str(error)) < 1_000, k
        except Exception as error:
            (tmp_path / "damaged_file").write_bytes(data)
            raise AssertionError(f"damage {k}: {type(error).__name__}, see {tmp_path / 'damaged_file'}") from error
        else:
            assert not kind.sealed or found == written, k
    assert refused > n // 3
