"""X0: drawing tiles when there are new buildings, prestige tiles or green spaces."""

import itertools
from typing import Any

import pytest

from ..oracle_play import Generator
from .extras import GREEN_SPACE, MODULES, NEW_BUILDINGS, PRESTIGE
from .positions import TILES, Builder, Table, table_from_seed

STACKS = ("new_buildings", "prestige", "green_spaces")
PLAIN = ("RC", "BC", "YC")


def blue_of(floors: int, *modules: str, players: int = 2) -> Builder:
    """Seat 0 can exploit B7 of so many floors; nobody has exploit bonuses."""
    builder = Builder(players, modules=modules or STACKS).building((0, 0), "B7", floors=floors, owner=players - 1)
    return builder.hand(0, "B7", "A").characters(0, *PLAIN)


def splits(table: Table) -> set[tuple[str, ...]]:
    """Every split that can be chosen from here, as what is taken in order; just one if nothing is asked."""
    if table.decision[0] != "split":
        return {()}
    found: set[tuple[str, ...]] = {()}
    for text in table.legal - {"split:done"}:
        found |= {(text.removeprefix("split:"), *rest) for rest in splits(table.copy().play(text))}
    return found


def take(table: Table, *choices: str) -> Table:
    return table.play(*(f"split:{choice}" for choice in choices))


def drawn(tiles: list[str]) -> tuple[int, int, int, int]:
    """How many of value III, of value II, green spaces, and others."""
    kinds = [PRESTIGE, NEW_BUILDINGS, [GREEN_SPACE], TILES]
    return tuple(sum(tile in kind for tile in tiles) for kind in kinds)  # type: ignore[return-value]


# --- X0.1 ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("taken", "found"), [((), (0, 4)), (("new-building",), (1, 2)), (("new-building",) * 2, (2, 0))])
def test_x0_1_example_nell_exploits_blue_6_of_three_floors_with_a_bonus(taken: tuple[str, ...], found: tuple[int, int]) -> None:
    """Four rights: 4 tiles of value I, or 2 and 1 of value II, or 2 of value II."""
    builder = Builder(2, modules=["new_buildings"]).building((0, 0), "B6", floors=3, owner=0).hand(0, "B6", "A")
    table = builder.characters(0, "BE", "RC", "YC").start().play("B6")
    assert splits(table) == {(), ("new-building",), ("new-building", "new-building")}
    take(table, *taken, *(["done"] if len(taken) < 2 else []))
    _, new, _, base = drawn(table.player(0)["tiles"])
    assert (new, base) == found and table.decision[0] == "commit"


def test_x0_1_example_nell_exploits_blue_8_of_one_floor_with_two_bonuses() -> None:
    """Three rights: three tiles of value I or one of value III."""
    builder = Builder(2, modules=["prestige"]).building((0, 0), "B8", owner=0).hand(0, "B8", "A")
    table = builder.characters(0, "BE", "BE", "YC").start().play("B8")
    assert splits(table) == {(), ("red",), ("blue",), ("yellow",)}
    assert drawn(take(table.copy(), "done").player(0)["tiles"]) == (0, 0, 0, 3)
    assert take(table, "blue").player(0)["tiles"] == ["B24"]


@pytest.mark.parametrize("rights", range(1, 10))
def test_x0_1_every_split_within_the_rights_and_no_other(rights: int) -> None:
    """2a + 3b + g <= rights with g <= 1; two tiles of each color of value III."""
    wanted = set()
    for red, blue, yellow, new, green in itertools.product(range(3), range(3), range(3), range(5), range(2)):
        if 3 * (red + blue + yellow) + 2 * new + green <= rights:
            colors = ("red",) * red + ("blue",) * blue + ("yellow",) * yellow
            wanted.add(colors + ("new-building",) * new + ("green-space",) * green)
    assert splits(blue_of(rights).start().play("B7")) == wanted


def test_x0_1_production_and_bonuses_are_added() -> None:
    """Two floors of a neighbor and two bonuses: four rights, asked once, after the token."""
    builder = Builder(2, modules=["prestige"]).building((0, 0), "B7", floors=2, owner=1).hand(0, "A", "B1").tiles(0, "Y9")
    table = builder.characters(0, "BU", "BU", "YC").start().play("A+Y9", "token:N")
    assert table.decision == ("split", 0) and table.position["pending"]["draws"] == 4
    take(table, "red")
    assert drawn(table.player(0)["tiles"]) == (1, 0, 0, 1) and table.decision[0] == "commit"


def test_x0_1_construct_bonuses_are_rights_too() -> None:
    builder = Builder(2, modules=["new_buildings"]).hand(0, "B3", "A").tiles(0, "B9").characters(0, "BC", "BC", "YC")
    table = builder.start().play("B3+B9")
    assert table.decision == ("split", 0) and take(table, "new-building").player(0)["tiles"] == ["R21"]


