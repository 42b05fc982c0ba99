"""X7.3 and X7.4: what others see of a choice, and what they know."""

import itertools
from typing import Any

import pytest

from .extras import GREEN_SPACE, MODULES
from .positions import Builder, Table, in_order

PLAIN = ("RE", "BE", "YE")


def chooser(**config: Any) -> Builder:
    """Seat 0, an architect, chooses with everything on; seats 1 and 2 follow."""
    builder = Builder(3, modules=MODULES, **config).expert(0, "architect").events(0, "press", "expropriation")
    builder.building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "A", "B").tiles(0, "Y9", "R4", GREEN_SPACE)
    return builder.hand(1, "R1", "D", "E").hand(2, "Y1", "F", "G").player(0, resources=9)


def choices(table: Table, seat: int) -> list[tuple[str, ...]]:
    """Every way through a seat's choice, New Hands apart."""
    if table.decision[1] != seat:
        return [()]
    ways = table.legal - {"new-hand"}
    return [(text, *rest) for text in ways for rest in choices(table.copy().play(text), seat)]


# --- X7.3 ------------------------------------------------------------------------------------------------------------------


def test_x7_3_one_path_for_each_combination() -> None:
    """Card, upper tile, lower tile, event, card to keep: every combination once."""
    found = choices(chooser().start(), 0)
    wanted = set()
    held = ["Y9", "R4", GREEN_SPACE]
    for card in ("Y7", "A", "B"):
        uppers = [None, "Y9", "R4", *([] if card == "Y7" else [GREEN_SPACE])]
        events = ["none", "press", *(["expropriation"] if card == "Y7" else [])]
        keeps = [kept for kept in ("Y7", "A", "B") if kept != card]
        for upper, event, kept in itertools.product(uppers, events, keeps):
            lowers = ["none", *(tile for tile in held if tile != upper)] if upper else [None]
            for lower in lowers:
                text = (card,) if upper is None else (f"{card}+{upper}", f"lower:{lower}")
                wanted.add((*text, f"event:{event}", f"keep:{kept}"))
    assert len(found) == len(set(found)) and set(found) == wanted


def test_x7_3_while_he_chooses_the_others_see_only_that() -> None:
    table = chooser().start()
    before = table.view(1, 2)
    for text, kind in (("Y7+Y9", "lower"), ("lower:R4", "event"), ("event:press", "keep")):
        table.play(text)
        assert table.decision == (kind, 0) and table.view(1, 2) == before


def test_x7_3_a_new_hand_is_seen_at_once() -> None:
    table = chooser().start()
    before = table.view(1, 2)
    assert table.play("new-hand").view(1, 2) != before


def test_x7_3_it_changes_when_the_next_player_chooses() -> None:
    """Numbers still include what has been committed, while players choose (R10.1)."""
    table = chooser().start().play("Y7+Y9", "lower:R4", "event:press", "keep:A")
    assert table.decision == ("commit", 1)
    for viewer in (1, 2):
        seen = table.seen(viewer)
        assert [seen.player(0, field) for field in ("has_card_out", "tiles", "events")] == [1, 3, 2]
    other = chooser().start().play("A", "event:none", "keep:B")
    assert other.view(1, 2) == table.view(1, 2)


def test_x7_3_while_actions_are_resolved_the_numbers_are_those_behind_the_screen() -> None:
    builder = chooser().other(first_player=1, actor=1).hand(1, "C", "D", "E")
    table = builder.start().play("C", "keep:D", "Y1", "keep:F", "Y7+Y9", "lower:R4", "event:press", "keep:A")
    assert table.decision == ("take", 1)
    seen = table.seen(2)
    fields = ("tiles", "events", "has_tile_out", "has_lower_out", "has_event_out")
    assert [seen.player(0, field) for field in fields] == [1, 1, 1, 1, 1]


# --- X7.4 ------------------------------------------------------------------------------------------------------------------


def drawing(*modules: str) -> Builder:
    """Seat 0 exploits B7 of six floors."""
    builder = Builder(2, modules=modules or ("new_buildings", "prestige", "green_spaces"))
    return builder.building((0, 0), "B7", floors=6, owner=1).hand(0, "B7", "C").characters(0, "RC", "BC", "YC")


def test_x7_4_prestige_tiles_and_green_spaces_taken_are_known_value_ii_is_not() -> None:
    table = drawing().hand(1, "R1", "D").start().play("B7", "R1", "split:yellow", "split:new-building", "split:green-space")
    assert table.player(0)["known_tiles"] == ["Y24", GREEN_SPACE] and table.seen(1).known(0) == {"Y24", GREEN_SPACE}


