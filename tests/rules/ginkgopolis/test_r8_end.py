"""R8: the end of the game and the score."""

from typing import Any

import pytest

from .positions import Builder, Table, table_from_seed


def nearly_all_placed(players: int = 2) -> Builder:
    """Seat 0 has two resources left, for Y2 with a higher yellow tile; the others lie on one tall building."""
    total = {2: 25, 3: 20, 4: 18, 5: 16}[players]
    builder = Builder(players).building((0, 0), "R15", floors=total - 2, owner=0).player(0, resources=2)
    return builder.hand(0, "Y2", "A", "B").tiles(0, "Y9").characters(0, "RE", "RU", "BE")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r8_1_all_own_resources_placed(players: int) -> None:
    table = nearly_all_placed(players).start().play("Y2+Y9")
    assert table.decision == ("over", None) and table.position["ending"] == "resources"
    assert (table.player(0)["resources"], table.player(0)["supply"]) == (0, 0)


def test_r8_1_not_while_one_is_in_the_supply() -> None:
    """The same, but one resource pays for another color."""
    table = nearly_all_placed().building((0, 0), "R15", floors=22, owner=0).player(0, resources=3).tiles(0, "R9").start()
    table.play("Y2+R9")
    assert table.player(0)["resources"] == 0 and table.player(0)["supply"] == 1
    assert table.position["ending"] is None and table.decision[0] == "commit"


def test_r8_1_not_while_one_is_behind_the_screen() -> None:
    builder = nearly_all_placed().building((0, 0), "R15", floors=22, owner=0).player(0, resources=3)
    table = builder.start().play("Y2+Y9")
    assert table.player(0)["resources"] == 1 and table.position["ending"] is None


def test_r8_1_by_urbanizing_too() -> None:
    builder = Builder(2).building((0, 0), "R15", floors=24, owner=0).player(0, resources=1).hand(0, "B", "A").tiles(0, "Y9")
    table = builder.start().play("B+Y9")
    assert table.decision == ("over", None) and table.position["ending"] == "resources"


def test_r8_1_the_rounds_actions_are_completed_and_preparation_is_skipped() -> None:
    table = nearly_all_placed(3).hand(1, "Y3", "C").hand(2, "R1", "D").start()
    deck = table.position["deck"]
    table.play("Y2+Y9", "Y3", "R1")
    assert table.player(1)["points"] == 1 and table.player(2)["resources"] == 5 + table.building((1, 1))["floors"]
    position = table.position
    assert [p["hand"] for p in position["players"]] == [["A", "B"], ["C"], ["D"]]
    assert (position["deck"], position["round"], position["first_player"]) == (deck, 5, 0)
    assert table.done and not table.truncated


def test_r8_1_the_actions_before_are_not_repeated_if_the_last_player_triggers() -> None:
    builder = nearly_all_placed().other(first_player=1, actor=1).hand(1, "Y3", "C")
    table = builder.start().play("Y3", "Y2+Y9")
    assert table.player(1)["points"] == 1 and table.decision == ("over", None)


def test_r8_1_it_stays_triggered_when_some_come_back() -> None:
    """Seat 1 builds on the tall building: 23 resources return to seat 0, and the game ends all the same."""
    builder = nearly_all_placed().hand(1, "R15", "C").tiles(1, "R16").player(1, resources=25)
    table = builder.start().play("Y2+Y9", "R15+R16")
    assert table.player(0)["resources"] == 23 and table.player(0)["points"] == 23
    assert table.decision == ("over", None) and table.position["ending"] == "resources"


def test_r8_1_the_first_reason_in_time_is_reported() -> None:
    builder = nearly_all_placed().hand(1, "B2", "C").supply("R20").returned("R20").other(exhaustions=1)
    assert builder.start().play("Y2+Y9", "B2").position["ending"] == "resources"
    builder = nearly_all_placed().hand(1, "B2", "C").supply("R20").returned("R20").other(exhaustions=1, first_player=1, actor=1)
    assert builder.start().play("B2", "Y2+Y9").position["ending"] == "tiles"