def test_x0_1_the_one_tile_of_an_urbanization_card_can_be_a_green_space() -> None:
    table = blue_of(1).start().play("A", "take:tile")
    assert table.legal == {"split:green-space", "split:done"}  # two or three rights are not there
    assert take(table, "green-space").player(0)["tiles"] == [GREEN_SPACE]


def test_x0_1_value_iii_in_color_order_then_ii_then_green_then_done() -> None:
    table = blue_of(12).new_buildings("R22", "Y21").start().play("B7")
    rest = {"split:yellow", "split:new-building", "split:green-space", "split:done"}
    assert table.legal == {"split:red", "split:blue"} | rest
    assert take(table, "blue").legal == {"split:blue"} | rest
    assert take(table, "yellow").legal == rest
    assert take(table, "new-building").legal == rest - {"split:yellow"}
    with pytest.raises(ValueError):
        take(table, "yellow")
    assert take(table, "new-building").legal == {"split:green-space", "split:done"}  # two rights left, but the stack is empty
    assert take(table, "green-space").decision[0] == "commit"
    assert drawn(table.player(0)["tiles"]) == (2, 2, 1, 12 - 3 - 3 - 2 - 2 - 1)


def test_x0_1_at_most_one_green_space() -> None:
    table = take(blue_of(5, "green_spaces").start().play("B7"), "green-space")
    assert table.decision[0] == "commit" and drawn(table.player(0)["tiles"]) == (0, 0, 1, 4)
    assert table.position["green_spaces"] == 8


@pytest.mark.parametrize(("rights", "module"), [(1, "new_buildings"), (1, "prestige"), (2, "prestige")])
def test_x0_1_not_asked_where_only_done_is_possible(rights: int, module: str) -> None:
    table = blue_of(rights, module).start().play("B7")
    assert table.decision[0] == "commit" and drawn(table.player(0)["tiles"]) == (0, 0, 0, rights)


def test_x0_1_the_whole_split_is_fixed_before_any_tile_is_seen() -> None:
    table = blue_of(8).next_tiles("Y20", "Y19").next_new_buildings("B22").start().play("B7")
    before = table.position
    take(table, "red", "new-building")
    for key in ("supply", "new_buildings", "prestige", "green_spaces"):
        assert table.position[key] == before[key]
    assert table.player(0)["tiles"] == [] and table.position["pending"]["draws"] == 3
    take(table, "green-space")
    assert table.player(0)["tiles"] == ["R24", "B22", "Y19", "Y20", GREEN_SPACE]


def test_x0_1_rights_left_over_are_tiles_of_value_i() -> None:
    table = take(blue_of(7).start().play("B7"), "yellow", "done")
    assert drawn(table.player(0)["tiles"]) == (1, 0, 0, 4)


def test_x0_1_tiles_of_value_i_are_drawn_last() -> None:
    """The only tile of the supply is drawn when the others lie behind the screen already: they can be returned."""
    table = blue_of(7).supply("R20").next_new_buildings("B22").start().play("B7")
    take(table, "yellow", "new-building", "green-space")
    assert table.decision == ("return", 0) and table.position["pending"]["draws"] == 0
    assert table.legal == {f"return:{name}" for name in ("R20", "B22", "Y24", GREEN_SPACE, "done")}


def test_x0_1_the_split_is_public() -> None:
    table = blue_of(8, players=3).start().play("B7")
    for choice in ("red", "new-building"):
        before = [table.seen(seat).facts["pending"] for seat in range(3)]
        take(table, choice)
        after = [table.seen(seat).facts["pending"] for seat in range(3)]
        assert before[0] == before[1] == before[2] != after[0] == after[1] == after[2]
    assert table.position["pending"]["split"] == {"red": 1, "blue": 0, "yellow": 0, "new_building": 1, "green_space": 0}


# --- X0.2 ------------------------------------------------------------------------------------------------------------------


def test_x0_2_only_stacks_that_still_hold_tiles_are_offered() -> None:
    table = blue_of(3).prestige("R25", "Y24", "Y25").new_buildings().green_spaces(0).start().play("B7")
    assert table.legal == {"split:red", "split:yellow", "split:done"}
    assert take(table, "red").player(0)["tiles"] == ["R25"]


def test_x0_2_not_more_than_a_stack_holds() -> None:
    table = blue_of(9).prestige("B25").new_buildings("Y21").green_spaces(1).start().play("B7")
    assert splits(table) == {
        (*three, *two, *one)
        for three, two, one in itertools.product([(), ("blue",)], [(), ("new-building",)], [(), ("green-space",)])
    }


