"""Signals at any moment: runs of training lose nothing, and all commands end as after Ctrl-C."""

from __future__ import annotations

import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import pytest

from ginkgo_agents.checkpoints import read_checkpoint
from ginkgo_env.core.files import remove_abandoned
from ginkgo_env.datasets import load

from ..conftest import TRIAL, with_metadata
from ..tiers import by_tier

pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from ginkgo_agents.evaluation.files import _ABANDONED
from ginkgo_training.logs import LOG
from ginkgo_training.trainer import AGENT, CHECKPOINT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

TINY = ["games=4", "n_steps=4", "batch_size=16"]
SETTINGS = {
    "lookahead": [*TINY, "hidden=4"],
    "shards": [*TINY, "hidden=4", "shards=2"],
    "ppo": [*TINY, "network.hidden=4", "network.width=4", "imitate=random", "imitate_games=4"],
}
SIGNALS = (
    {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP, "KILL": signal.SIGKILL} if os.name == "posix" else {}
)
ROLLOUTS = 8
GAME = "three_cards"
# Forks a process for each command, which then need not import anything. It prints a line when training begins.
# `setup` is run first; `before` calls something before the call of a function.
SERVER = """
import json, os, resource, signal, sys
import ginkgo_agents.commands, ginkgo_agents.datasets, ginkgo_table.web.runner, sb3_contrib, torch
from ginkgo_agents.evaluation import leaderboard
from ginkgo_env.cli import app, main
from ginkgo_env.datasets.shards import ShardWriter
from ginkgo_training import runs

def before(owner, name, call, action):
    function, calls = getattr(owner, name), []
    def wrapper(*arguments, **options):
        calls.append(None)
        if len(calls) == call:
            action()
        return function(*arguments, **options)
    setattr(owner, name, wrapper)

for line in sys.stdin:
    order = json.loads(line)
    process = os.fork()
    if process:
        print(process, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
        continue
    for number, path in enumerate((os.devnull, order["stdout"], order["stderr"])):
        os.dup2(os.open(path, os.O_RDWR), number)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # as a terminal leaves them; a shell's background ignores Ctrl-C
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    before(runs, "_train", 1, lambda: print("begun", flush=True))
    exec(order["setup"])
    sys.argv = ["ginkgo", *order["arguments"]]
    main()
    break
"""


class Command:
    """A command that runs in a process of its own."""

    def __init__(self, server: subprocess.Popen[bytes], folder: Path, *arguments: object, setup: str = "") -> None:
        self._server, self._files = server, [folder / name for name in ("stdout", "stderr")]
        for file in self._files:
            file.write_text("")
        paths = dict(zip(("stdout", "stderr"), map(str, self._files), strict=True))
        order = json.dumps({"setup": setup, "arguments": [str(argument) for argument in arguments], **paths})
        assert server.stdin is not None
        server.stdin.write(order.encode() + b"\n")
        self.process = self._number()

    def _number(self) -> int:
        assert self._server.stdout is not None
        return int(self._server.stdout.readline())

    @property
    def stdout(self) -> str:
        return self._files[0].read_text()

    @property
    def stderr(self) -> str:
        return self._files[1].read_text()

    def is_running(self) -> bool:
        return not select.select([self._server.stdout], [], [], 0.005)[0]

    def wait_for(self, condition: Callable[[], object]) -> bool:
        """Wait until a condition is met, or the command has ended: then False."""
        last = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < last, self.stderr
            if not self.is_running():
                return False
        return True

    def kill(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.process, number)

    def wait(self) -> int:
        """The exit status."""
        return self._number()


Run = Callable[..., Command]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("commands")
    metadata = with_metadata(folder / "metadata", GAME, f"{GAME} = three_cards.game:ThreeCards")
    path = [str(TRIAL), str(metadata), *filter(None, [os.environ.get("PYTHONPATH")])]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path)}
    with subprocess.Popen([sys.executable, "-c", SERVER], env=environment, **pipes) as server:
        yield partial(Command, server, folder)


