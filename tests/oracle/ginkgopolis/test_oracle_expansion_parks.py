"""The Experts, green spaces (X3): playing them, parks, scoring. The book's examples and hand-made ones."""

from typing import Any

from .helpers import blank, building, play

Json = dict[str, Any]


def scored(position: Json) -> list[Json]:
    """Scores of a position whose game is over."""
    position["decision"] = {"kind": "over", "actor": None}
    return play(position).scores()


def test_a_green_space_is_urbanized() -> None:
    """X3.1: one resource, no pawn; the token moves, neighbors are operated, bonuses paid; no building card takes it."""
    position = blank(2, "green_spaces")
    position["city"][0] = building(0, 0, "R9", 3, 1)
    position["players"][0] |= {"hand": ["A", "R9"], "tiles": ["GS", "GS", "R4"], "known_tiles": ["GS"], "tableau": ["Y2"]}
    oracle = play(position)
    assert oracle.legal() == ["R9", "R9+R4", "A", "A+R4", "A+GS"]
    oracle.apply("A+GS")
    assert oracle.legal() == ["token:N", "token:W"]  # B lies to the east
    oracle.apply("token:N")
    after = oracle.position()
    side = after["players"][0]
    assert after["city"][-1] == building(0, -1, "GS", 1, 0, False) and after["tokens"]["A"] == [0, -2]
    assert (side["resources"], side["points"]) == (5 - 1 + 3, 1) and "A" in after["discard"]
    assert side["tiles"] == ["R4", "GS"] and side["known_tiles"] == []


def test_without_a_resource_the_green_space_comes_back() -> None:
    """X3.1, R5.7, X7.4: and all know that it is there."""
    position = blank(2, "green_spaces")
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["GS", "GS"], "resources": 0, "supply": 25}
    after = play(position, "A+GS", "take:resource").position()
    assert after["players"][0]["tiles"] == ["GS", "GS"] and after["players"][0]["known_tiles"] == ["GS"]


def test_a_green_space_is_not_operated_and_takes_room() -> None:
    """X3.1: urbanizing next to one gives no items (but X3.2); for tokens and the edge a tile lies there."""
    position = blank(2, "green_spaces")
    position["city"] += [building(-1, -1, "GS", 1, 1), building(1, -1, "GS", 1, 1), building(0, -2, "GS", 1, 1)]
    position["tokens"] |= {"B": [2, -1], "C": [1, -2], "L": [-1, 0]}
    position["players"][0] |= {"hand": ["A", "D"], "tiles": ["R4"], "resources": 1, "supply": 20}
    oracle = play(position, "A+R4")
    assert oracle.legal() == ["token:after", "token:before"]
    edge = oracle.table.city.edge()
    assert edge[0] == (0, -3) and len(edge) == len(set(edge))
    oracle.apply("token:after")
    side = oracle.position()["players"][0]
    assert (side["resources"], side["points"]) == (1, 3 * 2)  # R1 below gives a resource; three parks of one


def test_nell_builds_next_to_a_park() -> None:
    """French book, module 3: a park of three green spaces brings 6 SP, whatever the tile."""
    position = blank(2, "green_spaces")
    park = [building(1, -1, "GS", 1, 1), building(2, -1, "GS", 1, 0), building(2, -2, "GS", 1, 1)]
    position["city"] += park
    position["tokens"] |= {"B": [1, -2], "C": [3, -1]}
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["B9", "GS"]}
    for tile in ("B9", "GS"):
        assert play(position, f"A+{tile}", "token:N").position()["players"][0]["points"] == 6


def test_parks_pay_with_the_neighbors() -> None:
    """X3.2: a park touched on two sides pays once; counted before the tile is placed; paid after the token is laid down."""
    position = blank(2, "green_spaces")
    # A's cell (0, -1) touches (1, -1) and (-1, -1), which are joined around the north; (1, -1) alone would be a park of one
    ring = [(1, -1), (1, -2), (0, -2), (-1, -2), (-1, -1)]
    position["city"] += [building(x, y, "GS", 1, 1) for x, y in ring[:1] + ring[2:]]
    position["tokens"] |= {"A": [0, -1], "B": [1, -2], "C": [2, -1], "L": [-2, -1]}
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["GS"]}
    two_parks = play(position, "A+GS")
    assert two_parks.position()["players"][0]["points"] == 0  # the token is still in hand
    two_parks.apply("token:after")
    assert two_parks.position()["players"][0]["points"] == 2 + 6
    position["tokens"]["B"] = [2, -2]
    position["city"].append(building(1, -2, "GS", 1, 1))
    assert play(position, "A+GS", "token:after").position()["players"][0]["points"] == 10


