"""``ginkgo play`` as a command: scripts from a pipe, files, errors, Ctrl-C, and a real terminal."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli.app import LazyGroup
from ginkgo_env.core.errors import GinkgoError
from ginkgo_table import LiveGame, SeatAssignment
from ginkgo_table.terminal.command import play
from ginkgo_table.terminal.screen import Screen

from ..tiers import by_tier
from .typing_persons import GAMES, make_terminal, played

APP = typer.Typer(cls=LazyGroup)
APP.callback()(lambda: None)
APP.command("play")(play)
MAIN = "import sys, typer; from ginkgo_env.cli.app import LazyGroup; from ginkgo_table.terminal.command import play\n"
MAIN += "app = typer.Typer(cls=LazyGroup); app.callback()(lambda: None); app.command('play')(play); app()"


def run(*arguments: object, lines: str = "") -> Any:
    return CliRunner().invoke(APP, ["play", *map(str, arguments)], input=lines, env={"COLUMNS": "80"})


def quick(*arguments: object, lines: str = "") -> Any:
    """A game that needs little to start."""
    return run("my_city", "--agent", "random", "--seed", 4, *arguments, lines=lines)


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[2:]))
def test_whole_games_from_a_pipe(chosen: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    name, options = chosen
    terminal, file = make_terminal(name, options), tmp_path / "game.jsonl"
    typed = "".join(f"{line}\n" for line, _ in list(played(terminal, random.Random(6)))[1:])
    settings = [text for key, value in options.items() for text in ("--set", f"{key}={value}")]
    result = run(name, *settings, "--agent", "random", "--seed", 4, "--name", "Ann0", "--out", file, lines=typed)
    assert result.exit_code == 0, result.output
    assert ginkgo_env.Record.read(file) == terminal.live.record()
    assert "\x1b" not in result.stdout and all(len(line) <= 80 or str(file) in line for line in result.stdout.splitlines())
    assert result.stdout.endswith(f"Watch it:\n  ginkgo replay {file} --html page.html\n")


@pytest.mark.full
def test_the_end_of_input_keeps_the_record_and_resume_goes_on(tmp_path: Path) -> None:
    file, other = tmp_path / "game.jsonl", tmp_path / "other.jsonl"
    result = quick("--out", file, lines="pass\n")
    assert result.exit_code == 0 and "End of input" in result.stdout and f"--resume {file}" in result.stdout
    record = ginkgo_env.Record.read(file)
    assert record.result is None and sum("action" in line for line in record.lines) == 2
    result = run("--resume", file, "--out", other, lines="pass\n")
    assert result.exit_code == 0, result.output
    again = ginkgo_env.Record.read(other)
    assert ginkgo_env.Record.read(file) == record and again.lines[: len(record.lines) - 1] == record.lines[:-1]
    assert len(again.lines) > len(record.lines)
    assert run("--resume", file, lines="pass\n").exit_code == 0
    assert ginkgo_env.Record.read(file) == again  # continued in place, by the same agent


@pytest.mark.parametrize("where", by_tier(["begin", "line"], ["begin"]))
def test_ctrl_c_keeps_the_record(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: object, *_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Screen, "read", interrupted) if where == "line" else monkeypatch.setattr(LiveGame, "legal", interrupted)
    file = tmp_path / "game.jsonl"
    result = quick("--out", file)
    assert result.exit_code == 130 and result.stderr == f"interrupted: the record is in {file}\n"
    assert ginkgo_env.Record.read(file).result is None
    assert quick().stderr == "interrupted\n"


def test_without_a_file_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert quick(lines="pass\nquit\ny\n").exit_code == 0 and not list(tmp_path.iterdir())


NO_GAME = (["nogame"], "nogame")
NO_FILE = (["--resume", "/no/such/file"], "cannot read")


@pytest.mark.parametrize(
    "case",
    by_tier(
        [
            NO_GAME,
            (["my_city", "--set", "players"], "--set requires KEY=VALUE, got 'players'"),
            (["my_city", "--set", "players=2,3"], "option 'players' takes a single value, got 2"),
            (["my_city", "--set", "rounds=2"], "has no option 'rounds'"),
            (["my_city", "--players", "9"], "players"),
            (["my_city", "--seat", "2"], "seat must be between 0 and 1 in My City, got 2"),
            (["my_city", "--agent", "nobody"], "unknown agent 'nobody'"),
            (["my_city", "--agent", "william"], "agent 'william' does not play my_city"),
            (["my_city", "--agent", "random", "--agent", "random"], "2 agents for 1 seat"),
            (["my_city", "--players", "1", "--agent", "random"], "1 agent for 0 seats"),
            (["my_city", "--agent", "random", "--name", "a" * 41], "players must be names of 1 to 40 printable characters"),
            (["my_city", "--agent", "random", "--seed", "-1"], "seed"),
            (["my_city", "--language", "xx"], "xx"),
            (["my_city", "--out", "/no/such/folder/x"], "there is no such folder"),
            (["my_city", "--resume", "x"], "leave out GAME"),
            (["--seed", "1", "--resume", "x"], "leave out GAME"),
            NO_FILE,
        ],
        (NO_GAME, NO_FILE),
    ),
)
def test_bad_input_is_one_line(case: tuple[list[str], str]) -> None:
    arguments, message = case
    result = run(*arguments)
    assert result.exit_code == 2 and message in result.stderr and result.stderr.count("\n") == 1, result.output


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.write_text("mine")
    result = quick("--out", file)
    assert result.exit_code == 2 and "already" in result.stderr and file.read_text() == "mine"


@pytest.mark.full
def test_a_finished_record_is_not_resumed(tmp_path: Path) -> None:
    live = LiveGame(ginkgo_env.make_game("my_city", players=2), 1, [SeatAssignment("a", "random"), SeatAssignment("b", "random")])
    while live.advance():
        pass
    live.record().write(tmp_path / "over")
    result = run("--resume", tmp_path / "over")
    assert result.exit_code == 2 and "is over: ginkgo replay shows it" in result.stderr


def test_agents_from_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ours_for_play.py").write_text("from ginkgo_agents.base import RandomAgent as Ours\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result = run("my_city", "--agent", "ours_for_play:Ours", lines="pass\n")
    assert result.exit_code == 0 and "computer player: ours_for_play:Ours" in result.stdout


def test_two_persons_in_a_pipe_are_kept_apart() -> None:
    result = run("ginkgopolis", "--players", 2, "--seat", 0, "--seat", 1, "--name", "Ann", "--name", "Bob", lines="\n1\n\n1\n")
    assert result.exit_code == 0, result.output
    parts = result.stdout.split("=" * 80)
    assert len(parts) == 4 and "a sees" not in parts[2] and "b sees" not in parts[1] and "Bob, press Enter" in parts[2]


@pytest.mark.full
def test_german_from_the_command_line() -> None:
    result = quick("--language", "de", lines="hilfe\nbeenden\nj\n")
    assert result.exit_code == 0 and "Befehle:" in result.stdout and "LazyGroup" not in result.stdout
    assert "Mensch" in result.stdout and "Das Spiel wurde nicht beendet." in result.stdout


@pytest.mark.full
def test_bytes_that_are_no_text_are_just_not_understood() -> None:
    result = CliRunner().invoke(APP, ["play", "my_city", "--agent", "random"], input=b"\xff\xfe\x00\npass\n")
    assert result.exit_code == 0 and "is not possible" in result.stdout


# --- a real terminal ---------------------------------------------------------------------------------------------------------

pty = pytest.mark.skipif(os.name != "posix", reason="pseudo terminals of POSIX")


class Typist:
    """A process at a pseudo terminal."""

    def __init__(self, kind: str, *arguments: object) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        env = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS", "LINES", "FORCE_COLOR")}
        command = [sys.executable, "-c", MAIN, "play", *map(str, arguments)]
        self.process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=env | {"TERM": kind},
            start_new_session=True,
            preexec_fn=lambda: (  # noqa: PLW1509  # no other threads run here
                signal.signal(signal.SIGINT, signal.default_int_handler),
                fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            ),
        )
        os.close(theirs)
        self.shown = ""

    def until(self, text: str, seconds: float = 100) -> str:
        """What is shown until this text comes."""
        import select

        fresh, end = "", time.monotonic() + seconds
        while text not in fresh:
            assert time.monotonic() < end, fresh
            if select.select([self.ours], [], [], 0.2)[0]:
                try:
                    fresh += os.read(self.ours, 65536).decode("utf-8", "replace")
                except OSError:  # the other end is closed
                    break
        self.shown += fresh
        assert text in fresh, fresh
        return fresh

    def type(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def ctrl_c(self) -> None:
        """Ctrl-C, once the process waits for a key.

        ``input`` does not see one that comes in the microseconds between its prompt and its wait until the next key (CPython's
        readline), which nobody at a terminal is quick enough for.
        """
        state = Path(f"/proc/{self.process.pid}/stat")
        if not state.exists():  # not Linux
            time.sleep(1)
        while state.exists() and state.read_text().rpartition(")")[2].split()[0] in "RD":
            time.sleep(0.01)
        self.type("\x03")

    def end(self) -> int:
        """The exit status."""
        try:
            return self.process.wait(100)
        finally:
            self.process.kill()
            os.close(self.ours)


@pty
@pytest.mark.full
@pytest.mark.parametrize("kind", ["xterm-256color", "dumb"])
def test_a_game_at_a_terminal(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    arguments = ["--players", 3, "--seat", 0, "--seat", 1, "--agent", "random", "--seed", 3, "--out", file]
    typist = Typist(kind, "ginkgopolis", *arguments)
    typist.until("Enter> ")
    typist.type("\n")
    typist.until("Player_0> ")
    typist.type("1\n")
    between = typist.until("Enter> ")
    assert ("\x1b[3J" in between) == (kind != "dumb") and (between.count("\n") > 24) == (kind == "dumb")
    typist.ctrl_c()
    typist.until(f"interrupted: the record is in {file}")
    assert typist.end() == 130
    assert ("\x1b" in typist.shown) == (kind != "dumb")
    lines = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in re.split(r"[\r\n]", typist.shown)]
    assert all(len(line) <= 80 or "interrupted" in line for line in lines)
    assert sum("action" in line for line in ginkgo_env.Record.read(file).lines) == 1


@pty
@pytest.mark.full
def test_the_end_of_input_at_a_terminal() -> None:
    typist = Typist("xterm", "my_city", "--agent", "random")
    typist.until("> ")
    typist.type("\x04")
    typist.until("End of input")
    assert typist.end() == 0


def test_a_record_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object, live: object) -> None:
        raise GinkgoError("cannot write: no space left")

    monkeypatch.setattr("ginkgo_table.terminal.seating.Autosave.save", full)
    result = quick("--out", tmp_path / "x", lines="pass\n")
    assert result.exit_code == 2 and "no space left" in result.stdout and "no space left" in result.stderr
