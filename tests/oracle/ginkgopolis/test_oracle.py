"""The oracle by itself: the rule books' examples, and the rules that are easily got wrong."""

from typing import Any

from .city import Building, City
from .components import ALL_CHARACTERS, CARDS, CHARACTER_DATA, LETTERS, SETS, START_TILES, TILES
from .ginkgopolis import Oracle
from .helpers import Scripted, blank, building, config, find, play


def test_components() -> None:
    """R1.1, R1.2, R1.6."""
    assert len(TILES) == 60 and len(CARDS) == 72 and len(START_TILES) == 9
    assert len(ALL_CHARACTERS) == 27
    in_sets = [name for names in SETS.values() for name in names]
    left = [name for name in ALL_CHARACTERS if ALL_CHARACTERS.count(name) > in_sets.count(name)]
    rest = sorted({name: ALL_CHARACTERS.count(name) - in_sets.count(name) for name in left}.items())
    assert rest == [("BE", 1), ("BU", 2), ("RC", 3), ("RE", 2), ("RU", 1)]
    assert all(ALL_CHARACTERS.count(name) == CHARACTER_DATA[name][0] for name in CHARACTER_DATA)


def test_setup_for_four_with_set_two() -> None:
    """English rule book, setup: Nell's set 2 gives 4 resources, 2 tiles and 2 success points."""
    chance = Scripted(sets=[[2, 1, 3, 4, 5, 6]])
    position = Oracle(config(4), chance).position()
    nell = position["players"][0]
    assert nell["characters"] == ["RC", "BE", "YC"]
    assert (nell["resources"], nell["supply"], len(nell["tiles"]), nell["points"]) == (4, 14, 2, 2)
    assert [name for name, _ in chance.asked] == ["start_tiles", "tiles", "deck", "sets", "first_player"]
    assert [len(items) for _, items in chance.asked] == [9, 51, 21, 6, 4]
    assert nell["hand"] == ["R1", "R2", "R3", "B1"]  # R2.9: dealt four at once
    assert position["deck"] == list("HIJKL") and position["removed"] == []
    assert position["tokens"]["A"] == [0, -1] and position["tokens"]["L"] == [-1, 0]
    assert position["tokens"]["G"] == [2, 3] and position["round"] == 1


def test_setup_for_two_and_draft() -> None:
    """R2.3, R2.4, R2.7: the lists' ends; packets go to the left; equal characters are one action."""
    dealt = ["RE", "RE", "RU", "YC", "BE", "BU", "BC", "YE"]
    oracle = Oracle(config(2, setup="draft"), Scripted(characters=[dealt + ["RC"] * 19]))
    position = oracle.position()
    assert position["removed"] == ["Y15", "Y16", "Y17", "Y18", "Y19", "Y20"]
    assert position["discard"] == ["R1", "R2", "R3", "B1", "B2", "B3", "Y1"]
    assert position["round"] == 0 and position["first_player"] is None
    assert oracle.decision() == ("draft", 0) and oracle.legal() == ["draft:RE", "draft:RU", "draft:YC"]
    oracle.apply("draft:YC")
    assert (
        oracle.position()["players"][0] | {"characters": ["YC"], "packet": ["RE", "RE", "RU"]}
        == (oracle.position()["players"][0])
    )
    assert oracle.view(1)["players"][0]["characters"] is None
    oracle.apply("draft:BC")  # packets move: seat 0 holds BE BU YE, seat 1 RE RE RU
    assert oracle.decision() == ("draft", 0) and oracle.legal() == ["draft:BE", "draft:BU", "draft:YE"]
    oracle.apply("draft:YE")
    oracle.apply("draft:RU")  # seat 0 now holds RE RE: no choice; seat 1 BE BU
    assert oracle.decision() == ("draft", 1) and oracle.legal() == ["draft:BE", "draft:BU"]
    oracle.apply("draft:BU")
    after = oracle.position()
    assert [side["characters"] for side in after["players"]] == [["RE", "YE", "YC"], ["RU", "BU", "BC"]]
    assert [side["packet"] for side in after["players"]] == [[], []]
    assert [side["tiles"] for side in after["players"]] == [["R4", "R5", "R6"], ["R7"]]  # R2.8 in seat order
    assert after["players"][0]["resources"] == 5 and after["round"] == 1


