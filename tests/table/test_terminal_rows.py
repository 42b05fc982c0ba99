"""The terminal with few rows, empty lines, words that agree with their number, agents that fail, and Ctrl-C during a hint."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.core.language import speaking
from ginkgo_table import LiveGame, SeatAssignment
from ginkgo_table.terminal.app import Terminal
from ginkgo_table.terminal.formatting import by_importance, folded, sections_of
from ginkgo_table.terminal.screen import Screen
from ginkgo_table.terminal.seating import Autosave
from ginkgo_table.terminal.translator import TextBlock, TextKind, Translator

from ..tiers import by_tier
from .served import FailingAgent
from .test_terminal_command import APP, Typist, pty
from .typing_persons import make_terminal, played, text

ROWS, WIDTH = 24, 80
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("ginkgopolis", {"players": 2}),
    ("ginkgopolis", {"players": 1}),
    ("ginkgopolis", {"players": 5, "modules": "all"}),
    ("golden_city", {"players": 2}),
    ("golden_city", {"players": 4}),
    ("my_city", {"players": 2}),
    ("my_city", {"players": 4}),
]


def with_rows(name: str, options: dict[str, Any], rows: int | None = ROWS) -> Terminal:
    terminal = make_terminal(name, options)
    terminal.height = rows
    return terminal


def tables(terminal: Terminal, line: str = "table") -> list[str]:
    return [block.text for block in terminal.respond(line) if isinstance(block, TextBlock) and block.kind is TextKind.TABLE]


@pytest.mark.parametrize("chosen", by_tier(TABLES, TABLES[:1]))
def test_the_table_fits_24_rows_in_whole_games(chosen: tuple[str, dict[str, Any]]) -> None:
    name, options = chosen
    terminal, has_folded = with_rows(name, options), False
    for k, _ in enumerate(played(terminal, random.Random(1))):
        if terminal.is_finished or terminal.prompt != terminal._name or k % 5:
            continue
        (shown,) = tables(terminal)
        game, state = terminal.live.game, terminal.live.state
        parts = game.describe(state, 0, terminal.live.names, width=WIDTH), game.presenter.text_map(state, WIDTH)
        whole = "\n\n".join(filter(None, parts))
        lines = shown.split("\n")
        assert len(lines) < ROWS and max(map(len, lines)) <= max(WIDTH, *map(len, whole.split("\n")))
        has_folded |= shown != whole
        assert tables(terminal, "table all") == [whole]
        for number, section in enumerate(sections_of(whole), 1):
            assert tables(terminal, f"table {number}") == ["\n".join(section)]
            assert any(line.startswith(section[0][:20]) for line in lines)
    assert has_folded


@pytest.mark.full
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("chosen", [TABLES[0], TABLES[5]])
def test_the_board_and_what_the_seat_has_stay_in_sight(chosen: tuple[str, dict[str, Any]], language: str) -> None:
    name, options = chosen
    terminal = make_terminal(name, options, language=language)
    terminal.height = ROWS
    for _ in played(terminal, random.Random(1), most=30):
        if terminal.is_finished or terminal.prompt != terminal._name:
            continue
        shown = tables(terminal, "table" if language == "en" else "tisch")[0].split("\n")
        english, whole = (sections_of(terminal._description(one)) for one in ("en", language))
        assert len(english) == len(whole)
        board = 1 if name == "ginkgopolis" else next(k for k, lines in enumerate(english) if "points" in lines[0])
        if name != "ginkgopolis" or len(whole[1]) <= 15:
            assert set(whole[board][:18]) <= set(shown)
        if name == "ginkgopolis":
            own = next(k for k, lines in enumerate(english) if "only a sees" in lines[0])
            assert any(whole[own][0][:40] in line for line in shown)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_building_to_place_is_shown_above_the_choices(language: str) -> None:
    """My City's shape in full, whatever is folded; a pipe has it in the table alone."""
    terminal = make_terminal("my_city", {"players": 2}, language=language)
    for _ in played(terminal, random.Random(1), most=6):
        state, names = terminal.live.state, terminal.live.names
        shape = "\n".join(sections_of(terminal.live.game.describe(state, 0, names, width=WIDTH))[1])
        assert re.match(" +N [ @]", shape) or terminal.live.is_over
        for height, is_shown in ((ROWS, True), (60, True), (None, False)):
            terminal.height = height
            question = list(terminal._question())
            assert (shape in [block.text for block in question if isinstance(block, TextBlock)]) == is_shown
            assert height is None or text(iter(question)).count("\n") < ROWS - 8


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_map_of_the_golden_city_is_shown_in_full(language: str) -> None:
    terminal = make_terminal("golden_city", {"players": 4}, language=language)
    terminal.height = ROWS
    for _ in played(terminal, random.Random(1), most=6):
        with speaking(language):
            drawn = terminal.live.game.presenter.text_map(terminal.live.state, WIDTH)
        table = tables(terminal, "table" if language == "en" else "tisch")[0]
        assert drawn in table and drawn.count("\n") == 14 and table.count("\n") < ROWS


