"""The Experts, tiles: draws and stacks (X0), new buildings (X1), prestige buildings (X2). Books' examples and hand-made ones."""

import random
from itertools import product
from typing import Any

import pytest

from .components import NEW_BUILDINGS, PRESTIGE
from .expansion import MODULES, TILE_MODULES, check_config
from .ginkgopolis import Oracle, RandomChance
from .helpers import Scripted, blank, building, config, find, kinds_of, play

Json = dict[str, Any]


def drawing(rights: int, *modules: str, **changes: Any) -> Json:
    """Seat 0 is about to exploit a blue building with so many floors."""
    position = blank(2, *modules, **changes)
    position["city"][0] = building(0, 0, "B9", rights, 1)
    position["players"][0] |= {"hand": ["B9", "A"]}
    position["players"][1]["hand"] = ["R2", "R3"]
    return position


def drawn(position: Json, *splits: str) -> Json:
    """After both commit alone and seat 0 splits."""
    return play(position, "B9", "R2", *(f"split:{split}" for split in splits)).position()


# --- X0 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_three_more_tiles_are_removed_for_each_module_with_tiles(players: int) -> None:
    for size, modules in enumerate([[], *(MODULES[:n] for n in range(1, 7))]):
        settings = config(players, setup="draft", modules=modules, hand_size=4) if modules else config(players)
        chance = Scripted()
        position = Oracle(settings, chance).position()
        assert len(position["removed"]) == (6 if players <= 3 else 0) + 3 * min(size, 3)
        dealt = [tile for side in position["players"] for tile in side["tiles"]]
        assert not set(dealt) & {*NEW_BUILDINGS, *PRESTIGE, "GS"}  # X0.3
        names = [name for name, _ in chance.asked]
        assert names[:3] == ["start_tiles", "tiles", "deck"] and (names[3] == "new_buildings") == (size >= 1)


def test_outcomes_come_in_the_order_of_the_text() -> None:
    """X7.5: value II after the deck, then characters, experts; the first player last."""
    chance = Scripted()
    oracle = Oracle(config(2, setup="draft", modules=MODULES, hand_size=4), chance)
    while oracle.decision()[0] == "draft":
        oracle.apply(oracle.legal()[0])
    names = ["start_tiles", "tiles", "deck", "new_buildings", "characters", "experts", "first_player"]
    assert [name for name, _ in chance.asked] == names
    assert chance.asked[3][1] == NEW_BUILDINGS


def test_nell_splits_four_draws() -> None:
    """French book, module 1: four draws are 4 of value I, or 2 and one of value II, or two of value II."""
    position = drawing(3, "new_buildings")
    position["players"][0]["tableau"] = ["B1"]  # one tile more when exploiting
    oracle = play(position, "B9", "R2")
    assert oracle.decision() == ("split", 0) and kinds_of(oracle) == ["new-building", "done"]
    pending = oracle.position()["pending"]
    assert pending["draws"] == 4 and pending["split"] == dict.fromkeys(
        ("red", "blue", "yellow", "new_building", "green_space"), 0
    )
    base = position["supply"]
    assert drawn(position, "done")["players"][0]["tiles"] == base[:4]
    assert drawn(position, "new-building", "done")["players"][0]["tiles"] == [*base[:2], "R21"]
    two = drawn(position, "new-building", "new-building")  # only done is left: not asked
    assert two["players"][0]["tiles"] == ["R21", "R22"] and two["new_buildings"] == NEW_BUILDINGS[2:]
    assert two["supply"] == base and two["players"][0]["known_tiles"] == []


def test_nell_takes_a_prestige_building_for_three_draws() -> None:
    """French book, module 2: three draws are 3 of value I or one of value III."""
    position = drawing(1, "prestige")
    position["players"][0]["tableau"] = ["B1", "B4"]
    oracle = play(position, "B9", "R2")
    assert kinds_of(oracle) == ["red", "blue", "yellow", "done"]
    after = drawn(position, "blue")
    assert after["players"][0]["tiles"] == ["B24"] == after["players"][0]["known_tiles"]
    assert after["prestige"] == ["R24", "R25", "B25", "Y24", "Y25"]
    assert drawn(position, "done")["players"][0]["tiles"] == position["supply"][:3]


