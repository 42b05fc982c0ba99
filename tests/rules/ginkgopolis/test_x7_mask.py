"""X7.2: the strict mask (R3.3) with experts and events."""

import itertools

import pytest

from ...tiers import by_tier
from .extras import GREEN_SPACE
from .positions import Builder

PLAIN = ("RE", "BE", "YE")
FLOORS = 2


def site(expert: str, *tiles: str, owner: int = 1, strict: bool = True, modules: tuple[str, ...] = (), **fields: int) -> Builder:
    """Seat 0 holds Y7, of two floors, and C."""
    builder = Builder(2, modules=("experts", *modules), strict=strict).expert(0, expert).characters(0, *PLAIN)
    builder.building((0, 0), "Y7", floors=FLOORS, owner=owner).hand(0, "Y7", "C").tiles(0, *tiles)
    return builder.player(0, **{"points": 0, **fields})


def payable(expert: str, tile: str, owner: int, resources: int, points: int, tiles: int = 1, supply: int = 9) -> bool:
    """R5.7 by the rule: artist, mayor and banker counted."""
    price = 0 if expert == "artist" else max(0, 7 - int(tile[1:]))
    color = 0 if tile[0] == "Y" or expert == "mayor" else 1
    missing = max(0, FLOORS + tiles + color - resources - (FLOORS if owner == 0 else 0))
    if expert == "banker":
        return points >= price + missing and supply + color >= missing
    return points >= price and missing == 0


@pytest.mark.parametrize("expert", ["artist", "mayor", "banker", "engineer"])
@pytest.mark.parametrize("tile", by_tier(["Y9", "Y6", "R7", "R6"], ["R6"]))
def test_x7_2_construct_is_offered_if_it_can_be_paid_now(expert: str, tile: str) -> None:
    """And with the wider mask the same combinations are built, the others exploited."""
    for owner, resources, points in itertools.product((0, 1), range(6), range(6)):
        wanted = payable(expert, tile, owner, resources, points)
        fields = {"owner": owner, "resources": resources, "points": points}
        assert (f"Y7+{tile}" in site(expert, tile, **fields).start().legal) == wanted, fields
        table = site(expert, tile, **fields, strict=False).start().play(f"Y7+{tile}")
        assert (table.building((0, 0))["tile"] == tile) == wanted, fields


def test_x7_2_artist_and_mayor_at_one_table() -> None:
    """Red 6 on yellow 7: the artist needs a fourth resource, the mayor a SP; neither has what the other one needs."""
    for expert, resources, points in (("artist", 4, 0), ("mayor", 3, 1)):
        assert "Y7+R6" in site(expert, "R6", resources=resources, points=points).start().legal
        other = "mayor" if expert == "artist" else "artist"
        assert "Y7+R6" not in site(other, "R6", resources=resources, points=points).start().legal
    builder = site("artist", "R6", resources=4).expert(1, "mayor").building((2, 0), "B7", floors=2, owner=0)
    builder.hand(1, "B7", "D").tiles(1, "Y5").player(1, resources=3, points=2).characters(1, "RE", "RE", "YE")
    table = builder.start()
    assert "Y7+R6" in table.legal
    table.play("Y7+R6")
    assert "B7+Y5" in table.legal
    table.play("B7+Y5")
    assert table.building((0, 0))["tile"] == "R6" and table.building((2, 0))["tile"] == "Y5"
    # R5.1: two each; the artist pays three and one for the color, the mayor three and 2 SP
    assert (table.player(0)["resources"], table.player(0)["points"]) == (0 + 2, 2)
    assert (table.player(1)["resources"], table.player(1)["points"]) == (0 + 2, 2)


