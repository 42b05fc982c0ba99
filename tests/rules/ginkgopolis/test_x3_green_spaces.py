"""X3: green spaces and parks."""

import pytest

from .extras import GREEN_SPACE
from .positions import Builder, Cell, Table

PLAIN = ("RC", "BC", "YC")
MODULE = ("green_spaces",)


def green(players: int = 2, *modules: str) -> Builder:
    return Builder(players, modules=(*MODULE, *modules)).characters(0, *PLAIN)


# --- X3.1 ------------------------------------------------------------------------------------------------------------------


def test_x3_1_nine_lie_face_up() -> None:
    table = green().hand(0, "A").start()
    assert table.position["green_spaces"] == 9


def test_x3_1_played_only_by_urbanizing_never_with_a_building_card() -> None:
    table = green().hand(0, "A", "R2").tiles(0, GREEN_SPACE, "R4").start()
    assert table.legal == {"A", "R2", "A+R4", "A+GS", "R2+R4", "new-hand"}


def test_x3_1_one_resource_no_pawn_and_the_token_moves() -> None:
    table = green().hand(0, "A").tiles(0, GREEN_SPACE).start().play("A+GS")
    assert table.building((0, -1)) == {"cell": [0, -1], "tile": GREEN_SPACE, "floors": 1, "owner": 0, "pawn": False}
    assert table.player(0)["resources"] == 4 and table.player(0)["tiles"] == []
    table.play("token:W")
    assert table.tokens["A"] == (-1, -1)


def test_x3_1_neighbors_are_operated_and_urbanize_bonuses_paid() -> None:
    """R7 of three floors below; RU and YU pay."""
    builder = green().building((0, 0), "R7", floors=3, owner=1).hand(0, "A").tiles(0, GREEN_SPACE)
    table = builder.characters(0, "RU", "YU", "BC").start().play("A+GS", "token:N")
    assert table.player(0)["resources"] == 5 - 1 + 3 + 1 and table.player(0)["points"] == 1
    assert "A" in table.position["discard"]


def test_x3_1_color_costs_nothing_and_without_a_resource_it_goes_back() -> None:
    """R5.7: the card is exploited; everybody has seen the tile."""
    table = green().hand(0, "A").tiles(0, GREEN_SPACE).player(0, resources=0).start().play("A+GS")
    assert table.decision == ("take", 0) and table.player(0)["tiles"] == [GREEN_SPACE]
    assert table.player(0)["known_tiles"] == [GREEN_SPACE] and len(table.position["city"]) == 9


def test_x3_1_it_is_not_operated() -> None:
    """A green space beside the new building brings points for the park only."""
    builder = green().green_space((0, -1), 0).token("A", (0, -2)).hand(0, "B", "C").tiles(0, "R9")
    table = builder.start().play("B+R9")
    # Y1 below works; a park of one
    assert (table.player(0)["points"], table.player(0)["resources"], table.player(0)["tiles"]) == (1 + 2, 4, [])


def test_x3_1_nothing_can_be_built_on_it() -> None:
    """There is no card, and no card of the deck names it."""
    table = green().green_space((0, -1), 0).token("A", (0, -2)).hand(0, "A", "R2").tiles(0, "R9").start()
    assert table.legal == {"A", "R2", "A+R9", "R2+R9", "new-hand"}
    position = table.position
    assert GREEN_SPACE not in position["deck"] + position["discard"]


def test_x3_1_at_most_one_is_drawn_in_a_turn() -> None:
    """The next player may draw one too."""
    builder = green().building((0, 0), "B7", floors=3, owner=1).hand(0, "B7", "A").hand(1, "B2", "B")
    table = builder.start().play("B7", "B2", "split:green-space")
    assert table.decision == ("split", 1) and table.player(0)["tiles"].count(GREEN_SPACE) == 1
    table.play("split:green-space")
    assert table.player(1)["tiles"] == [GREEN_SPACE] and table.position["green_spaces"] == 7


