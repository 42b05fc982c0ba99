"""R3: a round; choosing, New Hand, resolving, preparing the next round, the deck."""

from typing import Any

import pytest

from ..oracle_play import Generator
from .positions import SQUARE, Builder, in_order, solo

LINE = ["R11", "B12", "Y13", "R14", "B15"]  # the smallest city beside which twelve tokens find place


def three_players(**config: Any) -> Builder:
    """Hands of four for everybody, a tile each; seat 1 is first."""
    builder = Builder(3, **config).other(first_player=1, actor=1)
    builder.hand(0, "R1", "R2", "A", "B").hand(1, "B1", "B2", "C", "D").hand(2, "Y1", "Y2", "E", "F")
    return builder.tiles(0, "R4", "B4").tiles(1, "R5", "B5").tiles(2, "R6", "B6")


def line_of_five(players: int, **config: Any) -> Builder:
    """A city of five buildings in a row: 17 cards in all, the fewest possible."""
    return Builder(players, **config).empty_city().row(*LINE)


# --- R3.1 ------------------------------------------------------------------------------------------------------------------


def test_r3_1_choices_are_made_in_turn_order_from_the_first_player() -> None:
    table = three_players().start()
    actors = [table.decision, *(table.play(text).decision for text in ("B1", "Y1+R6"))]
    assert actors == [("commit", 1), ("commit", 2), ("commit", 0)]


def test_r3_1_a_card_alone_or_with_one_tile_is_committed_and_nothing_happens_yet() -> None:
    table = three_players().start().play("B1+R5", "E")
    first, second = table.player(1), table.player(2)
    assert first["commitment"] == {"card": "B1", "tile": "R5"} and first["hand"] == ["B2", "C", "D"]
    assert first["tiles"] == ["B5"] and second["commitment"] == {"card": "E", "tile": None} and second["tiles"] == ["R6", "B6"]
    assert [b["tile"] for b in table.position["city"]] == SQUARE and table.position["discard"] == []


def test_r3_1_nobody_sees_what_others_committed_only_that_they_did() -> None:
    views = []
    for text in ("B1", "B1+R5", "B1+B5", "C", "D+R5"):
        table = three_players().start().play(text)
        views.append(table.view(0, 2))
        assert table.seen(1).cards("committed") == {text.split("+")[0]}
        assert table.seen(1).tiles("committed") == set(text.split("+")[1:])
        for seen in (table.seen(viewer) for viewer in (0, 2)):
            assert [seen.player(seat, "has_card_out") for seat in range(3)] == [0, 1, 0]
            assert [seen.player(seat, "has_tile_out") for seat in range(3)] == [0, 0, 0]
    assert views == [views[0]] * len(views)


def test_r3_1_while_actions_are_resolved_whether_a_tile_lies_on_a_card_is_seen() -> None:
    views = []
    for text, other in (("Y1+R6", "R1"), ("Y1+B6", "R2"), ("E+R6", "A"), ("Y2+B6", "B")):
        table = three_players().start().play("C", text, other)
        assert table.decision == ("take", 1)
        seen = table.seen(1)
        assert [seen.player(seat, "has_card_out") for seat in range(3)] == [1, 1, 1]
        assert [seen.player(seat, "has_tile_out") for seat in range(3)] == [0, 0, 1]
        assert seen.cards("resolving") == {"C"}
        views.append(table.view(1))
    assert views == [views[0]] * len(views)


# --- R3.2 ------------------------------------------------------------------------------------------------------------------


def test_r3_2_the_whole_hand_is_discarded_and_as_many_cards_are_drawn() -> None:
    table = three_players().next_cards("L", "K", "J", "I").start().play("new-hand")
    assert table.player(1)["hand"] == ["I", "J", "K", "L"] and table.player(1)["new_hands"] == 1
    assert table.position["discard"] == ["B1", "B2", "C", "D"]
    assert table.decision == ("commit", 1)  # the choice is not over


def test_r3_2_a_short_hand_is_exchanged_for_as_short_a_one() -> None:
    table = Builder(2).hand(0, "A", "Y1").next_cards("L", "K", "J").start().play("new-hand")
    assert table.player(0)["hand"] == ["K", "L"]


