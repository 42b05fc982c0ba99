"""The Experts: each expert's power (X6), the order of an action and the strict mask (X7)."""

from typing import Any

import pytest

from .expansion import EXPERTS
from .ginkgopolis import Oracle
from .helpers import Scripted, blank, building, config, find, kinds_of, play

Json = dict[str, Any]


# --- X6: powers --------------------------------------------------------------------------------------------------------------


def with_expert(name: str | None, **changes: Any) -> Json:
    """Seat 0 has this expert, five resources and Y9 (two floors, nobody's) in hand."""
    position = blank(2, "experts", **changes)
    position["city"][0] = building(0, 0, "Y9", 2, None)
    position["players"][0] |= {"expert": name, "hand": ["Y9", "A"]}
    return position


def constructed(position: Json, tile: str) -> Json | None:
    """The player after constructing on Y9; None if it could not be paid."""
    position["players"][0]["tiles"] = [tile]
    after = play(position, f"Y9+{tile}").position()
    entry: Json = after["players"][0]
    return entry if find(after, tile) else None


def builds(position: Json, tile: str) -> bool:
    """Whether the tile lies in the city after both decisions (R5.7)."""
    position["players"][0]["tiles"] = [tile]
    after = play(position, f"Y9+{tile}").position()
    return any(entry["tile"] == tile for entry in after["city"])


def test_artist_and_mayor() -> None:
    """A lower number costs the artist no SP, another color the mayor no resource; the other cost stays."""
    assert not builds(with_expert(None), "Y4") and builds(with_expert("artist"), "Y4")
    position = with_expert("artist")
    position["players"][0]["resources"] = 3
    assert builds(position, "Y4") and not builds(position, "R10")
    position = with_expert("mayor")
    position["players"][0]["resources"] = 3
    assert builds(position, "R10") and not builds(position, "R8")
    paid = constructed(position, "R10")
    assert paid is not None and paid["resources"] == 0 and paid["supply"] == position["players"][0]["supply"]


BANKER = [  # resources, SP, supply, tile, pays; resources, SP and supply afterwards
    (3, 0, 9, "Y10", (0, 0, 9)),  # nothing is missing
    (2, 1, 9, "Y10", (0, 0, 8)),
    (0, 3, 3, "Y10", (0, 0, 0)),
    (0, 3, 2, "Y10", None),  # the supply does not hold it
    (2, 0, 9, "Y10", None),
    (2, 2, 9, "Y8", (0, 0, 8)),  # one to buy, one for the lower number
    (2, 1, 9, "Y8", None),
    (3, 1, 0, "R10", (0, 0, 0)),  # the resource paid for the color is bought back
    (2, 2, 1, "R10", (0, 0, 0)),
    (2, 2, 0, "R10", None),
    (0, 4, 3, "R10", (0, 0, 0)),
    (4, 7, 3, "R10", (0, 7, 4)),
]


@pytest.mark.parametrize(("resources", "points", "supply", "tile", "left"), BANKER)
def test_banker(resources: int, points: int, supply: int, tile: str, left: tuple[int, int, int] | None) -> None:
    """X6: buys what is missing at 1 SP each, own resources first."""
    for strict in (False, True):
        position = with_expert("banker", strict=strict)
        position["players"][0] |= {"resources": resources, "points": points, "supply": supply, "tiles": [tile]}
        if strict:
            assert (f"Y9+{tile}" in play(position).legal()) == (left is not None)
            continue
        assert builds(position, tile) == (left is not None)
        if left is not None:
            side = constructed(position, tile)
            assert side is not None and (side["resources"], side["points"], side["supply"]) == left


def test_banker_counts_what_comes_back_and_urbanizes() -> None:
    """X6, R5.1, R8.1: on an own building two come back; a bought resource can be the last of all."""
    position = with_expert("banker", max_rounds=9)
    position["city"][0] = building(0, 0, "Y9", 2, 0)
    position["players"][0] |= {"resources": 0, "points": 1, "supply": 1}
    assert builds(position, "Y10")
    assert play(position, "Y9+Y10").position()["ending"] == "resources"
    position["players"][0] |= {"tiles": ["Y10"], "supply": 5}
    position["city"][0] = building(0, 0, "R9", 2, 1)
    oracle = play(position, "A+Y10", "token:N")
    side = oracle.position()["players"][0]
    assert (side["points"], side["resources"], side["supply"]) == (0, 2, 4 - 2)
    position["players"][0]["points"] = 0
    assert play(position, "A+Y10").decision() == ("take", 0)


def test_lawyer() -> None:
    """2 SP instead of 1 when another player constructs; nothing when the owner does."""
    position = with_expert(None)
    position["city"][0] = building(0, 0, "Y9", 2, 1)
    position["players"][1]["expert"] = "lawyer"
    position["players"][0]["tiles"] = ["Y10"]
    assert play(position, "Y9+Y10").position()["players"][1]["points"] == 4
    position["players"][0]["expert"] = "lawyer"
    position["city"][0]["owner"] = 0
    assert play(position, "Y9+Y10").position()["players"][0]["points"] == 0


