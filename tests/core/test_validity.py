"""Records are checked as their fields are declared: ranges, what is in use, and each thing in one place."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.state import (
    NO_SEAT,
    OWNER,
    Array,
    Axis,
    Record,
    SeenBy,
    Things,
    byte,
    counts,
    empty_state,
    fields_of,
    flag,
    item,
    number,
    one_of,
    pile,
    record_dtype,
    seat,
    set_of,
    uint64,
)
from ginkgo_env.core.validity import Declarations

CARD, STONE, COIN = Things("card", 70), Things("stone", 3, all_in_places=False), Things("coin", 1)
JOKER = 69
P = Axis(4, "players")


class Stage(IntEnum):
    PLAY = 0
    OVER = 1


class State(Record):
    rng: np.uint64 = uint64("random bits", seen_by=NO_SEAT)
    hand: Array = set_of("cards", CARD, P, seen_by=OWNER)
    seen: Array = set_of("cards that have been shown", CARD, is_place=False)
    low_cards: Array = set_of("cards 2 to 66", CARD, low=2, high=66, is_place=False)
    total: Array = number("points", P, high=1000)
    now: int = number("which round", high="rounds", dtype=np.int16)
    experts: Array = set_of("of three", STONE, dtype=np.uint16)
    rounds: int = number("how many", high=100)
    players: int = number("how many", low=2, high=4)
    stage: int = one_of("which", Stage)
    turn: int = number("places in turn order", below="players")
    actor: int = seat("who decides")
    ready: Array = flag("who is", P)
    jokers: Array = number("jokers in hand, one of them as a card", P, high=5, of=CARD, thing=JOKER, among="hand")
    stones: Array = counts("by kind", STONE, P, high=3)
    coins: Array = number("coins", P, high=9, of=COIN)
    bank: int = number("the other coins", high=9, of=COIN)
    played: Array = item("the card on the table", CARD, P)
    shift: int = byte("any number")
    deck_size: int = number("how many", high=70)
    deck: Array = pile("the next one last", CARD, 70, size="deck_size")


RECORD = record_dtype(State)
PIECES: dict[Things, Any] = {CARD: [1] * JOKER + [4], STONE: [1, 1, 1], COIN: [9]}
DECLARED = Declarations(State, RECORD, tuple(PIECES))


def valid() -> Any:
    """Three players; the first has two cards and two jokers, the second has played a card."""
    states = empty_state(State, RECORD)
    g = states[0]
    g.players, g.rounds, g.now, g.bank = 3, 50, 50, 5
    g.coins[:2] = 3, 1
    g.hand[0] = 0b11, 1 << (JOKER - 64)
    g.jokers[0], g.played[1], g.deck_size = 2, 2, 68
    g.deck[:68] = [*range(3, 69), JOKER, JOKER]
    g.stones[2, 1] = 1
    return states


def numbers_of(states: Any, *pieces: Any, configurations: Any = 0) -> list[int]:
    """The numbers of flaws in the configurations with some pieces."""
    numbers, copies = np.zeros(len(states), np.int64), np.stack([DECLARED.copies(each) for each in pieces or (PIECES,)])
    DECLARED.check(states, copies, numbers + configurations, numbers)
    return numbers.tolist()


def sentence(states: Any) -> str:
    """The flaw in words, empty if there is none."""
    (number_of_flaw,) = numbers_of(states)
    return DECLARED.sentence(number_of_flaw) if number_of_flaw else ""


def test_an_empty_record_has_the_empty_values() -> None:
    g = empty_state(State, RECORD)[0]
    assert (g.actor, g.bank) == (-1, 0) and (g.deck == -1).all() and (g.played == -1).all() and not g.hand.any()


def test_types_follow_from_ranges() -> None:
    types = {name: RECORD[name].base.name for name in ("total", "now", "experts", "coins", "hand")}
    assert types == {"total": "int16", "now": "int16", "experts": "uint16", "coins": "int8", "hand": "uint64"}
    assert RECORD["hand"].shape == (4, 2) and RECORD["experts"].shape == (1,) and RECORD["stones"].shape == (4, 3)


def test_a_valid_record_has_no_flaw() -> None:
    assert sentence(valid()) == ""


FLAWS: list[tuple[str, tuple[Any, ...], int, str]] = [
    ("hand", (0, 1), 1 << 6, "hand: expected set of cards 0..69, and 0 beyond players"),
    ("hand", (0, 1), 1 << 63, "hand: expected"),
    ("hand", (3, 0), 1, "hand: expected"),
    ("seen", (1,), 1 << 6, "seen: expected set of cards 0..69"),
    ("low_cards", (0,), 2, "low_cards: expected set of cards 2..66"),
    ("low_cards", (1,), 1 << 3, "low_cards: expected"),
    ("experts", (0,), 8, "experts: expected set of stones 0..2"),
    ("experts", (0,), 2, "there are too many stones"),
    ("total", (2,), 1001, "total: expected 0..1000, and 0 beyond players"),
    ("total", (2,), -1, "total: expected"),
    ("total", (3,), 5, "total: expected"),
    ("now", (), 51, "now: expected 0..rounds"),
    ("players", (), 1, "players: expected 2..4"),
    ("stage", (), 2, "stage: expected Stage 0..1"),
    ("turn", (), 3, "turn: expected 0..players - 1"),
    ("actor", (), 3, "actor: expected -1..players - 1"),
    ("actor", (), -2, "actor: expected"),
    ("ready", (0,), 2, "ready: expected 0..1"),
    ("jokers", (0,), 0, "jokers: expected"),
    ("jokers", (1,), 1, "jokers: expected"),
    ("jokers", (0,), 3, "each card must be in one place"),
    ("jokers", (0,), 1, "each card must be in one place"),
    ("stones", (0, 1), 1, "there are too many stones"),
    ("stones", (0, 1), -1, "stones: expected"),
    ("coins", (0,), 4, "each coin must be in one place"),
    ("bank", (), 4, "each coin must be in one place"),
    ("played", (1,), -2, "played: expected card 0..69 or -1, and -1 beyond players"),
    ("played", (1,), 70, "played: expected"),
    ("played", (1,), 3, "each card must be in one place"),
    ("played", (3,), 0, "played: expected"),
    ("deck_size", (), 67, "deck: expected card 0..69, and -1 beyond deck_size"),
    ("deck_size", (), 69, "deck: expected"),
    ("deck_size", (), 71, "deck_size: expected 0..70"),
    ("deck", (0,), -1, "deck: expected"),
    ("deck", (0,), 4, "each card must be in one place"),
]


@pytest.mark.parametrize(("name", "at", "value", "flaw"), FLAWS)
def test_flaws(name: str, at: tuple[Any, ...], value: int, flaw: str) -> None:
    states = valid()
    if at:
        states[0][name][at] = value
    else:
        states[0][name] = value
    assert sentence(states).startswith(flaw)


def test_what_has_no_range_may_be_anything() -> None:
    states = valid()
    states[0].rng, states[0].shift = 2**64 - 1, -128
    states[0].low_cards[:] = 1 << 2, 1 << 2
    states[0].stones[2, 1] = 0  # some may be nowhere
    assert sentence(states) == ""


def test_each_row_has_the_pieces_of_its_configuration() -> None:
    numbers = numbers_of(np.repeat(valid(), 3), PIECES, PIECES | {COIN: [8]}, configurations=[0, 1, 0])
    assert [number < 0 for number in numbers] == [False, True, False]


def test_random_bytes_are_read_without_harm() -> None:
    drawn = np.random.default_rng(1).integers(0, 256, (2000, RECORD.itemsize)).astype(np.uint8)
    states = drawn.reshape(-1).view(RECORD)
    assert all(numbers_of(states))


def test_every_policy_is_in_words() -> None:
    assert len({policy.value for policy in SeenBy}) == len(SeenBy)
    assert fields_of(State)["hand"].seen_by is OWNER