def test_r8_2_the_score_is_the_sum_of_four_sources() -> None:
    builder = Builder(2).building((0, 0), "R5", floors=2, owner=0).building((1, 0), "R6", owner=0)
    builder.player(0, points=11, new_hands=1).player(1, points=4, new_hands=2).tableau(0, "Y20").hand(0, "A", "Y3")
    table = builder.start()
    mine, other = table.outcome.breakdown
    # the second district, of B3 and B2, has no resources
    assert mine == {"points": 11, "new_hands": 2, "cards": {"Y20": 9}, "districts": [6, 0], "total": 28}
    assert other["points"] == 4 and other["new_hands"] == 4 and other["districts"] == [0, 0] and other["total"] == 8
    assert table.outcome.scores == (28, 8)


@pytest.mark.parametrize("spent", [0, 1, 2])
def test_r8_2_two_points_for_each_unused_new_hand_token(spent: int) -> None:
    table = Builder(2).player(0, new_hands=2 - spent).hand(0, "A", "B").start()
    assert table.outcome.scores[0] == 2 * (2 - spent)


def districts(players: int, *buildings: tuple[tuple[int, int], str, int, int | None]) -> list[list[int]]:
    """Points of each district (in the order of the city) for each player; the square's tiles lie far from each other."""
    builder = Builder(players).empty_city()
    for cell, tile, floors, owner in buildings:
        builder.building(cell, tile, floors=floors, owner=owner)
    # Enough cells for twelve tokens, and a center for floors: a row in alternating colors that touches nothing of interest.
    for x, tile in enumerate(("R18", "Y18", "R17", "Y17", "R16", "Y16")):
        builder.building((x - 7, 0), tile)
    table = builder.hand(0, "A", "B").start()
    columns = [b["districts"] for b in table.outcome.breakdown]
    return [list(row) for row in zip(*columns, strict=True)]


def test_r8_3_example_of_the_rule_book() -> None:
    """Yellow: Miley alone with 3, so 6 points. Blue: Faye 3 of 7, so 7; Miley and Nell tie, Miley's number is higher: 2, 0."""
    faye, miley, nell = 0, 1, 2
    found = districts(
        3,
        *(((-1, 0), "Y3", 1, miley), ((-1, 1), "Y9", 2, miley)),
        *(((0, 0), "B5", 3, faye), ((0, 1), "B14", 2, miley), ((0, 2), "B8", 2, nell)),
        ((1, 0), "R20", 2, faye),
    )
    # the yellow row tile Y16 at (-2, 0) is beside Y3: part of the district, unowned
    assert found == [[0, 6, 0], [7, 2, 0]]


def test_r8_3_a_single_building_is_no_district_and_corners_do_not_connect() -> None:
    assert districts(2, ((-1, 0), "B5", 3, 0), ((0, 0), "R5", 1, 1), ((0, 1), "B6", 2, 1)) == []


def test_r8_3_unowned_buildings_belong_to_the_district() -> None:
    """B5 and B7 hang together by the unowned B6 only."""
    assert districts(2, ((-1, 0), "B5", 3, 0), ((0, 0), "B6", 1, None), ((1, 0), "B7", 2, 1)) == [[5, 2]]


def test_r8_3_a_district_without_resources_gives_nothing() -> None:
    assert districts(2, ((-1, 0), "B5", 1, None), ((0, 0), "B6", 1, None)) == [[0, 0]]


def test_r8_3_most_get_the_total_second_the_own_others_nothing() -> None:
    found = districts(3, ((-1, 0), "B5", 2, 0), ((0, 0), "B6", 4, 1), ((0, 1), "B7", 3, 2))
    assert found == [[0, 9, 3]]


def test_r8_3_several_buildings_of_a_player_count_together() -> None:
    found = districts(2, ((-1, 0), "B5", 2, 0), ((0, 0), "B6", 3, 1), ((0, 1), "B7", 2, 0))
    assert found == [[7, 3]]


def test_r8_3_alone_in_a_district_twice_the_own_resources() -> None:
    assert districts(2, ((-1, 0), "B5", 2, 1), ((0, 0), "B6", 3, 1)) == [[0, 10]]
    assert districts(2, ((-1, 0), "B5", 2, 1), ((0, 0), "B6", 1, None)) == [[0, 4]]


def test_r8_3_ties_the_tallest_own_building_in_the_district() -> None:
    """Four each: 3 + 1 beats 2 + 2 although its numbers are lower."""
    found = districts(
        2, ((-1, 0), "B1", 3, 0), ((0, 0), "B20", 2, 1), ((0, 1), "B2", 1, 0), ((1, 0), "B19", 2, 1), ((1, 1), "R20", 5, 1)
    )
    assert found == [[8, 4]]


