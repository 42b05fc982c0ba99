"""Forms: fields as plain data and back; errors name the place."""

from __future__ import annotations

import copy
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from ginkgo_env import PositionError
from ginkgo_env.core import state as declared
from ginkgo_env.core.forms import (
    Form,
    Forms,
    at,
    by_name,
    check_same,
    decision,
    each_of,
    each_seat,
    entry,
    number,
    read_state,
    seats,
    unless_null,
)
from ginkgo_env.core.state import (
    Array,
    Axis,
    PlainRecord,
    Record,
    Things,
    counts,
    empty_state,
    flag,
    item,
    one_of,
    pile,
    record_dtype,
    seat,
    set_of,
    uint64,
)

CARD, STONE = Things("card", 70), Things("stone", 3)
NAMES = tuple(f"c{i}" for i in range(CARD.n))
JOKER = 69
P = Axis(2, "players")


class Ending(IntEnum):
    NONE = 0
    CARDS = 1


class Timing(IntEnum):
    BEFORE = 0
    AFTER = 1


class State(Record):
    rng: np.uint64 = uint64("random bits")
    hand: Array = set_of("cards", CARD, P)
    shown: np.uint64 = set_of("stones", STONE, alone=True)
    players: int = declared.number("how many", high=2)
    stage: int = declared.number("which decision", high=1)
    actor: int = seat("who decides")
    ending: int = one_of("why", Ending)
    timing: int = one_of("when", Timing, low=-1, empty=-1)
    limit: int = declared.number("the most", high=9)
    steps: int = declared.number("how many", high="limit")
    ready: Array = flag("who is", P)
    jokers: Array = declared.number("jokers in hand", P, high=5, of=CARD, thing=JOKER, among="hand")
    stones: Array = counts("by kind", STONE, P)
    played: Array = item("the card on the table", CARD, P)
    split: Array = declared.number("by stone", 3, high=5)
    n_moves: int = declared.number("how many", high=3)
    moves: Array = declared.number("columns", Axis(3, "n_moves"), high=6)
    open: int = flag("whether all is open")
    deck_size: int = declared.number("how many", high=4)
    deck: Array = pile("the next one last", CARD, 4, size="deck_size")


RECORD = record_dtype(State)
FORMS = Forms(State, {CARD: NAMES, STONE: ("red", "blue"), Ending: (None, "cards")}, {CARD: [70, *range(CARD.n - 1)]})
FORM = FORMS.object(
    ("random", "rng"),
    ("decision", decision(("play", "over"))),
    "ending",
    "timing",
    "limit",
    "steps",
    "open",
    "shown",
    ("ready", seats("ready")),
    "deck",
    ("moves", each_of(FORMS.object(("column", "moves")), "n_moves", 3)),
    ("split", unless_null(lambda g, p: g.open == 1, entry("split", by_name(("a", "b", "c"), number(0, 5))))),
    ("first", at(lambda g: 0, FORMS.field("played"))),
    ("players", each_seat(FORMS.object("hand", "stones", ("played", FORMS.field("played"))))),
    constants={"game": {"name": "test", "players": 2}},
)


def template() -> Any:
    states = empty_state(State, RECORD)
    states["players"] = 2
    return states


POSITION: dict[str, Any] = {
    "game": {"name": "test", "players": 2},
    "random": "0x00000000000000ff",
    "decision": {"kind": "play", "actor": 1},
    "ending": "cards",
    "timing": "after",
    "limit": 3,
    "steps": 3,
    "open": True,
    "shown": ["blue"],
    "ready": [1],
    "deck": ["c5", "c4", "c3"],
    "moves": [{"column": 6}, {"column": 0}],
    "split": {"a": 1, "b": 2, "c": 0},
    "first": "c9",
    "players": [
        {"hand": ["c1", "c68", "c69", "c69", "c0"][:4], "stones": ["red", "red", "blue"], "played": "c9"},
        {"hand": ["c7", "c0"], "stones": [], "played": None},
    ],
}


def test_a_position_is_read_and_written_again() -> None:
    states = read_state(FORM, copy.deepcopy(POSITION), template())
    g = states[0]
    assert (int(g.rng), g.actor, g.timing, int(g.shown), g.n_moves) == (255, 1, 1, 2, 2)
    assert g.deck.tolist() == [3, 4, 5, -1] and g.deck_size == 3
    assert g.hand.tolist() == [[0b10, 0b11 << 4], [0b10000001, 0]] and g.jokers.tolist() == [2, 0]
    assert g.stones.tolist() == [[2, 1, 0], [0, 0, 0]] and g.moves.tolist() == [6, 0, 0]
    assert FORM.write(PlainRecord(g), None) == POSITION


def test_fields_that_follow_are_filled_in() -> None:
    def derive(g: PlainRecord) -> None:
        g.n_moves = 3

    assert read_state(FORM, POSITION, template(), derive)[0].n_moves == 3


