"""The oracle alone against William (R9): his turn, and each way to end."""

from typing import Any

from .ginkgopolis import Oracle
from .helpers import Scripted, blank, building, config, find, play

Json = dict[str, Any]


def alone(card: str, **changes: Any) -> Json:
    """The player holds Y1 and two letters; William's card is given; Y1..Y3 stand in the top row."""
    position = blank(1, max_rounds=9, **changes)
    position["city"][:3] = [building(x, 0, f"Y{x + 1}") for x in range(3)]
    position["city"][3:] = [building(x % 3, 1 + x // 3, f"R{x + 4}") for x in range(6)]
    player, william = position["players"]
    player |= {"hand": ["Y1", "K", "L"], "resources": 5, "supply": 20}
    william["commitment"] = {"card": card, "tile": None}
    position["supply"] = ["B10", "B11", "B12"]
    return position


def test_setup_alone() -> None:
    """R9.1, R9.2."""
    chance = Scripted()
    position = Oracle(config(1), chance).position()
    player, william = position["players"]
    assert [name for name, _ in chance.asked] == ["start_tiles", "tiles", "deck"]
    assert (player["resources"], player["supply"], player["points"], len(player["tiles"])) == (6, 19, 6, 6)
    assert (william["resources"], william["supply"], william["points"], william["tiles"]) == (25, 0, 0, [])
    assert player["new_hands"] == 0 and player["characters"] == []
    assert len(position["supply"]) == 39 and len(position["removed"]) == 6 and len(position["discard"]) == 7
    assert player["hand"] == ["Y2", "Y3", "A"] and william["commitment"] == {"card": "B", "tile": None}
    assert len(position["deck"]) == 10 and position["first_player"] == 0 and position["round"] == 1


def test_william_urbanizes() -> None:
    """R9.3: 1 SP for each item of the adjacent buildings, whatever its color; the player places the token."""
    position = alone("L")
    position["city"][0] = building(0, 0, "R20", 3, 0)
    position["players"][0]["hand"] = ["Y2", "J", "K"]
    oracle = play(position, "Y2")
    middle = oracle.position()
    assert oracle.decision() == ("token", 0)
    assert middle["pending"] == {"player": 1, "action": "urbanize", "draws": 0}
    assert middle["players"][0]["hand"] == [] and {"J", "K", "Y2"} <= set(middle["discard"])
    assert oracle.view(0)["players"][1]["card"] == "L"
    oracle.apply("token:N")
    after = oracle.position()
    william = after["players"][1]
    assert (william["points"], william["resources"], william["tiles"]) == (3, 24, [])
    assert find(after, "B10") == building(-1, 0, "B10", 1, 1, True) and "L" in after["discard"]
    assert after["round"] == 2 and oracle.decision() == ("commit", 0)


def test_william_constructs() -> None:
    """R9.3: without additional costs; the player's resources come back with SP; the card is kept."""
    position = alone("R4")
    position["city"][3] = building(0, 1, "R4", 2, 0)
    after = play(position, "Y1").position()
    player, william = after["players"]
    assert (player["resources"], player["points"]) == (7, 1 + 2)
    assert (william["resources"], william["points"], william["tableau"]) == (22, 0, ["R4"])
    assert find(after, "B10")["floors"] == 3


def test_player_builds_on_william_and_william_on_his_own() -> None:
    """R9.3: William gets his back with SP; on his own building without."""
    position = alone("R5")
    position["city"][3] = building(0, 1, "R4", 2, 1)
    position["city"][4] = building(1, 1, "R5", 1, 1)
    position["players"][0] |= {"hand": ["R4", "K", "L"], "tiles": ["R9"]}
    position["players"][1]["resources"] = 22
    after = play(position, "R4+R9").position()
    william = after["players"][1]
    assert (william["points"], william["resources"], after["players"][0]["resources"]) == (2, 22 + 2 + 1 - 2, 2)


def test_the_players_draw_empties_the_supply() -> None:
    """R9.5: William does not act, his card stays unseen; no returning of tiles."""
    position = alone("R4")
    position["city"][0] = building(0, 0, "B20", 2)
    position["players"][0] |= {"hand": ["B20", "K", "L"], "tiles": ["R9"]}
    position["supply"] = ["B10"]
    oracle = play(position, "B20")
    after = oracle.position()
    assert oracle.decision() == ("over", None) and after["ending"] == "tiles" and after["exhaustions"] == 1
    assert after["players"][1]["commitment"] == {"card": "R4", "tile": None}
    assert after["players"][1]["resources"] == 25 and oracle.view(0)["players"][1]["card"] is None
    assert after["players"][0]["tiles"] == ["R9", "B10"]


def test_williams_draw_empties_the_supply() -> None:
    """R9.5: he still builds with it."""
    position = alone("R4")
    position["supply"] = ["B10"]
    after = play(position, "Y1").position()
    assert after["ending"] == "tiles" and after["exhaustions"] == 1
    assert find(after, "B10")["owner"] == 1 and after["players"][1]["tableau"] == ["R4"]


def test_the_player_places_all_resources() -> None:
    """R9.5: William still acts; it ends even if some come back."""
    position = alone("R5")
    position["city"][0] = building(0, 0, "Y1", 23, 0)
    position["city"][4] = building(1, 1, "R5", 1, 0)
    position["players"][0] |= {"resources": 1, "supply": 0, "tiles": ["Y9"]}
    oracle = play(position, "Y1+Y9")
    after = oracle.position()
    assert after["ending"] == "resources" and oracle.decision()[0] == "over"
    assert after["players"][0]["resources"] == 1 and find(after, "B10")["owner"] == 1


def test_william_has_none_left() -> None:
    """R9.5: none left after building."""
    position = alone("R4")
    position["players"][1]["resources"] = 2
    after = play(position, "Y1").position()
    assert after["ending"] == "william" and find(after, "B10")["floors"] == 2
    position["players"][1]["resources"] = 3
    assert play(position, "Y1").position()["ending"] is None


def test_william_has_fewer_than_he_needs() -> None:
    """R9.5: nothing happens, the card is discarded, the tile counts for nothing."""
    position = alone("R4")
    position["players"][1]["resources"] = 1
    oracle = play(position, "Y1")
    after = oracle.position()
    assert after["ending"] == "william" and after["exhaustions"] == 0
    assert "B10" in after["removed"] and "R4" in after["discard"]
    assert after["players"][1] | {"resources": 1, "commitment": None} == after["players"][1]
    assert find(after, "R4")["owner"] is None
    position["supply"] = ["B10"]
    both = play(position, "Y1").position()
    assert both["ending"] == "tiles" and "B10" in both["removed"] and both["supply"] == []


def test_own_resources_that_come_back_count_for_william() -> None:
    """R9.3: one resource at hand is enough on his own building."""
    position = alone("R4")
    position["city"][3] = building(0, 1, "R4", 3, 1)
    position["players"][1]["resources"] = 1
    after = play(position, "Y1").position()
    assert after["ending"] == "william" and find(after, "B10") == building(0, 1, "B10", 4, 1, True)


def test_advanced_second_card() -> None:
    """R9.4: a building card replaces it; a letter only with strictly more SP; no third card."""
    position = alone("A", level="advanced")
    position["deck"] = ["R4", *position["deck"]]
    after = play(position, "Y1").position()
    assert after["players"][1]["tableau"] == ["R4"] and "A" in after["discard"]
    position["deck"][0] = "B"  # the cell above Y2, one floor like the one above Y1
    oracle = play(position, "Y1")
    assert oracle.position()["players"][1]["commitment"] == {"card": "A", "tile": None}
    assert "B" in oracle.position()["discard"]
    position["city"][1]["floors"] = 2
    after = play(position, "Y1").position()  # B's token has one free cell to go to, so the next round has come
    assert after["players"][1]["points"] == 2 and {"A", "B"} <= set(after["discard"])
    assert len(after["deck"]) == len(position["deck"]) - 1 - 4


def test_advanced_second_card_is_the_decks_last() -> None:
    """R9.4: reconstitution first; the unused card goes onto the new discard pile."""
    position = alone("A", level="advanced")
    position["deck"], position["discard"] = ["R4"], [f"R{n}" for n in range(10, 16)]
    chance = Scripted()
    play(position, "Y1", chance=chance)
    items = [f"R{n}" for n in range(10, 16)] + ["Y1", "K", "L"]
    assert chance.asked[0] == ("deck", items)
    # K and L stay; the next round's four empty the deck again: A, discarded after the shuffle, is in that pile
    assert chance.asked[1] == ("deck", [f"R{n}" for n in range(10, 16)] + ["B10", "Y1", "A"])


def test_rounds_cards_are_one_draw() -> None:
    """R3.6, R9.2: with two cards left, so many stay that the four of the round are complete."""
    position = alone("R4")
    position["deck"], position["discard"] = ["R10", "R11"], ["R12"]
    position["city"] = [entry | {"pawn": entry["tile"] == "R9"} for entry in position["city"]]
    position["supply"] = ["B10", "B11", "B12"]
    chance = Scripted()
    after = play(position, "Y1", chance=chance).position()
    # pile: R12, Y1, K, L and the pawns' cards R9 and B10 (just built); two are needed, four discarded; the last card
    # drawn empties the deck, and the four become a deck that is all discarded
    assert chance.asked[0] == ("deck", ["R9", "R12", "B10", "Y1", "K", "L"])
    assert after["players"][0]["hand"] == ["R10", "R11", "K"]
    assert after["players"][1]["commitment"] == {"card": "L", "tile": None}
    assert after["deck"] == [] and after["discard"] == ["R9", "R12", "B10", "Y1"]


def test_win_loss_draw() -> None:
    """R9.6: the player needs more points than William; equal points are a draw."""
    position = alone("R4")
    position["decision"] = {"kind": "over", "actor": None}
    position["city"] = [entry | {"owner": None} for entry in position["city"]]
    position["players"][1]["tableau"] = ["R16", "R1", "R4"]  # 2 x 2 SP
    results = []
    for points in (5, 3, 4):
        position["players"][0]["points"] = points
        results.append(play(position).winners())
    assert results == [[0], [1], [0, 1]]