@pytest.mark.parametrize(("tile", "points"), [("R4", 2), ("B4", 0), ("Y4", 0), ("GS", 0), ("R24", 2)])
def test_controller(tile: str, points: int) -> None:
    """2 SP, once, next to buildings of the new tile's color, prestige ones too; paid after the token; not for green spaces."""
    position = blank(2, "prestige", "green_spaces", "experts")
    position["city"] += [building(-1, -1, "R25", 1, 1), building(0, -2, "GS", 1, 1)]
    position["tokens"]["L"] = [-1, 0]
    position["players"][0] |= {"expert": "controller", "hand": ["A", "D"], "tiles": [tile]}
    position["tokens"]["B"] = [2, -1]
    oracle = play(position, f"A+{tile}")
    assert oracle.position()["players"][0]["points"] == 2 + points  # the park's 2 SP; one free cell: the token is not asked
    position["tokens"] |= {"B": [1, -1]}
    oracle = play(position, f"A+{tile}")
    assert oracle.decision()[0] == "token" and oracle.position()["players"][0]["points"] == 0


def ending(expert: str, **changes: Any) -> int:
    """End points of seat 0 with this expert."""
    position = blank(3, "prestige", "green_spaces", "experts")
    position["decision"] = {"kind": "over", "actor": None}
    position["city"] = [
        building(0, 0, "R4", 3, 0),
        building(1, 0, "R25", 1, 1),
        building(2, 0, "B5", 2, 2),
        building(3, 0, "Y5", 1, 0),
        building(4, 0, "Y6", 1),
        building(5, 0, "Y7", 1, 0),
        building(7, 0, "R8", 1),
        building(8, 0, "R9", 1),
        building(9, 9, "GS", 1, 0),
        building(9, 10, "GS", 1, 0),
    ]
    position["players"][0] |= {"expert": expert, "resources": 6, "tiles": ["R24", "GS", "GS", "B4"]} | changes
    score: Json = play(position).scores()[0]
    assert score["total"] == score["points"] + sum(score["districts"]) + sum(score["parks"]) + score["expert"]
    points: int = score["expert"]
    return points


def test_end_points() -> None:
    """X6: red own and strange, blue, yellow, resources, tiles of any value, districts owned or not."""
    assert {name: ending(name) for name in EXPERTS} == {
        "artist": 0, "banker": 6, "lawyer": 0, "controller": 0, "entrepreneur": 3, "professor": 1, "journalist": 4,
        "engineer": 4, "mayor": 3, "architect": 0,
    }  # fmt: skip


def test_engineer() -> None:
    """2 SP for each tile returned; afterwards nothing at the end; events are no tiles."""
    position = blank(2, "green_spaces", "events", "experts")
    position["city"][0] = building(0, 0, "B9", 1, 1)
    position["supply"] = ["Y5"]
    position["players"][0] |= {"hand": ["B9", "A"], "tiles": ["R4", "GS"], "expert": "engineer", "events": ["control"]}
    assert play(position).scores()[0]["expert"] == 2
    after = play(position, "B9", "event:none", "split:done", "return:R4", "return:GS")
    assert after.position()["players"][0]["points"] == 4 and after.scores()[0]["expert"] == 0


def test_experts_are_no_cards() -> None:
    """X6: not counted by cards 16-19 and 21-23."""
    position = with_expert("engineer")
    position["decision"] = {"kind": "over", "actor": None}
    position["players"][0] |= {"tableau": ["R16", "R19", "R21", "R22", "R23"], "characters": ["RE", "BU", "YC"]}
    assert play(position).scores()[0]["cards"] == {"R16": 2, "R19": 12, "R21": 3, "R22": 5, "R23": 4}


# --- X6: the architect -------------------------------------------------------------------------------------------------------


def architect(**changes: Any) -> Json:
    """Seat 0 is the architect and holds Y9, A and four tiles."""
    position = blank(2, "prestige", "green_spaces", "events", "experts", **changes)
    position["city"][0] = building(0, 0, "Y9", 2, 1)
    position["players"][0] |= {"expert": "architect", "hand": ["Y9", "A"], "tiles": ["Y10", "B4", "R24", "GS"]}
    return position


def test_architect_starts_with_two_more_tiles() -> None:
    """X6, R2.8: base tiles, after the player's start items and before the next player's."""
    experts = ["architect", "artist", "banker", "lawyer"]
    chance = Scripted(experts=[experts], characters=[["RC"] * 4 + ["RE"] * 4])
    oracle = Oracle(config(2, setup="draft", modules=["experts"], hand_size=4), chance)
    oracle.apply("draft:architect")
    oracle.apply("draft:banker")  # then there are only equal characters to keep; RC and RE bring a tile each
    sides = oracle.position()["players"]
    assert [side["tiles"] for side in sides] == [["R4", "R5", "R6", "R7", "R8"], ["R9", "R10", "R11"]]


