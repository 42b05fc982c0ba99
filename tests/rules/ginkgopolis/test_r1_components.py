"""R1: components, and what each card pays when it is used."""

from collections import Counter

import pytest

from .positions import CARDS, LETTERS, SQUARE, TILES, Builder, Table, table_from_seed

# R1.5, typed in from the normative table: number -> action, then items for red, blue, yellow as (resources, tiles, SP).
ACTIONS = ("exploit", "urbanize", "construct")
PLAIN = {"R": (1, 0, 0), "B": (0, 1, 0), "Y": (0, 0, 1)}
STRONG = {"R": (1, 0, 1), "B": (0, 1, 1), "Y": (0, 0, 2)}
PERMANENT = {
    f"{color}{number}": (ACTIONS[(number - 1) % 3], (STRONG if number >= 7 else PLAIN)[color])
    for color in "RBY"
    for number in range(1, 10)
}
NO_BONUS = {"exploit": "RC BC YC", "urbanize": "RE BE YE", "construct": "RU BU YU"}

# R1.6: copies, resources, tiles, SP at the start, bonus as (resources, tiles, SP).
CHARACTERS = {
    "RE": (4, 1, 1, 1, (1, 0, 0)),
    "RU": (4, 1, 1, 1, (1, 0, 0)),
    "RC": (4, 0, 1, 0, (1, 0, 0)),
    "BE": (3, 2, 0, 1, (0, 1, 0)),
    "BU": (3, 2, 0, 1, (0, 1, 0)),
    "BC": (3, 1, 0, 0, (0, 1, 0)),
    "YE": (2, 2, 1, 2, (0, 0, 1)),
    "YU": (2, 2, 1, 2, (0, 0, 1)),
    "YC": (2, 2, 1, 1, (0, 0, 1)),
}
ACTION_OF = {"E": "exploit", "U": "urbanize", "C": "construct"}
SETS = {1: "RU YC BC", 2: "RC YC BE", 3: "RE YU BU", 4: "RU YU BC", 5: "RE YE BC", 6: "RU YE BE"}