def test_no_split_where_draws_are_too_few() -> None:
    assert play(drawing(1, "new_buildings", "prestige"), "B9", "R2").decision()[0] == "over"
    assert play(drawing(2, "prestige"), "B9", "R2").decision()[0] == "over"


def test_two_prestige_buildings_of_a_color_are_24_then_25() -> None:
    """X0.2: only stacks that still hold tiles are offered."""
    position = drawing(10, "prestige")
    once = play(position, "B9", "R2", "split:yellow")
    assert kinds_of(once) == ["yellow", "done"]  # ascending: no way back to red
    after = drawn(position, "red", "red", "blue")
    assert after["players"][0]["tiles"] == [position["supply"][0], "R24", "R25", "B24"]
    position["prestige"] = ["B25", "Y24"]
    assert kinds_of(play(position, "B9", "R2")) == ["blue", "yellow", "done"]
    assert "B25" in drawn(position, "blue", "done")["players"][0]["tiles"]


def combinations_of(rights: int, prestige: tuple[int, ...], new: int, green: int) -> int:
    """How many splits X0.1 allows."""
    ranges = [range(count + 1) for count in (*prestige, new, min(1, green))]
    return sum(3 * (r + b + y) + 2 * n + g <= rights for r, b, y, n, g in product(*ranges))


@pytest.mark.parametrize("rights", range(1, 10))
def test_one_path_for_each_combination(rights: int) -> None:
    """X0.1: 2a + 3b + g draws, g at most one, as far as the stacks go."""
    position = drawing(rights, *TILE_MODULES)
    position["prestige"], position["green_spaces"] = ["R24", "R25", "Y25"], 2
    position["new_buildings"] = NEW_BUILDINGS[:3]
    ends = []

    def walk(*splits: str) -> None:
        oracle = play(position, "B9", "R2", *splits)
        if oracle.decision()[0] == "split":
            for text in oracle.legal():
                walk(*splits, text)
        else:
            ends.append(tuple(oracle.position()["players"][0]["tiles"]))

    walk()
    assert len(ends) == len(set(ends)) == combinations_of(rights, (2, 0, 1), 3, 2)


def test_base_tiles_are_drawn_last_and_run_out_in_the_middle() -> None:
    """X0.1, X0.2, R7.1: rights are counted, not tiles; what was just taken can be returned; no new split."""
    position = drawing(9, *TILE_MODULES)
    position["supply"] = ["R5"]
    chance = Scripted(returned_tiles=[["R5"]])
    oracle = play(position, "B9", "R2", "split:red", "split:new-building", "split:green-space", chance=chance)
    assert oracle.decision() == ("return", 0)
    middle = oracle.position()
    assert middle["players"][0]["tiles"] == ["R5", "R21", "R24", "GS"]
    assert middle["pending"]["draws"] == 9 - 3 - 2 - 1 - 1 and middle["pending"]["split"] is None
    assert middle["pending"]["green_drawn"] is True and middle["supply"] == []
    assert oracle.legal() == ["return:R5", "return:R21", "return:R24", "return:GS", "return:done"]
    for tile in ("R5", "R21", "R24", "GS"):
        oracle.apply(f"return:{tile}")
    after = oracle.position()
    assert after["players"][0]["points"] == 4 and after["players"][0]["known_tiles"] == []
    assert after["players"][0]["tiles"] == ["R5"]  # drawn again; then the supply is exhausted for the second time
    assert after["exhaustions"] == 2 and after["ending"] == "tiles" and after["returned"] == ["R5"]
    assert [name for name, _ in chance.asked] == ["returned_tiles", "new_buildings"]
    assert chance.asked[1][1] == NEW_BUILDINGS and after["prestige"] == PRESTIGE and after["green_spaces"] == 9


