"""Records: round trip, detection of changes, hostile input, and the view of a seat."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import BatchError, FinishedGameError, IllegalActionError, Record, RecordError, replay
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.records import format

CONFIGURATIONS = [tuple(config.items()) for config in Ginkgopolis.configurations()]
TWO = (("players", 2),)
INTRODUCTORY = (("players", 2), ("setup", "introductory"))


@cache
def played(config: tuple[tuple[str, Any], ...], seed: int) -> tuple[int, ...]:
    """The actions of a game of random players."""
    batch = ginkgo_env.Batch(Ginkgopolis(**dict(config)), 1)
    batch.reset([seed])
    actions = []
    while not batch.over.all():
        actions.append(int(batch.sample()[0]))
        batch.step([actions[-1]])
    return tuple(actions)


def recorded(config: tuple[tuple[str, Any], ...] = TWO, seed: int = 3) -> Record:
    return Record.from_actions(Ginkgopolis(**dict(config)), seed, played(config, seed))


def lines_of(record: Record) -> list[dict[str, Any]]:
    return copy.deepcopy([record.header, *record.lines])


def check(lines: list[Any]) -> None:
    """Read and replay lines as text."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    for _ in replay(Record.read(text)):
        pass


# --- round trip ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_round_trip(config: tuple[tuple[str, Any], ...], tmp_path: Path) -> None:
    record = recorded(config, 11)
    record.write(tmp_path / "game.jsonl")
    again = Record.read(tmp_path / "game.jsonl")
    assert again == record
    assert (tmp_path / "game.jsonl").read_bytes() == again.dumps().encode()
    steps = list(replay(again))
    actions = [step for step in steps if step.action is not None]
    game, ids = again.game, []
    for before, step in zip(steps, actions, strict=False):
        assert step.entry == again.lines[step.line - 2] == {"seat": step.actor, "action": step.action}
        ids.append(game.parse_action(before.state, step.action or ""))
    assert Record.from_actions(game, again.header["seed"], ids).dumps() == record.dumps()


def test_final_state_is_the_batch_s() -> None:
    batch = ginkgo_env.Batch(Ginkgopolis(players=2), 1)
    batch.reset([3])
    for action in played(TWO, 3):
        batch.step([action])
    *_, last = replay(recorded())
    assert last.state.tobytes() == batch.states.tobytes()
    assert recorded().result == {
        "ending": batch.outcome(0).ending,
        "scores": batch.totals[0].tolist(),
        "winners": list(batch.outcome(0).winners),
    }


def test_states_of_steps_are_copies() -> None:
    steps = list(replay(recorded()))
    assert len({step.state.tobytes() for step in steps[:-1]}) == len(steps) - 1


def test_unfinished_game() -> None:
    record = Record.from_actions(Ginkgopolis(players=2), 3, played(TWO, 3)[:10], ["ann", "bob"])
    assert record.result is None
    *_, last = replay(Record.read(record.dumps()))
    assert last.narration == ["The game was not played on from here."]


def test_from_actions_refuses() -> None:
    game = Ginkgopolis(players=2)
    with pytest.raises(IllegalActionError, match=r"actions\[0\]"):
        Record.from_actions(game, 3, [0])
    with pytest.raises(IllegalActionError):
        Record.from_actions(game, 3, [10**6])
    with pytest.raises(FinishedGameError):
        Record.from_actions(game, 3, [*played(TWO, 3), 0])
    for seed in (-1, 2**64, 1.5, "7"):
        with pytest.raises(BatchError):
            Record.from_actions(game, seed, [])  # type: ignore[arg-type]
    for players in (["ann"], ["ann", ""], ["ann", "b\x1b[31m"], ["ann", "x" * 41], ["ann", 3]):
        with pytest.raises(RecordError, match="players"):
            Record.from_actions(game, 3, [], players)  # type: ignore[arg-type]


def test_largest_seed_and_equal_names() -> None:
    record = Record.from_actions(Ginkgopolis(players=2), 2**64 - 1, [], ["ann", "ann"])
    assert Record.read(record.dumps()).names == ["ann_0", "ann_1"]
    assert len(list(replay(record))) == 2


# --- changed records -------------------------------------------------------------------------------------------------------


def changed(line: dict[str, Any]) -> dict[str, Any]:
    """The line with other content in the same format."""
    if "random" in line:
        outcome = line["outcome"]
        return line | {"outcome": 1 - outcome if isinstance(outcome, int) else outcome[1:] + outcome[:1]}
    if "action" in line:
        return line | {"seat": 1 - line["seat"]}
    scores = line["result"]["scores"]
    return {"result": line["result"] | {"scores": [scores[0] + 1, *scores[1:]]}}


