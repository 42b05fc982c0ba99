"""Signals at any moment: runs of training lose nothing, and all commands end as after Ctrl-C."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.agents.checkpoints import read_checkpoint
from ginkgo_env.core.files import remove_abandoned

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
ROLLOUTS = 12
# As the command, with a line on stdout when training begins.
CODE = """
import sys
from ginkgo_env.cli import main
from ginkgo_training import runs
train = runs._train
def begun(*arguments):
    print("begun", flush=True)
    return train(*arguments)
runs._train = begun
sys.argv[0] = "ginkgo"
main()
"""


def defaults() -> None:
    """Signals as a terminal would leave them: in the background of a shell Ctrl-C is ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def ginkgo(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CODE, *map(str, arguments)]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, preexec_fn=defaults, **(pipes | more))  # noqa: PLW1509 (no threads here)


def new_run(kind: str, game: str, folder: Path) -> list[object]:
    settings = [f"--settings={setting}" for setting in SETTINGS[kind]]
    options = ["--game", game, "--rollouts", ROLLOUTS, "--against", "random", "--evaluate-games", 2, "--evaluate-every", 2]
    return ["train", "lookahead" if kind == "shards" else kind, *options, *settings, "--out", folder]


def resumed(kind: str, folder: Path) -> list[object]:
    return ["train", "lookahead" if kind == "shards" else kind, "--resume", folder]


def interrupted(command: list[object], number: int, seconds: float, twice: bool) -> int:
    """Run a command, send a signal some time after training began, and return the exit status."""
    with ginkgo(*command) as process:
        assert process.stdout is not None
        if process.stdout.readline() == "begun\n":
            time.sleep(seconds)
            for _ in range(1 + twice):
                process.send_signal(number)
                time.sleep(0.005)
        _, errors = process.communicate(timeout=300)
    assert "Traceback" not in errors, errors
    assert process.returncode in (0, -9) if number == signal.SIGKILL else process.returncode in (0, 128 + number), errors
    return process.returncode


def finish(command: list[object]) -> None:
    with ginkgo(*command) as process:
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors


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


CASES = [(kind, name, k) for kind in SETTINGS for name in SIGNALS for k in range(2)]


@pytest.mark.parametrize("case", by_tier(CASES, [("lookahead", "TERM", 0)]), ids=str)
def test_a_run_that_is_interrupted_again_and_again(
    case: tuple[str, str, int], trial_game: str, unbroken: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    kind, name, k = case
    if kind not in unbroken:
        unbroken[kind] = tmp_path_factory.mktemp(kind) / "whole"
        finish(new_run(kind, trial_game, unbroken[kind]))
    rng = random.Random(f"{kind} {name} {k}")
    folder = tmp_path_factory.mktemp("cut") / "run"
    command = new_run(kind, trial_game, folder)
    for _ in range(2):
        if interrupted(command, SIGNALS[name], rng.random() * 0.6, twice=bool(k)) == 0:
            break
        if (folder / CHECKPOINT).exists():
            command = resumed(kind, folder)
    else:
        finish(command)
    require_equal(folder, unbroken[kind])


def test_a_folder_of_something_else_is_left_alone(trial_game: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    finish(new_run("lookahead", trial_game, folder))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for command in (new_run("ppo", trial_game, folder), resumed("ppo", folder)):
        with ginkgo(*command) as process:
            _, errors = process.communicate(timeout=300)
        assert process.returncode == 2 and "Traceback" not in errors, errors
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    with ginkgo(*new_run("lookahead", trial_game, other)) as process:
        _, errors = process.communicate(timeout=300)
    assert process.returncode == 2 and "is not empty (notes.txt)" in errors
    assert [path.name for path in other.iterdir()] == ["notes.txt"]


def test_a_full_disk_is_one_sentence(trial_game: str, tmp_path: Path) -> None:
    """From the first evaluation on, files longer than some kilobytes cannot be written."""
    pytest.importorskip("resource")
    limit = """
import resource
from ginkgo_training import runs
evaluate = runs._RunFiles.evaluate
def limited(files):
    resource.setrlimit(resource.RLIMIT_FSIZE, (3_000, resource.RLIM_INFINITY))
    return evaluate(files)
runs._RunFiles.evaluate = limited
"""
    folder = tmp_path / "run"
    command = [sys.executable, "-c", limit + CODE, *map(str, new_run("lookahead", trial_game, folder))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.splitlines()[-1]
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert last.endswith(f"the last checkpoint is {folder / CHECKPOINT}, after 2 rollouts") and "File too large" in last, last
    assert read_checkpoint(folder / CHECKPOINT).about["rollouts"] == 2


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