def test_r3_2_both_tokens_in_one_round_and_no_third() -> None:
    table = three_players().next_cards("L", "K", "J", "I", "H", "G", "Y3", "B3", "R3").start()
    assert "new-hand" in table.legal
    table.play("new-hand", "new-hand")
    assert table.player(1)["hand"] == ["B3", "Y3", "G", "H"] and table.player(1)["new_hands"] == 0
    assert table.decision == ("commit", 1) and "new-hand" not in table.legal
    with pytest.raises(ValueError):
        table.play("new-hand")


def test_r3_2_it_is_public() -> None:
    table = three_players().start().play("new-hand")
    for viewer in range(3):
        seen = table.seen(viewer)
        assert seen.player(1, "new_hands") == 1 and seen.cards("discard") == {"B1", "B2", "C", "D"}


def test_r3_2_several_players_take_them_in_turn_order() -> None:
    cards = ("L", "K", "J", "I", "H", "G", "Y3", "B3")
    table = three_players().next_cards(*cards).start().play("new-hand", "L", "new-hand")
    assert table.player(1)["hand"] == ["I", "J", "K"] and table.player(2)["hand"] == ["B3", "Y3", "G", "H"]


def test_r3_2_not_after_committing() -> None:
    table = three_players().start().play("B1")
    assert table.decision == ("commit", 2)  # seat 1 is not asked any more
    assert table.player(1)["new_hands"] == 2


def test_r3_2_the_discarded_hand_belongs_to_the_pile_if_the_deck_runs_out_during_the_draw() -> None:
    builder = Builder(4).hand(0, "A", "B", "C", "D").deck("L", "K")
    table = builder.start()
    before = table.position
    pile = in_order([*before["discard"], "A", "B", "C", "D"])
    table.play("new-hand")
    fresh = Generator(before["random"]).shuffled(pile)
    assert table.player(0)["hand"] == in_order(["L", "K", *fresh[:2]])
    assert table.position["deck"] == fresh[2:] and table.position["discard"] == []


# --- R3.3 ------------------------------------------------------------------------------------------------------------------


def test_r3_3_any_card_may_go_with_any_tile() -> None:
    table = Builder(2).hand(0, "R2", "Y3", "A").tiles(0, "R4", "B20").player(0, resources=0, points=0, new_hands=0).start()
    cards, tiles = ("R2", "Y3", "A"), ("R4", "B20")
    assert table.legal == set(cards) | {f"{card}+{tile}" for card in cards for tile in tiles}


def test_r3_3_resources_can_come_back_before_the_card_is_resolved() -> None:
    """Seat 0 is first and builds on seat 1's building; seat 1 can then pay what it could not pay when choosing."""
    builder = Builder(2).building((0, 0), "R2", floors=3, owner=1).hand(0, "R2").tiles(0, "R9").hand(1, "B3")
    builder.tiles(1, "B4").player(1, resources=0).player(0, resources=6).characters(0, "RE", "BE", "YE")
    table = builder.start().play("R2+R9", "B3+B4")
    assert table.building((2, 0)) == {"cell": [2, 0], "tile": "B4", "floors": 2, "owner": 1, "pawn": True}
    assert (table.player(1)["resources"], table.player(1)["points"]) == (1, 3)


STRICT: dict[str, tuple[dict[str, int], bool]] = {
    # Y5 (two floors, own), so three floors to pay; Y6 same color, higher; Y3 lower by two; B7 another color; B4 both
    "Y5+Y6 with 1 at hand, 2 come back": ({"resources": 1}, True),
    "Y5+Y6 with 0 at hand, 2 come back": ({"resources": 0}, False),
    "Y5+B7 with 1 at hand": ({"resources": 1}, False),
    "Y5+B7 with 2 at hand": ({"resources": 2}, True),
    "Y5+Y4 with 1 SP": ({"resources": 1, "points": 1}, True),
    "Y5+Y4 without SP": ({"resources": 1, "points": 0}, False),
    "Y5+B4 with 2 at hand, 1 SP": ({"resources": 2, "points": 1}, True),
    "Y5+B4 with 2 at hand, 0 SP": ({"resources": 2, "points": 0}, False),
    "A+Y4 with 1 at hand": ({"resources": 1}, True),
    "A+Y4 with 0 at hand": ({"resources": 0}, False),
    # B6 belongs to the other player: two floors after building, nothing of it comes back to the chooser
    "B6+B8 with 2 at hand": ({"resources": 2}, True),
    "B6+B8 with 1 at hand": ({"resources": 1}, False),
    # nobody's: one floor becomes two
    "R3+R7 with 2 at hand": ({"resources": 2}, True),
    "R3+R7 with 1 at hand": ({"resources": 1}, False),
}