def test_x3_1_no_token_goes_where_one_lies() -> None:
    """B's new building has a green space in the west and C's token in the east: only the north is free."""
    builder = green().green_space((0, -1), 1).token("A", (0, -2)).hand(0, "B").tiles(0, "R9")
    assert builder.start().play("B+R9").tokens["B"] == (1, -2)


# A ring around (1, 1) that D, on (0, 1), closes; its corner at (0, 0) is missing.
RING = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (-1, 2)]


def ring(tokens: dict[str, Cell], *greens: Cell) -> Table:
    """The ring after D's building, some of it green spaces; seven tokens lie to the east and the south."""
    builder = green().empty_city()
    for i, cell in enumerate(RING):
        if cell in greens:
            builder.green_space(cell, i % 2)
        else:
            builder.building(cell, f"R{5 + i}")
    rest = dict(zip("FGHIJKL", [(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 3)], strict=True))
    for letter, cell in {"D": (0, 1), **tokens, **rest}.items():
        builder.token(letter, cell)
    table = builder.hand(0, "D").tiles(0, "Y20").start().play("D+Y20")
    assert table.legal == {"token:after", "token:before"}
    return table


@pytest.mark.parametrize("greens", [[(1, 0)], [(0, 2)], [(-1, 2)], [(1, 0), (0, 2), (2, 2)], [*RING[:6]]])
def test_x3_1_edge_and_holes_take_it_for_a_building(greens: list[Cell]) -> None:
    """C lies in the hole, so after counts from B above the ring; before counts from E."""
    tokens = {"C": (1, 1), "B": (1, -1), "A": (0, 0), "E": (-1, 1)}
    for way in ("after", "before"):
        assert ring(tokens, *greens).play(f"token:{way}").tokens == ring(tokens).play(f"token:{way}").tokens
    assert ring(tokens, *greens).play("token:after").tokens["D"] == (2, -1)


def test_x3_1_cards_10_to_15_do_not_count_it() -> None:
    builder = green().green_space((0, -1), 0).token("A", (0, -2)).building((0, 0), "R4", owner=0).hand(0, "B", "C")
    table = builder.tableau(0, "R10", "Y14", "Y15").start()
    assert table.outcome.breakdown[0]["cards"] == {"R10": 1, "Y14": 1, "Y15": 0}


def test_x3_1_placing_the_last_resource_on_it_triggers_the_end() -> None:
    builder = green().building((2, 2), "R15", floors=24, owner=0).player(0, resources=1).hand(0, "A", "B")
    table = builder.tiles(0, GREEN_SPACE).characters(0, *PLAIN).start().play("A+GS", "token:N")
    assert table.position["ending"] == "resources" and table.decision == ("over", None)


# --- X3.2 ------------------------------------------------------------------------------------------------------------------


def test_x3_2_example_nell_urbanizes_at_b_next_to_a_park_of_three() -> None:
    """Blue 9 with the card B; three green spaces, one of them beside the new building: 6 SP."""
    builder = green().green_space((1, -2), 1).green_space((0, -2), 0).green_space((0, -3), 1).building((0, -1), "R9")
    builder.token("A", (-1, -1)).hand(0, "B", "C").tiles(0, "B9").building((1, 0), "R4")
    table = builder.token("C", (2, -2)).start().play("B+B9")
    assert table.player(0)["points"] == 6 and table.player(1)["points"] == 0


def park(*cells: Cell, tile: str = "R9", owner: int = 1) -> Builder:
    """Seat 0 urbanizes with B at (1, -1), above R8 (red, so that it yields no SP)."""
    builder = green().building((1, 0), "R8").hand(0, "B", "C").tiles(0, tile)
    for cell in cells:
        builder.green_space(cell, owner)
    return builder