def test_faye_exploits_red_seven() -> None:
    """R4: the two-floor red 7 gives 2 resources; exploit bonuses 1 tile and 1 success point."""
    position = blank(2)
    position["city"][0] = building(0, 0, "R7", 2, 1)
    position["buried"] = [position["city"][0]["tile"]]
    faye = position["players"][0]
    faye |= {"hand": ["R7", "C"], "tableau": ["B1"], "characters": ["YE", "BU"]}
    after = play(position, "R7").position()
    side = after["players"][0]
    assert (side["resources"], side["supply"], side["points"], len(side["tiles"])) == (7, 18, 1, 1)
    assert side["tiles"] == [position["supply"][0]]
    assert "R7" in after["discard"] and side["commitment"] is None
    assert after["ending"] == "max_rounds" and side["hand"] == ["C"]  # R8.4


def test_miley_urbanizes_with_a() -> None:
    """R6: red 4 replaces token A; two neighbors give 1 resource and 2 tiles, the bonus 1 resource."""
    position = blank(2)
    position["city"][0] = building(0, 0, "R1")
    position["city"].append(building(1, -1, "B5", 2, 1))
    position["tokens"]["B"] = [1, -2]
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["R4"], "characters": ["RU"]}
    oracle = play(position, "A+R4")
    middle = oracle.position()
    assert oracle.decision() == ("token", 0) and sorted(oracle.legal()) == ["token:N", "token:W"]
    assert middle["tokens"]["A"] is None and middle["pending"] == {"player": 0, "action": "urbanize", "draws": 0}
    assert middle["players"][0]["commitment"] == {"card": "A", "tile": None}
    assert middle["players"][0]["resources"] == 4  # nothing gained yet
    oracle.apply("token:W")
    after = oracle.position()
    side = after["players"][0]
    assert after["city"][-1] == building(0, -1, "R4", 1, 0, True)
    assert after["tokens"]["A"] == [-1, -1]
    assert (side["resources"], len(side["tiles"]), side["points"]) == (5 - 1 + 1 + 1, 2, 0)
    assert "A" in after["discard"]


def test_nell_constructs_on_faye() -> None:
    """R5: red 4 on Faye's blue 5 of two floors: 1 SP and 1 resource as costs, 3 resources placed, two bonuses."""
    position = blank(2)
    position["city"][0] = building(0, 0, "B5", 2, 1)
    nell, faye = position["players"]
    nell |= {"hand": ["B5", "A"], "tiles": ["R4"], "points": 1, "resources": 4, "supply": 21}
    nell |= {"tableau": ["Y3"], "characters": ["RC"]}
    after = play(position, "B5+R4").position()
    nell, faye = after["players"]
    assert (faye["resources"], faye["points"]) == (7, 2)
    assert (nell["resources"], nell["points"], nell["supply"]) == (4 - 1 - 3 + 1, 1 - 1 + 1, 21 + 1 - 1)
    assert find(after, "R4") == building(0, 0, "R4", 3, 0, True)
    assert nell["tableau"] == ["B5", "Y3"] and after["buried"] == ["B5"] and after["discard"] == []


def test_construct_on_own_building_counts_what_comes_back() -> None:
    """R5.1, R5.7: own resources come back without SP and pay; the card just played gives no bonus."""
    position = blank(2)
    position["city"][0] = building(0, 0, "R3", 2, 0)
    position["players"][0] |= {"hand": ["R3", "A"], "tiles": ["R4"], "resources": 1, "supply": 22}
    after = play(position, "R3+R4").position()
    side = after["players"][0]
    assert (side["resources"], side["points"], side["supply"]) == (0, 0, 22)
    assert find(after, "R4")["floors"] == 3 and side["tableau"] == ["R3"]