def new_run(kind: str, folder: Path) -> list[object]:
    settings = [f"--settings={setting}" for setting in SETTINGS[kind]]
    options = ["--game", GAME, "--rollouts", ROLLOUTS, "--against", "random", "--evaluate-games", 2, "--evaluate-every", 2]
    return ["train", "lookahead" if kind == "shards" else kind, *options, *settings, "--out", folder]


def resumed(kind: str, folder: Path) -> list[object]:
    return ["train", "lookahead" if kind == "shards" else kind, "--resume", folder]


def interrupted(command: Command, number: int, seconds: float, twice: bool) -> int:
    """Send a signal some time after training began, and return the exit status."""
    if command.wait_for(lambda: command.stdout.startswith("begun\n")):
        time.sleep(seconds)
        for _ in range(1 + twice):
            command.kill(number)
            time.sleep(0.005)
    status = command.wait()
    assert "Traceback" not in command.stderr, command.stderr
    assert status in (0, -9) if number == signal.SIGKILL else status in (0, 128 + number), command.stderr
    return status


def finish(command: Command) -> None:
    assert command.wait() == 0, command.stderr


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) | {"seconds": 0} for line in (folder / LOG).read_text().splitlines()]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {}


def require_equal(cut: Path, whole: Path) -> None:
    """All arrays and the log are those of an unbroken run."""
    for name in (CHECKPOINT, AGENT):
        one, other = read_checkpoint(cut / name), read_checkpoint(whole / name)
        assert sorted(one.arrays) == sorted(other.arrays)
        differing = [key for key, array in one.arrays.items() if array.tobytes() != other.arrays[key].tobytes()]
        assert not differing
        assert one.about["decisions"] == other.about["decisions"] and one.about["rollouts"] == ROLLOUTS
    assert log_of(cut) == log_of(whole)
    assert not [path.name for path in cut.iterdir() if path.name.startswith(".")]


CASES = [  # every other pair of a kind and a signal is left to the large runs
    pytest.param(
        (kind, name, k % 2),
        id=f"{kind} {name}",
        marks=[] if (kind, name) == ("lookahead", "TERM") else [pytest.mark.full if (i + k) % 2 else pytest.mark.exhaustive],
    )
    for i, kind in enumerate(SETTINGS)
    for k, name in enumerate(SIGNALS)
]


@pytest.mark.parametrize("case", CASES)
def test_a_run_that_is_interrupted_again_and_again(
    case: tuple[str, str, int], run: Run, unbroken: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    kind, name, k = case
    if kind not in unbroken:
        unbroken[kind] = tmp_path_factory.mktemp(kind) / "whole"
        finish(run(*new_run(kind, unbroken[kind])))
    rng = random.Random(f"{kind} {name} {k}")
    folder = tmp_path_factory.mktemp("cut") / "run"
    command = new_run(kind, folder)
    for _ in range(2):
        if interrupted(run(*command), SIGNALS[name], rng.random() * 0.6, twice=bool(k)) == 0:
            break
        if (folder / CHECKPOINT).exists():
            command = resumed(kind, folder)
    else:
        finish(run(*command))
    require_equal(folder, unbroken[kind])


@pytest.mark.parametrize("cut", [True, False])
def test_a_finalizer_that_fails_after_a_signal_says_nothing(cut: bool, run: Run, tmp_path: Path) -> None:
    """As one of llvmlite does that a signal has cut short: it runs again at the end."""
    setup = """
import atexit
class Compiled:
    def __del__(self):
        raise AttributeError("half closed")
atexit.register(lambda: Compiled() and None)
"""
    if cut:
        setup += "before(runs._RunFiles, 'evaluate', 1, lambda: os.kill(os.getpid(), signal.SIGTERM))"
    command = run(*new_run("lookahead", tmp_path / "run"), setup=setup)
    assert command.wait() == (128 + signal.SIGTERM if cut else 0), command.stderr
    assert ("half closed" in command.stderr) == (not cut) and ("continue with" in command.stderr) == cut, command.stderr


def test_a_folder_of_something_else_is_left_alone(run: Run, tmp_path: Path) -> None:
    folder, other = tmp_path / "run", tmp_path / "other"
    finish(run(*new_run("lookahead", folder), "--rollouts", 1))
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    refused = [
        (new_run("ppo", folder), "already contains a run"),
        (resumed("ppo", folder), "lookahead"),
        (new_run("lookahead", other), "is not empty (notes.txt)"),
    ]
    before = {path: path.read_bytes() for path in (*folder.iterdir(), *other.iterdir())}
    for arguments, why in refused:
        command = run(*arguments)
        assert command.wait() == 2 and "Traceback" not in command.stderr and why in command.stderr, command.stderr
        assert {path: path.read_bytes() for path in (*folder.iterdir(), *other.iterdir())} == before


def test_a_full_disk_is_one_sentence(run: Run, tmp_path: Path) -> None:
    """From the first evaluation on, files longer than some kilobytes cannot be written."""
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, resource.RLIM_INFINITY))"
    folder = tmp_path / "run"
    command = run(*new_run("lookahead", folder), setup=f"before(runs._RunFiles, 'evaluate', 1, lambda: {limit})")
    assert command.wait() == 2 and "Traceback" not in command.stderr, command.stderr
    last = command.stderr.splitlines()[-1]
    assert last.endswith(f"the last checkpoint is {folder / CHECKPOINT}, after 2 rollouts") and "File too large" in last, last
    assert read_checkpoint(folder / CHECKPOINT).about["rollouts"] == 2


