"""G10.7: what a seat learns from a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.game import States, VisibleStep
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.games.golden_city.constants import Event, Reward

from ..rules.golden_city.components import BONUS
from ..rules.golden_city.positions import bidding, game_of, turn
from .random_games import PLAYERS, steps

Json = dict[str, Any]


def after(data: Json, *texts: str) -> tuple[States, int, States, Rows]:
    """The last of some steps from a position."""
    table = game_of(data["config"]["players"])
    playback = Playback(table)
    playback.continue_from(table.from_position(data))
    for text in texts:
        before, action = playback.state(), table.parse_action(playback.states, text)
        rows = playback.play(action)
    return before, action, playback.state(), rows


def seen(seat: int, data: Json, *texts: str) -> list[Json]:
    return game_of(data["config"]["players"]).visible(seat, *after(data, *texts)).lines


def test_the_start() -> None:
    """G10.7: the own card of G2.1, the first three goods cards, the first player; no deck and no stack."""
    table, step = game_of(3), steps(3)[0]
    lines = table.visible(1, None, -1, step.after, step.rows).lines
    chances = {chance.name: chance.outcome for chance in table.chances(step.rows)}
    data = table.position(step.after)
    own = [*data["players"][1]["hand"]]
    own.remove("coast")
    first = data["first_player"]
    assert lines == [
        {"random": "goods", "outcome": chances["goods"][:3]},  # type: ignore[index]
        {"random": "first_player", "outcome": first},
        {"seat": 0, "draws": 1},
        {"seat": 1, "draws": own[0]},
        {"seat": 2, "draws": 1},
        {"round": 1, "first_player": first, "scoring_card": data["scoring_card"]},
        {"pairs": [pair["cards"] for pair in data["pairs"]]},
    ]


def test_g6_4_no_bonus_card_is_left() -> None:
    taken = [[1, name] for name in BONUS]
    *_, rows = after(turn("ff", "", "", houses={"C2": 0}, bonus_taken=taken), "build:F1")
    assert (Event.NOTHING, 0, Reward.BONUS, 0) in rows


def test_bids() -> None:
    """A taken pair, a displacement, and a bid that was not asked, which looks like the others."""
    data = bidding("cf ee dd", bids=[0], coins=[0, 3, 0])
    step = seen(0, data, "bid:a")
    assert step == [{"seat": 1, "bids": "a", "displaces": 0, "pays": 1}]
    last = seen(0, data, "bid:a", "bid:b")
    assert last[:2] == [{"seat": 2, "bids": "b"}, {"seat": 0, "bids": "c"}]
    assert last[2:5] == [
        {"seat": 1, "takes": ["coast", "forest"]},
        {"seat": 2, "takes": ["meadow", "meadow"]},
        {"seat": 0, "takes": ["desert", "desert"]},
    ]
    assert seen(2, data, "bid:a", "bid:b")[:2] == [{"seat": 2, "action": "bid:b"}, {"seat": 2, "bids": "b"}]


def test_houses_with_payments() -> None:
    data = turn("cff", "", "")
    assert seen(1, data, "build:C2") == []
    assert seen(0, data, "build:C2") == [{"seat": 0, "action": "build:C2"}]
    house = [{"seat": 0, "builds": "C2", "pays": ["forest"]}, {"seat": 0, "gains": "coins", "number": 1}]
    assert seen(1, data, "build:C2", "pay:forest") == house
    assert seen(0, data, "build:C2", "pay:forest") == [{"seat": 0, "action": "pay:forest"}, *house]


def test_a_payment_that_was_not_asked_looks_the_same() -> None:
    """Own cards decide whether a payment is asked; the others are told the same."""
    asked = turn("cff", "", "", houses={"C1": 1})
    forced = turn("cfe", "", "", houses={"C1": 1})
    one = seen(1, asked, "build:C2") + seen(1, asked, "build:C2", "pay:coast")
    other = seen(1, forced, "build:C2")
    assert one[0] == other[0] == {"seat": 0, "builds": "C2", "pays": ["coast"]}


def test_done_is_told_to_nobody_else() -> None:
    """Whether somebody could have built more is not told."""
    data = turn("c", "c", "")
    before, action, later, rows = after(data, "build:done")
    assert (Event.DONE, 0, 0, 0) in rows
    table = game_of(3)
    assert table.visible(1, before, action, later, rows) == VisibleStep([], [])
    own = table.visible(0, before, action, later, rows)
    assert own.lines == [{"seat": 0, "action": "build:done"}] and own.rows == [(Event.DONE, 0, 0, 0)]


def test_discards_one_by_one_whether_asked_or_not() -> None:
    data = turn("cffeedd", "c", "", kind="discard")
    two = seen(1, data, "discard:coast", "discard:desert")
    assert two == [{"seat": 0, "discards": "desert"}]
    forced = seen(1, data, "discard:desert")
    assert forced == [{"seat": 0, "discards": "desert"}, {"seat": 0, "discards": "desert"}]


def test_goods_cards() -> None:
    data = turn("", "", "", kind="goods", houses={"C3": 0, "F3": 0}, built=1, place="F3")
    display, stack = data["goods"]["display"], data["goods"]["stack"]
    taken = seen(1, data, f"goods:{display[1]}")
    assert taken[:2] == [{"seat": 0, "takes": display[1], "from": "display"}, {"display": stack[0]}]
    assert seen(1, data, "goods:stack")[0] == {"seat": 0, "takes": stack[0], "from": "stack"}


def test_a_goods_card_put_out_of_the_game() -> None:
    five = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth", "wine+spices"]
    data = turn("", "", "", kind="box", houses={"C3": 0, "F3": 0}, goods=[five], built=1, place="F3")
    assert seen(1, data, "box:wine+cloth")[0] == {"seat": 0, "boxes": "wine+cloth"}


def test_a_bonus_card_is_one_more() -> None:
    data = turn("", "", "", kind="bonus", houses={"C2": 0, "F1": 0}, built=1, place="F1")
    table = game_of(3)
    for text in ("bonus:city", "bonus:desert"):
        before, action, later, rows = after(data, text)
        other = table.visible(1, before, action, later, rows)
        assert other.lines[0] == {"seat": 0, "takes_bonus": 1} and other.rows[0] == (Event.BONUS, 0, -1, 0)
        own = table.visible(0, before, action, later, rows).lines
        assert own[:2] == [{"seat": 0, "action": text}, {"seat": 0, "takes_bonus": text.removeprefix("bonus:")}]


def test_who_takes_a_bonus_card_sees_those_that_are_left() -> None:
    data = turn("ff", "", "", houses={"C2": 0}, bonus_taken=[[1, "city"]])
    text = ["goods", "coins", "rivers", "forest", "meadow", "mountain", "desert"]
    assert seen(0, data, "build:F1")[-1] == {"seat": 0, "bonus_cards": text}
    assert all("bonus_cards" not in line for line in seen(1, data, "build:F1"))


def test_a_new_deck_shows_and_its_order_does_not() -> None:
    data = turn("ccd", "", "", houses={"C2": 1}, deck="")
    before, action, later, rows = after(data, "build:C1")
    table = game_of(3)
    other = table.visible(1, before, action, later, rows)
    assert {"random": "landscapes"} in other.lines and {"seat": 0, "draws": 1} in other.lines
    assert not any(row[0] == Event.ITEM for row in other.rows)
    own = table.visible(0, before, action, later, rows).lines
    (line,) = [line for line in own if "draws" in line]
    assert line["draws"] in ("coast", "forest", "meadow", "mountain", "desert")


@pytest.mark.parametrize("players", PLAYERS)
def test_every_event_of_a_game_is_told_and_nothing_hidden(players: int) -> None:
    table = game_of(players)
    for step in steps(players):
        every: set[str] = set()
        for seat in range(players):
            found = table.visible(seat, step.before, step.action, step.after, step.rows)
            for line in found.lines:
                every |= line.keys()
                assert "seat" not in line or line["seat"] == seat or not {"action", "bonus_cards"} & line.keys()
                for hidden in ("draws", "takes_bonus"):
                    assert line.get("seat") == seat or line.get(hidden, 1) == 1
            assert all(row[1] == seat or row[2] == -1 for row in found.rows if row[0] in (Event.DRAW, Event.BONUS))
            if found.rows != step.rows:
                assert table.narrate(found.rows, table.side_names) is not None
        assert step.before is None or every or not step.rows


@pytest.mark.parametrize("players", PLAYERS)
def test_steps_that_a_seat_cannot_tell_apart_are_told_alike(players: int) -> None:
    """The same action in a game dealt anew for the seat: if it observes the same before and after, it learns the same."""
    table, compared, unlike = game_of(players), 0, 0
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
                mine = table.visible(seat, step.before, step.action, step.after, step.rows)
                theirs = table.visible(seat, before, step.action, playback.state(), rows)
                assert mine == theirs
                compared += 1
                unlike += rows != step.rows
    assert compared > 50 and unlike > 0


def test_a_record_as_seen_by_a_seat() -> None:
    table = game_of(3)
    actions = [step.action for step in steps(3)[1:]]
    record = ginkgo_env.Record.from_actions(table, seed=1, actions=actions)
    for seat in range(3):
        lines = record.seen_by(seat)
        assert not any(line.get("seat") != seat and "action" in line for line in lines[1:])
        draws = [line["draws"] for line in lines if "draws" in line and line["seat"] == seat]
        assert draws and all(isinstance(card, str) for card in draws)
