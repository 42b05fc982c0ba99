"""R6: urbanize, an urbanization card with a tile; the token's new place; the edge of the city."""

import pytest

from .positions import LETTERS, RING, SIDES, Builder, Cell, Table

PLAIN = ("RE", "BE", "YE")  # characters without an urbanize bonus

# The city of the picture in docs/rules/ginkgopolis.md, R6.3; its edge, cell by cell, and the hole.
ROWS = {-1: (0, 2), 0: (0, 1, 2, 3, 4), 1: (0, 1, 2, 4), 2: (0, 1, 2, 3)}
PICTURE = [(x, y) for y, row in ROWS.items() for x in row]
EDGE = [
    *((0, -2), (1, -1), (2, -2), (3, -1), (4, -1), (5, 0), (5, 1), (4, 2)),
    *((3, 3), (2, 3), (1, 3), (0, 3), (-1, 2), (-1, 1), (-1, 0), (-1, -1)),
]
HOLE = (3, 1)
COLORS_IN_TURN = [f"{color}{number}" for number in range(1, 21) for color in "RBY"]


def city(cells: list[Cell], players: int = 2) -> Builder:
    """A city of one-floor buildings on these cells."""
    builder = Builder(players).empty_city().characters(0, *PLAIN)
    for cell, tile in zip(cells, COLORS_IN_TURN, strict=False):
        builder.building(cell, tile)
    return builder


def picture_without(cell: Cell, letter: str, tokens: dict[str, Cell]) -> Table:
    """The picture's city before the building on `cell` came: the letter's token lies there, and it is built now."""
    builder = city([c for c in PICTURE if c != cell])
    for name, place in {**tokens, letter: cell}.items():
        builder.token(name, place)
    free = [c for c in EDGE if c not in tokens.values()]
    for name in LETTERS:
        if name != letter and name not in tokens:
            builder.token(name, free.pop())
    return builder.hand(0, letter, "Y1").tiles(0, "Y20").start().play(f"{letter}+Y20")


# --- R6.1 ------------------------------------------------------------------------------------------------------------------


def test_r6_1_the_tile_replaces_the_token() -> None:
    table = Builder(2).hand(0, "D").tiles(0, "Y9", "Y4").start().play("D+Y9")
    assert table.building((3, 0)) == {"cell": [3, 0], "tile": "Y9", "floors": 1, "owner": 0, "pawn": True}
    assert table.tokens["D"] is None and table.decision == ("token", 0)
    me = table.player(0)
    assert (me["resources"], me["supply"], me["tiles"]) == (4, 20, ["Y4"])
    assert me["commitment"] == {"card": "D", "tile": None}
    assert table.position["pending"] == {"player": 0, "action": "urbanize", "draws": 0}


def test_r6_1_where_the_token_lies_at_resolution() -> None:
    """The first player's token, without a free cell, pushes that of seat 1's committed card: F builds where it lies then."""
    tokens = {"A": (1, -1), "C": (4, -1), "F": (5, 0)}  # the cell after C is that of F
    builder = city([c for c in PICTURE if c != (1, 0)]).token("D", (1, 0))
    for name, cell in tokens.items():
        builder.token(name, cell)
    builder.hand(0, "D", "Y1").tiles(0, "Y20").hand(1, "F", "Y2").tiles(1, "Y19").player(1, resources=3)
    for name, cell in zip("BEGHIJKL", [c for c in EDGE if c not in tokens.values() and c != (5, 1)], strict=False):
        builder.token(name, cell)
    table = builder.start().play("D+Y20", "F+Y19")
    assert table.legal == {"token:after", "token:before"}
    table.play("token:after")
    assert table.tokens["D"] == (5, 0) and table.building((5, 1))["tile"] == "Y19"  # pushed to the next cell, and built there


def test_r6_1_without_a_resource_the_tile_goes_back_and_the_card_is_exploited() -> None:
    table = Builder(2).hand(0, "D").tiles(0, "Y9").player(0, resources=0).start().play("D+Y9")
    assert table.decision == ("take", 0) and table.position["pending"]["action"] == "exploit"
    assert table.player(0)["tiles"] == ["Y9"] and table.player(0)["known_tiles"] == ["Y9"]
    table.play("take:resource")
    assert table.player(0)["resources"] == 1 and table.tokens["D"] == (3, 0) and len(table.position["city"]) == 9
    assert table.position["discard"] == ["D"]


