"""R9: alone against William."""

from typing import Any

import pytest

from ..oracle_play import Generator
from .positions import LETTERS, TILES, Builder, Table, in_order, solo, table_from_seed

START = [f"{color}{number}" for color in "RBY" for number in (1, 2, 3)]


def table_of(william: str, *, level: str = "standard", **fields: Any) -> Builder:
    """The player can exploit Y1 (1 SP and nothing else); William holds the card; the next tile is R20."""
    builder = solo(level=level).hand(0, "Y1", "R3", "A").william(william).next_tiles("R20")
    return builder.player(0, resources=6, points=6)


# --- R9.1 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["standard", "advanced"])
def test_r9_1_setup(level: str) -> None:
    position = table_from_seed(4, players=1, level=level).position
    player, william = position["players"]
    assert (player["resources"], player["supply"], len(player["tiles"]), player["points"]) == (6, 19, 6, 6)
    assert (william["resources"], william["supply"], william["tiles"], william["points"]) == (25, 0, [], 0)
    assert all(p["characters"] == [] and p["new_hands"] == 0 and p["tableau"] == [] for p in (player, william))
    assert (len(position["supply"]), len(position["removed"]), len(position["discard"])) == (39, 6, 7)
    assert position["first_player"] == 0 and position["decision"] == {"kind": "commit", "actor": 0}
    assert position["config"]["level"] == level


def test_r9_1_without_new_hands() -> None:
    table = table_from_seed(4, players=1)
    assert "new-hand" not in table.legal


def test_r9_1_the_random_outcomes_in_their_order() -> None:
    generator = Generator(4)
    start = generator.shuffled(START)
    tiles = generator.shuffled([t for t in TILES if t not in START])
    deck = generator.shuffled([*START, *LETTERS])
    position = table_from_seed(4, players=1).position
    assert [b["tile"] for b in position["city"]] == start
    assert position["players"][0]["tiles"] == in_order(tiles[:6]) and position["supply"] == tiles[6:45]
    assert position["removed"] == in_order(tiles[45:]) and position["discard"] == in_order(deck[:7])
    assert int(position["random"], 16) == generator.state


# --- R9.2 ------------------------------------------------------------------------------------------------------------------


def test_r9_2_three_cards_for_the_player_then_one_for_william() -> None:
    generator = Generator(4)
    generator.shuffled(START)
    generator.shuffled([t for t in TILES if t not in START])
    deck = generator.shuffled([*START, *LETTERS])[7:]
    position = table_from_seed(4, players=1).position
    assert position["players"][0]["hand"] == in_order(deck[:3])
    assert position["players"][1]["commitment"] == {"card": deck[3], "tile": None} and position["deck"] == deck[4:]


def test_r9_2_each_round_anew() -> None:
    table = table_of("B3").next_cards("L", "K", "J", "I", "H").start().play("Y1")
    position = table.position
    assert position["players"][0]["hand"] == ["J", "K", "L"] and position["players"][1]["commitment"]["card"] == "I"
    assert position["round"] == 6 and position["first_player"] == 0 and position["deck"][0] == "H"


def test_r9_2_the_player_plays_by_the_normal_rules() -> None:
    table = table_of("L").tiles(0, "Y4").start()
    assert table.legal == {"Y1", "R3", "A", "Y1+Y4", "R3+Y4", "A+Y4"}
    table = table_of("B3").tiles(0, "Y4").start().play("Y1+Y4")
    player = table.player(0)
    assert table.building((1, 0)) == {"cell": [1, 0], "tile": "Y4", "floors": 2, "owner": 0, "pawn": True}
    assert (player["resources"], player["tableau"]) == (4, ["Y1"])
    table = table_of("L").start().play("A")
    assert table.decision == ("take", 0) and table.legal == {"take:resource", "take:tile"}
    table = table_of("L").tiles(0, "Y4").player(0, resources=0).start().play("R3+Y4")  # R5.7
    assert table.player(0)["tiles"] == ["Y4"] and table.player(0)["resources"] == 1


def test_r9_2_the_two_others_are_discarded_after_the_action_before_william_acts() -> None:
    """At William's token decision they lie on the pile already; during the player's own decision they do not."""
    table = table_of("L").tiles(0, "Y4").start().play("A+Y4")
    assert table.decision == ("token", 0) and table.player(0)["hand"] == ["R3", "Y1"] and table.position["discard"] == []
    table = table_of("L").start().play("Y1")
    assert table.decision == ("token", 0) and table.position["pending"]["player"] == 1
    assert table.player(0)["hand"] == [] and table.position["discard"] == ["R3", "Y1", "A"]