@pytest.mark.parametrize("tile", ["R9", GREEN_SPACE])
@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(
    ("cells", "points"),
    [
        ([(0, -1)], 2),
        ([(0, -1), (0, -2)], 4),
        ([(0, -1), (0, -2), (0, -3), (-1, -1)], 8),
        ([(0, -2), (0, -1), (1, -2)], 6),  # touched in the west and in the north: paid once
        ([(0, -1), (2, -1)], 4),  # two parks: both
        ([(0, -1), (0, -2), (2, -1)], 6),
        ([(0, -1), (0, -2), (2, -2), (2, -1)], 8),
    ],
)
def test_x3_2_two_sp_for_each_green_space_of_the_parks_touched(cells: list[Cell], points: int, owner: int, tile: str) -> None:
    """Whatever the tile, counted before it is placed: a new green space does not count for itself and joins nothing."""
    table = park(*cells, owner=owner, tile=tile).start().play(f"B+{tile}")
    if table.decision[0] == "token":
        table.play(min(table.legal))
    assert (table.player(0)["points"], table.player(1)["points"]) == (points, 0)


def test_x3_2_a_park_that_touches_only_at_a_corner_pays_nothing() -> None:
    builder = park((0, -2), (-1, -2)).building((-1, -1), "R10").building((-1, 0), "R11")
    table = builder.start().play("B+R9")
    assert table.player(0)["points"] == 0


def test_x3_2_constructing_next_to_a_park_pays_nothing() -> None:
    table = park((0, -1)).hand(0, "R2", "C").characters(0, "RE", "BE", "YE").start().play("R2+R9")
    assert table.building((0, 0))["tile"] == "R9" and table.player(0)["points"] == 0


def test_x3_2_paid_together_with_r6_4_after_the_token() -> None:
    table = park((0, -1)).token("C", (0, -2)).start().play("B+R9")
    assert table.decision == ("token", 0) and table.player(0)["points"] == 0 and table.player(0)["resources"] == 4
    table.play("token:N")
    assert table.player(0)["points"] == 2 and table.player(0)["resources"] == 5


# --- X3.3 ------------------------------------------------------------------------------------------------------------------

Piece = tuple[Cell, str, int, int | None]


def scored(players: int, *pieces: Piece, row: Cell = (-1, 0)) -> Table:
    """A city of these, with a row in alternating colors that begins there and leads away."""
    builder = green(players).empty_city()
    for cell, tile, floors, owner in pieces:
        builder.building(cell, tile, floors=floors, owner=owner)
    for x, tile in enumerate(("R18", "Y18", "R17", "Y17", "R16", "Y16")):
        builder.building((row[0] + (x if row[0] > 0 else -x), row[1]), tile)
    return builder.hand(0, "A", "B").start()


def districts(players: int, *pieces: Piece, row: Cell = (-1, 0)) -> list[list[int]]:
    """Points of each district for each player, in the order of the city."""
    columns = [player["districts"] for player in scored(players, *pieces, row=row).outcome.breakdown]
    return [list(row) for row in zip(*columns, strict=True)]


FANNY, MAILYS, NELL = 0, 1, 2
BOOK: list[Piece] = [
    *(((0, -1), "B5", 2, NELL), ((1, -1), "B14", 3, FANNY), ((2, -1), "B8", 2, MAILYS), ((2, -2), "B9", 1, MAILYS)),
    *(((0, 0), GREEN_SPACE, 1, MAILYS), ((1, 0), GREEN_SPACE, 1, NELL)),
    *(((1, 1), "Y5", 2, FANNY), ((2, 1), "Y6", 1, FANNY), ((3, 1), "Y7", 1, MAILYS)),
]


def test_x3_3_example_of_the_rule_book() -> None:
    """Blue: Maïlys 3 + 1 in the park, so 10; Nell 2 + 1 ties with Fanny's 3, whose building is taller: 3.

    Yellow: Nell has nothing there, so her green space does not count: Fanny 5, Maïlys 1 + 1.
    """
    assert districts(3, *BOOK, row=(4, 1)) == [[3, 10, 0], [5, 2, 0]]


def test_x3_4_example_of_the_rule_book() -> None:
    """Maïlys 2 SP, for a building of two floors; Nell 5 for five floors."""
    parks = [player["parks"] for player in scored(3, *BOOK, row=(4, 1)).outcome.breakdown]
    assert [sum(points) for points in parks] == [0, 2, 5]


def test_x3_3_parks_are_no_districts() -> None:
    assert districts(2, ((0, 0), GREEN_SPACE, 1, 0), ((1, 0), GREEN_SPACE, 1, 1)) == []


