"""G5.8, G5.9: the hand limit (E11, E12), blocked players (E25, E26)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .boards import knot
from .components import COASTS, SUBURBS, cards
from .positions import play, turn

FULL = {name: 1 if k < 8 else 2 for k, name in enumerate(COASTS)}  # the coast, of which seat 0 has nothing


# --- G5.8 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "owed"), [("D2", 0), ("C2", 1), ("C1", 2)])
def test_e11_discards_after_a_house(place: str, owed: int) -> None:
    """Seven cards: two paid and goods; one paid and a coin; one paid and a card drawn."""
    table = play(turn("cddddme", "", "", houses={"C14": 0}, deck="d" * 6), f"build:{place}")
    while table.decision[0] != "discard" and table.decision[1] == 0:
        table.play({"pay": table.legal[0], "goods": "goods:stack", "build": "build:done"}[table.decision[0]])
    assert (table.decision == ("discard", 0)) == (owed > 0)
    assert table.seen(1)["status"][10] == owed
    if owed == 0:
        assert len(table.player(0)["hand"]) == 5


def test_e11_in_ascending_order_without_dead_ends() -> None:
    table = play(turn("cffmmdd", "", ""), "build:done")
    assert table.offered == ["coast", "forest", "mountain", "desert"]
    last = table.copy().play("discard:desert")  # the second card can only be the other desert
    assert last.decision[0] == "bid" and last.player(0)["hand"] == cards("cffmm")
    table.play("discard:mountain")
    assert table.offered == ["mountain", "desert"]
    assert table.position["turn"] == {"player": 0, "built": 0, "place": None, "discarded": "mountain"}
    table.play("discard:desert")
    assert table.decision[0] == "bid" and table.player(0)["hand"] == cards("cffmd")


def test_e11_what_cannot_be_followed_is_not_offered() -> None:
    assert play(turn("cffmmmd", "", ""), "build:done").offered == ["coast", "forest", "mountain"]  # no desert: one card is left


def test_g5_8_a_discard_with_one_way_counts_as_the_last_one() -> None:
    table = play(turn("ffffffd", "", ""), "build:done")
    assert table.player(0)["hand"] == cards("fffffd") and table.offered == ["forest", "desert"]
    assert table.position["turn"]["discarded"] == "forest"


def test_g5_8_the_limit_is_five_and_holds_at_the_end_of_the_own_turn_only() -> None:
    table = play(turn("ccccc", "ccffeem", ""), "build:done")
    assert table.decision == ("build", 1) and len(table.player(0)["hand"]) == 5  # no discard with five
    assert len(table.player(1)["hand"]) == 7  # more before the own turn
    table.play("build:done")
    assert table.decision == ("discard", 1)


def test_g5_8_discarded_cards_lie_open() -> None:
    table = play(turn("cffmmd", "", ""), "build:done", "discard:forest")
    assert table.position["discard"] == ["forest"] and table.seen(2)["discard"] == [0, 1, 0, 0, 0]


def test_e12_discards_though_nothing_could_be_built() -> None:
    """`build` is passed over, the discard is asked. With six cards a site can always be paid for, so this player has none."""
    table = play(turn("ffeemmd", "", "mm", seat=2, houses=FULL), "build:done")
    assert table.decision == ("discard", 0) and table.position["turn"]["built"] == 0
    assert table.seen(1)["status"][10] == 2 and table.offered == ["forest", "meadow", "mountain"]
    table.play("discard:mountain")
    assert table.offered == ["mountain", "desert"] and table.seen(1)["status"][10] == 1


# --- G5.9 ----------------------------------------------------------------------------------------------------------------------


def test_g5_9_a_player_without_any_site_is_blocked_whatever_cards_he_holds() -> None:
    """They still discard, and take part in G7 (E25 goes on in test_g8_end)."""
    data = turn("ccffee", "", "mm", seat=2, houses=FULL, goods=[["wine+cloth"]], card="1A")
    table = play(data, "build:done")
    assert table.position["blocked"] == [0] and table.position["ending"] == "blocked" and table.decision == ("discard", 0)
    assert [row[3] for row in table.seen(1)["turn"]] == [0, 0, 1] and table.seen(1)["status"][11] == 1
    table.play("discard:coast")
    assert table.decision == ("over", None) and table.letters("goods") == [4, 0, 0]


def test_g5_9_no_cards_is_not_blocked() -> None:
    table = play(turn("c", "", ""), "build:done")
    assert table.position["blocked"] == [] and table.position["round"] == 2  # seats 1 and 2 have sites, but no cards


@pytest.fixture
def board(tmp_path: Path) -> str:
    """A board where seat 0 can be shut in (``boards.knot``)."""
    return str(knot(tmp_path))


_TAKEN = [*COASTS, *(name for name in SUBURBS if name != "M7")]
WALL = {name: k % 3 for k, name in enumerate(_TAKEN)}
SHUT_IN = WALL | {"D8": 0}
"""Seat 0 can build on FI only; M7 is a site of the others."""


def test_e26_an_inner_district_as_the_only_site(board: str) -> None:
    blocked = play(turn("ff", "", "ee", seat=2, houses=SHUT_IN, board=board), "build:done", board=board)
    assert blocked.position["blocked"] == [0] and blocked.position["ending"] == "blocked" and blocked.decision[0] == "over"
    with_key = play(turn("ff", "", "ee", seat=2, houses=SHUT_IN, keys=[1, 0, 0], board=board), "build:done", board=board)
    assert with_key.decision == ("build", 0) and with_key.legal == ["build:FI", "build:done"]
    assert with_key.position["blocked"] == [] and with_key.position["ending"] is None


def test_e26_who_holds_the_key_but_cannot_pay_is_skipped(board: str) -> None:
    table = play(turn("fe", "", "ee", seat=2, houses=SHUT_IN, keys=[1, 0, 0], board=board), "build:done", board=board)
    assert table.position["blocked"] == [] and table.position["ending"] is None and table.position["round"] == 2


def test_e26_blocked_after_another_has_triggered_the_end(board: str) -> None:
    """The first trigger is reported; who is blocked later is blocked all the same."""
    houses = dict(SHUT_IN)
    missing = 17 - sum(seat == 2 for seat in houses.values())
    houses |= dict.fromkeys([name for name in SUBURBS if houses.get(name) == 1][:missing], 2)
    table = play(turn("ff", "", "ee", seat=2, houses=houses, board=board), "build:M7", board=board)
    while table.decision[0] != "over":
        table.play(table.legal[0])
    assert table.position["ending"] == "houses" and table.position["blocked"] == [0, 1]  # nor has seat 1 a site any more


def test_g5_9_blocked_by_the_own_turn_is_blocked_at_the_next_one(board: str) -> None:
    """C16 is seat 0's only site; its road leads to F1, which is taken."""
    houses = {name: seat for name, seat in WALL.items() if name not in ("C16", "D8")} | {"D8": 1}
    table = play(turn("c", "ee", "", seat=0, first=0, houses=houses, board=board), "build:C16", board=board)
    assert table.position["blocked"] == [] and table.decision == ("build", 1) and table.sites(0) == []
    table.play("build:done")
    assert table.position["round"] == 2 and table.position["ending"] is None
    while table.decision[0] != "over" and not table.position["blocked"]:
        table.play("build:done" if table.decision[0] == "build" else table.legal[-1])
    assert table.position["blocked"] == [0] and table.position["round"] == 2 and table.position["ending"] == "blocked"


def test_g5_9_blocked_in_the_last_round(board: str) -> None:
    table = play(turn("ff", "", "ee", seat=2, houses=SHUT_IN, card="3D", rounds=16, board=board), "build:done", board=board)
    assert table.decision == ("over", None) and table.position["blocked"] == [0] and table.outcome.ending == "blocked"