# --- R9.3 ------------------------------------------------------------------------------------------------------------------


def test_r9_3_william_urbanizes() -> None:
    """A's neighbor is R2: one SP for its one item, and nothing else; the player places the token."""
    table = table_of("A").hand(0, "Y1", "R3", "L").start().play("Y1")
    assert table.building((0, -1)) == {"cell": [0, -1], "tile": "R20", "floors": 1, "owner": 1, "pawn": True}
    assert table.decision == ("token", 0) and table.legal == {"token:N", "token:W"}
    assert table.position["pending"] == {"player": 1, "action": "urbanize", "draws": 0} and table.tokens["A"] is None
    table.play("token:W")
    william = table.player(1)
    assert (william["points"], william["resources"], william["supply"], william["tiles"]) == (1, 24, 0, [])
    assert table.tokens["A"] == (-1, -1) and "A" in table.position["discard"]
    assert table.player(0)["resources"] == 6 and table.player(0)["points"] == 7


def test_r9_3_one_sp_for_each_item_of_the_adjacent_buildings() -> None:
    """Red of two floors (the player's), blue of three (its own) and yellow of one, whatever the item."""
    builder = table_of("B").hand(0, "Y2", "R3", "A").building((1, 0), "B9", floors=3, owner=1)
    builder.building((0, -1), "R9", floors=2, owner=0).building((2, -1), "Y9").token("A", (0, -2))
    william = builder.start().play("Y2").player(1)
    assert (william["points"], william["resources"], william["tiles"]) == (6, 25 - 3 - 1, [])


def test_r9_3_permanent_bonuses_never_give_him_anything() -> None:
    builder = table_of("A").hand(0, "Y1", "R3", "L").tableau(1, "R5", "B5", "Y5", "Y8", "R6", "Y9", "Y4")
    table = builder.start().play("Y1", "token:N")
    assert (table.player(1)["points"], table.player(1)["resources"], table.player(1)["tiles"]) == (1, 24, [])
    builder = table_of("B3").tableau(1, "R5", "B5", "Y5", "Y8", "R6", "Y9", "Y4")
    table = builder.start().play("Y1")
    assert (table.player(1)["points"], table.player(1)["resources"]) == (0, 23)


def test_r9_3_william_constructs_without_additional_costs_and_keeps_the_card() -> None:
    """R20 on B3 changes the color; R4 on Y19 is another color and lower by 15."""
    table = table_of("B3").start().play("Y1")
    william = table.player(1)
    assert table.building((2, 0)) == {"cell": [2, 0], "tile": "R20", "floors": 2, "owner": 1, "pawn": True}
    assert (william["resources"], william["points"], william["tableau"]) == (23, 0, ["B3"])
    table = table_of("Y19").building((0, 0), "Y19").next_tiles("R4").start().play("Y1")
    assert table.building((0, 0))["tile"] == "R4" and (table.player(1)["resources"], table.player(1)["points"]) == (23, 0)


def test_r9_3_william_on_a_building_of_the_players() -> None:
    table = table_of("Y9").building((0, 0), "Y9", floors=3, owner=0).start().play("Y1")
    player, william = table.position["players"]
    assert (player["resources"], player["points"]) == (6 + 3, 6 + 1 + 3)
    assert (william["resources"], william["points"]) == (25 - 4, 0)
    assert table.building((0, 0))["owner"] == 1 and table.building((0, 0))["floors"] == 4


def test_r9_3_william_on_his_own_building() -> None:
    table = table_of("Y9").building((0, 0), "Y9", floors=3, owner=1).start().play("Y1")
    assert (table.player(1)["resources"], table.player(1)["points"]) == (25 - 4, 0)


def test_r9_3_the_player_on_williams_building() -> None:
    builder = table_of("B3").building((0, 0), "Y9", floors=3, owner=1).hand(0, "Y9", "A").tiles(0, "Y10")
    table = builder.start().play("Y9+Y10")
    assert table.player(1)["resources"] == 25 - 2 and table.player(1)["points"] == 3  # it then builds on B3
    assert table.player(0)["resources"] == 2 and table.building((0, 0))["owner"] == 0