EACH = [pytest.param(name, marks=pytest.mark.full if name in ("INT", "KILL") else pytest.mark.exhaustive) for name in SIGNALS]


@pytest.mark.parametrize("name", EACH)
def test_a_data_set_that_is_interrupted(run: Run, trial_game: str, tmp_path: Path, name: str) -> None:
    """Shards that are there are whole and can be read; the same command goes on, and makes the files of an unbroken one."""
    options = ["--game", trial_game, "--agents", "random", "--games", 60, "--shard-games", 4, "--seed", 5]
    finish(run("generate", tmp_path / "whole", *options))
    folder = tmp_path / "cut"
    setup = f"before(ShardWriter, 'make', 5, lambda: os.kill(os.getpid(), {int(SIGNALS[name])}))"
    command = run("generate", folder, *options, setup=setup)
    status = command.wait()
    assert status == (-9 if name == "KILL" else 128 + SIGNALS[name]) and "Traceback" not in command.stderr, command.stderr
    shards = [path.read_bytes() for path in sorted((folder / "games").glob("*.parquet"))]
    assert len(shards) in (3, 4)  # while the fifth is played, the fourth is written
    assert name == "KILL" or (f"{len(shards)} of 15 shards" in command.stderr and not list(folder.rglob("*.part")))
    assert len(load(folder, partial=True).numbers) == 4 * len(shards)
    finish(run("generate", folder, *options))
    whole, cut = (
        {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        for top in (tmp_path / "whole", folder)
    )
    assert cut.keys() == whole.keys() and all(cut[file] == whole[file] for file in whole if file.endswith(".parquet"))


@pytest.mark.parametrize("name", [each for each in EACH if each.values != ("KILL",)])
def test_a_leaderboard_that_is_interrupted(run: Run, tmp_path: Path, name: str) -> None:
    """Before its second match: the files have the first one, and say that they are not complete."""
    setup = f"before(leaderboard, 'chunks_of', 2, lambda: os.kill(os.getpid(), {int(SIGNALS[name])}))"
    options = ["--game", "my_city", "--agents", "random,greedy", "--players", "1", "--games", 2]
    command = run("leaderboard", *options, "--out", tmp_path / "out", setup=setup)
    assert command.wait() == 128 + SIGNALS[name] and "Traceback" not in command.stderr, command.stderr
    assert "interrupted: the results are of the finished games" in command.stderr
    report = json.loads((tmp_path / "out" / "leaderboard.json").read_text())
    assert report["complete"] is False and [row["agent"] for row in report["results"]] == ["random"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def request(address: str, path: str, data: Any = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    with urlopen(Request(address + path, body, {"Content-Type": "application/json"}), timeout=60) as answer:
        return json.loads(answer.read())


def served(run: Run, file: Path) -> tuple[Command, str]:
    """A table on a file, and its address."""
    command = run("table", "--port", 0, "--no-open", "--data", file)
    assert command.wait_for(lambda: re.search(r"http://\S+\s", command.stdout)), command.stderr
    address = re.search(r"http://\S+", command.stdout)
    assert address is not None
    return command, address[0]


@pytest.mark.parametrize("name", by_tier(SIGNALS, ["TERM"]))
def test_a_table_in_the_middle_of_a_game(run: Run, tmp_path: Path, name: str) -> None:
    """After a restart on the same file the game is there with all its actions."""
    command, address = served(run, tmp_path / "tables.sqlite3")
    opened = {"game": "my_city", "options": {"players": 1}, "seats": [{"name": "Ann", "agent": None}], "seed": 3}
    token = request(address, "api/tables", opened)["seats"][0]["token"]
    for decision in range(5):
        action = request(address, f"api/seats/{token}")["decision"]["actions"][-2]["id"]
        request(address, f"api/seats/{token}/act", {"decision": decision, "action": action})
    before = request(address, f"api/seats/{token}")
    command.kill(SIGNALS[name])
    assert command.wait() == (-9 if name == "KILL" else 0), command.stderr
    assert name == "KILL" or command.stderr.splitlines()[-1] == "ended: all tables are kept"
    command, address = served(run, tmp_path / "tables.sqlite3")
    after = request(address, f"api/seats/{token}")
    command.kill(signal.SIGTERM)
    assert command.wait() == 0 and after == before and len(after["log"]) > 5


SENTENCE = "ginkgo: cannot write to standard output: "


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize("arguments", [["games"], ["--help"]], ids=" ".join)
def test_standard_output_that_is_full_or_closed(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ginkgo_env", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, SENTENCE + "No space left on device\n")
    command = f"exec {sys.executable} -m ginkgo_env {' '.join(arguments)} >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, SENTENCE + "it is closed\n")


@pytest.mark.parametrize(
    "arguments",
    [["replay"], ["draw"], ["analyze"], ["evaluate"], ["train", "curves"], ["train", "ppo", "--rollouts", "1", "--settings"]],
    ids=" ".join,
)
def test_a_fifo_is_refused_at_once(arguments: list[str], tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from ginkgo_env.cli.app import app

    fifo = tmp_path / ("x.npz" if arguments == ["evaluate"] else "x.jsonl")
    os.mkfifo(fifo)
    out = ["--out", str(tmp_path / "x.svg")] if arguments == ["draw"] else []
    result = CliRunner().invoke(app, [*arguments, str(fifo), *out], env={"COLUMNS": "200"})
    assert result.exit_code == 2 and "regular file" in result.output, result.output


def test_what_a_killed_leaderboard_left_is_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as ended:
        pass
    used = [tmp_path / f".leaderboard-{os.getppid()}-abcdefg_", tmp_path / "leaderboard-1-abcdefgh", tmp_path / ".leaderboard-x"]
    abandoned = [
        tmp_path / f".leaderboard-{number}abcdefg{k}" for k, number in enumerate((f"{ended.pid}-", f"{os.getpid()}-", ""))
    ]
    for folder in (*used, *abandoned):
        folder.mkdir()
        (folder / "file").write_text("x")
    remove_abandoned(tmp_path, _ABANDONED)
    assert sorted(tmp_path.iterdir()) == sorted(used)


def test_checkpoints_do_not_depend_on_when_they_are_made(trial_game: str) -> None:
    """A checkpoint changes nothing and uses no random numbers."""
    from ginkgo_env.registry import make_game
    from ginkgo_training.lookahead import LookaheadTrainer
    from ginkgo_training.settings import LookaheadSettings

    one, other = (
        LookaheadTrainer(make_game(trial_game), LookaheadSettings(games=4, n_steps=4, batch_size=16, hidden=4), 3)
        for _ in range(2)
    )
    for k in range(4):
        for trainer in (one, other):
            trainer.training_step(1 - k / 4)
        for _ in range(k):
            one.checkpoint(training=True)
    arrays = [trainer.checkpoint(training=True).arrays for trainer in (one, other)]
    assert all(np.array_equal(array, arrays[1][name]) for name, array in arrays[0].items())