@pytest.mark.parametrize(("config", "every"), [(TWO, 5), pytest.param(INTRODUCTORY, 1, marks=pytest.mark.full)])
def test_every_changed_line_is_found(config: tuple[tuple[str, Any], ...], every: int) -> None:
    lines = lines_of(recorded(config))
    for i in [*range(1, len(lines), every), len(lines) - 1]:
        with pytest.raises(RecordError, match=f"^line {i + 1}: "):
            check([*lines[:i], changed(lines[i]), *lines[i + 1 :]])


def test_missing_and_doubled_lines_are_found() -> None:
    lines = lines_of(recorded())
    for i in range(1, len(lines), 10):
        with pytest.raises(RecordError, match=r"^line "):
            check([*lines[:i], *lines[i + 1 :]])
        with pytest.raises(RecordError, match=r"^line "):
            check([*lines[:i], lines[i], *lines[i:]])


@pytest.mark.parametrize("cut", [1, 2, 20, -1])
def test_truncated_records_are_found(cut: int) -> None:
    with pytest.raises(RecordError, match="is incomplete"):
        check(lines_of(recorded())[:cut])


def test_another_header_is_found() -> None:
    lines = lines_of(recorded())
    with pytest.raises(RecordError, match="line 2: "):
        check([lines[0] | {"seed": 4}, *lines[1:]])
    with pytest.raises(RecordError, match="line 1: players"):
        check([lines[0] | {"players": ["ann"]}, *lines[1:]])
    with pytest.raises(RecordError, match=r"^line "):
        check([lines[0] | {"config": {"players": 3}, "players": ["a", "b", "c"]}, *lines[1:]])


@pytest.mark.parametrize("text", ["token:N", "Z9", "return:done", "draft:", "", "new-hand\u202e", "draft:RE+B1", "x" * 99])
def test_other_actions_are_found(text: str) -> None:
    lines = lines_of(recorded())
    i = next(k for k, line in enumerate(lines) if "action" in line)
    with pytest.raises(RecordError, match=f"^line {i + 1}: "):
        check([*lines[:i], lines[i] | {"action": text}, *lines[i + 1 :]])


@pytest.mark.parametrize("result", [None, {"ending": "resources"}, {"winners": [0, 1]}, {"scores": [1, 2, 3]}])
def test_another_result_is_found(result: dict[str, Any] | None) -> None:
    lines = lines_of(recorded())
    wrong = None if result is None else lines[-1]["result"] | result
    with pytest.raises(RecordError, match=f"^line {len(lines)}: "):
        check([*lines[:-1], {"result": wrong}])