def test_r9_3_own_resources_that_come_back_count() -> None:
    """All but one lie on buildings: four floors need four, three come back. Then none is left: the end."""
    builder = table_of("Y9").building((0, 0), "Y9", floors=3, owner=1).building((1, 1), "R17", floors=21, owner=1)
    table = builder.start().play("Y1")
    assert table.building((0, 0))["floors"] == 4 and table.player(1)["resources"] == 0
    assert table.decision == ("over", None) and table.position["ending"] == "william"


def test_r9_3_the_token_without_a_free_cell_is_placed_by_the_player_too() -> None:
    """The cells beside A's building are taken: after and before, on William's behalf."""
    builder = table_of("A").hand(0, "Y1", "R3").building((-1, 0), "R9").building((-1, -1), "B9").building((-1, -2), "Y9")
    builder.token("L", (0, -2)).token("B", (1, -1)).token("K", (-2, 0))
    table = builder.start().play("Y1")
    assert table.decision == ("token", 0) and table.legal == {"token:after", "token:before"}
    assert table.position["pending"]["player"] == 1
    # The edge here: ..., L's cell (0, -2), B's (1, -1), C's (2, -1), D's (3, 0), E's (3, 1), F's, and then (2, 3)
    table.play("token:after")
    assert table.tokens["A"] == (1, -1) and table.tokens["B"] == (2, -1)


# --- R9.4 ------------------------------------------------------------------------------------------------------------------


def advanced(first: str, second: str, *more: str) -> Table:
    """William's first card, and the next one of the deck; the player has exploited Y1."""
    builder = table_of(first, level="advanced").hand(0, "Y1", "R1").building((0, 0), "R9", floors=2, owner=0)
    return builder.next_cards(second, *more).start().play("Y1")


def test_r9_4_a_building_card_replaces_the_urbanization_card() -> None:
    table = advanced("L", "B3")
    assert table.building((2, 0))["tile"] == "R20" and "B3" in table.player(1)["tableau"]
    assert "L" in table.position["discard"] and len(table.position["city"]) == 9


def test_r9_4_an_urbanization_card_that_brings_more_replaces_it() -> None:
    """Beside D lies B3, one item; beside L R9 with two floors."""
    table = advanced("D", "L")
    assert table.building((-1, 0))["tile"] == "R20" and table.decision == ("token", 0)
    assert table.player(1)["commitment"] == {"card": "L", "tile": None} and "D" in table.position["discard"]
    table.play("token:N")
    assert table.player(1)["points"] == 2 and {"D", "L"} <= set(table.position["discard"])


def test_r9_4_one_that_brings_as_much_does_not() -> None:
    table = advanced("D", "E")
    assert table.building((3, 0))["tile"] == "R20" and "E" in table.position["discard"]
    table = advanced("L", "A")  # both beside R9
    assert table.building((-1, 0))["tile"] == "R20"


def test_r9_4_one_that_brings_less_does_not() -> None:
    table = advanced("L", "D")
    assert table.building((-1, 0))["tile"] == "R20" and "D" in table.position["discard"]


def test_r9_4_a_building_card_brings_no_second_card() -> None:
    table = advanced("B3", "L", "K", "J", "I", "H")
    assert "B3" in table.player(1)["tableau"]
    position = table.position
    assert position["players"][0]["hand"] == ["J", "K", "L"] and position["players"][1]["commitment"]["card"] == "I"


def test_r9_4_a_second_urbanization_card_brings_no_third() -> None:
    table = advanced("D", "E", "B2", "K", "J", "I").play("token:N")
    position = table.position
    assert position["players"][0]["hand"] == ["B2", "J", "K"] and position["players"][1]["commitment"]["card"] == "I"
    assert len(position["city"]) == 10


def test_r9_4_not_at_the_standard_level() -> None:
    table = table_of("L").hand(0, "Y1", "R1").next_cards("B3").start().play("Y1")
    assert table.position["deck"][0] == "B3" and table.building((-1, 0))["tile"] == "R20"


def test_r9_4_decided_before_his_tile_is_drawn_and_before_he_pays() -> None:
    """It could pay for L, not for B3 with its two floors; the building card is taken, and it is out of resources."""
    builder = table_of("L", level="advanced").hand(0, "Y1", "R3").building((1, 1), "R17", floors=24, owner=1)
    table = builder.next_cards("B3").start().play("Y1")
    assert table.decision == ("over", None) and table.position["ending"] == "william"
    assert {"L", "B3"} <= set(table.position["discard"]) and table.position["removed"] == ["R20"]