def test_what_fits_is_not_folded() -> None:
    note = "{}: {}".format
    assert folded("a\n\nb\nc", 4, 0, (), note, 80) == "a\n\nb\nc"
    whole = "a\n\nb\nc\n\nd\ne"
    assert by_importance(whole, ()) == [1, 2] and by_importance(whole, ("d",)) == [2, 1]
    assert folded(whole, 4, 0, [1, 2], note, 80) == "a\nb\nc\nd 3: 1"
    assert folded(whole, 4, 0, [2, 1], note, 80) == "a\nb 2: 1\nd\ne"
    assert folded(whole, 9, 6, [1, 2], note, 80) == "a\nb\nc\nd 3: 1"  # the most important section is worth more
    assert folded("a\n\n" + "b" * 90 + "\nc", 2, 0, [1], note, 80).split("\n")[1] == "b" * 75 + " 2: 1"


def test_without_a_terminal_nothing_is_folded() -> None:
    terminal = with_rows("golden_city", {"players": 4}, None)
    list(terminal.start())
    assert tables(terminal) == tables(terminal, "table all")


def test_an_empty_line_repeats_the_question() -> None:
    terminal = make_terminal("my_city", {"players": 2})
    text(terminal.start())
    asked = text(terminal._question())
    assert text(terminal.respond("")) == text(terminal.respond("  ")) == asked and "Commands" not in asked


def test_words_agree_with_their_number() -> None:
    terminal = make_terminal("ginkgopolis", {"players": 3})
    shown = text(terminal.start())
    for _ in range(2):
        list(terminal.respond("1"))
        shown += text(terminal.respond("table"))
    assert "1 character, secret" in shown and "1 characters" not in shown
    n = len(terminal._selection.actions)
    assert n > 1 and f"{n} actions are possible, in notation:" in text(terminal.respond("moves"))


def test_an_agent_that_fails_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.jsonl"
    monkeypatch.setattr(FailingAgent, "act", lambda *_: 1 / 0)
    arguments = ["my_city", "--agent", "tests.table.served:FailingAgent", "--seed", "4", "--out", str(file)]
    result = CliRunner().invoke(APP, ["play", *arguments], input="pass\n" * 9, env={"COLUMNS": "80"})
    said = " ".join(result.stdout.split())
    assert result.exit_code == 1 and "has failed: ZeroDivisionError: division by zero" in said, result.output
    assert "Traceback" not in result.output and f"--resume {file}" in said
    assert ginkgo_env.Record.read(file).result is None


def test_ctrl_c_cancels_a_hint_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    terminal = make_terminal("my_city", {"players": 2})
    text(terminal.start())
    monkeypatch.setattr("ginkgo_table.terminal.app.hint", interrupted)
    assert text(terminal.respond("hint")) == "The hint was cancelled." and not terminal.is_finished
    actions = len(terminal.live.actions)
    text(terminal.respond(terminal._selection.actions[0].text))
    text(terminal.respond(""))
    assert len(terminal.live.actions) > actions


class PatientAgent(FailingAgent):
    """Takes its time."""

    def act(self, turn: Any) -> Any:
        import time

        time.sleep(60)


@pty
@pytest.mark.full
def test_a_terminal_of_24_rows_and_ctrl_c_during_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    typist = Typist("xterm", "my_city", "--agent", "random", "--seed", 4)
    typist.until("Player> ")
    typist.type("table\n")
    assert typist.until("Player> ").count("\n") <= ROWS
    typist.type("hint tests.table.test_terminal_rows:PatientAgent\n")
    typist.until("is thinking")
    typist.ctrl_c()
    assert "The hint was cancelled." in typist.until("Player> ")
    typist.type("quit\n")
    typist.until("y/n> ")
    typist.type("y\n")
    assert typist.end() == 0


def test_a_screen_without_a_terminal_has_no_height() -> None:
    assert Screen(ginkgo_env.make_game("my_city")).height is None


def test_a_failure_of_an_agent_is_kept_in_no_file_without_one() -> None:
    game = ginkgo_env.make_game("my_city", players=2)
    live = LiveGame(game, 4, [SeatAssignment("Ann"), SeatAssignment("Rob", "rob")], agent_factory=lambda *_: FailingAgent())
    terminal = Terminal(live, Translator("de", game), Autosave())
    shown = text(terminal.start())
    while not terminal.is_finished:
        shown = text(terminal.respond("#1" if terminal._unconfirmed is None else ""))
    assert "Rob, gespielt vom Agenten rob, ist ausgefallen: RuntimeError: broken" in shown