def test_r8_3_buildings_outside_the_district_break_no_tie() -> None:
    found = districts(2, ((-1, 0), "B5", 2, 0), ((0, 0), "B6", 2, 1), ((0, 1), "R20", 6, 0))
    assert found == [[2, 4]]


def test_r8_3_ties_then_the_highest_number_on_the_tallest() -> None:
    """Both have a tallest of two: 0 with B5 and B9, 1 with B8 and a low B20 that does not count."""
    found = districts(
        2, ((-1, 0), "B5", 2, 0), ((0, 0), "B8", 2, 1), ((0, 1), "B9", 2, 0), ((1, 0), "B20", 1, 1), ((1, 1), "B19", 1, 1)
    )
    assert found == [[8, 4]]


def test_r8_3_the_second_rank_is_tied_among_many() -> None:
    """Five players: 4, and 2 2 2 2; second is the one with the tallest, then the highest number."""
    found = districts(
        5,
        *(((-1, 0), "B1", 4, 4), ((0, 0), "B5", 2, 0), ((1, 0), "B9", 2, 1), ((1, 1), "B8", 2, 2)),
        *(((0, 1), "B19", 1, 3), ((2, 0), "B20", 1, 3)),
    )
    assert found == [[0, 2, 0, 0, 12]]


def test_r8_3_two_districts_of_one_color_are_counted_apart() -> None:
    found = districts(
        2,
        *(((-1, 0), "B1", 2, 0), ((-1, 1), "B2", 1, 0), ((0, 0), "R5", 1, None)),
        *(((1, 0), "B5", 2, 1), ((1, 1), "B6", 1, 0)),
    )
    assert found == [[6, 0], [1, 3]]


def finished(**points: int) -> Table:
    """A round that ends the game; nobody has anything but points and tokens."""
    builder = Builder(3).supply("R20").returned("R20").other(exhaustions=1).hand(0, "B2", "A")
    for seat, value in enumerate(points.values()):
        builder.player(seat, points=value, new_hands=0)
    return builder.start().play("B2")


@pytest.mark.parametrize(("points", "winners"), [((3, 5, 4), (1,)), ((5, 3, 5), (0, 2)), ((4, 4, 4), (0, 1, 2))])
def test_r8_4_most_points_win_and_ties_are_shared(points: tuple[int, int, int], winners: tuple[int, ...]) -> None:
    table = finished(a=points[0], b=points[1], c=points[2])
    assert table.outcome.scores == points and table.outcome.winners == winners
    assert table.outcome.ending == "tiles" and not table.outcome.truncated


def at_the_bound(**fields: Any) -> Builder:
    return Builder(2, max_rounds=5).hand(0, "Y1", "A").hand(1, "Y2", "B").other(**fields)


def test_r8_4_the_game_is_cut_off_after_the_last_action_of_the_bound() -> None:
    table = at_the_bound().start().play("Y1")
    assert not table.done
    table.play("Y2")
    assert table.decision == ("over", None) and table.done and table.truncated
    assert table.position["ending"] == "max_rounds" and table.outcome.truncated
    assert [p["hand"] for p in table.position["players"]] == [["A"], ["B"]]  # no R3.5
    assert table.outcome.scores == (1 + 4, 1 + 4) and table.outcome.winners == (0, 1)


def test_r8_4_not_one_round_earlier() -> None:
    table = at_the_bound(round=4).start().play("Y1", "Y2")
    assert table.decision[0] == "commit" and table.position["round"] == 5 and not table.truncated


def test_r8_4_a_real_end_in_the_same_round_counts_as_a_real_end() -> None:
    builder = at_the_bound(exhaustions=1).hand(1, "B2", "B").supply("R20").returned("R20")
    table = builder.start().play("Y1", "B2")
    assert table.done and not table.truncated
    assert table.position["ending"] == "tiles" and not table.outcome.truncated


def test_r8_4_a_whole_game_of_few_rounds() -> None:
    table = table_from_seed(1, players=3, setup="introductory", max_rounds=2)
    while not table.done:
        table.play_at_random()
    assert table.position["round"] == 2 and table.position["ending"] == "max_rounds"
    assert table.truncated
