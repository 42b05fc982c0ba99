"""R11: names and conventions of exchange."""

import pytest

from ..oracle_play import Generator
from .positions import CARDS, LETTERS, RING, TILES, Builder, in_order, solo, table_from_seed

START = [f"{color}{number}" for color in "RBY" for number in (1, 2, 3)]
CHARACTERS = ["RE", "RU", "RC", "BE", "BU", "BC", "YE", "YU", "YC"]
COPIES = [4, 4, 4, 3, 3, 3, 2, 2, 2]


def test_r11_1_the_letter_b_is_no_tile_and_b12_is_no_letter() -> None:
    builder = Builder(2).building((0, 0), "B12").hand(0, "B", "B1", "B12", "R3").tiles(0, "B11", "B19").deck("L")
    table = builder.start()
    both = {f"{card}+{tile}" for card in ("B", "B1", "B12", "R3") for tile in ("B11", "B19")}
    assert table.legal == {"B", "B1", "B12", "R3", "new-hand"} | both
    assert table.play("B+B11").decision[0] == "commit" and table.building((1, -1))["tile"] == "B11"
    table = builder.start().play("B1+B11")
    assert table.building((0, 2))["tile"] == "B11"
    table = builder.start().play("B12+B19")
    assert table.building((0, 0))["tile"] == "B19"
    assert builder.start().play("B").legal == {"take:resource", "take:tile"}


def test_r11_1_order_is_red_blue_yellow_number_then_letters() -> None:
    assert CARDS.index("R20") < CARDS.index("B1") < CARDS.index("B12") < CARDS.index("Y1") < CARDS.index("A")
    table = Builder(2).building((0, 0), "R10").hand(0, "A", "Y2", "R10", "B1").tiles(0, "Y10", "Y9", "B20", "R4").start()
    assert table.player(0)["hand"] == ["R10", "B1", "Y2", "A"] and table.player(0)["tiles"] == ["R4", "B20", "Y9", "Y10"]


def test_r11_1_a_tile_that_is_not_behind_the_screen_is_illegal() -> None:
    with pytest.raises(ValueError):
        Builder(2).hand(0, "R1", "A").tiles(0, "R4").start().play("A+R5")


def test_r11_1_characters_in_the_order_of_color_and_action() -> None:
    for seed in range(6):
        for player in table_from_seed(seed, players=4).position["players"]:
            assert player["packet"] == sorted(player["packet"], key=CHARACTERS.index)


def test_r11_2_cells() -> None:
    """The x axis to the right, y down, (0, 0) the top left cell of the square: A is above it, D right of the first row."""
    table = table_from_seed(0, players=2)
    assert table.tokens == RING and RING["A"] == (0, -1) and RING["D"] == (3, 0) and RING["L"] == (-1, 0)
    assert Builder(2).hand(0, "F", "A").tiles(0, "Y9").start().play("F+Y9", "token:S").tokens["F"] == (3, 3)


def test_r11_2_seat_s_plus_1_sits_to_the_left() -> None:
    """Hands go to the left (R3.5): from seat 0 to seat 1, from the last seat to seat 0."""
    table = Builder(3).hand(0, "Y1", "A").hand(2, "Y2", "C").next_cards("J", "K", "L").start().play("Y1", "Y2")
    assert table.player(1)["hand"] == ["A", "J"] and table.player(0)["hand"] == ["C", "L"] and table.player(2)["hand"] == ["K"]


def test_r11_3_lists_are_drawn_from_index_0() -> None:
    builder = Builder(2).building((0, 0), "B9", floors=2, owner=1).hand(0, "B9").supply("Y9", "R9", "B10", "B11")
    table = builder.deck("L", "A", "K").start().play("B9")
    assert table.player(0)["tiles"] == ["R9", "Y9"] and table.position["supply"] == ["B10", "B11"]
    assert (table.player(1)["hand"], table.player(0)["hand"], table.position["deck"]) == (["L"], ["A"], ["K"])


@pytest.mark.parametrize("players", [2, 3])
def test_r11_3_removed_tiles_are_the_last_six_and_discarded_cards_the_first_seven(players: int) -> None:
    generator = Generator(21)
    generator.shuffled(START)
    tiles, deck = generator.shuffled([t for t in TILES if t not in START]), generator.shuffled([*START, *LETTERS])
    position = table_from_seed(21, players=players).position
    assert position["supply"] == tiles[:45] and position["removed"] == in_order(tiles[45:])
    assert position["deck"] == deck[7:] and position["discard"] == in_order(deck[:7])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_r11_4_random_outcomes_of_a_draft_in_their_order(players: int, seed: int) -> None:
    generator = Generator(seed)
    start = generator.shuffled(START)
    tiles = generator.shuffled([t for t in TILES if t not in START])
    deck = generator.shuffled([*START, *LETTERS])
    characters = generator.shuffled([name for name, n in zip(CHARACTERS, COPIES, strict=True) for _ in range(n)])
    table = table_from_seed(seed, players=players)
    position = table.position
    assert [b["tile"] for b in position["city"]] == start
    assert position["supply"] == tiles[: 45 if players <= 3 else 51]
    for seat, player in enumerate(position["players"]):
        assert player["packet"] == sorted(characters[4 * seat : 4 * seat + 4], key=CHARACTERS.index)
        assert player["hand"] == [] and player["tiles"] == []
    assert (position["first_player"], position["round"], position["seed"]) == (None, 0, f"0x{seed:016x}")
    table.play_at_random("draft")
    assert table.position["first_player"] == generator.below(players)
    cards = deck[7:] if players <= 3 else deck
    first = table.position["first_player"]
    assert table.player(first)["hand"] == in_order(cards[:4])
    assert int(table.position["random"], 16) == generator.state


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r11_4_random_outcomes_of_an_introductory_setup(players: int) -> None:
    generator = Generator(9)
    generator.shuffled(START)
    generator.shuffled([t for t in TILES if t not in START])
    generator.shuffled([*START, *LETTERS])
    sets = generator.shuffled([1, 2, 3, 4, 5, 6])
    names = {1: "RU BC YC", 2: "RC BE YC", 3: "RE BU YU", 4: "RU BC YU", 5: "RE BC YE", 6: "RU BE YE"}
    position = table_from_seed(9, players=players, setup="introductory").position
    assert [" ".join(p["characters"]) for p in position["players"]] == [names[n] for n in sets[:players]]
    assert position["first_player"] == generator.below(players) and int(position["random"], 16) == generator.state


def test_r11_4_alone_the_deck_is_rebuilt_from_the_same_stream() -> None:
    table = solo().hand(0, "Y1", "A", "B").william("B3").deck("K", "J", "I", "H").next_tiles("R20").start()
    before = table.position
    position = table.play("Y1").position
    pile = in_order([*before["discard"], "Y1", "A", "B", "R20"])  # B3 lies in William's tableau, R20 under its pawn
    fresh = Generator(before["random"]).shuffled(pile)
    assert position["players"][0]["hand"] == ["I", "J", "K"] and position["players"][1]["commitment"]["card"] == "H"
    assert position["deck"] == fresh[7:] and position["discard"] == in_order(fresh[:7])