def test_one_green_space_in_a_turn() -> None:
    """X3.1: at most one, although two more draws would be there."""
    position = blank(2, "green_spaces")
    position["city"][0] = building(0, 0, "B9", 3, 1)
    position["players"][0]["hand"] = ["B9", "A"]
    after = play(position, "B9", "split:green-space").position()
    assert after["players"][0]["tiles"] == [*position["supply"][:2], "GS"] and after["green_spaces"] == 8


def test_resources_on_green_spaces_count_for_the_end() -> None:
    """X3.1, R8.1."""
    position = blank(2, "green_spaces", max_rounds=9)
    position["city"][0] = building(0, 0, "Y9", 24, 0)
    position["players"][0] |= {"hand": ["A", "B"], "tiles": ["GS"], "resources": 1, "supply": 0}
    assert play(position, "A+GS", "token:N").position()["ending"] == "resources"


MAILYS, NELL, FANNY = 0, 1, 2


def book_position() -> Json:
    """French book, module 3: a park of two tiles, a blue and a yellow district beside it."""
    position = blank(3, "green_spaces")
    position["city"] = [
        building(0, 0, "GS", 1, MAILYS),
        building(1, 0, "GS", 1, NELL),
        building(0, 1, "B4", 2, NELL),
        building(1, 1, "B8", 3, FANNY),
        building(0, 2, "B11", 3, MAILYS),
        building(2, 0, "Y5", 2, FANNY),
        building(3, 0, "Y6", 1, FANNY),
        building(4, 0, "Y7", 1, MAILYS),
    ]
    return position


def test_the_books_parks() -> None:
    """X3.3: 10 for Mailys and 3 for Fanny in blue; 5 for Fanny and 2 for Mailys in yellow. X3.4: 2 and 5."""
    scores = scored(book_position())
    assert [score["districts"] for score in scores] == [[10, 2], [0, 0], [3, 5]]
    assert [score["parks"] for score in scores] == [[2], [5], [0]]
    assert [score["total"] for score in scores] == [14, 5, 8]


def test_park_resources_need_one_in_the_district() -> None:
    """X3.3: what does not count for its owner is not in the total; ties are broken by buildings only."""
    position = book_position()
    position["city"][2] = building(0, 1, "B4", 2, FANNY)
    # blue: Mailys 3 + 1, Fanny 5, nobody else: 9 for Fanny, 4 for Mailys
    assert [score["districts"][0] for score in scored(position)] == [4, 0, 9]
    position["city"][2] = building(0, 1, "B4", 1, FANNY)
    # 4 each, both tallest with 3 floors: number 11 decides; the green space does not
    assert [score["districts"][0] for score in scored(position)] == [8, 0, 4]


def test_two_parks_and_a_single_building_of_their_color() -> None:
    """X3.3, R8.3: a building alone is no district, a park neither; two parks both count; alone in a district twice all."""
    position = blank(2, "green_spaces")
    position["city"] = [
        building(0, 0, "GS", 1, 0),
        building(1, 0, "R4", 2, 0),
        building(1, 1, "R5", 1),
        building(2, 0, "GS", 2, 0),
        building(2, -1, "GS", 1, 0),
        building(5, 5, "B7", 4, 1),
        building(5, 6, "GS", 1, 1),
    ]
    one, two = scored(position)
    assert one["districts"] == [2 * (2 + 1 + 3)] and two["districts"] == [0]
    assert one["parks"] == [2, 2, 0] and two["parks"] == [0, 0, 4]


def test_cards_do_not_count_green_spaces() -> None:
    """X3.1: green spaces are no buildings: cards 10-15 do not count them."""
    position = blank(2, "green_spaces")
    position["city"] = [building(0, 0, "GS", 2, 0), building(0, 1, "R4", 1, 0)]
    position["players"][0]["tableau"] = ["R10", "Y14", "Y15"]
    one = scored(position)[0]
    assert one["cards"] == {"R10": 1, "Y14": 1, "Y15": 0} and one["parks"] == [1]


def test_scores_without_modules_stay_as_they_were() -> None:
    position = blank(2)
    assert set(scored(position)[0]) == {"points", "new_hands", "cards", "districts", "total"}
    assert "expert" not in position["players"][0] and "prestige" not in position