def test_r6_1_what_urbanizing_would_bring_cannot_pay() -> None:
    builder = Builder(2).characters(0, "RU", "RU", "RU").hand(0, "L").tiles(0, "Y9").player(0, resources=0)
    assert builder.start().play("L+Y9").decision == ("take", 0)


# --- R6.2 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("letter", "free"), [("A", "NW"), ("B", "N"), ("C", "NE"), ("E", "E"), ("H", "S"), ("L", "NW")])
def test_r6_2_the_token_moves_to_an_empty_cell_beside_the_new_tile(letter: str, free: str) -> None:
    for side in free:
        table = Builder(2).hand(0, letter).tiles(0, "Y9").start().play(f"{letter}+Y9")
        if len(free) > 1:
            assert table.legal == {f"token:{s}" for s in free}
            table.play(f"token:{side}")
        x, y = RING[letter]
        assert table.tokens == RING | {letter: (x + SIDES[side][0], y + SIDES[side][1])}


def test_r6_2_one_free_cell_is_taken_unasked() -> None:
    table = Builder(2).hand(0, "B").tiles(0, "Y9").start().play("B+Y9")
    assert table.tokens["B"] == (1, -2) and table.decision[0] == "commit"


def test_r6_2_alphabetical_order_is_not_enforced() -> None:
    """L goes around B's corner: nothing forbids it, and nothing else moves."""
    table = Builder(2).token("A", (-1, 0)).token("L", (0, -1)).hand(0, "L").tiles(0, "Y9").start().play("L+Y9")
    assert table.legal == {"token:N", "token:W"}
    assert table.play("token:N").tokens == RING | {"A": (-1, 0), "L": (0, -2)}


def test_r6_2_a_cell_in_an_enclosed_hole_is_allowed() -> None:
    """A ring of buildings around (1, 1), closed by the new one, whose only empty neighbor inside is that hole."""
    ring = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 2), (2, 2)]
    builder = city(ring).token("A", (2, 1)).hand(0, "A", "Y1").tiles(0, "Y20").token("B", (3, 0)).token("C", (3, 2))
    places = [(0, -1), (1, -1), (2, -1), (-1, 0), (-1, 1), (-1, 2), (0, 3), (1, 3), (2, 3)]
    for letter, cell in zip("DEFGHIJKL", places, strict=True):
        builder.token(letter, cell)
    table = builder.start().play("A+Y20")
    assert table.legal == {"token:E", "token:W"}
    assert table.play("token:W").tokens["A"] == (1, 1)


# --- R6.3 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(16))
def test_r6_3_after_is_the_cell_that_follows_on_the_edge_of_the_picture(k: int) -> None:
    """D is built on (1, 0), whose bay cell holds A. C lies on the k-th cell of the edge; the next one is empty."""
    tokens: dict[str, Cell] = {"C": EDGE[k]}
    if EDGE[k] != (1, -1):
        tokens["A"] = (1, -1)
    free = [c for c in EDGE if c not in tokens.values() and c != EDGE[(k + 1) % 16]]
    for name in LETTERS:
        if name not in tokens and name != "D":
            tokens[name] = free.pop()
    table = picture_without((1, 0), "D", tokens)
    assert table.legal == {"token:after", "token:before"}
    after = table.play("token:after").tokens
    wanted = EDGE[(k + 1) % 16]
    assert after["D"] == wanted
    if wanted != (1, -1):  # else A lay there and was pushed
        assert {name: cell for name, cell in after.items() if name != "D"} == tokens


@pytest.mark.parametrize("k", range(16))
def test_r6_3_before_is_the_cell_that_precedes_on_the_edge_of_the_picture(k: int) -> None:
    tokens: dict[str, Cell] = {"E": EDGE[k]}
    if EDGE[k] != (1, -1):
        tokens["A"] = (1, -1)
    wanted = EDGE[(k - 1) % 16]
    free = [c for c in EDGE if c not in tokens.values() and c != wanted]
    for name in LETTERS:
        if name not in tokens and name != "D":
            tokens[name] = free.pop()
    after = picture_without((1, 0), "D", tokens).play("token:before").tokens
    assert after["D"] == wanted
    if wanted != (1, -1):
        assert {name: cell for name, cell in after.items() if name != "D"} == tokens


