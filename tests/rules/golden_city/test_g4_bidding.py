"""G4: pairs and bidding (T1, E1 to E6, E33)."""

from __future__ import annotations

from collections import Counter

from .components import LANDSCAPES, cards
from .positions import bidding, play, start, turn


def seats(table: object) -> list[int | None]:
    return [pair["seat"] for pair in table.position["pairs"]]  # type: ignore[attr-defined]


def laid_out(deck: str, *hands: str) -> list[list[str]]:
    """Pairs of the next round from these cards."""
    hands = hands or ("", "", "c")
    table = play(turn(*hands, seat=len(hands) - 1, first=0, deck=deck), "build:done")
    return [pair["cards"] for pair in table.position["pairs"]]


# --- G4.1 ----------------------------------------------------------------------------------------------------------------------


def test_g4_1_the_first_with_the_fourth_in_ascending_order() -> None:
    assert laid_out("cdfmec") == [cards("cf"), cards("cm"), cards("ed")]
    assert laid_out("ddfcfc") == [cards("cf"), cards("cd"), cards("fd")]  # by the lower, then by the higher landscape
    assert laid_out("fcecmdee", "", "", "", "c") == [cards("ce"), cards("cd"), cards("fm"), cards("ee")]


def test_g4_1_every_order_of_cards_gives_ascending_pairs() -> None:
    for deck in ("mmdcfe", "dcmfec", "eefdcm", "dddccc", "cfemdc"):
        found = [[LANDSCAPES.index(card) for card in pair] for pair in laid_out(deck)]
        assert found == sorted(sorted(LANDSCAPES.index(card) for card in cards(deck[i] + deck[3 + i])) for i in range(3))


# --- G4.2, G4.3 ----------------------------------------------------------------------------------------------------------------


def test_t1_bidding() -> None:
    """E33: the last bid has one way. Red 0, Blue 1, White 2, Black 3."""
    table = start(bidding("cc cd ff em", "", "", "", ""))
    for seat, pair in [(0, "b"), (1, "c"), (2, "c"), (3, "b"), (0, "a"), (1, "c")]:
        assert table.decision == ("bid", seat) and table.offered == ["a", "b", "c", "d"]
        table.play(f"bid:{pair}")
    position = table.position
    assert table.decision == ("build", 0) and position["pairs"] == [] and position["displacements"] == 0
    assert table.by_seat("coins") == [3, 0, 2, 1] and position["coins"] == 29
    assert table.by_seat("hand") == [cards("cc"), cards("ff"), cards("em"), cards("cd")]
    assert table.by_seat("known") == table.by_seat("hand")  # G4.5, G10.3


def test_g4_2_bids_go_round_and_a_free_pair_costs_nothing() -> None:
    table = start(bidding("cc cd ff em", "", "", "", "", first=2))
    for seat, pair in [(2, "a"), (3, "b"), (0, "c")]:
        assert table.decision == ("bid", seat)
        table.play(f"bid:{pair}")
    assert seats(table) == [2, 3, 0, None] and table.by_seat("coins") == [3, 3, 3, 3] and table.decision == ("bid", 1)


def test_e1_the_displaced_player_takes_the_same_pair_back() -> None:
    table = play(bidding("cc cd ff", coins=[3, 4, 3]), "bid:a", "bid:a", "bid:b")
    assert table.decision == ("bid", 0) and table.offered == ["a", "b", "c"]
    table.play("bid:a")
    assert table.decision == ("bid", 1) and table.position["displacements"] == 2
    assert table.by_seat("coins") == [1, 3, 3] and table.position["coins"] == 28 and seats(table) == [0, 2, None]
    table.play("bid:a")  # and back again, for 3
    assert table.decision == ("build", 0)  # who has 1 coin, price 4: the free pair unasked
    assert table.by_seat("hand") == [cards("ff"), cards("cc"), cards("cd")] and table.by_seat("coins") == [1, 0, 3]


def test_g4_3_only_who_holds_the_price_displaces() -> None:
    table = play(bidding("cc cd ff em", coins=[3, 3, 1, 1]), "bid:a", "bid:a")
    assert table.decision == ("bid", 2) and table.seen(0)["status"][2] == 2
    assert table.offered == ["b", "c", "d"]  # seat 2 holds 1
    table.play("bid:b")
    assert table.decision == ("bid", 3) and table.offered == ["c", "d"]
    table.play("bid:c")
    assert table.decision == ("bid", 0) and table.offered == ["a", "b", "c", "d"]  # who holds 3