def test_what_is_written_is_not_shared() -> None:
    FORM.write(PlainRecord(template()[0]), None)["game"]["name"] = "other"
    assert FORM.write(PlainRecord(template()[0]), None)["game"]["name"] == "test"


def test_what_does_not_apply_is_null() -> None:
    states = read_state(FORM, POSITION | {"open": False, "split": None, "timing": None, "ending": None}, template())
    position = FORM.write(PlainRecord(states[0]), None)
    assert (position["split"], position["timing"], position["ending"]) == (None, None, None)


ODD = [None, True, 2.0, "x", [], {}, -1, 10**30, [[]], ["c1", 3], np.arange(2)]
REFUSED: list[tuple[tuple[Any, ...], Any, str]] = [
    (("game", "players"), 3, "game.players: expected 2, got 3"),
    (("random",), "0xFF", "random: expected 0x and 16 hexadecimal digits, got '0xFF'"),
    (("decision",), {"kind": "play"}, "decision: missing actor"),
    (("decision", "kind"), "end", "decision.kind: expected one of play, over, got 'end'"),
    (("decision", "actor"), 2, "decision.actor: expected a whole number from 0 to 1, got 2"),
    (("ending",), "none", "ending: expected one of"),
    (("steps",), 4, "steps: expected a whole number from 0 to 3, got 4"),
    (("open",), 1, "open: expected true or false, got 1"),
    (("shown",), ["green"], "shown: unexpected 'green'"),
    (("shown",), ["red", "red"], "shown: duplicate red"),
    (("ready",), [2], "ready: expected a whole number from 0 to 1, got 2"),
    (("deck",), ["c1"] * 5, "deck: expected at most 4 names, got 5"),
    (("deck",), "c1", "deck: expected a list of names, got 'c1'"),
    (("deck",), ["c1"] * 101, "deck: expected a list of names"),
    (("moves",), [{"column": 0}] * 4, "moves: expected at most 3 entries, got 4"),
    (("moves", 1, "column"), 7, "moves[1].column: expected a whole number from 0 to 6, got 7"),
    (("split", "b"), 6, "split.b: expected a whole number from 0 to 5, got 6"),
    (("players",), [], "players: expected a list of 2 players, got"),
    (("players", 1), {}, "players[1]: missing hand, played, stones"),
    (("players", 1, "more"), 1, "players[1]: unknown 'more'"),
    (("players", 1, "hand"), ["c7", "c7"], "players[1].hand: duplicate c7"),
    (("players", 0, "played"), "c70", "players[0].played: expected one of c0, c1"),
]


def changed(path: tuple[Any, ...], value: Any) -> Any:
    position = copy.deepcopy(POSITION)
    inner: Any = position
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return position


@pytest.mark.parametrize(("path", "value", "message"), REFUSED)
def test_errors_name_the_place(path: tuple[Any, ...], value: Any, message: str) -> None:
    with pytest.raises(PositionError) as error:
        read_state(FORM, changed(path, value), template())
    assert str(error.value).startswith(f"position: {message}")


def places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


WORDS = ["0X0123456789abcdef", "0x-000000000000001", "0x0123_4567_89ab_cd", "0x  00000000000001", "0x" + "\u0661" * 16, "0x1", 7]


@pytest.mark.parametrize("value", WORDS)
def test_words_have_one_spelling(value: Any) -> None:
    with pytest.raises(PositionError, match="random: expected 0x and 16 hexadecimal digits"):
        read_state(FORM, changed(("random",), value), template())


@pytest.mark.parametrize("path", [*places(POSITION)], ids=str)
def test_odd_values_anywhere_raise_nothing_else(path: tuple[Any, ...]) -> None:
    for value in ODD:
        position = changed(path, value)
        try:
            written = FORM.write(PlainRecord(read_state(FORM, position, template())[0]), None)
            check_same(position, written)
        except PositionError as error:
            assert str(error).startswith("position: ") and len(str(error)) < 300


def test_keys_are_those_of_the_table() -> None:
    for wrong, message in (
        (1, "expected an object"),
        ({**POSITION, 3: 1}, "unknown 3"),
        ({"game": {}}, "game: missing name, players"),
    ):
        with pytest.raises(PositionError, match=message):
            read_state(FORM, wrong, template())
    assert isinstance(FORM, Form)


def test_types_must_be_the_same() -> None:
    for data, expected, message in (
        ({"a": [1, True]}, {"a": [1, 1]}, r"a\[1\]: expected 1, got True"),
        ({"a": [1]}, {"a": [1, 1]}, "a: expected a list of 2, got 1"),
        ({"a": 1.0}, {"a": 1}, "a: expected 1, got 1.0"),
        (3, {"a": 1}, "the whole: expected an object, got 3"),
    ):
        with pytest.raises(PositionError, match=message):
            check_same(data, expected)