def test_what_cannot_be_paid_is_exploited() -> None:
    """R5.7: the tile goes back where all see it, then the card is exploited, with the exploit bonuses."""
    position = blank(2)
    position["city"][0] = building(0, 0, "Y9", 1)
    position["players"][0] |= {"hand": ["Y9", "A"], "tiles": ["Y4"], "points": 4, "characters": ["YE", "YC"]}
    oracle = play(position, "Y9+Y4")
    after = oracle.position()
    side = after["players"][0]
    assert side["points"] == 4 + 1 + 1 and side["tiles"] == ["Y4"] and side["known_tiles"] == ["Y4"]
    assert "Y9" in after["discard"] and oracle.view(1)["players"][0]["known_tiles"] == ["Y4"]
    position["players"][0]["points"] = 5
    paid = play(position, "Y9+Y4").position()
    assert paid["players"][0]["points"] == 0 + 1 and paid["players"][0]["known_tiles"] == []


def test_urbanizing_without_a_resource() -> None:
    """R6.1, R5.7, R4.1: back goes the tile, and the card lets take a resource or a tile."""
    position = blank(2)
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["Y4"], "resources": 0, "supply": 25}
    oracle = play(position, "A+Y4")
    assert oracle.decision() == ("take", 0) and oracle.legal() == ["take:resource", "take:tile"]
    assert oracle.position()["pending"] == {"player": 0, "action": "exploit", "draws": 0}
    assert oracle.position()["players"][0]["tiles"] == ["Y4"]
    oracle.apply("take:tile")
    assert len(oracle.position()["players"][0]["tiles"]) == 2


def test_strict_mask() -> None:
    """R3.3: the mask hides what cannot be paid at the moment of the choice."""
    position = blank(2, strict=True)
    position["city"][0] = building(0, 0, "Y9", 2, 0)
    position["city"][1] = building(1, 0, "Y8", 2, 1)
    position["players"][0] |= {"hand": ["Y9", "Y8", "A"], "tiles": ["Y4", "Y10", "R10"], "resources": 1, "supply": 22}
    legal = set(play(position).legal())
    assert legal == {"Y9", "Y8", "A", "Y9+Y10", "A+Y4", "A+Y10", "A+R10"}
    position["config"]["strict"] = False
    assert len(play(position).legal()) == 12


def test_take_offers_what_is_held() -> None:
    """R4.1: with one kind left it is taken, with neither nothing is gained."""
    position = blank(2)
    position["players"][0] |= {"hand": ["A", "B"], "resources": 25, "supply": 0}
    assert len(play(position, "A").position()["players"][0]["tiles"]) == 1
    position["supply"], position["exhaustions"], position["ending"] = [], 2, "tiles"
    after = play(position, "A").position()
    assert after["players"][0]["tiles"] == [] and after["ending"] == "tiles"


