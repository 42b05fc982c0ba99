"""The conversation of ``ginkgo play``, without a terminal: whole games, what is refused, what a person may not see, German."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env import Batch
from ginkgo_env.core.errors import ConfigError, GinkgoError, RecordError
from ginkgo_table import LiveGame, SeatAssignment
from ginkgo_table.terminal.app import Terminal
from ginkgo_table.terminal.seating import Autosave, PlayerArguments, resume_command, resume_game
from ginkgo_table.terminal.translator import COMMANDS, TextBlock, TextKind, Translator
from ginkgo_table.view import scores_of

from ..tiers import by_tier
from .typing_persons import GAMES, make_terminal, played, text


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[:1]))
def test_whole_games_with_numbers_notation_and_picks(chosen: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    name, options = chosen
    file = tmp_path / "game.jsonl"
    terminal = make_terminal(name, options, autosave=Autosave(file))
    shown = [said for _, said in played(terminal, random.Random(1))]
    assert terminal.live.is_over and terminal.is_finished and not terminal.has_quit
    record = ginkgo_env.Record.read(file)
    assert record == terminal.live.record() and record.result is not None
    totals = [side["total"] for side in scores_of(terminal.live)]
    assert f"Total {totals[0]} {totals[1]}" in shown[-1] and f"ginkgo replay {file}" in shown[-1]
    winners = [record.names[side] for side in record.result["winners"]]
    assert all(re.search(rf"\b{winner}\b.*(wins|share)", shown[-1]) for winner in winners)
    told = [told.sentences for told in terminal.live.history(0)]
    everything = "\n".join(shown)
    assert all(sentence in everything for said in told for sentence in said)


def test_alone_against_william() -> None:
    terminal = make_terminal("ginkgopolis", {"players": 1})
    shown = "\n".join(said for _, said in played(terminal, random.Random(1)))
    assert terminal.live.is_over and "William (automaton)" in shown and "seat 1" not in shown


@pytest.mark.full
def test_a_game_of_another_package(trial_game: str) -> None:
    terminal = make_terminal(trial_game, {})
    for _ in played(terminal, random.Random(1)):
        pass
    assert terminal.live.is_over


# --- input that plays nothing ------------------------------------------------------------------------------------------------


def after_setup(name: str = "ginkgopolis", **options: Any) -> Terminal:
    """A person who has to decide among many actions."""
    terminal = make_terminal(name, options or {"players": 3})
    for _ in played(terminal, random.Random(2)):
        if len(terminal._selection.remaining) > 12 and terminal._selection.is_stepwise and terminal.prompt == terminal._name:
            return terminal
    raise AssertionError("no decision with many actions")


BAD = [
    "zz",
    "Y",
    "#0",
    "#999",
    "R1+",
    "+",
    "take:nothing",
    "\x1b[2J\x07",
    "é" * 5000,
    "1 2 3 4 5",
    "-1",
    "save /no/such/folder/x",
]


ASKING = ["?", "table", "moves", "log", "score", "hint nobody", "hint os:path", "u", "save", ""]


def test_what_plays_nothing_leaves_everything_as_it_was() -> None:
    terminal = after_setup()
    before = (terminal.live.state.tobytes(), list(terminal.live.actions), terminal._selection, terminal.prompt)
    for line in (*BAD, *ASKING):
        said = text(terminal.respond(line))
        assert said and len(said.splitlines()[0]) < 400, line
        assert all(character.isprintable() or character == "\n" for character in said), line
        assert (terminal.live.state.tobytes(), list(terminal.live.actions), terminal._selection, terminal.prompt) == before, line


def test_undo_takes_back_what_is_not_played() -> None:
    terminal = after_setup()
    fresh, actions = terminal._selection, list(terminal.live.actions)
    card = next(item for item in fresh.items if len(item.actions) > 1)
    assert card.pick is not None
    text(terminal.respond(card.pick[1]))
    picked = terminal._selection
    assert picked.picks == (card.pick,) and card.pick[1] in terminal.prompt
    text(terminal.respond("#2"))
    assert terminal._unconfirmed is not None and "Enter" in terminal.prompt
    assert "u takes it back" in text(terminal.respond("anything"))
    assert card.pick[1] not in text(terminal.respond("undo")) or terminal._selection == picked
    assert terminal._selection == picked and terminal._unconfirmed is None
    text(terminal.respond("u"))
    assert terminal._selection == fresh and terminal.live.actions == actions
    assert "nothing to take back" in text(terminal.respond("u"))


def test_a_beginning_is_confirmed_and_can_be_taken_back() -> None:
    terminal = after_setup()
    actions = list(terminal.live.actions)
    text(terminal.respond("new"))
    assert terminal._unconfirmed is not None and terminal._unconfirmed.text == "new-hand"
    text(terminal.respond("u"))
    assert terminal._unconfirmed is None and terminal.live.actions == actions


def test_help_names_every_command_and_moves_every_action() -> None:
    terminal = after_setup()
    helped, moves = text(terminal.respond("?")), text(terminal.respond("moves"))
    assert all(spelling in helped for name in COMMANDS for spelling in terminal.translate.spellings(name))
    legal = [terminal.live.game.action_text(terminal.live.state, action) for action in terminal.live.legal()]
    assert set(legal) <= set(moves.split())


def test_scores_are_explained() -> None:
    terminal = after_setup("my_city", players=2)
    said = text(terminal.respond("score"))
    totals = [str(side["total"]) for side in scores_of(terminal.live)]
    assert f"Total {' '.join(totals)}" in said
    notes = [note for key, note in terminal.live.game.presenter.texts.labels("en").items() if key.startswith("note:")]
    assert notes and all(note in said for note in notes)


def test_hints_are_the_agents_best_actions() -> None:
    terminal = after_setup("my_city", players=2)
    said = text(terminal.respond("hint random"))
    legal = [terminal.live.game.action_text(terminal.live.state, action) for action in terminal.live.legal()]
    rows = [line.split()[0] for line in said.splitlines() if re.match(r"\S+ \d+\.\d \(", line)]
    assert len(rows) == 5 and set(rows) <= set(legal) and "random" in said


# --- what a person may not see -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[:1]))
def test_nothing_shown_depends_on_what_the_seat_cannot_know(chosen: tuple[str, dict[str, Any]]) -> None:
    """What is dealt anew for a person changes nothing that can be asked for."""
    name, options = chosen
    terminal = make_terminal(name, options | {"players": 3}, persons=2, seed=11)
    game, live, changed = terminal.live.game, terminal.live, 0
    for k, _ in enumerate(played(terminal, random.Random(3))):
        if k % 3 or terminal._is_hidden or terminal.is_finished or terminal.prompt != terminal._name:
            continue
        seat, kept = terminal._actor, live.state
        before = everything(terminal)
        batch = Batch(game, 1)
        batch.set_states([0], kept)
        batch.resample(seat, seed=k)
        live._playback.continue_from(batch.state(0))
        assert everything(terminal) == before
        changed += live.state.tobytes() != kept.tobytes()
        live._playback.continue_from(kept)
    assert changed or not game.has_hidden_information


def everything(terminal: Terminal) -> str:
    """All that a person can ask for without playing, and the question itself."""
    asked = [text(terminal.respond(line)) for line in ("table", "moves", "log", "score", "?", "zz")]
    return "\n".join([*asked, text(terminal._start_decision()), terminal.prompt])


@pytest.mark.full
def test_several_persons_see_the_table_one_after_the_other() -> None:
    """From one person's last line to the next one's Enter nothing is shown but whose turn it is, whatever is typed."""
    terminal = make_terminal("ginkgopolis", {"players": 3}, persons=2)
    marks = 0
    for line, said in played(terminal, random.Random(5), most=60):
        if not terminal._is_hidden:
            assert line or f"only {'ab'[terminal._actor]} sees" in said or terminal._seat == terminal._actor
            continue
        name = terminal.live.names[terminal._actor]
        last = said.splitlines()[-1]
        assert last == f"The next decision is {name}'s. {name}, press Enter when nobody else looks."
        assert line == "" or said.splitlines() == [last]
        marks += 1
        for typed in ("table", "log", "moves", "score", "hint random", "?", "u", "1", "anything"):
            assert text(terminal.respond(typed)) == f"The table is hidden. Enter shows it to {name}; quit ends."
    assert marks > 10


def test_the_mark_between_persons_hides_what_came_before() -> None:
    terminal = make_terminal("ginkgopolis", {"players": 2}, persons=2)
    list(terminal.start())
    list(terminal.respond(""))
    pieces = list(terminal.respond("#1"))
    assert [piece.kind for piece in pieces if isinstance(piece, TextBlock)] == [TextKind.HIDE] and len(pieces) == 1
    shown = text(terminal.respond(""))
    assert "only b sees" in shown and "only a sees" not in shown


# --- quitting and going on ---------------------------------------------------------------------------------------------------


def test_quitting_asks_and_keeps_the_record(tmp_path: Path) -> None:
    terminal = after_setup()
    assert "not recorded" in text(terminal.respond("quit"))
    assert "goes on" in text(terminal.respond("no")) and not terminal.is_finished
    text(terminal.respond("quit"))
    file = tmp_path / "kept.jsonl"
    assert str(file) in text(terminal.respond(f"save {file}")) and not terminal.is_finished
    said = text(terminal.respond("yes"))
    assert terminal.has_quit and terminal.is_finished and f"--resume {file}" in said
    assert ginkgo_env.Record.read(file) == terminal.live.record()


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    terminal, file = after_setup(), tmp_path / "mine.txt"
    file.write_text("mine")
    assert "already" in text(terminal.respond(f"save {file}")) and file.read_text() == "mine"
    assert terminal.autosave.file is None and "Where to" in text(terminal.respond("save"))


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[2:]))
def test_a_game_that_was_quit_goes_on_to_the_same_end(chosen: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    name, options = chosen
    file = tmp_path / "a"
    whole, part = make_terminal(name, options), make_terminal(name, options, autosave=Autosave(file))
    for _ in played(whole, random.Random(7)):
        pass
    chance = random.Random(7)
    for k, _ in enumerate(played(part, chance)):
        if k > 12 and not part._selection.picks and part._unconfirmed is None:
            break
    text(part.respond("quit"))
    text(part.respond("y"))
    live = resume_game(file, PlayerArguments([0], [], []))
    assert live.actions == part.live.actions and live.seats == part.live.seats and live.seed == part.live.seed
    again = Terminal(live, Translator("en", live.game), Autosave(file))
    shown = [said for _, said in played(again, chance)]
    assert live.is_over and live.record() == whole.live.record() == ginkgo_env.Record.read(file)
    assert "Setup" not in shown[0].splitlines()  # what is known already is not told again
    with pytest.raises(RecordError, match="is over"):
        resume_game(file, PlayerArguments([0], [], []))


@pytest.mark.full
def test_who_goes_on_can_change(tmp_path: Path) -> None:
    file = tmp_path / "a"
    live = LiveGame(
        ginkgo_env.make_game("my_city", players=3),
        2,
        [SeatAssignment("Ann"), SeatAssignment("random", "random"), SeatAssignment("Cy", "greedy")],
    )
    live.record().write(file)
    assert [assignment.agent for assignment in resume_game(file, PlayerArguments([0], ["random"], [])).seats] == [
        None,
        "random",
        "random",
    ]
    found = resume_game(file, PlayerArguments([2, 1], ["greedy"], ["Eve"]))
    assert found.seats == (SeatAssignment("Ann", "greedy"), SeatAssignment("Player"), SeatAssignment("Eve"))
    known = resume_game(file, PlayerArguments([0], [], []))
    assert (
        known.seats[1] == SeatAssignment("random", "random") and known.seats[2].name == "Cy" and known.seats[2].agent is not None
    )


def test_the_command_to_go_on_has_the_same_persons_and_agents(tmp_path: Path) -> None:
    game, file = ginkgo_env.make_game("my_city", players=3), tmp_path / "my game"
    for seats, more in (
        ([SeatAssignment("Ann"), SeatAssignment("random", "random"), SeatAssignment("random", "random")], ""),
        ([SeatAssignment("random", "random"), SeatAssignment("Ann"), SeatAssignment("Eve")], " --seat 1 --seat 2"),
        (
            [SeatAssignment("Ann"), SeatAssignment("Bot", "random"), SeatAssignment("greedy", "greedy")],
            " --agent random --agent greedy",
        ),
    ):
        live = LiveGame(game, 1, seats)
        assert resume_command(file, live) == f"ginkgo play --resume '{file}'{more}"


@pytest.mark.parametrize(
    ("seats", "agents", "names"),
    [([3], [], []), ([-1], [], []), ([0], ["random"] * 3, []), ([0, 1, 2], ["random"], []), ([0], [], ["a", "b"])],
)
def test_seats_that_do_not_fit_are_refused(seats: list[int], agents: list[str], names: list[str], tmp_path: Path) -> None:
    file = tmp_path / "a"
    LiveGame(
        ginkgo_env.make_game("my_city", players=3), 2, [SeatAssignment("Ann"), SeatAssignment("b"), SeatAssignment("c")]
    ).record().write(file)
    with pytest.raises(ConfigError):
        resume_game(file, PlayerArguments(seats, agents, names))


def test_a_disk_that_is_full_does_not_end_the_game() -> None:
    class Full(Autosave):
        def save(self, live: LiveGame) -> None:
            raise GinkgoError("cannot write 'x': no space left")

    terminal = make_terminal("my_city", {"players": 2}, autosave=Full())
    shown = "\n".join(said for _, said in played(terminal, random.Random(1), most=2))
    assert "no space left" in shown and terminal.live.actions


# --- languages ---------------------------------------------------------------------------------------------------------------


def test_no_command_stands_for_two_things() -> None:
    for language in ("en", "de"):
        game = ginkgo_env.make_game("my_city")
        translate = Translator(language, game)
        spellings = [spelling for name in COMMANDS for spelling in translate.label("spellings", name).split()]
        assert len(spellings) == len(set(spellings)) and {"?", "help"} <= translate.commands().keys()


def test_german() -> None:
    terminal = make_terminal("golden_city", {"players": 2}, language="de")
    shown = text(terminal.start())
    labels = terminal.live.game.presenter.texts.labels("de")
    kind = terminal.live.game.decisions[int(terminal.live.game.kind(terminal.live.state)[0])]
    assert labels[f"question:{kind}"] in shown and "Wähle mit Nummer" in shown and "Choose by" not in shown
    assert "Befehle" in text(terminal.respond("hilfe")) and "Befehle" in text(terminal.respond("?"))
    assert "Summe" in text(terminal.respond("punkte")) and labels["note:goods"] in text(terminal.respond("score"))
    assert "nicht möglich" in text(terminal.respond("zz"))
    text(terminal.respond("beenden"))
    text(terminal.respond("j"))
    assert terminal.has_quit


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(ConfigError):
        Translator("xx", ginkgo_env.make_game("my_city"))


def test_the_opening_has_what_was_chosen_in_words() -> None:
    first = text(make_terminal("ginkgopolis", {"players": 3, "modules": ["events", "keep_card"]}).start()).splitlines()
    assert first[0].startswith("Ginkgopolis") and "Most rounds" not in " ".join(first[:3])
    assert "events, keep a card" in " ".join(" ".join(first[:3]).split())


def test_the_end_says_how_it_came() -> None:
    terminal = make_terminal("ginkgopolis", {"players": 1})
    shown = [said for _, said in played(terminal, random.Random(1))][-1]
    told = terminal.live.game.presenter.texts.get(f"ending:{terminal.live.game.outcome(terminal.live.state).ending}")
    assert told in " ".join(shown.split())


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("no record")
    for name in ("x.jsonl", "none.jsonl"):
        with pytest.raises(RecordError, match=name):
            resume_game(tmp_path / name, PlayerArguments([0], [], [], "Player"))
