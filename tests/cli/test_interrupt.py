"""Ctrl-C, whenever it comes: one line, exit status 130, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ginkgo_env.cli import INTERRUPTED, app
from ginkgo_env.cli.app import LazyGroup

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
TWO = Path(__file__).parent.parent / "golden" / "two_players.jsonl"

# Ctrl-C at the moment when a module is first imported. Some of these swallow exceptions, or make others of them.
AT_IMPORT = """
import os, signal, sys
wanted, sys.argv = sys.argv[1], ["ginkgo", *sys.argv[2:]]

class Watch:
    def find_spec(self, name, path=None, target=None):
        if name == wanted:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Watch())
from ginkgo_env.cli import main
main()
"""
# A shell starts what runs in its background with Ctrl-C ignored, and so do these tests what they start, unless they say so.
HEARD = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
LATER = "import sys; from ginkgo_env.cli import main; print('ready', flush=True); sys.argv[0] = 'ginkgo'; main()"


IMPORTED = [
    *((module, "--help") for module in ("ginkgo_env.cli.app", "typer", "typer.core", "rich.text")),
    *((module, "games") for module in ("rich.table", "numpy", "numpy.linalg", "numba", "numba.core.types", "llvmlite.binding")),
    *((module, "replay") for module in ("ginkgo_env.records", "ginkgo_env.games.ginkgopolis.game", "ginkgo_env.core.batch")),
    *((module, "leaderboard") for module in ("ginkgo_agents.commands", "ginkgo_agents.evaluation.matches", "rich.progress")),
]


@pytest.mark.full
@pytest.mark.parametrize("imported", IMPORTED, ids="-".join)
def test_while_importing(imported: tuple[str, str]) -> None:
    module, command = imported
    arguments = [str(TWO)] if command == "replay" else []
    done = subprocess.run(
        [sys.executable, "-c", AT_IMPORT, module, command, *arguments], capture_output=True, text=True, check=False, **HEARD
    )
    assert (done.returncode, done.stdout, done.stderr) == (INTERRUPTED, "", "interrupted\n")


@pytest.mark.full
@pytest.mark.parametrize(
    "command", [["--help"], ["games"], ["replay", str(TWO)], ["leaderboard", "--games", "1000000"]], ids=" ".join
)
@pytest.mark.parametrize("seconds", [0.02, 0.6, 2.0])
def test_after_some_time(seconds: float, command: list[str]) -> None:
    """From the moment when the command line has been reached; what is quicker may have finished."""
    process = subprocess.Popen(
        [sys.executable, "-c", LATER, *command],
        **HEARD,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    try:
        stdout, stderr = process.communicate()
    finally:
        process.kill()
    assert "Traceback" not in stdout + stderr and "Exception" not in stderr, stderr
    assert process.returncode in (0, INTERRUPTED), (process.returncode, stderr)
    if command[0] == "leaderboard":
        assert process.returncode == INTERRUPTED
    if process.returncode == INTERRUPTED:
        assert stderr.splitlines()[-1].startswith("interrupted")


def test_too_late() -> None:
    """While Python shuts down, all is done and printed."""
    code = """
import atexit, os, subprocess
flood = ["sh", "-c", f"while kill -INT {os.getpid()}; do :; done"]
atexit.register(subprocess.Popen, flood, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
"""
    done = subprocess.run([sys.executable, "-c", code + LATER, "--version"], capture_output=True, text=True, check=False, **HEARD)
    assert (done.returncode, done.stderr) == (0, "") and "ginkgo_env" in done.stdout


def test_python_dash_m() -> None:
    done = subprocess.run([sys.executable, "-m", "ginkgo_env", "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("ginkgo_env ")


@pytest.mark.full
def test_ctrl_c_stays_ignored_where_it_was() -> None:
    """As in the background of a shell."""
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + AT_IMPORT
    done = subprocess.run([sys.executable, "-c", code, "rich.table", "games"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "ginkgopolis" in done.stdout


@pytest.mark.parametrize("where", ["get_command", "make_context", "invoke"])
def test_between_the_places_that_look_out_for_it(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a command is made, and where Typer itself would end without a word."""

    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    if where == "get_command":
        monkeypatch.setattr(app, "app", interrupted)
    else:
        monkeypatch.setattr(LazyGroup, where, interrupted)
    monkeypatch.setattr(sys, "argv", ["ginkgo", "games"])
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert (ended.value.code, capsys.readouterr().err) == (INTERRUPTED, "interrupted\n")