# A bay whose far side is higher: the walker lists (1, 0), with (2, 0) ahead of it, before it turns down into (1, 1).
BAY = [(2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2), (0, 3), (2, 3), (0, 4), (1, 4), (2, 4)]
BAY_EDGE = [
    *((2, -1), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4), (2, 5), (1, 5)),
    *((0, 5), (-1, 4), (-1, 3), (-1, 2), (-1, 1), (0, 0), (1, 0), (1, 1)),
]


@pytest.mark.parametrize("k", range(16))
def test_r6_3_a_cell_is_listed_with_a_building_ahead_too(k: int) -> None:
    """D is built in the hole (1, 3); C lies on the k-th cell, E on the one after the next."""
    tokens = {"C": BAY_EDGE[k], "E": BAY_EDGE[(k + 2) % 16]}
    free = [cell for cell in BAY_EDGE if cell not in tokens.values() and cell != BAY_EDGE[(k + 1) % 16]]
    tokens |= dict(zip("ABFGHIJKL", free, strict=False))
    for way in ("after", "before"):
        builder = city(BAY).token("D", (1, 3)).hand(0, "D", "Y1").tiles(0, "Y20")
        for letter, cell in tokens.items():
            builder.token(letter, cell)
        table = builder.start().play("D+Y20", f"token:{way}")
        assert table.tokens == tokens | {"D": BAY_EDGE[(k + 1) % 16]}


def free_tokens(taken: dict[str, Cell]) -> dict[str, Cell]:
    """The other letters far away from cells 3 to 8: cells 9 to 16, and 1; then the bay for A."""
    places = [c for c in [*EDGE[8:], EDGE[0]] if c not in taken.values()]
    return taken | dict(zip([n for n in LETTERS if n not in taken and n != "D"], places, strict=False))


def test_r6_3_both_are_offered_even_if_they_lead_to_the_same_position() -> None:
    """C on cell 5, E on cell 7: after and before are both cell 6."""
    tokens = free_tokens({"C": EDGE[4], "E": EDGE[6], "A": EDGE[1]})
    positions = []
    for way in ("after", "before"):
        table = picture_without((1, 0), "D", tokens)
        assert table.legal == {"token:after", "token:before"}
        positions.append(table.play(f"token:{way}").position)
        assert table.tokens == tokens | {"D": EDGE[5]}
    assert positions[0] == positions[1]


def test_r6_3_after_pushes_the_token_in_the_way_along_the_list() -> None:
    """C on 5, E on 6: D comes to 6, E moves to 7."""
    tokens = free_tokens({"C": EDGE[4], "E": EDGE[5], "A": EDGE[1]})
    table = picture_without((1, 0), "D", tokens).play("token:after")
    assert table.tokens == tokens | {"D": EDGE[5], "E": EDGE[6]}


def test_r6_3_before_pushes_against_the_list() -> None:
    """C on 5, E on 6: D comes to 5, C moves to 4."""
    tokens = free_tokens({"C": EDGE[4], "E": EDGE[5], "A": EDGE[1]})
    table = picture_without((1, 0), "D", tokens).play("token:before")
    assert table.tokens == tokens | {"D": EDGE[4], "C": EDGE[3]}


def test_r6_3_pushing_goes_on_until_a_cell_without_token_is_reached() -> None:
    """C on 5, then E F G on 6 7 8 and 9 empty: all three move on; J, on 10, stays."""
    tokens = {"C": EDGE[4], "E": EDGE[5], "F": EDGE[6], "G": EDGE[7], "J": EDGE[9], "A": EDGE[1]}
    tokens |= dict(zip("BHIKL", EDGE[10:15], strict=True))
    table = picture_without((1, 0), "D", tokens).play("token:after")
    assert table.tokens == tokens | {"D": EDGE[5], "E": EDGE[6], "F": EDGE[7], "G": EDGE[8]}


