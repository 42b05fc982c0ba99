"""M11.8, M11.10: records, and what a seat learns from a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import Record, RecordError, replay
from ginkgo_env.core.game import VisibleStep
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.my_city.constants import Event

from .played import MIDROUND, PLAYERS, after, examples, files, game, opening, played, record_of, steps

Json = dict[str, Any]
CARDS = [*game(1).buildings.cards]


def seen(data: Json, *texts: str, seat: int = 0) -> list[list[Json]]:
    """The lines of each step from a position."""
    found = after(data, *texts)
    return [game(data["config"]["players"]).visible(seat, *step).lines for step in found]


# --- records ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_a_record_replays(players: int) -> None:
    record = record_of(players)
    assert Record.read(record.dumps()) == record
    states = [step.state for step in replay(record)]
    assert [state.tobytes() for state in states[:-1]] == [step.after.tobytes() for step in steps(players)]
    assert list(record.header["config"]) == ["players", "board", "buildings"]
    assert list(record.header["components"]) == ["board", "board_digest", "buildings", "buildings_digest"]
    assert list(record.lines[0]) == ["random", "outcome"] and record.lines[0]["random"] == "deck"
    assert sorted(record.lines[0]["outcome"]) == sorted(CARDS)
    assert all(list(line) == ["seat", "action"] for line in record.lines[1:-1])


def test_the_result_has_the_sources_and_the_rows_that_decide_ties() -> None:
    """M8.8, M11.10."""
    result = record_of(3).result
    assert result is not None and list(result) == ["ending", "scores", "winners", "details"]
    details = result["details"]
    assert [sum(points.values()) // 2 for points in details["breakdown"]] == result["scores"]  # with the total
    assert [-points["empty"] for points in details["breakdown"]] == [sum(rows) for rows in details["empty_by_row"]]


def test_another_deck_or_another_choice_is_refused() -> None:
    record = record_of(2)
    cards = record.lines[0]["outcome"]
    for line, value in (
        (0, {"random": "deck", "outcome": [cards[1], cards[0], *cards[2:]]}),
        (1, record.lines[1] | {"action": "pass" if record.lines[1]["action"] == "c5N" else "c5N"}),
        (2, record.lines[2] | {"seat": 0}),
    ):
        changed = [record.header, *record.lines]
        changed[line + 1] = value
        with pytest.raises(RecordError, match=f"line {line + 2}"):
            list(replay(Record(changed)))


def test_a_record_with_other_data_files(tmp_path: Path) -> None:
    table = game(2, **files(tmp_path))
    actions = [step.action for step in played(table, 3)][1:]
    record = Record.from_actions(table, 3, actions)
    assert len([*replay(Record.read(record.dumps()))]) == len(actions) + 2
    assert record.header["components"]["buildings"] == "few"
    (tmp_path / "few.csv").write_text((tmp_path / "few.csv").read_text().replace("test", "other"))
    with pytest.raises(RecordError, match="line 1: components: buildings_digest"):
        Record.read(record.dumps())


# --- what a seat learns -----------------------------------------------------------------------------------------------------


def test_the_start() -> None:
    """The card turned up; of the deck nothing."""
    step = steps(3)[0]
    found = game(3).visible(1, *step)
    assert found.lines == [{"revealed": game(3).position(step.after)["revealed"]}]
    assert all(row[0] not in (Event.OUTCOME, Event.ITEM) for row in found.rows)
    assert tuple(step.rows[0]) == (Event.OUTCOME, 0, len(CARDS), 0)


def test_choices_are_told_when_the_round_takes_effect() -> None:
    """Of nobody before: not even the own choice, which comes at its place in the order of seats."""
    in_order = opening(2, CARDS)
    for seat in (0, 1):
        chosen, effect = seen(in_order, "e1E", "pass", seat=seat)
        assert chosen == []
        assert effect == [{"seat": 0, "action": "e1E"}, {"seat": 1, "action": "pass"}, {"revealed": ["Y2"]}]
    assert game(2).visible(0, *after(in_order, "e1E")[0]) == VisibleStep([], [])


def test_the_blocking_card_and_what_it_blocks_are_one_reveal() -> None:
    data = opening(1, ["Y1", "X", "Y2", "Y3", *CARDS[3:-1]])
    assert seen(data, "e1E") == [[{"seat": 0, "action": "e1E"}, {"revealed": ["X", "Y2", "Y3"]}]]
    playback = Playback(game(1))
    table = playback.game
    for seed in range(200):
        rows = playback.start(seed)
        if (revealed := table.position(playback.states)["revealed"])[0] == "X":
            assert table.visible(0, None, -1, playback.state(), rows).lines == [{"revealed": revealed}]
            assert len(revealed) == 3
            return
    raise AssertionError("the blocking card never came first")


def test_forced_ends_are_told_like_others() -> None:
    """Seat 0 was not asked, and its end comes with the choices of that round (M5.4)."""
    (data,) = (
        playback.game.position(playback.states)
        for example, playback in examples()
        if example["name"].startswith("forced end at a church with points left, the others") and playback.actor == 1
        if playback.game.position(playback.states)["players"][0]["choice"] == "end"
    )
    for seat in range(3):
        (told,) = seen(data, "end", seat=seat)
        assert told[:2] == [{"seat": 0, "action": "end"}, {"seat": 1, "action": "end"}]


def test_a_round_in_which_nobody_is_asked() -> None:
    """All are forced to end at a church: told before the result, as the choices of that round."""
    table = game(1)
    for seed in range(60):
        last = steps(1, seed)[-1]
        ends = [row for row in last.rows if row[0] == Event.END]
        if ends and ends[0][3]:
            lines = table.visible(0, *last).lines
            assert [list(line) for line in lines] == [["seat", "action"], ["revealed"], ["seat", "action"]]
            assert lines[-1] == {"seat": 0, "action": "end"}
            return
    raise AssertionError("nobody was forced to end")


@pytest.mark.parametrize("players", PLAYERS)
def test_a_record_as_seen_by_a_seat(players: int) -> None:
    """All that happened, in the order of the table; without deck and seed."""
    record = record_of(players)
    every = [line for line in record.lines if "action" in line]
    for seat in range(players):
        header, *lines = record.seen_by(seat)
        assert "seed" not in header and header["seat"] == seat
        assert lines[-1] == record.lines[-1] and all("random" not in line for line in lines)
        told = [line for line in lines if "action" in line]
        assert [line for line in told if line["action"] != "end"] == [line for line in every if line["action"] != "end"]
        assert [line for line in lines if "action" not in line][:-1] == [{"revealed": cards} for cards in reveals(record)]


def reveals(record: Record) -> list[list[str]]:
    """The cards of each reveal: the blocking card with the two that follow it."""
    cards: list[str] = record.game.position([*replay(record)][-1].state)["revealed"]
    found: list[list[str]] = []
    while cards:
        n = 3 if cards[0] == "X" else 1
        found.append(cards[:n])
        cards = cards[n:]
    return found


@pytest.mark.parametrize("players", [2, 3])
def test_steps_that_a_seat_cannot_tell_apart_are_told_alike(players: int) -> None:
    """The same action in a game dealt anew for the seat: if it observes the same before and after, it learns the same."""
    table, compared = game(players), 0
    batch, playback = ginkgo_env.Batch(table, 2), Playback(table)
    for step in steps(players)[1:]:
        assert step.before is not None
        for seat in range(players):
            batch.set_states([0, 1], np.concatenate([step.before, step.before]).view(np.recarray))
            batch.resample(seat, seed=step.action)
            before = batch.state(1).copy()
            if not batch.mask[1, step.action]:
                continue
            playback.continue_from(before)
            rows = playback.play(step.action)
            batch.set_states([0, 1], np.concatenate([step.after, playback.states]).view(np.recarray))
            one, other = batch.observe(seat)
            if (one == other).all() and not batch.over.any():
                assert table.visible(seat, *step) == table.visible(seat, before, step.action, playback.state(), rows)
                compared += 1
    assert compared > 20


def test_a_seat_that_does_not_exist() -> None:
    with pytest.raises(ginkgo_env.BatchError, match="invalid seat 2"):
        game(2).visible(2, *steps(2)[0])


def test_the_position_of_the_rules_goes_on() -> None:
    """In mid-round nothing was told of the choice that waits."""
    (told,) = seen(MIDROUND, "end", seat=1)
    assert told[:2] == [{"seat": 0, "action": "f1E"}, {"seat": 1, "action": "end"}]