def test_e3_the_price_falls_back_to_1() -> None:
    table = play(bidding("cc cd ff", first=1), "bid:a", "bid:a", "bid:a")
    assert table.position["displacements"] == 2 and table.seen(0)["status"][2] == 3
    while table.position["round"] == 1:
        if table.decision[0] == "build":
            assert table.seen(0)["status"][2] == 0
        table.play("build:done" if "build:done" in table.legal else table.legal[-1])
    assert table.decision == ("bid", 2) and table.position["displacements"] == 0 and table.seen(0)["status"][2] == 1
    before = table.by_seat("coins")
    table.play("bid:a", "bid:a")
    assert table.by_seat("coins") == [before[0] - 1, *before[1:]]


def test_e4_without_coins() -> None:
    table = play(bidding("cc cd ff em", coins=[3, 0, 1, 3]), "bid:b")
    assert table.decision == ("bid", 1) and table.offered == ["a", "c", "d"]
    table.play("bid:a", "bid:a")  # the only coin of seat 2
    assert table.decision == ("bid", 3) and table.offered == ["a", "b", "c", "d"]
    table.play("bid:a")  # for 2
    assert table.decision == ("bid", 1) and table.offered == ["c", "d"]


def test_e5_the_pointer_goes_on_from_the_last_actor() -> None:
    table = play(bidding("cc cd ff em"), "bid:a", "bid:b", "bid:a")
    assert table.decision == ("bid", 3)  # not seat 0, the first player, who was displaced
    table.play("bid:b")
    assert table.decision == ("bid", 0)
    table.play("bid:c")
    assert table.decision == ("bid", 1)
    other = play(bidding("cc cd ff em", first=2), "bid:a", "bid:b", "bid:c", "bid:b")
    assert other.decision == ("bid", 3) and seats(other) == [2, 1, 0, None]  # past seats 2 and 0, whose hands lie


# --- G4.4 ----------------------------------------------------------------------------------------------------------------------


def test_e2_equal_pairs() -> None:
    table = start(bidding("cd cd ff"))
    assert table.offered == ["a", "c"]  # both free: one action
    table.play("bid:a")
    assert table.offered == ["a", "b", "c"]  # one free, one occupied
    table.play("bid:b")
    assert table.offered == ["a", "b", "c"]  # both occupied: different actions
    table.play("bid:b")
    assert seats(table) == [0, 2, None] and table.by_seat("coins") == [3, 3, 2]
    assert start(bidding("ff ff ff")).offered == ["a"]  # asked: a position says so (G10.6)


# --- G4.5, G4.6 ----------------------------------------------------------------------------------------------------------------


def test_g4_5_pairs_join_the_hands() -> None:
    table = play(bidding("cc cd ff", "ed", "m", "", known=["e", "", ""]), "bid:c", "bid:a")
    assert table.decision == ("bid", 2)
    table.play("bid:b")
    assert table.by_seat("hand") == [cards("ffed"), cards("ccm"), cards("cd")]
    assert table.by_seat("known") == [cards("ffe"), cards("cc"), cards("cd")]


def test_e6_the_deck_runs_out_while_pairs_are_laid_out() -> None:
    """The order of the pairs is unbroken: the new deck goes on where the old one ended."""
    table = start(turn("", "", "c", seat=2, first=0, deck="dmf"))
    pile = table.position["discard"]
    table.play("build:done")
    (chance,) = table.chances
    new = chance.outcome
    assert chance.name == "landscapes" and isinstance(new, list) and Counter(new) == Counter(pile) and new != pile
    wanted = [sorted([old, card], key=LANDSCAPES.index) for old, card in zip(cards("dmf"), new[:3], strict=True)]
    assert [pair["cards"] for pair in table.position["pairs"]] == sorted(
        wanted, key=lambda p: [LANDSCAPES.index(card) for card in p]
    )
    assert table.position["deck"] == new[3:] and table.position["discard"] == []


def test_g4_6_no_new_deck_before_a_card_is_needed() -> None:
    table = play(turn("", "", "c", seat=2, first=0, deck="dmfcce"), "build:done")
    assert table.chances == [] and table.position["deck"] == [] and len(table.position["discard"]) == 43


def test_g4_6_without_any_card_none_is_drawn() -> None:
    """Impossible with these components: C1's reward finds nothing but what was just paid for it."""
    table = start(turn("c", "c", "")).without_piles().play("build:C1")
    assert [(chance.name, chance.outcome) for chance in table.chances] == [("landscapes", ["coast"])]
    assert table.by_seat("hand")[:2] == [["coast"], ["coast"]]
    two_cards = start(turn("ff", "c", "")).without_piles().play("build:C1")
    assert two_cards.player(0)["hand"] == two_cards.position["deck"] == ["forest"]