def test_r6_3_pushing_passes_the_end_of_the_circular_list() -> None:
    """C on 15, E on 16, F on 1: D comes to 16, E to 1 and F to 2... where A lies in the bay, which moves to 3."""
    tokens = {"C": EDGE[14], "E": EDGE[15], "F": EDGE[0], "A": EDGE[1]}
    tokens |= dict(zip("BGHIJKL", EDGE[4:11], strict=True))
    table = picture_without((1, 0), "D", tokens).play("token:after")
    assert table.tokens == tokens | {"D": EDGE[15], "E": EDGE[0], "F": EDGE[1], "A": EDGE[2]}
    tokens = {"E": EDGE[0], "C": EDGE[15], "B": EDGE[14], "A": EDGE[1]}
    tokens |= dict(zip("FGHIJKL", EDGE[4:11], strict=True))
    table = picture_without((1, 0), "D", tokens).play("token:before")
    assert table.tokens == tokens | {"D": EDGE[15], "C": EDGE[14], "B": EDGE[13]}


def test_r6_3_letters_are_circular() -> None:
    """A moves: L is its previous letter, B the next one."""
    tokens = {"L": EDGE[4], "B": EDGE[8], "K": EDGE[1]} | dict(zip("CDEFGHIJ", [*EDGE[10:], EDGE[0], EDGE[2]], strict=False))
    assert picture_without((1, 0), "A", tokens).play("token:after").tokens["A"] == EDGE[5]
    assert picture_without((1, 0), "A", tokens).play("token:before").tokens["A"] == EDGE[7]


def test_r6_3_l_is_followed_by_a() -> None:
    tokens = {"K": EDGE[4], "A": EDGE[8], "J": EDGE[1]} | dict(zip("BCDEFGHI", [*EDGE[10:], EDGE[0], EDGE[2]], strict=False))
    assert picture_without((1, 0), "L", tokens).play("token:after").tokens["L"] == EDGE[5]
    assert picture_without((1, 0), "L", tokens).play("token:before").tokens["L"] == EDGE[7]


def test_r6_3_a_letter_in_a_hole_is_passed_over() -> None:
    """C lies in the hole: after counts from B. E in the hole: before counts from F."""
    tokens = free_tokens({"C": HOLE, "B": EDGE[4], "E": EDGE[6], "A": EDGE[1]})
    assert picture_without((1, 0), "D", tokens).play("token:after").tokens == tokens | {"D": EDGE[5]}
    tokens = free_tokens({"C": EDGE[2], "E": HOLE, "F": EDGE[6], "A": EDGE[1]})
    assert picture_without((1, 0), "D", tokens).play("token:before").tokens == tokens | {"D": EDGE[5]}


def test_r6_3_the_token_of_a_building_in_a_hole_moves_to_the_distant_edge() -> None:
    """D itself lay in the hole (3, 1): all its neighbors are buildings."""
    taken = {"C": EDGE[10], "E": EDGE[12]}
    rest = [c for c in EDGE if c not in taken.values() and c != EDGE[11]]
    tokens = taken | dict(zip([n for n in LETTERS if n not in "CDE"], rest, strict=False))
    builder = city(PICTURE).token("D", HOLE)
    for name, cell in tokens.items():
        builder.token(name, cell)
    table = builder.hand(0, "D", "Y1").tiles(0, "Y20").start().play("D+Y20")
    assert table.building(HOLE)["tile"] == "Y20" and table.legal == {"token:after", "token:before"}
    assert table.play("token:after").tokens == tokens | {"D": EDGE[11]}


