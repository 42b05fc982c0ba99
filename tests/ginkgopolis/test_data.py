"""The printed components (R1.5, R1.6, R2.2, X1, X4.1), checked as plain CSV tables without the package that reads them."""

import csv
import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[2] / "ginkgo_env" / "games" / "ginkgopolis" / "data"
COLORS = ("red", "blue", "yellow")
ACTIONS = ("exploit", "urbanize", "construct")
CHARACTERS = ("RE", "RU", "RC", "BE", "BU", "BC", "YE", "YU", "YC")
LETTERS = "ABCDEFGHIJKL"
NATIVE_ITEM = {"red": "resource", "blue": "tile", "yellow": "points"}
ITEMS = ("resource", "tile", "points")
ENDGAME_OF_NUMBER = {
    10: "resources_on_color",
    11: "resources_on_color",
    12: "resources_on_color",
    13: "resources_on_color",
    14: "low_buildings",
    15: "high_buildings",
    16: "exploit_cards",
    17: "urbanize_cards",
    18: "construct_cards",
    19: "color_cards",
    20: "fixed",
}


def table(name: str) -> list[dict[str, str]]:
    """Rows of one data file as dictionaries of strings."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


CARD_ROWS = table("cards.csv")
PERMANENT = [row for row in CARD_ROWS if row["kind"] == "permanent"]
ENDGAME = [row for row in CARD_ROWS if row["kind"] == "endgame"]
CHARACTER_ROWS = table("characters.csv")
SET_ROWS = table("sets.csv")
TOKEN_ROWS = table("tokens.csv")
NEW_BUILDING_ROWS = table("new_buildings.csv")
EXPERT_ROWS = table("experts.csv")


def card_id(row: dict[str, str]) -> str:
    return row["card"]


COLUMNS = {
    "cards.csv": "card color number kind action resource tile points endgame endgame_color provenance",
    "characters.csv": """character color action copies start_resources start_tiles start_points
        bonus_resource bonus_tile bonus_points""",
    "sets.csv": "set characters",
    "tokens.csv": "token x y",
    "new_buildings.csv": "card color number kind action resource tile points endgame endgame_color provenance",
    "experts.csv": "expert event_1 event_2 provenance",
}


@pytest.mark.parametrize("name", COLUMNS)
def test_headers_and_complete_rows(name: str) -> None:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == COLUMNS[name].split()
    assert all(len(row) == len(header) for row in rows)


# Building cards (R1.5)


def test_sixty_cards_each_color_and_number_once_in_order() -> None:
    expected = [(color, str(number)) for color in COLORS for number in range(1, 21)]
    assert [(row["color"], row["number"]) for row in CARD_ROWS] == expected
    assert [row["card"] for row in CARD_ROWS] == [color[0].upper() + number for color, number in expected]
    assert len({row["card"] for row in CARD_ROWS}) == 60


def test_nine_permanent_and_eleven_endgame_cards_in_each_color() -> None:
    assert Counter((row["color"], row["kind"]) for row in CARD_ROWS) == {
        (color, kind): count for color in COLORS for kind, count in (("permanent", 9), ("endgame", 11))
    }
    assert all(int(row["number"]) <= 9 for row in PERMANENT)
    assert all(int(row["number"]) >= 10 for row in ENDGAME)


@pytest.mark.parametrize("row", PERMANENT, ids=card_id)
def test_permanent_card(row: dict[str, str]) -> None:
    number = int(row["number"])
    expected = dict.fromkeys(ITEMS, 0)
    expected[NATIVE_ITEM[row["color"]]] += 1
    if number >= 7:
        expected["points"] += 1
    assert {item: int(row[item]) for item in ITEMS} == expected
    assert row["action"] == ACTIONS[(number - 1) % 3]
    assert row["endgame"] == row["endgame_color"] == ""


@pytest.mark.parametrize("row", ENDGAME, ids=card_id)
def test_endgame_card(row: dict[str, str]) -> None:
    assert row["endgame"] == ENDGAME_OF_NUMBER[int(row["number"])]
    assert row["action"] == ""
    assert [row[item] for item in ITEMS] == ["0", "0", "0"]
    assert (row["endgame_color"] in COLORS) == (row["endgame"] in {"resources_on_color", "color_cards"})
    if row["endgame"] not in {"resources_on_color", "color_cards"}:
        assert row["endgame_color"] == ""


def test_colors_named_by_the_cards_ten_to_thirteen_and_nineteen() -> None:
    named = {row["card"]: row["endgame_color"] for row in ENDGAME if row["endgame_color"]}
    assert named == {
        "R10": "red",
        "R11": "yellow",
        "R12": "blue",
        "R13": "red",
        "R19": "red",
        "B10": "blue",
        "B11": "red",
        "B12": "yellow",
        "B13": "blue",
        "B19": "blue",
        "Y10": "yellow",
        "Y11": "red",
        "Y12": "blue",
        "Y13": "yellow",
        "Y19": "yellow",
    }


def test_totals_of_the_cards() -> None:
    totals = {item: sum(int(row[item]) for row in CARD_ROWS) for item in ITEMS}
    assert totals == {"resource": 9, "tile": 9, "points": 3 + 3 + 6 + 6}
    assert Counter(row["action"] for row in PERMANENT) == dict.fromkeys(ACTIONS, 9)
    colors_counted = Counter(row["endgame_color"] for row in ENDGAME if row["endgame"] == "resources_on_color")
    assert colors_counted == dict.fromkeys(COLORS, 4)


def test_provenance() -> None:
    twice = {row["card"] for row in CARD_ROWS if row["provenance"] == "two transcriptions"}
    once = {row["card"] for row in CARD_ROWS if row["provenance"] == "one transcription"}
    assert twice == {row["card"] for row in CARD_ROWS if row["color"] == "red" or int(row["number"]) <= 3}
    assert len(twice) == 26
    assert len(once) == 34


# Characters and introductory sets (R1.6)


def test_nine_kinds_of_character_in_order() -> None:
    assert tuple(row["character"] for row in CHARACTER_ROWS) == CHARACTERS
    expected = [(color, action) for color in COLORS for action in ACTIONS]
    assert [(row["color"], row["action"]) for row in CHARACTER_ROWS] == expected
    for row in CHARACTER_ROWS:
        assert row["character"] == row["color"][0].upper() + row["action"][0].upper()


def test_twenty_seven_characters() -> None:
    assert [int(row["copies"]) for row in CHARACTER_ROWS] == [4, 4, 4, 3, 3, 3, 2, 2, 2]
    assert sum(int(row["copies"]) for row in CHARACTER_ROWS) == 27


@pytest.mark.parametrize(
    ("character", "resources", "tiles", "points"),
    [
        ("RE", 1, 1, 1),
        ("RU", 1, 1, 1),
        ("RC", 0, 1, 0),
        ("BE", 2, 0, 1),
        ("BU", 2, 0, 1),
        ("BC", 1, 0, 0),
        ("YE", 2, 1, 2),
        ("YU", 2, 1, 2),
        ("YC", 2, 1, 1),
    ],
)
def test_start_items(character: str, resources: int, tiles: int, points: int) -> None:
    assert start_items([character]) == (resources, tiles, points)


def test_character_bonus_is_one_native_item() -> None:
    for row in CHARACTER_ROWS:
        bonus = {item: int(row[f"bonus_{item}"]) for item in ITEMS}
        assert bonus == {item: int(item == NATIVE_ITEM[row["color"]]) for item in ITEMS}


def start_items(characters: list[str]) -> tuple[int, int, int]:
    """Resources, tiles and points with which these characters start together."""
    rows = {row["character"]: row for row in CHARACTER_ROWS}
    columns = ("start_resources", "start_tiles", "start_points")
    resources, tiles, points = (sum(int(rows[name][column]) for name in characters) for column in columns)
    return resources, tiles, points


def sets() -> dict[int, list[str]]:
    return {int(row["set"]): row["characters"].split() for row in SET_ROWS}


def test_six_sets_of_a_red_a_yellow_and_a_blue_character() -> None:
    assert list(sets()) == [1, 2, 3, 4, 5, 6]
    for characters in sets().values():
        assert [name[0] for name in characters] == ["R", "Y", "B"]
        assert set(characters) <= set(CHARACTERS)
    assert len({tuple(characters) for characters in sets().values()}) == 6


def test_actions_of_the_sets() -> None:
    actions = {number: "".join(name[1] for name in characters) for number, characters in sets().items()}
    assert actions == {1: "UCC", 2: "CCE", 3: "EUU", 4: "UUC", 5: "EEC", 6: "UEE"}


def test_set_two_starts_as_in_the_rule_book_example() -> None:
    assert sets()[2] == ["RC", "YC", "BE"]
    assert start_items(sets()[2]) == (4, 2, 2)


def test_characters_in_no_set() -> None:
    left = Counter({row["character"]: int(row["copies"]) for row in CHARACTER_ROWS})
    left.subtract(name for characters in sets().values() for name in characters)
    assert min(left.values()) >= 0
    assert +left == {"RC": 3, "RE": 2, "RU": 1, "BU": 2, "BE": 1}
    assert left.total() == 9


# Urbanization tokens (R2.2)


def token_cells() -> list[tuple[int, int]]:
    return [(int(row["x"]), int(row["y"])) for row in TOKEN_ROWS]


def test_twelve_tokens_on_twelve_cells() -> None:
    assert "".join(row["token"] for row in TOKEN_ROWS) == LETTERS
    assert len(set(token_cells())) == 12


def test_tokens_lie_on_every_cell_beside_the_square_and_on_no_corner() -> None:
    square = {(x, y) for x in range(3) for y in range(3)}
    beside = {(x + dx, y + dy) for x, y in square for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))} - square
    assert set(token_cells()) == beside


def test_tokens_run_clockwise_from_the_top_left() -> None:
    cells = token_cells()
    assert cells[0] == (0, -1)
    for (x, y), (next_x, next_y) in zip(cells, cells[1:] + cells[:1], strict=True):
        # Seen from the middle (1, 1), y down: a positive cross product is a clockwise turn.
        assert (x - 1) * (next_y - 1) - (y - 1) * (next_x - 1) > 0
        assert abs(next_x - x) + abs(next_y - y) in {1, 2}  # 2: around a corner


# New buildings of The Experts (X1)


def test_nine_new_buildings_each_color_and_number_once_in_order() -> None:
    expected = [(color, number) for color in COLORS for number in (21, 22, 23)]
    assert [(row["color"], int(row["number"])) for row in NEW_BUILDING_ROWS] == expected
    assert [row["card"] for row in NEW_BUILDING_ROWS] == [f"{color[0].upper()}{number}" for color, number in expected]


@pytest.mark.parametrize("row", NEW_BUILDING_ROWS, ids=card_id)
def test_new_building_card(row: dict[str, str]) -> None:
    assert row["kind"] == "endgame"
    assert row["endgame"] == {21: "permanent_cards", 22: "action_sets", 23: "color_sets"}[int(row["number"])]
    assert row["action"] == row["endgame_color"] == ""
    assert [row[item] for item in ITEMS] == ["0", "0", "0"]
    assert row["provenance"] == "rule book of the expansion"


# Events of the experts (X4.1)

EVENTS = ("design", "press", "expropriation", "control")


def events_of(row: dict[str, str]) -> list[str]:
    return [row["event_1"], row["event_2"]]


def test_ten_experts_in_order() -> None:
    names = "artist banker lawyer controller entrepreneur professor journalist engineer mayor architect"
    assert [row["expert"] for row in EXPERT_ROWS] == names.split()


def test_an_expert_brings_two_different_events() -> None:
    for row in EXPERT_ROWS:
        assert events_of(row) == sorted(set(events_of(row)), key=EVENTS.index)
        assert len(events_of(row)) == 2


def test_five_event_tiles_of_each_kind() -> None:
    assert Counter(event for row in EXPERT_ROWS for event in events_of(row)) == dict.fromkeys(EVENTS, 5)


def test_events_of_experts_are_an_assumption() -> None:
    assert {row["provenance"] for row in EXPERT_ROWS} == {"assumption"}


def test_the_split_of_the_sets_of_modules_is_balanced() -> None:
    """Each module, pair and triple is as frequent in training as held out, and each size but the one set of six is in both."""
    split = json.loads((DATA / "held_out_modules.json").read_text(encoding="utf-8"))
    parts = {name: [tuple(modules) for modules in split[name]] for name in ("training", "held_out")}
    names = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")
    every = [modules for size in range(1, 7) for modules in combinations(names, size)]
    assert [len(part) for part in parts.values()] == [32, 31]
    assert sorted(parts["training"] + parts["held_out"]) == sorted(every)
    assert all(sum(name in names[:4] for name in modules) % 2 for modules in parts["training"])
    for part in parts.values():
        for size, times in ((1, 16), (2, 8), (3, 4)):
            assert set(Counter(some for modules in part for some in combinations(modules, size)).values()) == {times}
    sizes = {name: {len(modules) for modules in part} for name, part in parts.items()}
    assert sizes == {"training": {1, 2, 3, 4, 5}, "held_out": {1, 2, 3, 4, 5, 6}}