@pytest.mark.parametrize(
    ("expert", "resources", "points", "offered"),
    [("mayor", 1, 0, True), ("mayor", 0, 9, False), ("banker", 0, 1, True), ("banker", 0, 0, False)],
)
def test_x7_2_urbanize_needs_a_resource_or_a_banker(expert: str, resources: int, points: int, offered: bool) -> None:
    table = site(expert, "Y9", GREEN_SPACE, modules=("green_spaces",), resources=resources, points=points).start()
    assert ("C+Y9" in table.legal) == ("C+GS" in table.legal) == offered


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(("upper", "lower"), [("Y9", "R4"), ("R9", "Y4"), ("Y6", "R20")])
def test_x7_2_a_second_tile_is_offered_if_both_can_be_paid(owner: int, upper: str, lower: str) -> None:
    """With one way left nothing is asked."""
    for resources, points in itertools.product(range(7), range(3)):
        fields = {"owner": owner, "resources": resources, "points": points}
        table = site("architect", upper, lower, **fields).hand(1, "R1", "D").start()
        assert (f"Y7+{upper}" in table.legal) == payable("architect", upper, owner, resources, points)
        if f"Y7+{upper}" in table.legal:
            table.play(f"Y7+{upper}")
            assert (table.decision[0] == "lower") == payable("architect", upper, owner, resources, points, tiles=2), fields


@pytest.mark.parametrize("resources", [1, 2])
def test_x7_2_a_second_tile_for_urbanizing_needs_two_resources(resources: int) -> None:
    table = site("architect", "Y9", "R4", resources=resources).hand(1, "R1", "D").start().play("C+Y9")
    assert (table.decision[0] == "lower") == (resources == 2)


def test_x7_2_it_never_hides_an_event() -> None:
    """Not even an expropriation that cannot be paid."""
    builder = site("journalist", "Y9", modules=("events",), resources=0).events(0, "design", "expropriation")
    assert builder.start().play("Y7").legal == {"event:none", "event:design", "event:expropriation"}


def test_x7_2_the_event_played_with_it_is_not_counted() -> None:
    """A campaign before would bring the SP for the lower number; the strict mask does not see it."""
    builder = site("professor", "Y6", modules=("events",), resources=3).events(0, "press").building((1, 0), "R8", owner=0)
    assert "Y7+Y6" not in builder.start().legal
    builder = site("professor", "Y6", modules=("events",), resources=3, strict=False).events(0, "press")
    table = builder.building((1, 0), "R8", owner=0).start().play("Y7+Y6", "event:press", "timing:before")
    assert table.building((0, 0))["tile"] == "Y6"


def test_x7_2_what_was_payable_can_become_unpayable() -> None:
    """Strict; seat 0's quality control takes a resource from seat 1, who had just enough."""
    builder = Builder(2, modules=["events"], strict=True).building((0, 0), "R8", floors=2, owner=1).hand(0, "R8", "C")
    builder.events(0, "control").building((2, 2), "Y7").hand(1, "Y7", "D").tiles(1, "Y9").player(1, resources=2, points=0)
    table = builder.start().play("R8", "event:control")
    assert "Y7+Y9" in table.legal
    table.play("Y7+Y9", "timing:before")
    assert table.building((2, 2))["tile"] == "Y7" and table.player(1)["tiles"] == ["Y9"]
    assert (table.player(1)["resources"], table.player(1)["points"]) == (0, 1)  # Y7 exploited


def test_x7_2_what_was_unpayable_can_become_payable() -> None:
    """Seat 0 expropriates R8: its two resources come back to seat 1, who lacks them. Only the wider mask offers it."""
    for strict in (True, False):
        builder = Builder(2, modules=["events"], strict=strict).building((0, 0), "R8", floors=2, owner=1).hand(0, "R8", "C")
        builder.events(0, "expropriation").building((2, 2), "Y7").hand(1, "Y7", "D").tiles(1, "Y9").player(1, resources=0)
        table = builder.start().play("R8", "event:expropriation")
        assert ("Y7+Y9" in table.legal) != strict
    table.play("Y7+Y9", "timing:before")
    assert table.building((2, 2))["tile"] == "Y9" and table.player(1)["resources"] == 0