@pytest.mark.parametrize("case", STRICT)
def test_r3_3_the_strict_mask_is_r5_7_at_the_moment_of_the_choice(case: str) -> None:
    text, (fields, payable) = case.split(" ")[0], STRICT[case]
    card, tile = text.split("+")
    for strict in (False, True):
        builder = Builder(2, strict=strict).building((0, 0), "Y5", floors=2, owner=0).building((1, 0), "B6", owner=1)
        builder.characters(0, "RC", "RC", "YC").player(0, **fields).hand(0, card, "L").tiles(0, tile)
        table = builder.start()
        assert (text in table.legal) == (payable or not strict)
        assert {card, "L", "new-hand"} <= table.legal  # alone always
        if text in table.legal and card != "A":
            table.play(text)
            built = any(b["tile"] == tile for b in table.position["city"])
            assert built == payable
        elif text in table.legal:
            assert table.play(text).decision[0] == ("token" if payable else "take")


def test_r3_3_strict_hides_nothing_that_another_player_could_not_pay() -> None:
    """The mask asks for the actor's means, not for seat 0's."""
    builder = Builder(2, strict=True).other(first_player=1, actor=1).player(0, resources=0).player(1, resources=5)
    table = builder.hand(1, "R2", "A").tiles(1, "R4").hand(0, "B2", "C").tiles(0, "R5").start()
    assert table.legal == {"R2", "R2+R4", "A", "A+R4", "new-hand"}
    assert table.play("A").legal == {"B2", "C", "new-hand"}


# --- R3.4 ------------------------------------------------------------------------------------------------------------------


def test_r3_4_actions_are_resolved_in_turn_order_from_the_first_player() -> None:
    """All exploit a blue building; the tiles of the supply go to seats 1, 2, 0 in this order."""
    builder = Builder(3).other(first_player=1, actor=1).hand(0, "B1").hand(1, "B2").hand(2, "B3").next_tiles("Y9", "R9", "B9")
    table = builder.start().play("B2", "B3", "B1")
    assert [table.player(seat)["tiles"] for seat in (1, 2, 0)] == [["Y9"], ["R9"], ["B9"]]


@pytest.mark.parametrize(("text", "action"), [("A", "exploit"), ("B1", "exploit"), ("A+Y9", "urbanize"), ("B1+Y9", "construct")])
def test_r3_4_the_three_actions(text: str, action: str) -> None:
    """Stopped in the middle by a take or token decision, or by the last tile of the supply."""
    builder = Builder(2).characters(0, "BC", "RE", "YE").hand(0, "A", "B1").tiles(0, "Y9", "Y10").supply("R9")
    table = builder.hand(1, "B2").tiles(1, "R20").start()
    table.play(text, "B2")
    assert table.position["pending"] == {"player": 0, "action": action, "draws": 0}


# --- R3.5 ------------------------------------------------------------------------------------------------------------------


def test_r3_5_hands_and_first_player_move_one_seat_to_the_left_then_each_draws_one() -> None:
    table = three_players().next_cards("L", "K", "J", "I").start().play("B1", "Y1", "R1")
    position = table.position
    assert position["first_player"] == 2 and position["round"] == 6 and table.decision == ("commit", 2)
    # the new first player, seat 2, draws L, then seat 0 K, seat 1 J
    assert table.player(2)["hand"] == ["B2", "C", "D", "L"]
    assert table.player(0)["hand"] == ["Y2", "E", "F", "K"]
    assert table.player(1)["hand"] == ["R2", "A", "B", "J"]
    assert position["deck"][0] == "I"


def test_r3_5_the_first_player_card_goes_round_the_table() -> None:
    table = three_players().other(first_player=2, actor=2).start().play("Y1", "R1", "B1")
    assert table.position["first_player"] == 0


# --- R3.6 ------------------------------------------------------------------------------------------------------------------


def test_r3_6_the_example_of_the_rule_book_with_three_players() -> None:
    """Miley draws the last card; yellow 4, 5 and 9 and the others with a pawn join; seven are discarded; Nell then draws."""
    builder = Builder(3).building((3, 0), "Y4", owner=0, pawn=True).building((3, 1), "Y5", owner=1, pawn=True)
    builder.building((0, 0), "Y9", floors=2, owner=2, pawn=True).building((3, 2), "R12", owner=0, pawn=True)
    builder.hand(0, "A").deck("K").player(0, resources=3)
    table = builder.start()
    before = table.position
    table.play("A", "take:resource")
    position = table.position
    pile = in_order([*before["discard"], "A", "Y4", "Y5", "Y9", "R12"])
    fresh = Generator(before["random"]).shuffled(pile)
    assert table.player(1)["hand"] == ["K"] and table.player(2)["hand"] == [fresh[7]] and table.player(0)["hand"] == [fresh[8]]
    assert position["discard"] == in_order(fresh[:7]) and position["deck"] == fresh[9:]
    assert not any(b["pawn"] for b in position["city"])


