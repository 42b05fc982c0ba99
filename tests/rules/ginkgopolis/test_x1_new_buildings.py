"""X1: new buildings, tiles 21 to 23 with their cards."""

import pytest

from ..oracle_play import Generator
from .extras import NEW_BUILDINGS
from .positions import TILES, Builder, table_from_seed

PLAIN = ("RE", "BE", "YE")  # characters without a construct bonus
ONE = ("new_buildings",)
SQUARE = [f"{color}{number}" for color in "RBY" for number in (1, 2, 3)]


def new(players: int = 2, *, modules: tuple[str, ...] = ONE, **config: object) -> Builder:
    return Builder(players, modules=modules, **config)


def card_points(*cards: str, characters: str = "RC BC YC", expert: str | None = None) -> dict[str, int]:
    """What seat 0's endgame cards bring."""
    builder = new(modules=("new_buildings", "experts")).expert(0, expert) if expert else new()
    table = builder.tableau(0, *cards).characters(0, *characters.split()).hand(0, "A", "B").start()
    points: dict[str, int] = table.outcome.breakdown[0]["cards"]
    return points


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    "modules", [("new_buildings",), ("new_buildings", "prestige"), ("prestige", "green_spaces", "keep_card")]
)
def test_x1_each_of_modules_1_to_3_removes_three_more_tiles(players: int, modules: tuple[str, ...]) -> None:
    """The last ones of the shuffled list: 6 with 2 or 3 players, and 3 for each module."""
    table = table_from_seed(7, players=players, setup="introductory", modules=modules)
    position = table.position
    generator = Generator(position["seed"])
    generator.shuffled(SQUARE)
    tiles = generator.shuffled([tile for tile in TILES if tile not in SQUARE])
    n = (6 if players <= 3 else 0) + 3 * len(set(modules) - {"keep_card"})
    assert sorted(position["removed"]) == sorted(tiles[51 - n :])
    held = [tile for player in position["players"] for tile in player["tiles"]]
    assert sorted(position["supply"] + held) == sorted(tiles[: 51 - n])


def test_x1_a_face_down_stack_of_the_nine_tiles() -> None:
    stacks = [table_from_seed(seed, players=2, modules=ONE, setup="introductory").position for seed in range(8)]
    assert all(sorted(position["new_buildings"]) == sorted(NEW_BUILDINGS) for position in stacks)
    assert len({tuple(position["new_buildings"]) for position in stacks}) > 4


def test_x1_without_the_module_there_are_none() -> None:
    position = table_from_seed(1, players=2, modules=("prestige",), setup="introductory").position
    assert position["new_buildings"] == []


def test_x1_the_order_of_the_stack_and_the_tiles_drawn_are_seen_by_nobody_else() -> None:
    def seen_by_1(*stack: str) -> object:
        builder = new().building((0, 0), "B7", floors=2, owner=1).hand(0, "B7", "A").next_new_buildings(*stack)
        table = builder.start().play("B7", "split:new-building")
        assert table.player(0)["tiles"] == [stack[0]]
        return table.view(1)

    assert seen_by_1("Y23", "R21") == seen_by_1("B22", "Y23") == seen_by_1("R22", "R21")


def test_x1_their_cards_wait_and_join_the_deck_by_r3_6() -> None:
    builder = new().building((2, 2), "R21", owner=0, pawn=True).hand(0, "A", "B").hand(1, "C", "D").deck("E", "F")
    table = builder.start()
    position = table.position
    assert "R21" not in [*position["deck"], *position["discard"]]
    position = table.play("A", "C", "take:resource", "take:resource").position  # then both draw: the deck is empty
    assert not table.building((2, 2))["pawn"]
    assert "R21" in [*position["deck"], *position["discard"]]
    assert not {"R22", "B21"} & {*position["deck"], *position["discard"]}  # their tiles are not in the city


@pytest.mark.parametrize(
    ("covered", "tile", "points", "resource"),
    [("B7", "B21", 0, 0), ("B7", "R23", 0, 1), ("B23", "B21", 2, 0), ("Y22", "R21", 1, 1)],
)
def test_x1_they_cost_like_base_tiles(covered: str, tile: str, points: int, resource: int) -> None:
    builder = new().building((0, 0), covered, floors=2, owner=1).hand(0, covered, "L").characters(0, *PLAIN).tiles(0, tile)
    table = builder.player(0, resources=12, points=10).start().play(f"{covered}+{tile}")
    assert (table.player(0)["points"], table.player(0)["resources"]) == (10 - points, 12 - 3 - resource)
    assert table.building((0, 0)) == {"cell": [0, 0], "tile": tile, "floors": 3, "owner": 0, "pawn": True}