def test_several_green_spaces_are_returned_one_after_the_other() -> None:
    """X0.4: red 1 to 25, blue, yellow, then green spaces."""
    position = drawing(1, *TILE_MODULES)
    position["supply"], position["green_spaces"], position["prestige"] = ["Y20"], 6, ["R25"]
    position["players"][0] |= {"tiles": ["GS", "B24", "R24", "GS", "Y21", "GS"], "known_tiles": ["R24", "GS", "GS"]}
    position["new_buildings"] = []
    oracle = play(position, "B9", "R2", "split:done")
    assert oracle.legal() == ["return:R24", "return:B24", "return:Y20", "return:Y21", "return:GS", "return:done"]
    oracle.apply("return:R24")
    oracle.apply("return:GS")
    assert oracle.legal() == ["return:GS", "return:done"]
    oracle.apply("return:GS")
    assert oracle.position()["players"][0]["returning"] == ["R24", "GS", "GS"]
    oracle.apply("return:done")
    after = oracle.position()
    assert after["players"][0]["tiles"] == ["B24", "Y20", "Y21", "GS"] and after["players"][0]["known_tiles"] == []
    assert after["prestige"] == ["R24", "R25"] and after["green_spaces"] == 8 and after["new_buildings"] == []
    # R7.2: no base tile came back
    assert (after["exhaustions"], after["ending"], after["returned"]) == (2, "tiles", [])


def test_value_two_comes_back_without_base_tiles() -> None:
    """X0.4, R7.2: stack II is shuffled although the game is about to end; nothing is asked about base tiles."""
    position = drawing(1, "new_buildings")
    position["supply"], position["new_buildings"] = ["Y20"], ["B22", "R23"]
    position["players"][0]["tiles"] = ["R21"]
    chance = Scripted()
    after = play(position, "B9", "R2", "return:R21", "return:done", chance=chance).position()
    assert chance.asked == [("new_buildings", ["R21", "R23", "B22"])] and after["ending"] == "tiles"


def test_nothing_is_drawn_after_the_second_exhaustion() -> None:
    """X0.2, R7.3: no split is asked, and R4.1 does not offer a tile."""
    position = drawing(9, *TILE_MODULES)
    position |= {"supply": [], "exhaustions": 2, "ending": "tiles"}
    position["players"][1] |= {"resources": 3, "supply": 5, "hand": ["C", "D"]}
    after = play(position, "B9", "C").position()
    assert after["decision"]["kind"] == "over" and after["players"][0]["tiles"] == []
    assert after["players"][1]["resources"] == 4 and after["prestige"] == PRESTIGE


def test_letters_give_a_green_space_instead_of_a_tile() -> None:
    """X0.1, R4.1: a tile taken is a draw like others."""
    position = blank(2, "green_spaces")
    position["players"][0]["hand"] = ["A", "B"]
    oracle = play(position, "A", "take:tile")
    assert kinds_of(oracle) == ["green-space", "done"]
    oracle.apply("split:green-space")
    after = oracle.position()
    assert after["players"][0]["tiles"] == ["GS"] == after["players"][0]["known_tiles"] and after["green_spaces"] == 8


# --- X1 ----------------------------------------------------------------------------------------------------------------------


def test_cards_21_to_23() -> None:
    """X1: permanent bonus cards with characters; cards 7-9 once; sets are counted anew for each card."""
    position = blank(2, "new_buildings")
    position["decision"] = {"kind": "over", "actor": None}
    tableau = ["R1", "R7", "B2", "Y8", "Y3", "R20", "R21", "B21", "B22", "B23", "Y23"]
    position["players"][0] |= {"tableau": tableau, "characters": ["RE", "BU", "BC"]}
    # exploit R1 R7 RE, urbanize B2 Y8 BU, construct Y3 BC: eight permanent cards, two sets of actions
    # red R1 R7 R20 R21 RE, blue B2 B21 B22 B23 BU BC, yellow Y8 Y3 Y23: three sets of colors
    assert play(position).scores()[0]["cards"] == {"R20": 9, "R21": 8, "B21": 8, "B22": 10, "B23": 12, "Y23": 12}


def test_cards_of_new_buildings_join_the_deck() -> None:
    """X1, R3.6: the pawn stands for the card."""
    position = blank(2, "new_buildings", max_rounds=2)
    position["players"][0] |= {"hand": ["R1", "A"], "tiles": ["B22"]}
    position["deck"], position["discard"] = ["C"], ["D", "E", "F", "G", "H", "I", "J", "K"]
    chance = Scripted()
    after = play(position, "R1+B22", chance=chance).position()
    assert chance.asked[0] == ("deck", ["B22", *"DEFGHIJK"])
    assert not find(after, "B22")["pawn"] and find(after, "B22")["floors"] == 2