@pytest.mark.parametrize(("players", "discarded"), [(2, 7), (3, 7), (4, 0), (5, 0)])
def test_r3_6_at_once_when_the_last_card_leaves_the_deck(players: int, discarded: int) -> None:
    """The last player of the round draws the last card: nobody needs another one now, and the deck is rebuilt nevertheless."""
    builder = Builder(players).building((3, 0), "Y4", owner=0, pawn=True).hand(0, "A")
    last = ["L", "K", "J", "I", "H"][:players]
    table = builder.deck(*last).start()
    before = table.position
    position = table.play("A", "take:resource").position
    fresh = Generator(before["random"]).shuffled(in_order([*before["discard"], "A", "Y4"]))
    assert [position["players"][(1 + k) % players]["hand"] for k in range(players)] == [[card] for card in last]
    assert position["deck"] == fresh[discarded:] and position["discard"] == in_order(fresh[:discarded])
    assert not any(b["pawn"] for b in position["city"]) and position["random"] != before["random"]


def test_r3_6_also_at_once_during_the_choice() -> None:
    """A New Hand takes the last four cards: pawns go before the player chooses."""
    builder = Builder(2).building((3, 0), "Y4", owner=1, pawn=True).hand(0, "A", "B", "C", "D").deck("L", "K", "J", "I")
    table = builder.start().play("new-hand")
    assert table.player(0)["hand"] == ["I", "J", "K", "L"]
    assert not table.building((3, 0))["pawn"] and len(table.position["deck"]) == 21 + 1 - 4 - 7


def test_r3_6_not_before_the_last_card_has_left() -> None:
    builder = Builder(2).building((3, 0), "Y4", owner=0, pawn=True).hand(0, "A").deck("L", "K", "J")
    table = builder.start().play("A", "take:resource")
    assert table.position["deck"] == ["J"] and table.building((3, 0))["pawn"]


def test_r3_6_only_the_top_tiles_card_joins() -> None:
    """A building with a pawn that has been built upon before: the card of the covered tile lies in a tableau."""
    builder = Builder(2).building((0, 0), "Y9", floors=3, owner=0, pawn=True).tableau(1, "R10", "B10").hand(0, "A").deck("K")
    table = builder.start().play("A", "take:resource")
    cards = table.position["deck"] + table.position["discard"] + table.player(0)["hand"] + table.player(1)["hand"]
    assert "Y9" in cards and "R10" not in cards and "B10" not in cards


def test_r3_6_the_discard_leaves_enough_for_the_draw_under_way() -> None:
    """Three players hold 12 of 17 cards. New Hand: one card from the deck, a pile of eight; three are still to be drawn."""
    builder = line_of_five(3).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H").hand(2, "I", "J", "R11", "B12")
    table = builder.deck("L").start()
    before = table.position
    pile = ["Y13", "R14", "B15", "K", "A", "B", "C", "D"]
    generator = Generator(before["random"])
    fresh = generator.shuffled(in_order(pile))
    table.play("new-hand")
    assert table.player(0)["hand"] == in_order(["L", *fresh[5:]])
    # These three emptied the deck again: the five discarded ones are shuffled and, with nothing left to draw, all discarded.
    generator.shuffled(in_order(fresh[:5]))
    assert table.position["deck"] == [] and table.position["discard"] == in_order(fresh[:5])
    assert int(table.position["random"], 16) == generator.state