def test_x7_4_known_until_played() -> None:
    """Y24 is committed with the card A."""
    builder = Builder(2, modules=["prestige"]).tiles(0, "Y24", "R4", "B9").known(0, "Y24").hand(0, "A", "B").hand(1, "C", "D")
    table = builder.other(first_player=1, actor=1).start().play("C", "A+Y24")
    assert table.decision == ("take", 1) and table.seen(1).known(0) == {"Y24"}
    table.play("take:resource", "token:N")
    assert table.player(0)["known_tiles"] == [] and table.building((0, -1))["tile"] == "Y24"


def test_x7_4_green_spaces_are_counted() -> None:
    """A draw adds one, each that is played takes one away."""
    builder = drawing("green_spaces").tiles(0, GREEN_SPACE).known(0, GREEN_SPACE)
    table = builder.start().play("B7", "split:green-space")
    assert table.player(0)["known_tiles"] == [GREEN_SPACE, GREEN_SPACE]
    builder = Builder(2, modules=["green_spaces"]).hand(0, "C").tiles(0, GREEN_SPACE, GREEN_SPACE)
    table = builder.known(0, GREEN_SPACE, GREEN_SPACE).start().play("C+GS")
    assert table.player(0)["known_tiles"] == [GREEN_SPACE]


def test_x7_4_a_green_space_that_goes_back_makes_them_one_at_least() -> None:
    builder = Builder(2, modules=["green_spaces"]).hand(0, "C").tiles(0, GREEN_SPACE, GREEN_SPACE).player(0, resources=0)
    assert builder.start().play("C+GS").player(0)["known_tiles"] == [GREEN_SPACE]
    assert builder.known(0, GREEN_SPACE).start().play("C+GS").player(0)["known_tiles"] == [GREEN_SPACE]
    both = builder.known(0, GREEN_SPACE, GREEN_SPACE).start().play("C+GS")
    assert both.player(0)["known_tiles"] == [GREEN_SPACE, GREEN_SPACE]


def building_two(lower: str, tiles: tuple[str, ...] = ("Y9", "R4", "B24", GREEN_SPACE)) -> Table:
    builder = Builder(2, modules=["prestige", "green_spaces", "experts"]).expert(0, "architect").characters(0, *PLAIN)
    builder.building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "C").tiles(0, *tiles).player(0, resources=9)
    return builder.known(0, "R4", "B24", GREEN_SPACE).start().play("Y7+Y9", f"lower:{lower}")


@pytest.mark.parametrize("lower", ["R4", "B24", GREEN_SPACE])
def test_x7_4_an_architect_who_builds_with_two_tiles_ends_all_knowledge_of_the_screen(lower: str) -> None:
    """Any of the known tiles may be the one below."""
    assert building_two(lower).player(0)["known_tiles"] == []
    assert [building_two(lower).seen(viewer).player(0, "lower_tiles") for viewer in (0, 1)] == [1, 1]
    assert building_two("none").player(0)["known_tiles"] == ["R4", "B24", GREEN_SPACE]


def test_x7_4_counting_green_spaces_begins_anew_after_an_architect_has_built_with_two_tiles() -> None:
    """Two were known; the construct bonus draws another: that one alone is known."""
    builder = Builder(2, modules=["green_spaces", "experts"]).expert(0, "architect").characters(0, "RE", "BC", "YE")
    builder.building((0, 0), "Y7", floors=2, owner=1).hand(0, "Y7", "C").player(0, resources=9)
    builder.tiles(0, "Y9", "R4", GREEN_SPACE, GREEN_SPACE).known(0, GREEN_SPACE, GREEN_SPACE)
    table = builder.start().play("Y7+Y9", "lower:R4", "split:green-space")
    assert table.player(0)["tiles"] == [GREEN_SPACE] * 3 and table.player(0)["known_tiles"] == [GREEN_SPACE]


def test_x7_4_a_returned_green_space_is_known_no_more() -> None:
    builder = drawing().supply("R20").tiles(0, "R4", GREEN_SPACE, GREEN_SPACE).known(0, GREEN_SPACE, GREEN_SPACE)
    table = builder.start().play("B7", "split:done", "return:R4", "return:GS", "return:done")
    assert table.player(0)["known_tiles"] == [GREEN_SPACE]
    assert in_order(table.player(0)["tiles"])[-1] == GREEN_SPACE
