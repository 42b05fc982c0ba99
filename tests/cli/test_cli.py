"""The command line: what it prints, what it refuses, how fast it answers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.cli import app as module
from ginkgo_env.cli.app import app

GOLDEN = Path(__file__).parent.parent / "golden"
TWO, SOLO = GOLDEN / "two_players.jsonl", GOLDEN / "solo_advanced.jsonl"


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def said(result: Any) -> str:
    """Output without the frames and line breaks of rich."""
    return re.sub(r"[\s│─╭╮╰╯]+", " ", re.sub(r"\x1b\[[0-9;]*m", "", result.output))


# --- commands --------------------------------------------------------------------------------------------------------------


def test_version() -> None:
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"ginkgo_env {ginkgo_env.__version__}\n")


def test_help_lists_all_commands() -> None:
    result = run("--help")
    assert result.exit_code == 0
    for word in ("games", "replay", "bench", "leaderboard"):
        assert word in said(result)


def test_games() -> None:
    result = run("games")
    assert result.exit_code == 0
    for word in ("ginkgopolis-v", "players=5", "323", "uint8", "players=5 modules=all", "keep_card"):
        assert word in said(result)


@pytest.mark.parametrize("columns", [80, 100])
def test_games_fit_on_a_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("games").output.splitlines()
    assert max(map(len, lines)) <= columns
    (row,) = [line for line in lines if "modules=all hand_size=5" in line]
    assert "players=3" in row and "616" in row  # on one line
    for name, text in ginkgo_env.registry.game_class("ginkgopolis").modules.items():
        (row,) = [line for line in lines if f" {name} " in line]
        assert text in row


def test_replay_tells_the_golden_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    result = run("replay", TWO)
    assert result.exit_code == 0
    rule = "-" * 100
    assert result.stdout.replace("-" * 140, rule) == (GOLDEN / "two_players.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", ["two_players", "solo_advanced", "three_players_expansion"])
@pytest.mark.parametrize(
    ("columns", "width"),
    [("60", 60), pytest.param("80", 80, marks=pytest.mark.full), pytest.param("120", 120, marks=pytest.mark.full), (None, 80)],
)
def test_replay_fits_on_a_terminal(golden: str, columns: str | None, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words at every width (parts of a map repeat numbers); at 60 columns only rows of numbers are wider."""
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    result = run("replay", GOLDEN / f"{golden}.jsonl")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    wider = [line for line in lines if len(line) > width and not re.match(r"   player  SP|     points", line)]
    assert not wider or width == 60
    assert "-" * width in lines and "-" * (width + 1) not in lines
    told = (GOLDEN / f"{golden}.txt").read_text(encoding="utf-8")
    words = [sorted(re.findall(r"[^\W\d]\S*", text)) for text in (result.stdout, told)]
    assert words[0] == words[1]


@pytest.mark.full
def test_wide_cities_are_shown_in_parts() -> None:
    game = ginkgo_env.make_game(players=5)
    batch = ginkgo_env.Batch(game, 8)
    batch.reset(seed=2)
    for _ in range(300):
        batch.step(batch.sample())
    for row in range(8):
        state = batch.state(row)
        for width in (40, 60, 80, 200):
            text = game.describe(state, width=width)
            assert all(len(line) <= width for line in text.splitlines() if "New Hands" not in line), (row, width)
            for name in re.findall(r"[RBY]\d+·\d+\w?\*?", game.describe(state, width=200)):
                assert text.count(name) == game.describe(state, width=200).count(name)


def test_replay_of_a_game_with_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    game = ginkgo_env.make_game("ginkgopolis", players=3, max_rounds=1, modules=["events", "keep_card"], hand_size=5)
    batch, actions = ginkgo_env.Batch(game, 1), list[int]()
    batch.reset(seed=[0])
    while not batch.over.all():
        actions.append(int(batch.sample()[0]))
        batch.step([actions[-1]])
    record = ginkgo_env.Record.from_actions(game, 0, actions, ["ann", "bob", "cid"])
    (tmp_path / "game.jsonl").write_text(record.dumps(), encoding="utf-8")
    result = run("replay", tmp_path / "game.jsonl")
    assert result.exit_code == 0, result.output
    assert re.match(r"Ginkgopolis: players 3, .*max_rounds 1, modules events,keep_card, hand_size 5, seed 0\n", result.stdout)