def with_other_types(value: Any) -> Iterator[Any]:
    """Copies of a value in which one number has another type but is equal."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (value | {key: other} for other in with_other_types(inner))
    elif isinstance(value, list):
        for k, inner in enumerate(value):
            yield from ([*value[:k], other, *value[k + 1 :]] for other in with_other_types(inner))
    elif isinstance(value, int):
        yield from (float(value), bool(value)) if value in (0, 1) else (float(value),)


@pytest.mark.parametrize("config", [("ginkgopolis", 2), ("golden_city", 3), ("my_city", 2)], ids=str)
def test_numbers_of_a_result_have_their_type(config: tuple[str, int]) -> None:
    """``false`` equals 0 in Python, and 3.0 equals 3, but records accept neither."""
    batch = ginkgo_env.Batch(game := ginkgo_env.make_game(config[0], players=config[1]), 1)
    batch.reset([3])
    actions = []
    while not batch.over.all():
        actions.append(int(batch.sample()[0]))
        batch.step(actions[-1:])
    record = Record.from_actions(game, 3, actions)
    *lines, last = lines_of(record)
    others = list(with_other_types(last))
    assert len(others) >= 4 and any(str(other).count("False") for other in others)
    for other in others:
        assert other == last
        with pytest.raises(RecordError, match=rf"^line {len(lines) + 1}: result\.\w+.*: expected .*, got (bool|float)"):
            check([*lines, other])


# --- hostile input ---------------------------------------------------------------------------------------------------------

HEADER: dict[str, Any] = {
    "format": "ginkgo-record",
    "version": 1,
    "package": "0.1.0",
    "game": "ginkgopolis",
    "config": {"players": 2, "setup": "draft", "level": "standard", "strict": False, "max_rounds": 200},
    "seed": 7,
    "players": ["a", "b"],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "pgn"}, "format"),
        ({"version": 2}, "version 2"),
        ({"game": "chess"}, "unknown game 'chess'"),
        ({"game": "a\x1b[2J"}, "game"),
        ({"config": {"players": 9}}, "players"),
        ({"config": {"self": 1}}, "line 1"),
        ({"config": {"color": 1}}, "color"),
        ({"config": []}, "config"),
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"players": ["a", "\x1b[31m"]}, "players"),
        ({"players": ["a", "\ud800"]}, "players"),
        ({"extra": 1}, "extra"),
    ],
)
def test_hostile_headers(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        check([HEADER | change, {"result": None}])
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        '{"result": null, "result": null}',
        '{"seat": 0, "action": 7}',
        '{"seat": true, "action": "A"}',
        '{"seat": 1.0, "action": "A"}',
        '{"seat": ' + "9" * 5000 + ', "action": "A"}',
        '{"seat": 0, "action": "\\u001b[2J"}',
        '{"seat": 0, "action": "A", "comment": "!"}',
        '{"random": "deck", "outcome": {}}',
        '{"random": "deck", "outcome": [[]]}',
        '{"random": "deck", "outcome": ' + "[" * 4000 + "]" * 4000 + "}",
        "x" * 10_001,
        '{"result": {"ending": null, "scores": [], "winners": []}}',
        '{"result": {"ending": "tiles", "scores": [1.5], "winners": []}}',
        '{"result": {}}',
    ],
)
def test_hostile_lines(line: str) -> None:
    with pytest.raises(RecordError) as caught:
        for _ in replay(Record.read(f'{json.dumps(HEADER)}\n{line}\n{{"result": null}}\n')):
            pass
    assert len(str(caught.value)) < 500


def test_hostile_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bytes").write_bytes(b'{"format": "\xff"}\n')
    (tmp_path / "empty").write_bytes(b"")
    monkeypatch.setattr(format, "MAX_BYTES", 1000)
    (tmp_path / "large").write_bytes(b"{" * 1001)
    for path in ("bytes", "empty", "large", "missing", ".", "a\0b"):
        with pytest.raises(RecordError):
            Record.read(tmp_path / path)
    for source in ("", "no such file", 7, None, b"{}", "{" * 2000):
        with pytest.raises(RecordError):
            Record.read(source)  # type: ignore[arg-type]
    with pytest.raises(RecordError, match="cannot write"):
        recorded().write(tmp_path)


def test_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format, "MAX_LINES", 20)
    with pytest.raises(RecordError, match="more than 20 lines"):
        Record.read(recorded().dumps())


def test_lines_of_windows_are_read() -> None:
    assert Record.read(recorded().dumps().replace("\n", "\r\n")) == recorded()


def test_a_record_changed_by_hand_is_checked_again() -> None:
    record = recorded()
    record.lines.pop()
    with pytest.raises(RecordError, match="is incomplete"):
        replay(record)
    with pytest.raises(RecordError, match="empty"):
        Record([])


FULL = {"players": 3, "setup": "draft", "level": "standard", "strict": False, "max_rounds": 200}
MODULES = {"modules": ["new_buildings", "events", "keep_card"], "hand_size": 4}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({}, r"missing 'players', 'setup', 'level', 'strict', 'max_rounds'$"),
        *(({key: value for key, value in FULL.items() if key != left}, f"missing '{left}'$") for left in FULL),
        (FULL | {"hand_size": 4}, "unknown 'hand_size'$"),
        (FULL | {"modules": []}, "unknown 'modules'$"),
        (FULL | {"modules": [], "hand_size": 4}, "unknown 'modules', 'hand_size'$"),
        (FULL | {"modules": MODULES["modules"]}, "missing 'hand_size'$"),
        (
            FULL | MODULES | {"modules": ["keep_card", "events"]},
            r"modules is \['keep_card', 'events'\], expected \['events', 'keep_",
        ),
        (FULL | MODULES | {"modules": {"events": 1}}, r"modules is dict, expected \['events'\]$"),
        (FULL | MODULES | {"modules": ["events", "events"]}, "duplicate"),
        (FULL | MODULES | {"modules": "events"}, "modules"),
        (FULL | {"players": True}, "players"),
        (FULL | {"strict": 0}, "strict"),
    ],
    ids=str,
)
def test_configurations_written_in_another_way(config: dict[str, Any], sentence: str) -> None:
    """A configuration has one canonical form, ``config_dict``, as in positions."""
    lines = [HEADER | {"config": config, "players": ["a", "b", "c"]}, {"result": None}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    for reading in (lambda: Record.read(text), lambda: Record(lines).game, lambda: list(replay(Record(lines)))):
        with pytest.raises(RecordError, match=f"^line 1: config: .*{sentence}"):
            reading()
    position = Ginkgopolis(players=3).position(ginkgo_env.Batch(Ginkgopolis(players=3), 1).states)
    with pytest.raises(ginkgo_env.PositionError):
        Ginkgopolis(players=3).from_position(position | {"config": config})


@pytest.mark.parametrize(
    "config", [*Ginkgopolis.configurations(), MODULES | {"players": 2, "strict": True, "max_rounds": 3}], ids=str
)
def test_configurations_as_games_write_them(config: dict[str, Any]) -> None:
    record = Record.from_actions(Ginkgopolis(**config), 1, [])
    again = Record.read(record.dumps())
    assert again == record and again.game.config_dict == record.header["config"]
    again.header["config"] = {"players": 2}  # changed by hand after its game was made
    with pytest.raises(RecordError, match="line 1: config: missing"):
        replay(again)


# --- views of seats --------------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.parametrize("config", CONFIGURATIONS)
def test_views_hide_what_is_hidden(config: tuple[tuple[str, Any], ...]) -> None:
    record = recorded(config, 11)
    game = record.game
    for seat in range(game.seats):
        header, *lines = record.seen_by(seat)
        assert header["format"] == "ginkgo-view"
        assert "seed" not in header
        for line in lines:
            if "random" in line:
                assert ("outcome" in line) == (line["random"] in ("start_tiles", "first_player", "random_expert"))
            if "draws" in line:
                assert isinstance(line["draws"], list) == (line["seat"] == seat or (game.seats == 1 and line["seat"] == 1))
            if line.get("seat", seat) != seat:
                assert not {"hand", "tiles", "packet"} & line.keys()
                public = ("take:", "token:", "new-hand", "timing:", "split:", "pay:")
                assert "action" not in line or line["action"].startswith(public)
        assert lines[-1] == {"result": record.result}


def test_a_view_has_the_own_choices_and_the_others_moments() -> None:
    record = recorded((("players", 3),), 11)
    for seat in range(3):
        own = [line for line in record.lines if line.get("seat") == seat]
        seen = [line for line in record.seen_by(seat) if "action" in line and line.get("seat") == seat]
        assert [line["action"] for line in seen] == [line["action"] for line in own]
    reveals = [[line for line in record.seen_by(seat) if "reveals" in line or "returns" in line] for seat in range(3)]
    assert reveals[0] == reveals[1] == reveals[2]
    commits = sum("reveals" in line for line in reveals[0])
    drafts = 9
    for seat in range(3):
        view = record.seen_by(seat)
        rounds = commits - sum("reveals" in line and line["seat"] == seat for line in reveals[0])
        returned = [line["seat"] for line in record.lines if line.get("action") == "return:done" and line["seat"] != seat]
        chooses = sum("chooses" in line for line in view)
        assert chooses >= rounds + drafts - 3 + len(returned)


def test_secret_choices_look_alike() -> None:
    """Two steps that differ only in a secret choice of another seat have equal lines."""
    game, compared = Ginkgopolis(players=3), set()
    batch = ginkgo_env.Batch(game, 1)
    for before in replay(recorded((("players", 3),), 11)):
        kind = int(game.kind(before.state)[0])
        if kind >= len(game.decisions) or game.decisions[kind] not in ("draft", "commit"):
            continue
        actor = int(game.actor(before.state)[0])
        first = 0 if game.decisions[kind] == "draft" else int(before.state["first"][0])
        if (actor - first) % 3 == 2:
            continue  # the last to choose: all choices are revealed
        batch.set_states([0], before.state)
        options = [int(a) for a in np.flatnonzero(batch.mask[0]) if game.action_text(before.state, int(a)) != "new-hand"]
        views: list[Any] = []
        for action in (options[0], options[-1]):
            batch.set_states([0], before.state)
            batch.step([action])
            seats = [seat for seat in range(3) if seat != actor]
            views.append([game.visible(seat, before.state, action, batch.states.copy(), []) for seat in seats])
        assert views[0] == views[1]
        assert all(step.lines[0] == {"seat": actor, "chooses": True} for step in views[0])
        compared.add((game.decisions[kind], before.number))
    assert {kind for kind, _ in compared} == {"draft", "commit"}
    assert len(compared) > 20


def test_steps_of_returning_are_not_counted() -> None:
    """Until all have chosen, a seat that returns two tiles one by one looks like one that returns none."""
    for seed in range(1, 30):
        record = recorded(TWO, seed)
        steps = list(replay(record, 0))
        asides = [step for step in steps if step.actor == 1 and (step.action or "").startswith("return:")]
        silent = [step for step in asides if step.action != "return:done"]
        if len(silent) > 1:
            break
    assert len(silent) > 1
    assert all(step.visible_lines == [] and step.narration == [] for step in silent[:-1])
    returns = [line for line in record.seen_by(0) if "returns" in line and line["seat"] == 1]
    assert returns == [{"seat": 1, "returns": [(step.action or "").removeprefix("return:") for step in silent]}]


def test_seats_of_replay_are_checked() -> None:
    for seat in (-1, 2, True, "0"):
        with pytest.raises(RecordError, match="seat"):
            replay(recorded(), seat)  # type: ignore[arg-type]
