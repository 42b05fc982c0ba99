"""G10: known parts of hands (E30), and what a seat sees."""

from __future__ import annotations

import pytest

from .components import BONUS, cards
from .positions import Table, bidding, play, start, turn

# --- G10.3 ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "after"),
    [("cf", "c"), ("ffe", "e"), ("fffe", "fe"), ("", ""), ("fc", "c"), ("cffe", "ce")],
)
def test_e30_what_is_paid_comes_from_the_known_part_first(known: str, after: str) -> None:
    """Two of three forests are paid."""
    table = play(turn("cfffe", "", "", houses={"C2": 0}, known=[known, "", ""]), "build:F1", "bonus:city")
    assert table.player(0)["hand"] == cards("cfe") and table.player(0)["known"] == cards(after)


@pytest.mark.parametrize(("known", "after"), [("fm", "m"), ("m", "m"), ("ffm", "fm")])
def test_e30_what_is_discarded_comes_from_the_known_part_first(known: str, after: str) -> None:
    table = play(turn("cffmmd", "", "", known=[known, "", ""]), "build:done", "discard:forest")
    assert table.player(0)["hand"] == cards("cfmmd") and table.player(0)["known"] == cards(after)


def test_e30_a_joker_takes_both_cards_from_the_known_part() -> None:
    table = play(turn("fffe", "", "", known=["fff", "", ""]), "build:C2")
    assert table.player(0)["hand"] == cards("fe") and table.player(0)["known"] == cards("f")


def test_g10_3_pairs_are_known_drawn_cards_are_not() -> None:
    table = play(bidding("cc cd ff", "e", "", ""), "bid:a", "bid:b", "bid:c")
    assert table.by_seat("known") == [cards("cc"), cards("cd"), cards("ff")] and table.player(0)["hand"] == cards("cce")
    drawn = play(turn("c", "", "", deck="mfffff"), "build:C1")
    assert drawn.player(0)["known"] == [] and drawn.player(0)["hand"] == ["mountain"]


# --- G10.1, G10.2: one sentence each ---------------------------------------------------------------


def test_g10_1_letters_are_public() -> None:
    table = start(turn("c", "", "", letters=[{"goods": 4}, {"rivers": 8}, {"quarters": 6}], card="2A"))
    for seat in range(3):
        assert [row[0] for row in table.seen(seat)["players"]] == [[4, 8, 6][(seat + k) % 3] for k in range(3)]


TAKEN = [[1, "goods"], [0, "coins"], [2, "city"], [1, "rivers"]]


def bonus_rows(table: Table, seat: int) -> tuple[list[str], list[str]]:
    """The own bonus cards, and those that the seat last saw in the stack."""
    own, left = ([name for name, here in zip(BONUS, row, strict=True) if here] for row in table.seen(seat)["bonus"])
    return own, left


def test_g10_3_b_which_bonus_cards_were_left() -> None:
    """Who took one knows the set that was left; more takes of others came out of it. Columns 7 and 8 of `players`."""
    table = start(turn("c", "", "", "", bonus_taken=TAKEN))
    wanted: dict[int, tuple[list[str], list[str], list[list[int]]]] = {
        0: (["coins"], [name for name in BONUS if name not in ("goods", "coins")], [[1, 0], [2, 1], [1, 1], [0, 0]]),
        1: (["goods", "rivers"], ["forest", "meadow", "mountain", "desert"], [[2, 0], [1, 0], [0, 0], [1, 0]]),
        3: ([], BONUS, [[0, 0], [1, 1], [2, 2], [1, 1]]),
    }
    for seat, (own, left, numbers) in wanted.items():
        assert bonus_rows(table, seat) == (own, left)
        assert [row[7:9] for row in table.seen(seat)["players"]] == numbers


def test_g10_3_b_who_chooses_sees_what_is_there_now() -> None:
    table = play(turn("ff", "", "", "", houses={"C2": 0}, bonus_taken=TAKEN), "build:F1")
    assert table.decision == ("bonus", 0) and bonus_rows(table, 0) == (["coins"], ["forest", "meadow", "mountain", "desert"])
    assert [row[8] for row in table.seen(0)["players"]] == [0, 0, 0, 0] and bonus_rows(table, 3) == ([], BONUS)
    assert [row[8] for row in table.seen(2)["players"]] == [0, 0, 0, 1]  # seats 2, 3, 0, 1: only seat 1 took one since


def test_g10_4_counting_shuffles_is_left_to_memory() -> None:
    """A new deck is made of the discard pile, which all have seen: the observation tells its size only, whatever is in it."""
    views = [start(turn("c", "ff" if hidden else "dd", "", deck="")).seen(0) for hidden in (True, False)]
    different = [name for name in views[0] if views[0][name] != views[1][name]]
    assert different == ["discard"]  # that lies open; known cards do not tell