def test_replay_of_some_rounds() -> None:
    result = run("replay", TWO, "--from", "3", "--to", "4")
    assert result.exit_code == 0
    assert [int(n) for n in re.findall(r"^Round (\d+) ·", result.output, re.MULTILINE)] == [3, 4]
    assert "Draft" not in result.output


def test_replay_as_a_seat() -> None:
    result = run("replay", TWO, "--seat", "1")
    assert result.exit_code == 0
    assert "as seen by bob" in result.output
    assert "seed" not in result.output
    assert "only a sees" not in result.output
    assert "ann has chosen" in result.output
    assert not re.search(r"ann(:| draws) [RBY]\d", result.output)


def test_replay_with_steps_does_not_wait_in_a_pipe() -> None:
    result = run("replay", TWO, "--step", "--to", "2")
    assert result.exit_code == 0
    assert result.output.count("R7·3b*") > 6 + 2  # a table after each draft pick and the rest


def test_steps_end_with_q(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "", "q"])
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    assert [module._quits() for _ in range(3)] == [False, False, True]

    def closed(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", closed)
    assert module._quits()


# --- errors ----------------------------------------------------------------------------------------------------------------


def refused(result: Any, *words: str) -> None:
    """One line on stderr, exit code 2, no traceback."""
    assert result.exit_code == 2
    assert result.stderr.startswith("ginkgo: ")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


def test_bad_files(tmp_path: Path) -> None:
    (tmp_path / "no.jsonl").write_text("hello\n")
    lines = TWO.read_text(encoding="utf-8").split("\n")
    (tmp_path / "lie.jsonl").write_text("\n".join([*lines[:12], lines[12].replace('"seat": ', '"seat": 1'), *lines[13:]]))
    (tmp_path / "short.jsonl").write_text("\n".join(lines[:20]))
    refused(run("replay", tmp_path / "missing.jsonl"), "cannot read", "No such file")
    refused(run("replay", tmp_path), "cannot read")
    refused(run("replay", tmp_path / "no.jsonl"), "line 1", "invalid JSON")
    refused(run("replay", tmp_path / "lie.jsonl"), "line 13", "decides here")
    refused(run("replay", tmp_path / "short.jsonl"), "is incomplete")
    refused(run("replay", TWO, "--seat", "2"), "seat")


ESCAPES = "\x1b]0;owned\x07\x9b2J\r\x08\u202e"


def harmless(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def test_no_control_characters_reach_the_terminal(tmp_path: Path) -> None:
    """Whatever stands in a file, and whatever its name is: in keys, in values, as JSON escapes and raw."""
    lines = [json.loads(line) for line in TWO.read_text(encoding="utf-8").splitlines()]
    changed = [lines[:1] + [{ESCAPES: 1}] + lines[1:], [{ESCAPES: 1}], [lines[0], {"result": {ESCAPES: 1}}]]
    changed += [[lines[0] | {key: ESCAPES}, *lines[1:]] for key in lines[0]]
    options = [{ESCAPES: 1}, {"modules": [ESCAPES]}, {"modules": {ESCAPES: 1}}, *({key: ESCAPES} for key in lines[0]["config"])]
    changed += [[lines[0] | {"config": lines[0]["config"] | option}, *lines[1:]] for option in options]
    changed.append([lines[0] | {"players": ["ann", ESCAPES]}, *lines[1:]])
    for n in (*range(1, 12), len(lines) - 1):
        odd = [lines[n] | {key: value} for key in lines[n] for value in (ESCAPES, [ESCAPES])]
        changed += [[*lines[:n], line, *lines[n + 1 :]] for line in odd]
    result = lines[-1]["result"]
    changed += [[*lines[:-1], {"result": result | {key: ESCAPES}}] for key in result]
    for ascii_only in (True, False):
        for record in changed if ascii_only else changed[::4]:
            text = "".join(json.dumps(line, ensure_ascii=ascii_only) + "\n" for line in record)
            (tmp_path / "bad.jsonl").write_text(text, encoding="utf-8", newline="")
            said = run("replay", tmp_path / "bad.jsonl", "--to", "0")
            refused(said)
            assert harmless(said.stdout) and harmless(said.stderr)
    (tmp_path / "bytes").write_bytes(b"\x1b]0;owned\x07\xff\n")
    (tmp_path / "text").write_bytes(b"\x1b]0;owned\x07\n")
    for path in (tmp_path / "bytes", tmp_path / "text", tmp_path / ESCAPES):
        said = run("replay", path)
        refused(said)
        assert harmless(said.stderr)


def test_unknown_command() -> None:
    result = run("replya")
    assert result.exit_code == 2
    assert "replay" in said(result)


def test_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ginkgo_env.records.Record, "read", interrupted)
    result = run("replay", TWO)
    assert result.exit_code == INTERRUPTED
    assert (result.stdout, result.stderr) == ("", "interrupted\n")

    monkeypatch.setattr(module, "app", interrupted)
    with pytest.raises(SystemExit) as caught:
        module.main()
    assert caught.value.code == INTERRUPTED


# --- commands of other packages --------------------------------------------------------------------------------------------


def greet(name: Annotated[str, typer.Argument()], loud: bool = False) -> None:
    """Greet somebody."""
    if name == "nobody":
        raise ginkgo_env.GinkgoError("nobody is there")
    typer.echo(f"hello {name}{'!' if loud else ''}")


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("greet", "greeting.cli:greet", module.GROUP),
        EntryPoint("broken", "no_such_package_at_all.cli:run", module.GROUP),
        EntryPoint("games", "no_such_package_at_all.cli:games", module.GROUP),
    ]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    monkeypatch.setattr(EntryPoint, "load", _load)