def test_x1_one_can_be_built_upon_and_operated() -> None:
    """A Y9 on R22: thirteen SP and a resource; the card R22 stays in front of the player."""
    builder = new().building((0, 0), "R22", floors=2, owner=1).hand(0, "R22", "A").tiles(0, "Y9").characters(0, *PLAIN)
    builder.player(0, resources=4, points=13)
    table = builder.start().play("R22+Y9")
    me = table.player(0)
    assert (me["points"], me["resources"], me["tableau"]) == (0, 0, ["R22"]) and "R22" in table.position["buried"]
    table = builder.start().play("R22")  # exploited: two floors, RE
    assert table.player(0)["resources"] == 4 + 2 + 1
    table = builder.start().play("A+Y9", "token:N")
    assert table.player(0)["resources"] == 4 - 1 + 2


# --- cards -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "characters", "points"),
    [
        ([], "RC BC YC", 3),  # characters included
        (["B1", "Y9", "R2"], "RC RC BE", 6),
        (["B7", "B8", "B9"], "RC BC YC", 6),  # 7 to 9 count once
        (["B10", "B20", "Y16", "B22", "Y23"], "RC BC YC", 3),  # endgame cards do not count, nor does the card itself
    ],
)
def test_x1_21_brings_1_sp_for_each_own_permanent_bonus_card(cards: list[str], characters: str, points: int) -> None:
    assert card_points("R21", *cards, characters=characters)["R21"] == points


@pytest.mark.parametrize(
    ("cards", "characters", "points"),
    [
        ([], "RC BC YC", 0),
        ([], "RE BU YC", 5),
        (["B1", "B4"], "RC BC YC", 0),  # no urbanize card
        (["B1", "B2"], "RC BC YC", 5),
        (["B1", "Y7", "B2", "Y8", "R5"], "RC BC YC", 10),  # 2 exploit, 3 urbanize, 3 construct
        (["B1", "Y7", "R4", "B2", "Y8", "R5"], "RC BC YC", 15),
        (["B16", "B17", "B18"], "RE BU YE", 0),  # endgame cards have no action
    ],
)
def test_x1_22_brings_5_sp_for_each_set_of_three_actions(cards: list[str], characters: str, points: int) -> None:
    assert card_points("B22", *cards, characters=characters)["B22"] == points


@pytest.mark.parametrize(
    ("card", "cards", "characters", "points"),
    [
        ("R23", [], "BC BE YC", 4),  # the card itself is the red one
        ("Y23", [], "BC BE YC", 0),
        ("Y23", [], "RC BE YC", 4),
        ("R23", ["B10", "Y20"], "BC BE YC", 4),  # red only once
        ("R23", ["R14", "B10", "Y20"], "BC BE YC", 8),  # endgame cards too
        ("B23", ["R21", "R22", "Y21", "Y22"], "RC BC YC", 8),  # R 3, B 2, Y 3
    ],
)
def test_x1_23_brings_4_sp_for_each_set_of_three_colors(card: str, cards: list[str], characters: str, points: int) -> None:
    assert card_points(card, *cards, characters=characters)[card] == points


def test_x1_sets_are_counted_anew_for_each_card() -> None:
    found = card_points("R21", "B21", "R22", "Y22", "R23", "B23", characters="RE BU YC")
    # three permanent cards; one set of actions; R 4, B 3, Y 2
    assert found == {"R21": 3, "B21": 3, "R22": 5, "Y22": 5, "R23": 8, "B23": 8}


def test_x1_base_endgame_cards_count_them_as_cards_of_their_color_without_action() -> None:
    found = card_points("R16", "R17", "R18", "R19", "R21", "R22", "B23", characters="RE BU YC")
    assert (found["R16"], found["R17"], found["R18"]) == (2, 2, 2)
    assert found["R19"] == 2 * 7  # R16 to R19, R21, R22, RE


def test_x1_10_counts_resources_on_new_buildings_of_its_color() -> None:
    builder = new().building((0, 0), "R21", floors=3, owner=0).building((2, 0), "B21", floors=2, owner=0).hand(0, "A")
    assert builder.tableau(0, "R10", "R14", "R15").start().outcome.breakdown[0]["cards"] == {"R10": 3, "R14": 1, "R15": 3}


@pytest.mark.parametrize("card", ["R16", "R17", "R18", "R19", "R21", "R22", "R23"])
def test_x6_experts_are_not_counted_by_cards_16_to_19_and_21_to_23(card: str) -> None:
    with_expert = card_points(card, "R1", "B2", "Y3", expert="artist")
    assert with_expert == card_points(card, "R1", "B2", "Y3")