def reconstitution_position() -> dict[str, Any]:
    """Three players after their choices but the last: seat 0 of the example draws the deck's last card."""
    position = blank(3, max_rounds=9)
    tiles = ["Y4", "Y5", "Y9", "R6", "B7"]
    for place, tile in enumerate(tiles):
        position["city"][place] = building(place % 3, place // 3, tile, 1, None, True)
    hands = [["A", "B", "C", "D"], ["E", "F", "G"], ["H", "I", "J"]]
    for side, hand in zip(position["players"], hands, strict=True):
        side |= {"hand": hand, "supply": 0}
    position["players"][1]["commitment"] = {"card": "K", "tile": None}
    position["players"][2]["commitment"] = {"card": "L", "tile": None}
    position["first_player"] = 1
    position["deck"] = ["R1"]
    position["discard"] = ["R2", "R3", "B1", "B2", "B3"]
    position["supply"], position["exhaustions"] = ["Y20"] * 9, 0
    return position


def test_deck_reconstitution_with_three() -> None:
    """Rule book, R3.5, R3.6: the first player draws the last card; pawns' cards join; seven are discarded."""
    chance = Scripted()
    oracle = play(reconstitution_position(), "A", chance=chance)
    after = oracle.position()
    items = ["R2", "R3", "R6", "B1", "B2", "B3", "B7", "Y4", "Y5", "Y9", "A", "K", "L"]
    assert chance.asked == [("deck", items)]
    assert after["discard"] == items[:7]
    assert not any(entry["pawn"] for entry in after["city"])
    assert after["first_player"] == 2 and after["round"] == 2
    hands = [side["hand"] for side in after["players"]]
    # hands went to the left; seat 2 drew the last card, then seats 0 and 1 from the new deck
    assert hands == [["Y4", "H", "I", "J"], ["Y5", "B", "C", "D"], ["R1", "E", "F", "G"]]
    assert after["deck"] == ["Y9", "A", "K", "L"]
    assert [side["passed"] for side in after["players"]] == [["B", "C", "D"], ["E", "F", "G"], ["H", "I", "J"]]


def test_new_hand_in_a_short_deck() -> None:
    """R3.2, R3.6: the hand is in the pile already; only so many are discarded that the draw can be completed."""
    position = blank(2)
    position["deck"], position["discard"] = ["R1"], ["R2", "R3"]
    position["players"][0] |= {"hand": list("ABCD"), "new_hands": 1}
    position["players"][1] |= {"hand": list("EFGH"), "passed": list("BCD")}
    chance = Scripted()
    after = play(position, "new-hand", chance=chance).position()
    # R1 drawn; six cards: three are needed, three discarded; the third drawn empties the deck again: those three
    # make a new deck and are all discarded, without another reconstitution
    assert chance.asked == [("deck", ["R2", "R3", "A", "B", "C", "D"]), ("deck", ["R2", "R3", "A"])]
    assert after["players"][0]["hand"] == ["R1", "B", "C", "D"] and after["players"][0]["new_hands"] == 0
    assert after["deck"] == [] and after["discard"] == ["R2", "R3", "A"]
    assert after["players"][1]["passed"] == []  # R10.3
    assert after["decision"] == {"kind": "commit", "actor": 0}


def test_empty_deck_is_tried_again_at_the_next_draw() -> None:
    """R3.6: the next draw reconstitutes first; in the shortage a player draws less."""
    position = blank(2)
    position["deck"], position["discard"] = [], ["R2", "R3"]
    position["players"][0] |= {"hand": list("AB"), "new_hands": 2}
    chance = Scripted()
    after = play(position, "new-hand", chance=chance).position()
    assert chance.asked == [("deck", ["R2", "R3", "A", "B"]), ("deck", ["R2", "R3"])]
    assert after["players"][0]["hand"] == ["A", "B"] and after["discard"] == ["R2", "R3"]


def test_no_card_to_be_had() -> None:
    """R3.6: with no card anywhere the game goes on; players without cards are skipped; nothing is shuffled."""
    position = blank(4, max_rounds=4)
    position["deck"] = []
    position["players"][0]["hand"] = ["R20"]
    position["players"][0]["tiles"] = ["R19"]
    position["city"][0] = building(0, 0, "R20", 1)
    chance = Scripted()
    after = play(position, "R20+R19", chance=chance).position()
    assert after["round"] == 4 and after["decision"]["kind"] == "over"
    assert after["players"][0]["known_tiles"] == ["R19"] and ("deck", []) not in chance.asked


def test_supply_runs_out_in_the_middle_of_a_draw() -> None:
    """R7.1: all may return tiles, also one drawn a moment ago but not a committed one; then the draw goes on."""
    position = blank(2)
    position["city"][0] = building(0, 0, "B9", 3, 1)
    position["supply"] = ["Y5"]
    one, two = position["players"]
    one |= {"hand": ["B9", "A"], "tiles": ["R5", "Y3"], "known_tiles": ["Y3"]}
    two |= {"hand": ["C", "D"], "tiles": ["B4", "B20"], "resources": 0, "supply": 22}
    chance = Scripted()
    oracle = play(position, "B9", "C+B20", chance=chance)
    middle = oracle.position()
    assert oracle.decision() == ("return", 0) and middle["exhaustions"] == 1 and middle["supply"] == []
    assert middle["pending"] == {"player": 0, "action": "exploit", "draws": 2}
    assert oracle.legal() == ["return:R5", "return:Y3", "return:Y5", "return:done"]
    oracle.apply("return:Y3")
    assert oracle.legal() == ["return:Y5", "return:done"]
    assert oracle.position()["players"][0]["known_tiles"] == ["Y3"]  # set aside, not shown yet
    assert oracle.view(1)["players"][0]["tiles"] == 3
    oracle.apply("return:Y5")  # done is all that is left: seat 1 chooses
    assert oracle.decision() == ("return", 1) and oracle.legal() == ["return:B4", "return:done"]
    oracle.apply("return:B4")
    after = oracle.position()
    assert chance.asked == [("returned_tiles", ["B4", "Y3", "Y5"])]
    assert after["returned"] == ["B4", "Y3", "Y5"]
    assert [side["points"] for side in after["players"]] == [2, 1]
    assert after["players"][0]["tiles"] == ["R5", "B4", "Y3"] and after["players"][0]["known_tiles"] == []
    # seat 1 cannot pay, its tile goes back, it takes a resource or the last tile: the second exhaustion
    assert oracle.decision() == ("take", 1)
    oracle.apply("take:tile")
    assert oracle.position()["exhaustions"] == 2 and oracle.position()["ending"] == "tiles"


def test_nobody_returns_a_tile() -> None:
    """R7.2, R7.3: the end is triggered, draws owed give nothing, the round is completed, nothing is prepared."""
    position = blank(2, max_rounds=9)
    position["city"][0] = building(0, 0, "B9", 3, 1)
    position["supply"] = ["Y5"]
    position["players"][0]["hand"] = ["B9", "A"]
    position["players"][1] |= {"hand": ["C", "D"], "resources": 3, "supply": 19}
    oracle = play(position, "B9", "C", "return:done")
    after = oracle.position()
    assert oracle.decision()[0] == "over"  # C takes a resource: no tile is held
    assert after["ending"] == "tiles" and after["exhaustions"] == 2 and after["round"] == 1
    assert after["players"][0]["tiles"] == ["Y5"] and after["returned"] == []
    assert after["players"][1]["resources"] == 4 and after["players"][0]["hand"] == ["A"]


def test_all_resources_placed() -> None:
    """R8.1: the end stays triggered even if the resources come back; a color cost keeps one off the city."""
    position = blank(2, max_rounds=9)
    position["city"][0] = building(0, 0, "R8", 23, 0)
    position["players"][0] |= {"hand": ["R8", "A"], "tiles": ["R9", "B9"], "resources": 2, "supply": 0}
    position["players"][1] |= {"hand": ["R7", "D"], "tiles": ["R10"]}
    position["city"][1] = building(1, 0, "R7", 1)
    oracle = play(position, "R8+R9", "D")
    assert oracle.position()["ending"] is None and oracle.position()["players"][0]["resources"] == 1
    position["players"][0] |= {"resources": 1}
    oracle = play(position, "R8+R9", "R7+R10")
    assert oracle.position()["ending"] == "resources" and oracle.decision()[0] == "over"
    position["players"][0] |= {"resources": 2}
    oracle = play(position, "R8+B9", "R7+R10")
    assert oracle.position()["ending"] is None and oracle.position()["players"][0]["supply"] == 1


def test_token_must_go_to_the_edge() -> None:
    """R6.3: with no free cell beside the new tile, after the previous or before the next letter, pushing on."""
    position = blank(2)
    # A lies in the bay between R1 and R2, below B's token
    cells = [(0, 0, "R1"), (2, 0, "R2"), (1, 1, "R3"), (1, 2, "B1"), (-1, 1, "B2")]
    position["city"] = [building(x, y, tile) for x, y, tile in cells]
    places = [[1, 0], [1, -1], [2, -1], [3, 0], [2, 1], [2, 2], [1, 3], [0, 2], [0, 1], [-2, 1], [0, -1], [-1, 0]]
    position["tokens"] = dict(zip(LETTERS, places, strict=True))
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["Y4"]}
    before = play(position, "A+Y4")
    assert before.legal() == ["token:after", "token:before"]
    edge = before.table.city.edge()
    assert edge[0] == (0, -1) and edge[:4] == [(0, -1), (1, -1), (2, -1), (3, 0)]
    before.apply("token:before")  # before B: K's cell; K moves back to L's, L to a cell without token
    tokens = before.position()["tokens"]
    assert tokens["A"] == list(edge[edge.index((1, -1)) - 1])
    assert tokens["K"] == list(edge[edge.index((0, -1)) - 1]) == [-1, 0]
    assert tokens["L"] == list(edge[edge.index((-1, 0)) - 1])
    after = play(position, "A+Y4", "token:after")
    tokens = after.position()["tokens"]
    assert tokens["A"] == [0, -1] and tokens["K"] == [1, -1] and tokens["B"] == [2, -1] and tokens["C"] == [3, 0]