# --- X2 ----------------------------------------------------------------------------------------------------------------------


def test_prestige_buildings_have_no_pawn_and_are_not_operated() -> None:
    """X2: neither when constructed nor when urbanized; urbanizing next to one gives nothing for it."""
    position = blank(2, "prestige")
    position["players"][0] |= {"hand": ["R1", "A"], "tiles": ["R24"], "points": 0}
    after = play(position, "R1+R24").position()
    assert find(after, "R24") == building(0, 0, "R24", 2, 0, False) and after["players"][0]["tableau"] == ["R1"]
    position["city"][0] = building(0, 0, "B25", 4, 1)
    position["players"][0]["hand"] = ["A", "B"]
    position["tokens"]["B"] = [1, -2]
    after = play(position, "A+R24", "token:W").position()
    assert find(after, "R24") == building(0, -1, "R24", 1, 0, False)
    assert after["players"][0]["tiles"] == [] and after["players"][0]["resources"] == 4


def test_prestige_numbers_cost_and_count() -> None:
    """X2: in R5.2 (nobody constructs on one, so only as the new tile), in ties, cards and districts."""
    position = blank(3, "prestige")
    position["decision"] = {"kind": "over", "actor": None}
    position["city"] = [building(0, 0, "R25", 2, 0), building(1, 0, "R24", 2, 1), building(5, 5, "Y25", 3, 0)]
    position["players"][0]["tableau"] = ["R10", "Y14", "Y15"]
    scores = play(position).scores()
    assert [score["districts"] for score in scores] == [[4], [2], [0]]
    assert scores[0]["cards"] == {"R10": 2, "Y14": 1, "Y15": 3}


def test_the_deck_becomes_too_small() -> None:
    """X2, R3.5, R3.6: what is there is passed; each draws up to one card; nobody catches up; no hand, no turn."""
    position = blank(4, "prestige", max_rounds=9)
    for seat, side in enumerate(position["players"]):
        side["hand"] = [["R1"], ["A"], ["B"], ["C"]][seat]
    position["players"][0]["tiles"] = ["R24"]
    position["deck"], position["discard"] = [], []
    position["city"] = [entry for entry in position["city"] if entry["tile"] == "R1"]
    chance = Scripted()
    oracle = play(position, "R1+R24", chance=chance)
    assert oracle.decision() == ("take", 1)
    for _ in range(3):
        oracle.apply("take:resource")
    # R1 stays in front, R24 has no card: three cards for four players; the new first player 1 draws first
    after = oracle.position()
    assert chance.asked == [("deck", ["A", "B", "C"])] and after["round"] == 2
    # seat 0 is skipped; every other hand has one card, which is committed without asking
    assert [side["commitment"] and side["commitment"]["card"] for side in after["players"]] == [None, "A", "B", "C"]
    assert [side["hand"] for side in after["players"]] == [[], [], [], []] and oracle.decision() == ("take", 1)


def test_new_hand_draws_as_many_as_were_discarded() -> None:
    position = blank(2, "prestige")
    position["players"][0] |= {"hand": ["R1", "A"], "new_hands": 1}
    after = play(position, "new-hand").position()
    assert after["players"][0]["hand"] == ["R8", "R9"]


# --- configurations ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 1, "modules": ["prestige"]},
        {"modules": ["experts"], "setup": "introductory"},
        {"modules": ["events"], "hand_size": 5},
        {"players": 5, "modules": ["keep_card"], "hand_size": 5},
    ],
)
def test_refused_configurations(changes: Json) -> None:
    with pytest.raises(ValueError):
        Oracle(config(changes.get("players", 3), **{k: v for k, v in changes.items() if k != "players"}), RandomChance(0))


def test_every_other_combination_is_played() -> None:
    rng = random.Random(3)
    for players in (2, 3, 4, 5):
        for _ in range(8):
            modules = [module for module in MODULES if rng.random() < 0.5]
            check_config(config(players, setup="draft", modules=modules, hand_size=4))
