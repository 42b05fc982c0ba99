"""R7: the supply of tiles runs out."""

import pytest

from ..oracle_play import Generator
from .positions import TILES, Builder, Table, in_order

SQUARE_NUMBERS = {"1", "2", "3"}


def blue_of(floors: int, players: int = 2) -> Builder:
    """Seat 0 can exploit B7 of so many floors; nobody has exploit bonuses."""
    return Builder(players).building((0, 0), "B7", floors=floors, owner=players - 1).hand(0, "B7", "A")


def test_r7_1_at_once_when_the_last_tile_is_drawn_even_if_no_more_is_due() -> None:
    table = blue_of(2).supply("R20", "R19").start().play("B7")
    assert table.decision == ("return", 0) and table.position["exhaustions"] == 1
    assert table.position["pending"] == {"player": 0, "action": "exploit", "draws": 0}
    assert table.player(0)["tiles"] == ["R19", "R20"] and table.position["supply"] == []


def test_r7_1_not_before() -> None:
    table = blue_of(2).supply("R20", "R19", "R18").start().play("B7")
    assert table.decision[0] == "commit" and table.position["exhaustions"] == 0 and table.position["supply"] == ["R18"]


def test_r7_1_in_the_middle_of_a_draw_which_then_goes_on() -> None:
    """Four are due, two are there; three are returned; two of them are drawn."""
    table = blue_of(4).supply("R20", "R19").tiles(0, "R4").tiles(1, "Y18", "Y16").start().play("B7")
    assert table.position["pending"]["draws"] == 2
    table.play("return:R4", "return:done", "return:Y16")
    generator = Generator(table.position["random"])
    table.play("return:Y18")
    fresh = generator.shuffled(["R4", "Y16", "Y18"])
    assert table.player(0)["tiles"] == in_order(["R19", "R20", *fresh[:2]]) and table.position["supply"] == fresh[2:]
    assert table.position["returned"] == ["R4", "Y16", "Y18"] and table.position["exhaustions"] == 1
    assert (table.player(0)["points"], table.player(1)["points"]) == (1, 2)
    assert table.decision[0] == "commit" and table.position["ending"] is None


def test_r7_1_everybody_chooses_from_the_first_player_on_whoever_draws() -> None:
    """Seat 2 is first; seat 0 draws the last tile as the second."""
    builder = blue_of(1, players=3).other(first_player=2, actor=2).hand(2, "Y2", "B").hand(1, "Y3", "C").supply("R20")
    table = builder.tiles(0, "Y4").tiles(1, "Y5").tiles(2, "Y6").start().play("Y2", "B7", "Y3")
    actors = []
    for _ in range(3):
        assert table.decision[0] == "return"
        actors.append(table.decision[1])
        table.play("return:done")
    assert actors == [2, 0, 1]
    assert table.position["ending"] == "tiles"


def test_r7_1_one_tile_at_a_time_in_ascending_order_then_done() -> None:
    table = blue_of(1).supply("R20").tiles(0, "R4", "B12", "Y5").tiles(1, "Y18").start().play("B7")
    assert table.legal == {"return:R4", "return:R20", "return:B12", "return:Y5", "return:done"}
    assert table.play("return:R20").legal == {"return:B12", "return:Y5", "return:done"}
    with pytest.raises(ValueError):
        table.play("return:R4")
    table.play("return:Y5")  # nothing can follow: done unasked
    assert table.decision == ("return", 1)
    assert table.player(0)["returning"] == ["R20", "Y5"] and table.player(0)["tiles"] == ["R4", "B12"]
    assert table.legal == {"return:Y18", "return:done"}


def test_r7_1_the_sp_are_given_when_all_have_chosen() -> None:
    table = blue_of(1).supply("R20").tiles(1, "Y18").start().play("B7", "return:R20")
    assert table.decision == ("return", 1) and table.player(0)["points"] == 0 and table.position["returned"] == []
    table.play("return:done")
    assert (table.player(0)["points"], table.player(1)["points"]) == (1, 0)
    assert table.position["returned"] == ["R20"] and table.player(0)["returning"] == []


def test_r7_1_a_player_without_tiles_is_not_asked() -> None:
    table = blue_of(1, players=3).supply("R20").tiles(2, "Y18").start().play("B7", "return:done")
    assert table.decision == ("return", 2)


def test_r7_1_a_committed_tile_cannot_be_returned() -> None:
    builder = blue_of(1).supply("R20").hand(1, "Y2", "B").tiles(1, "Y17", "Y18").start().play("B7", "Y2+Y17", "return:done")
    assert builder.decision == ("return", 1) and builder.legal == {"return:Y18", "return:done"}
    table = blue_of(1).supply("R20").hand(1, "Y2", "B").tiles(1, "Y17").start().play("B7", "Y2+Y17")
    assert table.play("return:R20").decision[0] == "commit"  # seat 1's only tile was committed: not asked, and built since
    assert any(b["tile"] == "Y17" for b in table.position["city"])