def test_r9_4_the_second_card_was_the_decks_last() -> None:
    """Reconstitution comes first, and the card not used goes onto the new discard pile."""
    for second, unused in (("B3", "L"), ("D", "D")):
        builder = table_of("L", level="advanced").hand(0, "Y1", "R3").deck(second)
        builder.building((0, 0), "R9", floors=2, owner=0, pawn=True)
        table = builder.start()
        before = table.position
        table.play("Y1")
        # the pile: what was there, Y1 and R3, and R9's card, as its pawn goes; William's cards are not part of it
        fresh = Generator(before["random"]).shuffled(in_order([*before["discard"], "Y1", "R3", "R9"]))
        if second == "D":
            assert table.decision == ("token", 0)
            assert table.position["deck"] == fresh[7:] and table.position["discard"] == in_order([*fresh[:7], unused])
        else:
            deck = fresh[7:]
            assert table.player(0)["hand"] == in_order(deck[:3]) and table.player(1)["commitment"]["card"] == deck[3]
            assert table.position["discard"] == in_order([*fresh[:7], unused]) and table.position["deck"] == deck[4:]
        assert not table.building((0, 0))["pawn"]


def test_r9_4_without_a_tile_for_him_no_second_card_is_drawn() -> None:
    builder = table_of("L", level="advanced").hand(0, "B1", "R1").next_cards("B3").supply("R20")
    table = builder.start().play("B1")
    assert table.position["deck"][0] == "B3" and table.player(1)["commitment"] == {"card": "L", "tile": None}
    assert table.decision == ("over", None)


# --- R9.5 ------------------------------------------------------------------------------------------------------------------


def test_r9_5_the_players_own_draw_empties_the_supply() -> None:
    """William does not act, its card stays unseen; no tiles are returned; draws beyond give nothing."""
    builder = table_of("L").hand(0, "B9", "A").building((0, 0), "B9", floors=3, owner=0).supply("R20", "R19")
    table = builder.tiles(0, "Y4").start().play("B9")
    player, william = table.position["players"]
    assert table.decision == ("over", None) and table.position["ending"] == "tiles" and table.position["exhaustions"] == 1
    assert player["tiles"] == ["R19", "R20", "Y4"] and player["points"] == 6
    assert william["commitment"] == {"card": "L", "tile": None} and "L" not in table.position["discard"]
    assert len(table.position["city"]) == 9 and william["resources"] == 25 and table.done and not table.truncated
    assert not table.seen(0).cards("discard") & {"L"} and table.seen(0).cards("resolving") == set()


def test_r9_5_williams_draw_empties_the_supply() -> None:
    """It still builds with the tile; then the game is over."""
    table = table_of("B3").supply("R20").start().play("Y1")
    assert table.building((2, 0))["tile"] == "R20" and table.player(1)["tableau"] == ["B3"]
    assert table.decision == ("over", None) and table.position["ending"] == "tiles"
    table = table_of("L").supply("R20").start().play("Y1")
    assert table.decision == ("token", 0)
    table.play("token:N")
    assert table.decision == ("over", None) and table.player(1)["points"] == 1


def test_r9_5_the_round_ends_the_game_even_if_the_player_takes_the_last_tile_with_nothing_owed() -> None:
    table = table_of("B3").hand(0, "B1", "A").supply("R20").start().play("B1")
    assert table.decision == ("over", None) and table.building((2, 0))["tile"] == "B3"


def test_r9_5_the_player_has_placed_all_resources_and_william_still_acts() -> None:
    builder = table_of("B3").building((0, 0), "R15", floors=23, owner=0).player(0, resources=2).hand(0, "Y1", "A")
    table = builder.tiles(0, "Y4").start().play("Y1+Y4")
    assert table.building((2, 0)) == {"cell": [2, 0], "tile": "R20", "floors": 2, "owner": 1, "pawn": True}
    assert table.decision == ("over", None) and table.position["ending"] == "resources"
    assert table.player(0)["hand"] == [] and "A" in table.position["discard"]