def ring_city() -> City:
    """Eight buildings around a hole at (1, 1), one corner standing out."""
    cells = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
    return City([Building(cell, "R1") for cell in cells], dict.fromkeys(LETTERS))


def test_edge_of_the_start_square_and_of_a_ring() -> None:
    """R6.3: twelve cells clockwise from above the top left building; a hole is not on the edge."""
    square = [(0, -1), (1, -1), (2, -1), (3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0)]
    assert ring_city().edge() == square
    diagonal = City([Building((0, 0), "R1"), Building((1, 0), "R2"), Building((1, 1), "R3")])
    assert diagonal.edge() == [(0, -1), (1, -1), (2, 0), (2, 1), (1, 2), (0, 1), (-1, 0)]


def test_letters_in_holes_are_passed_over() -> None:
    """R6.3: the previous letter's token lies in the hole: the one further on counts; its token stays."""
    city = ring_city()
    city.tokens |= {"L": (1, 1), "K": (3, 0), "B": (0, 3)}
    city.squeeze_in("A", 1)
    assert city.tokens["A"] == (3, 1) and city.tokens["L"] == (1, 1)
    city.tokens["A"] = None
    city.squeeze_in("A", -1)
    assert city.tokens["A"] == (1, 3)
    city.tokens |= {"A": None, "B": (1, 1), "L": None, "C": (0, -1)}
    city.squeeze_in("A", -1)  # before C: the list is circular
    assert city.tokens["A"] == (-1, 0)