def _load(point: EntryPoint) -> Any:
    if point.name == "greet":
        return greet
    raise ModuleNotFoundError("No module named 'no_such_package_at_all'")


@pytest.mark.usefixtures("plugins")
def test_commands_of_other_packages() -> None:
    assert run("greet", "ann", "--loud").output == "hello ann!\n"
    assert "Greet somebody" in said(run("greet", "--help"))
    refused(run("greet", "nobody"), "nobody is there")
    assert run("games").exit_code == 0  # cannot be taken over


@pytest.mark.usefixtures("plugins")
def test_commands_that_cannot_be_imported() -> None:
    assert "broken" in said(run("--help"))
    refused(run("broken"), "'broken' cannot be loaded", "no_such_package_at_all")


def test_summaries_come_from_docstrings_that_are_not_imported() -> None:
    points = [point for point in entry_points(group=module.GROUP) if point.value.startswith("ginkgo_")]
    assert {"analyze", "leaderboard", "play", "table"} <= {point.name for point in points}
    for point in [*points, *module.OWN]:
        function = point.load()
        if not isinstance(function, typer.Typer):
            assert module.summary(point) == function.__doc__.splitlines()[0]
    assert module.summary(EntryPoint("play", "other_games.cli:play", module.GROUP)) == "From other_games; see ginkgo play --help."
    gone = EntryPoint("more", "ginkgo_agents.no_module:more", module.GROUP)
    assert module.summary(gone) == "From ginkgo_agents; see ginkgo more --help."


def test_every_command_of_this_distribution_has_a_summary() -> None:
    for point in [*entry_points(group=module.GROUP), *module.OWN]:
        if point.value.startswith("ginkgo_"):
            assert not module.summary(point).startswith("From "), point


# --- processes -------------------------------------------------------------------------------------------------------------


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['ginkgo', '--help']\n"
        "from ginkgo_env.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy', 'numba', 'gymnasium', 'ginkgo_agents') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_as_a_process(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from ginkgo_env.cli import main; main()", "replay"]
    good = subprocess.run([*command, str(SOLO), "--to", "1"], capture_output=True, check=False)
    assert good.returncode == 0
    assert good.stdout.decode().startswith("Ginkgopolis: players 1")
    (tmp_path / "bad").write_text("{}")
    bad = subprocess.run([*command, str(tmp_path / "bad")], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == "ginkgo: line 1: not a game record: expected format 'ginkgo-record', got null\n"