def test_r9_5_it_stays_ended_when_william_returns_some() -> None:
    builder = table_of("R15").building((0, 0), "R15", floors=2, owner=0).building((1, 1), "R17", floors=21, owner=0)
    table = builder.player(0, resources=2).hand(0, "Y1", "A").tiles(0, "Y4").start().play("Y1+Y4")
    assert table.player(0)["resources"] == 2 and table.position["ending"] == "resources" and table.decision == ("over", None)


def test_r9_5_none_left_after_building() -> None:
    builder = table_of("L").building((1, 1), "R17", floors=24, owner=1)
    table = builder.start().play("Y1", "token:N")
    assert table.player(1)["resources"] == 0 and table.decision == ("over", None) and table.position["ending"] == "william"
    assert table.building((-1, 0))["owner"] == 1 and "L" in table.position["discard"]


def test_r9_5_fewer_than_he_needs() -> None:
    """One resource, two floors: nothing is built, card discarded, the tile gone, the game over."""
    builder = table_of("B3").building((1, 1), "R17", floors=24, owner=1)
    table = builder.start()
    supply = table.position["supply"]
    table.play("Y1")
    position = table.position
    assert table.decision == ("over", None) and position["ending"] == "william"
    assert table.building((2, 0)) == {"cell": [2, 0], "tile": "B3", "floors": 1, "owner": None, "pawn": False}
    assert "B3" in position["discard"] and position["players"][1]["tableau"].count("B3") == 0
    assert position["removed"] == ["R20"] and position["supply"] == supply[1:]
    assert position["players"][1]["commitment"] is None


def test_r9_5_what_comes_back_to_the_player_does_not_help_william() -> None:
    builder = table_of("Y9").building((1, 1), "R17", floors=22, owner=1).building((0, 0), "Y9", floors=3, owner=0)
    table = builder.start().play("Y1")
    assert table.position["ending"] == "william" and table.building((0, 0))["owner"] == 0
    assert table.player(0)["points"] == 7 and table.player(0)["resources"] == 6


def test_r9_5_checked_after_his_tile_is_drawn() -> None:
    """The last tile is drawn for it first: the supply is empty, which comes first in time."""
    builder = table_of("B3").building((1, 1), "R17", floors=24, owner=1).supply("R20")
    table = builder.start().play("Y1")
    assert table.position["supply"] == [] and table.position["ending"] == "tiles" and "R20" in table.position["removed"]
    assert table.building((2, 0))["tile"] == "B3"


def test_r9_5_the_player_can_help_him_to_resources() -> None:
    """The player builds on William's building just before: 24 come back, and it can pay again."""
    builder = table_of("B3").building((0, 0), "R17", floors=24, owner=1).hand(0, "R17", "A").tiles(0, "R18")
    builder.player(0, resources=25)
    table = builder.start().play("R17+R18")
    assert table.player(1)["points"] == 24 and table.player(1)["resources"] == 23
    assert table.position["ending"] == "resources"  # the player has placed all 25


# --- R9.6 ------------------------------------------------------------------------------------------------------------------


def test_r9_6_williams_score() -> None:
    """SP, endgame cards (16-19 count its permanent cards too), districts; no New Hand tokens."""
    builder = table_of("L").building((0, 1), "R14", floors=2, owner=1).building((0, 2), "R13", floors=3, owner=1)
    builder.tableau(1, "R4", "R16", "R19", "Y20").player(1, points=5).player(0, points=7)
    table = builder.start()
    william = table.outcome.breakdown[1]
    assert william["points"] == 5 and william["new_hands"] == 0
    assert {card: william["cards"][card] for card in ("R16", "R19", "Y20")} == {"R16": 2, "R19": 6, "Y20": 9}
    # R14 and R13 hang together with R2 above and R3 at the side, unowned: five resources, twice
    assert 10 in william["districts"] and table.outcome.scores[1] == william["total"]
    assert william["total"] == 5 + sum(william["cards"].values()) + 10


@pytest.mark.parametrize(("points", "winners"), [(4, (1,)), (5, (0, 1)), (6, (0,))])
def test_r9_6_more_points_than_william_win_equal_points_are_a_draw(points: int, winners: tuple[int, ...]) -> None:
    builder = table_of("L").hand(0, "B1", "A").supply("R20").player(0, points=points).player(1, points=5)
    table = builder.start().play("B1")
    assert table.outcome.scores == (points, 5) and table.outcome.winners == winners