def test_architect_chooses_a_lower_tile() -> None:
    """X6: after committing a tile; any of the others but an event; a green space above only when urbanizing."""
    position = architect()
    assert play(position, "Y9").decision()[0] == "over"
    oracle = play(position, "Y9+Y10")
    assert oracle.decision() == ("lower", 0) and kinds_of(oracle) == ["none", "R24", "B4", "GS"]
    oracle.apply("lower:GS")
    commitment = {"card": "Y9", "tile": "Y10", "lower": "GS", "event": None}
    position["players"][0]["events"] = ["press"]
    assert play(position, "Y9+Y10", "lower:GS").position()["players"][0]["commitment"] == commitment
    assert "Y9+GS" not in play(position).legal() and "lower:none" in play(position, "A+GS").legal()
    position["players"][0]["expert"] = "artist"
    assert play(position, "Y9+Y10").decision()[0] == "event"


def test_architect_constructs_two_floors() -> None:
    """X6: two floors, two resources more; costs by the upper tile alone; bonuses once; the lower tile out of sight."""
    position = architect()
    position["players"][0] |= {"tableau": ["Y3"], "known_tiles": ["R24", "GS"]}
    after = play(position, "Y9+Y10", "lower:R24").position()
    one, two = after["players"]
    assert find(after, "Y10") == building(0, 0, "Y10", 4, 0, True) and after["buried"] == ["Y9"]
    assert (one["resources"], one["points"], one["lower_tiles"]) == (1, 1, ["R24"]) and two["points"] == 2
    assert one["tiles"] == ["B4", "GS"] and one["known_tiles"] == []  # X7.4
    assert one["tableau"] == ["Y3", "Y9"]
    position["players"][0] |= {"resources": 5, "points": 5}
    upper_blue = play(position, "Y9+B4", "lower:Y10").position()["players"][0]
    assert (upper_blue["resources"], upper_blue["points"]) == (0, 1)  # 4 to place, 1 for the color, 5 SP down


def test_architect_urbanizes_two_floors() -> None:
    """X6: two floors and two resources; one green space with two resources; a prestige tile above has no pawn."""
    for upper, lower, pawn in (("Y10", "GS", True), ("GS", "Y10", False), ("R24", "B4", False)):
        after = play(architect(), f"A+{upper}", f"lower:{lower}", "token:N").position()
        assert after["city"][-1] == building(0, -1, upper, 2, 0, pawn)
        assert after["players"][0]["lower_tiles"] == [lower] and after["buried"] == []
    position = architect()
    position["city"].append(building(1, -1, "GS", 2, 0))
    position["tokens"]["B"] = [1, -2]
    after = play(position, "A+B4", "lower:none", "token:N").position()
    assert after["players"][0]["points"] == 2 + 2  # one green space, however high; Y9 below has two floors


def test_architect_who_cannot_pay_both() -> None:
    """X6, X7.4: both come back, also where one could be paid; only the upper one was seen."""
    position = architect()
    position["players"][0] |= {"resources": 3, "events": []}
    after = play(position, "Y9+Y10", "lower:B4").position()["players"][0]
    assert after["tiles"] == ["R24", "B4", "Y10", "GS"] and after["known_tiles"] == ["Y10"] and after["points"] == 2
    position["players"][0] |= {"resources": 1}
    oracle = play(position, "A+GS", "lower:B4", "take:resource")
    assert oracle.position()["players"][0]["known_tiles"] == ["GS"]
    strict = architect(strict=True)
    strict["players"][0]["resources"] = 3
    assert "Y9+Y10" in play(strict).legal() and play(strict, "Y9+Y10").decision()[0] == "over"  # no lower tile to offer
    strict["players"][0]["resources"] = 4
    assert kinds_of(play(strict, "Y9+Y10")) == ["none", "R24", "B4", "GS"]


# --- X7.1 --------------------------------------------------------------------------------------------------------------------


def test_the_order_of_urbanizing() -> None:
    """X7.1: with the token still in hand nothing is gained; then neighbors, park and controller, bonuses, split, after-event."""
    position = architect()
    position["city"].append(building(-1, -1, "GS", 1, 1))
    position["tokens"] |= {"B": [3, -1], "L": [-1, 0]}
    position["players"][0] |= {"expert": "controller", "events": ["press"], "tableau": ["B2"]}
    oracle = play(position, "A+Y10", "event:press", "timing:after")
    assert oracle.decision()[0] == "token" and oracle.position()["players"][0]["points"] == 0
    oracle.apply("token:N")
    assert oracle.decision()[0] == "split" and oracle.position()["players"][0]["points"] == 2 + 2 + 2
    assert oracle.position()["pending"]["draws"] == 1 and oracle.position()["players"][0]["commitment"]["card"] == "A"
    oracle.apply("split:green-space")
    side = oracle.position()["players"][0]
    assert side["points"] == 6 and side["tiles"] == ["R24", "B4", "GS", "GS"] and side["events_played"] == ["press"]