def test_r3_6_the_bound_is_what_one_player_still_draws_not_all() -> None:
    """R3.5 with three players and a pile of five: each draw is one player's, so up to four are discarded each time."""
    builder = line_of_five(3).hand(0, "A", "B", "C", "D").hand(1, "E", "F", "G", "H").hand(2, "I", "J", "R11", "B12")
    table = builder.deck("L", "K").start()  # pile: Y13 R14 B15
    table.play("A", "E", "I")
    generator = Generator(table.position["random"])
    table.play("take:resource", "take:resource", "take:resource")
    # Seat 1 draws L, seat 2 draws K: the deck is empty, the pile of six is shuffled, nobody draws now: six are discarded.
    pile = in_order(["Y13", "R14", "B15", "A", "E", "I"])
    generator.shuffled(pile)
    # Seat 0 needs one: tried again; five are discarded, one is left; then once more, with nothing to draw.
    again = generator.shuffled(pile)
    assert table.player(1)["hand"] == ["B", "C", "D", "L"] and table.player(2)["hand"] == ["F", "G", "H", "K"]
    assert table.player(0)["hand"] == in_order(["R11", "B12", "J", again[5]])
    generator.shuffled(in_order(again[:5]))
    assert table.position["discard"] == in_order(again[:5]) and table.position["deck"] == []
    assert int(table.position["random"], 16) == generator.state


def test_r3_6_without_any_card_the_game_goes_on_with_fewer_and_tries_again_at_the_next_draw() -> None:
    builder = line_of_five(2).hand(0, "A", "B", "C").hand(1, "R11").tiles(1, "R12").player(1, resources=5).deck("L")
    table = builder.start().with_piles(0)
    # Seat 0 discards A; seat 1 builds: R12 has a pawn. Two cards for two draws.
    table.play("A", "R11+R12", "take:resource")
    assert sorted(len(p["hand"]) for p in table.position["players"]) == [1, 3]
    table = line_of_five(2).hand(0, "A", "B", "C").deck("L").start().with_piles(0)
    table.play("A", "take:resource")
    # Seat 1 got B C and the only card, A. Seat 0 got nothing, and seat 1 plays alone in the next round.
    assert table.player(1)["hand"] == ["A", "B", "C"] and table.player(0)["hand"] == []
    assert table.decision == ("commit", 1)
    table.play("B", "take:resource")
    # Seat 0 is first now, has A and C, and draws B: the pile is tried again.
    assert table.position["first_player"] == 0 and table.decision == ("commit", 0)
    assert table.player(0)["hand"] == ["A", "B", "C"] and table.player(1)["hand"] == []


def test_r3_6_a_player_without_cards_is_skipped() -> None:
    table = Builder(3).hand(0, "Y1", "A").hand(2, "Y2", "B").player(1, new_hands=2).start()
    assert table.play("Y1").decision == ("commit", 2)
    table.play("Y2")
    assert [table.player(seat)["points"] for seat in range(3)] == [1, 0, 1]


def test_r3_6_one_card_in_the_whole_game_is_enough_to_go_on() -> None:
    """Seat 0 builds on R11 with R12: its card becomes the deck, seat 1 draws it, and seat 0 has none."""
    table = line_of_five(2).hand(0, "R11").tiles(0, "R12").deck("L").start().with_piles(0)
    table.play("R11+R12")
    assert [p["hand"] for p in table.position["players"]] == [[], ["R12"]]
    assert (table.position["deck"], table.position["discard"], table.decision) == ([], [], ("commit", 1))
    table.play("new-hand")  # discarded, shuffled and drawn again
    assert table.player(1)["hand"] == ["R12"]
    table.play("R12")
    assert [p["hand"] for p in table.position["players"]] == [["R12"], []] and table.decision == ("commit", 0)


def test_r3_6_alone_the_bound_is_the_four_cards_of_the_round() -> None:
    """One card in the deck, a pile of seven: three of the round's four are still to be drawn, so only four are discarded."""
    builder = solo().hand(0, "Y1", "A", "B").william("L").deck("K").supply("R20", "R19", "R18")
    table = builder.start().with_piles(1, "IJ")
    generator = Generator(table.position["random"])
    table.play("Y1", "token:N")
    fresh = generator.shuffled(in_order(["I", "J", "Y1", "A", "B", "L", "R20"]))  # William's L and the pawn on its R20 included
    player, william = table.position["players"]
    assert player["hand"] == in_order(["K", *fresh[4:6]]) and william["commitment"] == {"card": fresh[6], "tile": None}
    assert table.position["discard"] == in_order(fresh[:4]) and table.position["deck"] == []
    generator.shuffled(fresh[:4])  # the draw emptied the deck, so the four are shuffled, and discarded again
    assert int(table.position["random"], 16) == generator.state


def test_r3_6_the_discard_pile_is_public() -> None:
    table = three_players().discard("I", "Y3").start()
    for viewer in range(3):
        assert table.seen(viewer).cards("discard") == {"I", "Y3"}