def test_r7_1_a_tile_drawn_a_moment_ago_can_be_returned() -> None:
    table = blue_of(1).supply("R20").start().play("B7")
    assert table.legal == {"return:R20", "return:done"}
    table.play("return:R20")
    assert table.player(0)["points"] == 1 and table.position["supply"] == ["R20"] and table.player(0)["tiles"] == []


def test_r7_1_the_returned_tiles_are_shuffled() -> None:
    held = ("R4", "R5", "R6", "B4", "B5", "B6", "Y4", "Y5", "Y6")
    table = blue_of(1).supply("R20").tiles(0, *held).start().play("B7")
    generator = Generator(table.position["random"])
    for tile in held[:3]:
        table.play(f"return:{tile}")
    for tile in ("R20", *held[3:]):
        table.play(f"return:{tile}")
    assert table.position["supply"] == generator.shuffled(in_order([*held, "R20"])) and table.player(0)["points"] == 10


def test_r7_1_also_when_the_end_is_already_triggered() -> None:
    """Seat 1 comes first and places its last resources; then seat 0 draws the last tile."""
    builder = blue_of(1).building((2, 0), "R15", floors=22, owner=1).other(first_player=1, actor=1).supply("R20")
    builder.hand(1, "Y2", "B").tiles(1, "Y9").player(1, resources=2)
    table = builder.start().play("Y2+Y9", "B7")
    assert table.decision == ("return", 0) and table.position["ending"] == "resources"
    table.play("return:R20")
    assert table.decision == ("over", None) and table.position["ending"] == "resources"
    assert table.player(0)["points"] == 1 and table.position["exhaustions"] == 1


def test_r7_1_forty_tiles_behind_one_screen() -> None:
    held = [t for t in TILES if t[1:] not in SQUARE_NUMBERS and t not in ("B7", "R20")][:40]
    table = blue_of(1).supply("R20").tiles(0, *held).start()
    assert len(table.player(0)["tiles"]) == 40 and len(table.legal) == 2 * 41 + 1
    assert table.seen(1).player(0, "tiles") == 40
    table.play("B7")
    for tile in held[:16]:  # R4 to R19
        table.play(f"return:{tile}")
        assert table.seen(1).player(0, "tiles") == 41
    for tile in ["R20", *held[16:]]:
        table.play(f"return:{tile}")
    assert table.player(0)["points"] == 41 and len(table.position["supply"]) == 41 and table.player(0)["tiles"] == []


def test_r7_2_if_nobody_returns_a_tile_it_counts_as_the_second_time() -> None:
    table = blue_of(3).supply("R20").tiles(1, "Y18").start().play("B7", "return:done", "return:done")
    assert table.position["exhaustions"] == 2 and table.position["ending"] == "tiles"
    assert table.player(0)["tiles"] == ["R20"]  # two draws are still owed: nothing
    assert table.decision == ("over", None)


def second(floors: int, **fields: object) -> Table:
    """The supply holds the last returned tile, Y20; seat 0 exploits blue of so many floors, then seat 1 acts."""
    builder = blue_of(floors).supply("Y20").returned("Y20").other(exhaustions=1, **fields)
    return builder.hand(1, "B2", "Y2").tiles(1, "R18").start()


def test_r7_3_the_second_time_triggers_the_end_and_draws_owed_give_nothing() -> None:
    table = second(3).play("B7", "Y2")
    assert table.decision == ("over", None) and table.position["ending"] == "tiles" and table.position["exhaustions"] == 2
    assert table.player(0)["tiles"] == ["Y20"] and table.player(1)["points"] == 1  # the round was completed


def test_r7_3_at_once_when_the_last_tile_is_drawn() -> None:
    table = second(1).play("B7", "Y2")
    assert table.position["ending"] == "tiles"


def test_r7_3_later_draws_give_nothing() -> None:
    table = second(1).play("B7", "B2")
    assert table.player(1)["tiles"] == ["R18"] and table.decision == ("over", None)


def test_r7_3_both_times_in_one_draw() -> None:
    """Five due: one is there, two are returned and drawn again, and then nothing is left."""
    table = blue_of(5).supply("R20").tiles(0, "R4").tiles(1, "Y18").start().play("B7", "return:R4", "return:done", "return:Y18")
    assert table.player(0)["tiles"] == ["R4", "R20", "Y18"] and table.player(1)["tiles"] == []
    assert table.position["exhaustions"] == 2 and table.position["ending"] == "tiles"
    assert (table.player(0)["points"], table.player(1)["points"]) == (1, 1)


def test_r7_3_actions_that_do_not_need_tiles_go_on_as_before() -> None:
    builder = blue_of(1).supply("Y20").returned("Y20").other(exhaustions=1).hand(1, "Y2", "B").tiles(1, "Y18")
    table = builder.player(1, resources=4).start().play("B7", "Y2+Y18")
    assert table.building((2, 2))["tile"] == "Y18" and table.player(1)["resources"] == 2
    assert table.decision == ("over", None)