def test_urbanizing_in_a_hole() -> None:
    """R6.2: a free cell in a hole is allowed; with a full hole the token goes to the distant edge."""
    position = blank(2)
    position["city"] = [building(cell.cell[0], cell.cell[1], f"R{n + 1}") for n, cell in enumerate(ring_city().plots)]
    position["tokens"]["L"] = [1, 1]
    position["players"][0] |= {"hand": ["L", "B"], "tiles": ["Y4"]}
    oracle = play(position, "L+Y4")
    assert oracle.legal() == ["token:after", "token:before"]
    oracle.apply("token:before")
    after = oracle.position()
    assert after["tokens"]["L"] == [-1, 0] and after["tokens"]["A"] == [0, -1]
    assert after["players"][0]["resources"] == 5 - 1 + 4


def test_the_books_districts() -> None:
    """R8.3: Faye 7, Miley 6 and 2, Nell 0; the red 20 is no district."""
    faye, miley, nell = 0, 1, 2
    position = blank(3)
    position["decision"] = {"kind": "over", "actor": None}
    position["city"] = [
        building(0, 0, "B4", 3, faye),
        building(1, 0, "B11", 2, miley),
        building(0, 1, "B8", 2, nell),
        building(1, 1, "Y6", 3, miley),
        building(2, 1, "Y7", 1),
        building(2, 0, "R20", 1, nell),
    ]
    scores = Oracle.from_position(position, Scripted()).scores()
    assert [score["districts"] for score in scores] == [[7, 0], [2, 6], [0, 0]]
    assert [score["total"] for score in scores] == [7, 8, 0]