# A ring around (1, 1) that D, on (0, 1), closes; its corner at (0, 0) is missing.
OPEN_RING = [(1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (-1, 2)]


def ring_closed_by_d(tokens: dict[str, Cell]) -> Table:
    builder = city(OPEN_RING).token("D", (0, 1)).hand(0, "D", "Y1").tiles(0, "Y20")
    for letter, cell in tokens.items():
        builder.token(letter, cell)
    for letter, cell in zip("FGHIJKL", [(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (-1, 3)], strict=True):
        builder.token(letter, cell)
    table = builder.start().play("D+Y20")
    assert table.legal == {"token:after", "token:before"}
    return table


def test_r6_3_buildings_touching_at_a_corner_enclose() -> None:
    """C lies in the hole, reached by no orthogonal step: after counts from B, above the ring."""
    tokens = {"C": (1, 1), "B": (1, -1), "A": (0, 0), "E": (-1, 1)}
    assert ring_closed_by_d(tokens).play("token:after").tokens["D"] == (2, -1)
    table = ring_closed_by_d(tokens).play("token:before")
    assert table.tokens["D"] == (-2, 2) and table.tokens["C"] == (1, 1) and table.tokens["A"] == (0, 0)


def test_r6_3_the_new_building_is_part_of_the_city_that_the_edge_surrounds() -> None:
    """The edge goes from B's cell, west of the new building, to A's, north of it, not through the building."""
    tokens = {"C": (1, 1), "B": (-1, 1), "A": (0, 0), "E": (1, -1)}
    after = ring_closed_by_d(tokens).play("token:after").tokens
    assert (after["D"], after["A"], after["E"], after["B"]) == ((0, 0), (1, -1), (2, -1), (-1, 1))


# --- R6.4 to R6.6 ----------------------------------------------------------------------------------------------------------


def test_r6_4_every_adjacent_building_gives_its_item_once_for_each_floor() -> None:
    """A slot between three buildings: red of 1, blue of 2, yellow of 3 floors; whoever owns them. The diagonal ones do not."""
    cells = {(0, 0): ("R5", 1, None), (1, 1): ("B5", 2, 1), (2, 0): ("Y5", 3, 0), (0, 1): ("Y6", 4, 1), (2, 1): ("R6", 2, 0)}
    builder = Builder(2).empty_city().characters(0, *PLAIN).token("A", (1, 0)).hand(0, "A", "B").tiles(0, "R20")
    for cell, (tile, floors, owner) in cells.items():
        builder.building(cell, tile, floors=floors, owner=owner)
    builder.building((0, 2), "R8").building((2, 2), "B8").building((2, 3), "Y8")
    table = builder.next_tiles("B20", "B19").player(0, resources=4).start().play("A+R20")
    me = table.player(0)
    assert (me["resources"], me["points"], me["tiles"]) == (4 - 1 + 1, 3, ["B19", "B20"])
    assert (table.player(1)["resources"], table.player(1)["points"]) == (5, 0)


def test_r6_4_the_new_building_itself_gives_nothing() -> None:
    me = Builder(2).characters(0, *PLAIN).hand(0, "B").tiles(0, "Y9").start().play("B+Y9").player(0)
    assert (me["resources"], me["points"]) == (4, 1)  # Y1 only


def test_r6_4_exploit_bonuses_do_not_apply() -> None:
    builder = Builder(2).characters(0, "RE", "BE", "YE").tableau(0, "Y4", "Y7").hand(0, "B").tiles(0, "Y9")
    me = builder.start().play("B+Y9").player(0)
    assert (me["resources"], me["tiles"], me["points"]) == (4, [], 1)


def test_r6_4_example_miley_urbanizes_at_a_with_red_4() -> None:
    """The neighbors, a red building of one floor and a blue one of two, bring a resource and two tiles; her RU one more."""
    builder = Builder(2).building((0, 0), "R2").building((1, -1), "B9", floors=2, owner=1)
    builder.characters(0, "RU", "YC", "BE").hand(0, "A", "K").tiles(0, "R4").next_tiles("Y17", "B17").player(0, resources=3)
    table = builder.token("B", (1, -2)).start().play("A+R4")
    assert table.building((0, -1)) == {"cell": [0, -1], "tile": "R4", "floors": 1, "owner": 0, "pawn": True}
    table.play("token:N")
    me = table.player(0)
    assert (me["resources"], me["tiles"], me["points"]) == (3 - 1 + 1 + 1, ["B17", "Y17"], 0)
    assert table.tokens["A"] == (0, -2) and table.position["discard"] == ["A"]


def test_r6_5_urbanize_bonuses_pay() -> None:
    builder = Builder(2).characters(0, "RU", "BU", "YU").tableau(0, "Y5", "B8").hand(0, "B").tiles(0, "Y9")
    me = builder.next_tiles("R20", "R19").start().play("B+Y9").player(0)
    assert (me["resources"], me["tiles"], me["points"]) == (5, ["R19", "R20"], 1 + 1 + 1 + 1)


def test_r6_5_all_tiles_are_drawn_together_after_the_token_is_placed() -> None:
    """Blue of two floors beside it and BU: three tiles; the supply holds one."""
    builder = Builder(2).building((0, 0), "B9", floors=2, owner=1).characters(0, "BU", "YU", "RE").hand(0, "A").tiles(0, "R4")
    table = builder.supply("Y20").tiles(1, "R20").start().play("A+R4")
    assert table.decision == ("token", 0) and table.player(0)["points"] == 0 and table.position["supply"] == ["Y20"]
    table.play("token:N")
    assert table.decision == ("return", 0)
    assert table.position["pending"] == {"player": 0, "action": "urbanize", "draws": 2}
    assert table.player(0)["points"] == 1 and table.position["discard"] == []
    assert table.player(0)["commitment"] == {"card": "A", "tile": None}


def test_r6_6_the_card_is_discarded() -> None:
    table = Builder(2).hand(0, "B").tiles(0, "Y9").start().play("B+Y9")
    assert table.position["discard"] == ["B"] and table.player(0)["commitment"] is None


# --- a long city -----------------------------------------------------------------------------------------------------------


def long_city() -> Builder:
    """Fifty buildings in a line from (0, 0) to (49, 0); A lies at the west end, G at the east end, others above and below."""
    builder = city([(x, 0) for x in range(50)]).token("A", (-1, 0)).token("G", (50, 0))
    for k, letter in enumerate("BCDEF"):
        builder.token(letter, (10 * k, -1))
    for k, letter in enumerate("HIJKL"):
        builder.token(letter, (49 - 10 * k, 1))
    return builder


@pytest.mark.parametrize(("letter", "end", "sides"), [("A", (-1, 0), "NSW"), ("G", (50, 0), "NES")])
def test_r6_a_city_of_fifty_buildings_grows_at_both_ends(letter: str, end: Cell, sides: str) -> None:
    table = long_city().hand(0, letter, "Y1").tiles(0, "R20").start().play(f"{letter}+R20")
    assert table.building(end)["owner"] == 0 and table.legal == {f"token:{side}" for side in sides}
    seen = table.seen(0)
    x = 1 if letter == "A" else 51  # counted from the north-west corner
    city = seen.facts["city"]
    assert len(city) == 51 and (city[50]["floors"], city[50]["cell"]) == (1, (x, 1)) and seen.facts["tokens"][letter] is None
    table.play("token:S")
    assert table.tokens[letter] == (end[0], 1) and sum(table.outcome.scores) >= 0
    assert table.seen(1).facts["tokens"][letter] == (x, 2)


def test_r6_3_the_edge_walk_around_fifty_buildings() -> None:
    """B is built in the middle of the line's upper side with its free cells taken: C's predecessor lies beyond the far end."""
    builder = long_city().token("B", (20, -1)).token("D", (21, -1)).token("C", (19, -1)).building((20, -3), "R20")
    builder.building((21, -3), "B20").building((22, -3), "Y17").building((22, -2), "R18").building((22, -1), "B18")
    builder.token("E", (20, -2)).hand(0, "B", "Y1").tiles(0, "Y20")
    table = builder.token("A", (50, 0)).token("G", (-1, 0)).start().play("B+Y20")
    assert table.legal == {"token:after", "token:before"}
    table.play("token:after")  # A, its previous letter, lies at the east end: the next cell is below the last building
    assert table.tokens["B"] == (49, 1) and table.tokens["H"] == (48, 1)


def test_r6_a_city_of_fifty_buildings_is_scored() -> None:
    """Fifty yellow and red tiles in turn make no district; a blue stretch at the end makes one."""
    tiles = [f"{'RY'[n % 2]}{n // 2 + 1}" for n in range(40)] + [f"B{n}" for n in range(1, 11)]
    builder = Builder(2).empty_city().characters(0, *PLAIN).token("A", (-1, 0))
    for x, tile in enumerate(tiles):
        builder.building((x, 0), tile, owner=0 if x >= 47 else 1 if x >= 45 else None)
    table = builder.hand(0, "A", "B").start()
    assert [b["districts"] for b in table.outcome.breakdown] == [[5], [2]]