def test_x3_3_a_park_joins_no_buildings_to_a_district() -> None:
    assert districts(2, ((0, 0), "B5", 2, 0), ((1, 0), GREEN_SPACE, 1, 0), ((2, 0), "B6", 1, 1)) == []


def test_x3_3_all_tiles_of_the_park_count_also_far_ones() -> None:
    pieces = [((0, 0), "B5", 1, 0), ((0, 1), "B6", 2, 1), *(((1 + i, 0), GREEN_SPACE, 1, 0) for i in range(3))]
    assert districts(2, *pieces) == [[6, 2]]  # 1 + 3, and 2


def test_x3_3_not_without_a_resource_on_a_building_of_the_district() -> None:
    """Seat 0 has four in the park: they are neither its own nor in the total."""
    pieces = [((0, 0), "B5", 1, 1), ((0, 1), "B6", 1, None), *(((1 + i, 0), GREEN_SPACE, 1, 0) for i in range(4))]
    assert districts(2, *pieces) == [[0, 2]]
    assert districts(2, *pieces, ((0, -1), "B7", 1, 0)) == [[6, 1]]


def test_x3_3_a_park_beside_a_district_that_it_touches_only_at_a_corner_does_not_count() -> None:
    pieces = [((0, 0), "B5", 1, 0), ((0, 1), "B6", 2, 1), ((1, 2), GREEN_SPACE, 1, 0), ((0, 2), "R7", 1, None)]
    assert districts(2, *pieces) == [[1, 3]]


def test_x3_3_one_park_counts_for_several_districts_and_several_parks_for_one() -> None:
    pieces = [
        *(((0, 0), "B5", 1, 0), ((0, 1), "B6", 1, 1)),
        *(((2, 0), "R5", 1, 0), ((2, 1), "R6", 2, 1)),
        *(((1, 0), GREEN_SPACE, 1, 0), ((-1, 1), GREEN_SPACE, 1, 0)),
    ]
    assert districts(2, *pieces) == [[4, 1], [2, 4]]  # blue 1 + 2 and 1; red 1 + 1 and 2, a tie


def test_x3_3_ties_are_broken_by_buildings() -> None:
    """Three each; seat 1's tallest has three floors. A green space with two resources is not tall."""
    pieces = [((0, 0), "B19", 1, 0), ((0, 1), "B6", 3, 1), ((1, 0), GREEN_SPACE, 1, 0), ((2, 0), GREEN_SPACE, 1, 0)]
    assert districts(2, *pieces) == [[3, 6]]


def test_x3_3_alone_in_a_district_twice_all_that_counts() -> None:
    assert districts(2, ((0, 0), "B5", 2, 0), ((0, 1), "B6", 1, None), ((1, 0), GREEN_SPACE, 1, 0)) == [[6, 0]]


# --- X3.4 ------------------------------------------------------------------------------------------------------------------


def test_x3_4_floors_of_adjacent_buildings_whoever_owns_them() -> None:
    """Own, another's and nobody's; not those at a corner, and not green spaces."""
    pieces = [
        *(((0, 0), GREEN_SPACE, 1, 0), ((1, 0), GREEN_SPACE, 1, 1)),
        *(((0, -1), "B5", 3, 0), ((-1, 0), "R5", 2, 1), ((0, 1), "Y5", 1, None), ((1, -1), "R6", 4, 1)),
    ]
    breakdown = scored(2, *pieces, row=(2, -1)).outcome.breakdown
    assert [sum(player["parks"]) for player in breakdown] == [3 + 2 + 1, 4]


def test_x3_4_a_building_between_two_green_spaces_counts_for_both() -> None:
    pieces = [((0, 0), GREEN_SPACE, 1, 0), ((1, 0), "R5", 3, 1), ((2, 0), GREEN_SPACE, 1, 0)]
    outcome = scored(2, *pieces, ((1, 1), "B5", 1, None), ((1, 2), "Y5", 1, None), row=(2, 2)).outcome
    assert sum(outcome.breakdown[0]["parks"]) == 6
    assert outcome.scores[0] == 6 + 4  # two New Hand tokens