def test_endgame_cards() -> None:
    """R1.5, R8.2: every endgame card, and New Hand tokens."""
    position = blank(2)
    position["decision"] = {"kind": "over", "actor": None}
    position["city"] = [
        building(0, 0, "R4", 3, 0),
        building(1, 0, "B11", 2, 0),
        building(0, 1, "Y8", 4, 0),
        building(9, 9, "Y9", 1, 0),
        building(8, 8, "Y10", 3, 1),
    ]
    tableau = ["R10", "B10", "R11", "B11", "Y11", "R12", "B12", "Y12", "Y13", "B14", "B15", "R16", "Y17", "B18"]
    tableau += ["Y19", "R20", "R7", "B8"]
    position["players"][0] |= {"tableau": tableau, "characters": ["YE", "RE", "BU"], "new_hands": 1, "points": 3}
    score = play(position).scores()[0]
    assert score["cards"] == {
        "R10": 3, "B10": 2, "R11": 5, "B11": 3, "Y11": 3, "R12": 2, "B12": 5, "Y12": 2, "Y13": 5, "B14": 2, "B15": 6,
        "R16": 6, "Y17": 4, "B18": 0, "Y19": 12, "R20": 9,
    }  # fmt: skip
    assert score["new_hands"] == 2 and score["districts"] == []
    assert score["total"] == 3 + 2 + sum(score["cards"].values())


def test_views_hide_what_others_chose() -> None:
    """R10: the view of a seat is the same whatever another seat commits or holds beyond what is known."""
    position = blank(3)
    for seat, side in enumerate(position["players"]):
        side |= {"hand": [LETTERS[4 * seat + n] for n in range(4)], "tiles": ["R4", "B5", "Y6"][seat:] + ["R9"]}
    position["players"][2]["passed"] = ["B", "C"]
    seen = [play(position, choice).view(1) for choice in ("A", "A+R9", "B+R4")]
    assert seen[0] == seen[1] == seen[2]
    assert seen[0]["players"][0]["tiles"] == 4 and seen[0]["players"][0]["committed"]
    start = play(position)
    assert start.view(0)["own"]["right_knows"] == ["B", "C"] and start.view(2)["own"]["passed"] == ["B", "C"]
    done = play(position, "B+R9", "E", "I+R9")
    assert done.decision() == ("take", 1)  # B's token had one free cell to go to
    assert [side["tile_on_card"] for side in done.view(1)["players"]] == [False, False, True]
    assert [side["card"] for side in done.view(1)["players"]] == [None, "E", None]
    assert done.view(2)["own"]["passed"] == ["C"] and done.view(1)["players"][2]["tiles"] == 1
    position["supply"].reverse()
    position["deck"].reverse()
    position["players"][2] |= {"hand": list("IJK") + ["R19"], "tiles": ["B19", "B20"]}
    assert play(position).view(0) == start.view(0)