def test_x0_2_two_red_prestige_tiles_are_24_then_25() -> None:
    table = take(blue_of(3, "prestige").start().play("B7"), "red")
    assert table.player(0)["tiles"] == ["R24"]
    assert table.position["prestige"] == ["R25", "B24", "B25", "Y24", "Y25"]
    table = take(blue_of(6, "prestige").start().play("B7"), "red", "red")
    assert table.player(0)["tiles"] == ["R24", "R25"]


def test_x0_2_rights_are_counted_not_tiles() -> None:
    """One tile in the supply, but six rights: two tiles of value III, and the supply is not touched."""
    table = take(blue_of(6).supply("R20").start().play("B7"), "red", "yellow")
    assert table.player(0)["tiles"] == ["R24", "Y24"] and table.position["supply"] == ["R20"]
    assert table.position["exhaustions"] == 0 and table.decision[0] == "commit"


def test_x0_2_stacks_running_out_trigger_nothing() -> None:
    builder = blue_of(8).prestige("B25").new_buildings("Y21", "Y22").green_spaces(1)
    table = take(builder.start().play("B7"), "blue", "new-building", "new-building", "green-space")
    position = table.position
    assert (position["prestige"], position["new_buildings"], position["green_spaces"]) == ([], [], 0)
    assert (position["exhaustions"], position["ending"], table.decision[0]) == (0, None, "commit")


def end_triggered(**hand: str) -> Builder:
    """Seat 0 draws the last tile for the second time; then seat 1 acts, with stacks of all values full."""
    builder = blue_of(1).supply("Y20").returned("Y20").other(exhaustions=1).green_spaces(8).tiles(1, GREEN_SPACE, "R4")
    return builder.building((1, 1), "B8", floors=6, owner=0).hand(1, "B8", "B", "C")


def test_x0_2_after_r7_3_rights_are_void_for_all_stacks() -> None:
    table = end_triggered().start().play("B7", "B8", "split:done")
    assert table.position["ending"] == "tiles"
    assert table.decision == ("over", None) and table.player(1)["tiles"] == ["R4", GREEN_SPACE]


def test_x0_2_tiles_of_the_stacks_are_drawn_before_the_rest_becomes_void() -> None:
    """Six rights: value III, then one tile of value I, the last; nobody returns any, so two rights are void."""
    table = blue_of(6).supply("R20").start().play("B7", "split:blue", "split:done", "return:done")
    assert table.player(0)["tiles"] == ["R20", "B24"] and table.position["ending"] == "tiles"


def test_x0_2_after_r7_3_urbanization_cards_bring_a_resource_without_a_question() -> None:
    table = end_triggered().start().play("B7", "B", "split:done")
    assert table.decision == ("over", None)
    assert (table.player(1)["resources"], table.player(1)["tiles"]) == (6, ["R4", GREEN_SPACE])


# --- X0.3 ------------------------------------------------------------------------------------------------------------------


def after_setup(seed: int, **config: Any) -> Table:
    """A game at its first choice of a card."""
    table = table_from_seed(seed, **config)
    return table.play_at_random("draft", "events") if table.decision[0] != "commit" else table


@pytest.mark.parametrize("modules", [STACKS, MODULES])
def test_x0_3_tiles_drawn_during_setup_are_of_value_i_and_no_green_spaces(modules: tuple[str, ...]) -> None:
    for seed in range(12):
        position = after_setup(seed, players=2 + seed % 4, modules=modules).position
        held = [tile for player in position["players"] for tile in player["tiles"]]
        assert held and set(held) <= set(TILES)
        assert sorted(position["new_buildings"]) == sorted(NEW_BUILDINGS)
        assert (position["prestige"], position["green_spaces"]) == (PRESTIGE, 9)


# --- X0.4 ------------------------------------------------------------------------------------------------------------------


def returning(*tiles: str) -> Builder:
    """Seat 0 draws the last tile, R20, and has these besides."""
    return blue_of(1).supply("R20").tiles(0, *tiles)


def test_x0_4_all_values_and_green_spaces_can_be_returned_in_order() -> None:
    held = ("R4", "R22", "R25", "B21", "B24", "Y5", GREEN_SPACE, GREEN_SPACE)
    table = returning(*held).start().play("B7", "split:done")
    assert table.legal == {f"return:{tile}" for tile in (*held, "R20", "done")}
    table.play("return:R20")
    assert table.legal == {f"return:{tile}" for tile in ("R22", "R25", "B21", "B24", "Y5", GREEN_SPACE, "done")}
    table.play("return:R25")
    assert table.legal == {f"return:{tile}" for tile in ("B21", "B24", "Y5", GREEN_SPACE, "done")}
    table.play("return:GS")
    assert table.legal == {"return:GS", "return:done"}
    assert table.player(0)["returning"] == ["R20", "R25", GREEN_SPACE]
    table.play("return:GS")  # nothing can follow: done unasked
    assert table.player(0)["points"] == 4
    assert table.player(0)["tiles"] == ["R4", "R22", "B21", "B24", "Y5"]