def gains(builder: Builder, action: str) -> tuple[int, int, int]:
    """(resources, tiles, SP) that a plain action brings beyond what it does without any bonus card."""
    # The start square with the tiles 11-13, so that the cards 1-10 are free for tableaus.
    for i, tile in enumerate(SQUARE):
        builder.building((i % 3, i // 3), f"{tile[0]}{10 + int(tile[1])}")
    builder.hand(0, "Y11", "A").tiles(0, "Y14", "R14").player(0, points=0, resources=5)
    table = builder.start()
    if action == "exploit":
        table.play("Y11")  # 1 SP
        basis = (5, 2, 1)
    elif action == "construct":
        table.play("Y11+Y14")  # two resources on the building
        basis = (3, 1, 0)
    else:
        table.play("A+R14", "token:N")  # one resource placed, one from R12 beside it
        basis = (5, 1, 0)
    me = table.player(0)
    found = (me["resources"], len(me["tiles"]), me["points"])
    return tuple(a - b for a, b in zip(found, basis, strict=True))


def test_r1_1_sixty_tiles_are_there_once() -> None:
    position = table_from_seed(3, players=4).position
    tiles = [b["tile"] for b in position["city"]] + position["supply"] + position["removed"]
    tiles += [tile for player in position["players"] for tile in player["tiles"]]
    assert sorted(tiles) == sorted(TILES)
    assert len(TILES) == 60 and Counter(tile[0] for tile in TILES) == {"R": 20, "B": 20, "Y": 20}


def test_r1_2_twelve_urbanization_cards_and_tokens() -> None:
    position = table_from_seed(3, players=4, setup="introductory").position
    cards = position["deck"] + position["discard"] + [card for player in position["players"] for card in player["hand"]]
    assert sorted(card for card in cards if card in LETTERS) == list(LETTERS)
    assert sorted(position["tokens"]) == list(LETTERS) and len(CARDS) == 72


def test_r1_3_pawns_never_run_out() -> None:
    """The box holds 15; a city of 20 buildings with pawns gets a 21st."""
    builder = Builder(2).empty_city().building((0, 0), "R1")
    builder.row(*["R1"], *[f"B{n}" for n in range(1, 21)], pawn=True).building((0, 0), "R1", pawn=True)
    table = builder.token("A", (0, -1)).hand(0, "A").tiles(0, "Y4").start()
    table.play("A+Y4", "token:N")
    assert sum(b["pawn"] for b in table.position["city"]) == 22


@pytest.mark.parametrize(("card", "gained"), [("R2", (6, 0, 0)), ("B3", (5, 1, 0)), ("Y1", (5, 0, 1))])
def test_r1_4_the_native_item_of_a_color(card: str, gained: tuple[int, int, int]) -> None:
    me = Builder(2).hand(0, card).start().play(card).player(0)
    assert (me["resources"], len(me["tiles"]), me["points"]) == gained


@pytest.mark.parametrize("card", PERMANENT)
def test_r1_5_permanent_bonus_cards_pay_for_their_action_only(card: str) -> None:
    kind, items = PERMANENT[card]
    for action in ACTIONS:
        builder = Builder(2).characters(0, *NO_BONUS[action].split()).tableau(0, card)
        assert gains(builder, action) == (items if action == kind else (0, 0, 0)), action


@pytest.mark.parametrize("number", range(10, 21))
def test_r1_5_endgame_cards_pay_nothing_during_the_game(number: int) -> None:
    for action in ACTIONS:
        builder = Builder(2).characters(0, *NO_BONUS[action].split())
        for i, tile in enumerate(SQUARE):
            builder.building((i % 3, i // 3), f"{tile[0]}{10 + int(tile[1])}")
        cards = [card for card in (f"R{number}", f"B{number}", f"Y{number}") if number == 10 or number > 14]
        if cards:
            assert gains(builder.tableau(0, *cards), action) == (0, 0, 0)


def tally() -> Builder:
    """Seat 0 owns red 1+2+4 floors, blue 3+1, yellow 2+2+2 = 8; seat 1 and nobody own others."""
    builder = Builder(2).building((0, 0), "R2", floors=2, owner=0).building((2, 0), "B3", floors=3, owner=0)
    builder.building((0, 1), "Y3", floors=2, owner=0).building((2, 1), "B2", floors=1, owner=0)
    builder.building((0, 2), "B1", floors=5, owner=1).building((1, 2), "R3", floors=4, owner=0)
    builder.building((2, 2), "Y2", floors=3, owner=1).building((3, 0), "R4", floors=1, owner=0)
    builder.building((3, 1), "Y4", floors=2, owner=0).building((3, 2), "Y5", floors=2, owner=0)
    return builder


# Resources of seat 0 on red 2+4+1 = 7, on blue 3+1 = 4, on yellow 2+2+2 = 6; low buildings R2 Y3 B2 R4 Y4 Y5, high B3 R3.
ENDGAME = {
    **dict(zip(("R10", "B10", "Y10", "R11", "B11", "Y11"), (7, 4, 6, 6, 7, 7), strict=True)),
    **dict(zip(("R12", "B12", "Y12", "R13", "B13", "Y13"), (4, 6, 4, 7, 4, 6), strict=True)),
    **{f"{color}14": 6 for color in "RBY"},
    **{f"{color}15": 6 for color in "RBY"},
    **{f"{color}20": 9 for color in "RBY"},
}


@pytest.mark.parametrize("card", ENDGAME)
def test_r1_5_endgame_cards_count_the_city(card: str) -> None:
    table = tally().player(0, resources=0).tableau(0, card).hand(0, "Y1").start()
    assert table.outcome.breakdown[0]["cards"] == {card: ENDGAME[card]}
    assert table.outcome.breakdown[1]["cards"].get(card) is None


def test_r1_5_a_building_of_exactly_three_floors_counts_as_high_and_two_as_low() -> None:
    builder = Builder(2).building((0, 0), "R2", floors=2, owner=0).building((2, 0), "B3", floors=3, owner=0)
    cards = builder.tableau(0, "R14", "Y15").hand(0, "Y1").start().outcome.breakdown[0]["cards"]
    assert cards == {"R14": 1, "Y15": 3}


def test_r1_5_cards_16_to_18_count_bonus_cards_and_characters_once_each() -> None:
    """Exploit: R4 B7 Y7 and RE; urbanize: B5 and RU RU; construct: R6 R9 B9 Y9, no character."""
    cards = ["R4", "B7", "Y7", "B5", "R6", "R9", "B9", "Y9", "B16", "R17", "Y18"]
    builder = Builder(2).characters(0, "RE", "RU", "RU").tableau(0, *cards).hand(0, "Y1")
    found = builder.start().outcome.breakdown[0]["cards"]
    assert found == {"B16": 8, "R17": 6, "Y18": 8}


@pytest.mark.parametrize(("card", "points"), [("R19", 8), ("B19", 6), ("Y19", 10)])
def test_r1_5_card_19_counts_its_color_characters_and_itself_included(card: str, points: int) -> None:
    """Red: R4, RE, RE, itself. Blue: B10, B16, itself. Yellow: Y5, Y6, Y20, YC, itself."""
    builder = Builder(2).characters(0, "RE", "RE", "YC").hand(0, "Y1")
    builder.tableau(0, card, "R4", "B10", "B16", "Y5", "Y6", "Y20")
    assert builder.start().outcome.breakdown[0]["cards"][card] == points


@pytest.mark.parametrize("name", CHARACTERS)
def test_r1_6_characters_pay_for_their_action_only(name: str) -> None:
    bonus = CHARACTERS[name][4]
    for action in ACTIONS:
        others = [c for c in NO_BONUS[action].split() if c != name][:2]
        found = gains(Builder(2).characters(0, name, *others), action)
        assert found == (bonus if action == ACTION_OF[name[1]] else (0, 0, 0)), action


def start_items(table: Table, seat: int) -> tuple[int, int, int]:
    player = table.player(seat)
    return player["resources"], len(player["tiles"]), player["points"]


def sum_of(names: list[str]) -> tuple[int, ...]:
    return tuple(sum(CHARACTERS[name][i] for name in names) for i in (1, 2, 3))


def test_r1_6_start_items_of_drafted_characters() -> None:
    seen: Counter[str] = Counter()
    for seed in range(12):
        table = table_from_seed(seed, players=5)
        table.play_at_random("draft")
        for seat in range(5):
            names = table.player(seat)["characters"]
            assert start_items(table, seat) == sum_of(names)
            seen.update(names)
    assert set(seen) == set(CHARACTERS)


def test_r1_6_copies_in_the_box() -> None:
    most: Counter[str] = Counter()
    for seed in range(150):
        dealt = Counter(name for player in table_from_seed(seed, players=5).position["players"] for name in player["packet"])
        most |= dealt
    assert most == {name: row[0] for name, row in CHARACTERS.items()}


def test_r1_6_introductory_sets_and_the_example_of_set_2() -> None:
    """Nell, with set 2, starts with 4 resources, 2 tiles and 2 success points."""
    items = {}
    for seed in range(20):
        table = table_from_seed(seed, players=5, setup="introductory")
        for seat in range(5):
            items[" ".join(table.player(seat)["characters"])] = start_items(table, seat)
    by_rows = {" ".join(sorted(text.split(), key=list(CHARACTERS).index)): number for number, text in SETS.items()}
    assert {by_rows[names] for names in items} == {1, 2, 3, 4, 5, 6}
    found = {by_rows[names]: start for names, start in items.items()}
    assert found == {1: (4, 2, 2), 2: (4, 2, 2), 3: (5, 2, 4), 4: (4, 2, 3), 5: (4, 2, 3), 6: (5, 2, 4)}