def test_x0_4_one_of_two_green_spaces() -> None:
    table = returning(GREEN_SPACE, GREEN_SPACE, "R4").start().play("B7", "split:done", "return:R4", "return:GS", "return:done")
    assert table.player(0)["tiles"] == ["R20", GREEN_SPACE] and table.position["green_spaces"] == 8
    assert table.player(0)["points"] == 2 and table.position["exhaustions"] == 1


def test_x0_4_they_go_back_to_their_own_stacks_and_do_not_refill_the_supply() -> None:
    builder = returning("R22", "R24", "B25", "Y24", "Y25", GREEN_SPACE, "R4").prestige("R25", "B24")
    table = builder.start().play("B7", "split:done", *(f"return:{t}" for t in ("R4", "R22", "R24", "B25", "Y25", GREEN_SPACE)))
    position = table.position
    assert position["supply"] == position["returned"] == ["R4"]
    assert position["prestige"] == ["R24", "R25", "B24", "B25", "Y25"]  # 24 above 25
    assert sorted(position["new_buildings"]) == sorted(NEW_BUILDINGS) and position["green_spaces"] == 9
    assert table.player(0)["points"] == 6 and table.player(0)["tiles"] == ["R20", "Y24"]


def test_x0_4_a_prestige_tile_returned_lies_on_top_again() -> None:
    """R24 came back above R25: the next red one is R24."""
    builder = returning("R24", "R4", "R5").prestige("R25").hand(1, "B2", "B").building((2, 1), "B2", floors=3, owner=0)
    table = builder.start().play("B7", "B2", "split:done", "return:R4", "return:R5", "return:R24", "return:done")
    assert "R24" in take(table, "red").player(1)["tiles"]


def test_x0_4_stack_ii_is_shuffled_if_any_came_back_after_the_supply() -> None:
    builder = returning("R4", "R5", "R22", "B21", "Y9").next_new_buildings("Y23", "R21")
    table = builder.start().play("B7", "split:done", "return:R4", "return:R5", "return:R20", "return:R22", "return:B21")
    generator = Generator(table.position["random"])
    table.play("return:Y9")
    assert table.position["supply"] == generator.shuffled(["R4", "R5", "R20", "Y9"])
    assert table.position["new_buildings"] == generator.shuffled(NEW_BUILDINGS)
    assert int(table.position["random"], 16) == generator.state


def test_x0_4_stack_ii_is_not_shuffled_if_none_came_back() -> None:
    builder = returning("R4", "R5", "R22", "R24", GREEN_SPACE).next_new_buildings("Y23", "R21")
    table = builder.start().play("B7", "split:done", "return:R4", "return:R5", "return:R24")
    before, generator = table.position, Generator(table.position["random"])
    table.play("return:done")
    assert table.position["new_buildings"] == before["new_buildings"]
    generator.shuffled(["R4", "R5"])
    assert int(table.position["random"], 16) == generator.state


def test_x0_4_if_no_base_tile_comes_back_the_supply_counts_as_exhausted_twice() -> None:
    """R7.2; the tiles go back and bring SP all the same, and two draws still owed are void."""
    builder = blue_of(3).supply("R20").tiles(0, "R22", "R24", GREEN_SPACE)
    table = builder.start().play("B7", "split:done", "return:R22", "return:R24", "return:GS")
    position = table.position
    assert (position["exhaustions"], position["ending"], position["returned"]) == (2, "tiles", [])
    assert table.player(0)["points"] == 3 and table.player(0)["tiles"] == ["R20"]
    assert (len(position["new_buildings"]), len(position["prestige"]), position["green_spaces"]) == (9, 6, 9)
    assert table.decision == ("over", None)


def test_x0_4_the_interrupted_draw_goes_on() -> None:
    table = blue_of(6).supply("R20").tiles(1, "R4", "R22").start().play("B7", "split:red", "split:done", "return:done")
    table.play("return:R4", "return:R22")
    assert table.player(0)["tiles"] == ["R4", "R20", "R24"] and table.position["exhaustions"] == 2


def test_x0_4_returned_tiles_of_base_are_shown_and_known_prestige_tiles_are_known_no_more() -> None:
    builder = returning("R4", "R24", GREEN_SPACE).known(0, "R24", GREEN_SPACE)
    table = builder.start().play("B7", "split:done", "return:R4", "return:R24", "return:GS")
    assert table.player(0)["known_tiles"] == []
    assert table.seen(1).tiles("returned") == {"R4"}
