"""Actions put together from picks: what a line means, and what is said about one that means nothing."""

from __future__ import annotations

import pytest

from ginkgo_table.terminal.picking import FEW, Item, LegalAction, Picking, UnclearError, read

CARDS, TILES = ("R3", "B12", "Y1"), ("R6", "R12", "B5")


def commits() -> list[LegalAction]:
    """Each card alone or with a tile, and one action of a single pick."""
    found = [
        LegalAction(10 * i + k, f"{card}+{tile}" if tile != "none" else card, (("card", card), ("tile", tile)))
        for i, card in enumerate(CARDS)
        for k, tile in enumerate(("none", *TILES))
    ]
    return [*found, LegalAction(99, "new-hand", (("card", "new-hand"),))]


MANY = Picking(tuple(commits()))
NESTED = Picking(
    tuple(LegalAction(k, f"x{k}", (("a", str(k // 9)), ("b", str(k // 3 % 3)), ("c", "pqr"[k % 3]))) for k in range(27))
)
PAYS = Picking(tuple(LegalAction(k, f"pay:{k}", (("pay", str(k)),)) for k in range(3)))
WORDS = {("tile", "none"): "alone", ("card", "new-hand"): "New Hand: exchange all cards"}


def words(pick: tuple[str, str]) -> str:
    return WORDS.get(pick, "")


def played(picking: Picking, *lines: str) -> LegalAction | None:
    """The action that lines lead to."""
    found = None
    for line in lines:
        found = read(picking, line, words)
        picking = found.picking
    return None if found is None else found.chosen


@pytest.mark.parametrize(
    "lines",
    [
        ("R3+R12",),
        ("r3+r12",),
        (" R3+R12 ",),
        ("R3 R12",),
        ("r3 r12",),
        ("R3", "R12"),
        ("R3", "R3+R12"),
        ("R3+R1",),
        ("R", "R12"),
        ("1", "3"),
        ("#1", "#3"),
        ("1 3",),
        ("R3", "R3 R12"),
        ("R3", "R1"),
    ],
)
def test_all_ways_lead_to_the_same_action(lines: tuple[str, ...]) -> None:
    offer = played(MANY, *lines)
    assert offer is not None and offer.text == "R3+R12"


@pytest.mark.parametrize("lines", [("R3", "none"), ("R3", "alone"), ("R3", "AL"), ("R3", "1"), ("R3", "R3"), ("r3 alone",)])
def test_a_text_that_is_an_action_and_a_pick_is_first_the_pick(lines: tuple[str, ...]) -> None:
    assert played(MANY, "R3") is None
    offer = played(MANY, *lines)
    assert offer is not None and offer.text == "R3"


@pytest.mark.parametrize(
    ("line", "sure"), [("R3+R12", True), ("new-hand", True), ("4", True), ("new", False), ("R3 R12", False), ("R3+R1", False)]
)
def test_what_is_called_in_full_need_not_be_confirmed(line: str, sure: bool) -> None:
    assert read(MANY, line, words).sure is sure


def test_what_is_put_together_is_to_be_confirmed() -> None:
    assert not read(read(MANY, "R3").picking, "R12").sure and not read(read(MANY, "R3").picking, "R3+R12").sure


@pytest.mark.parametrize(
    ("taken", "line", "start", "possible"),
    [
        ((), "R3+", "R3+", {"R3+R6", "R3+R12", "R3+B5"}),
        ((), "R3+R99", "R3+R", {"R3+R6", "R3+R12"}),
        ((), "zz", "", {"R3", "B12", "Y1", "new-hand"}),
        ((), "", "", {"R3", "B12", "Y1", "new-hand"}),
        ((), "0", "", {"R3", "B12", "Y1", "new-hand"}),
        ((), "5", "", {"R3", "B12", "Y1", "new-hand"}),
        ((), "999999999999", "", {"R3", "B12", "Y1", "new-hand"}),
        ((), "٣", "", {"R3", "B12", "Y1", "new-hand"}),
        (("R3",), "R", "R", {"R3", "R3+R6", "R3+R12", "R3+B5", "R6", "R12"}),
        ((), "R3 R99", "R3", {"R3", "R3+R6", "R3+R12", "R3+B5"}),
        ((), "R3 R12 B5", "", {offer.text for offer in MANY.offers}),
    ],
)
def test_unclear_input_tells_what_is_possible(taken: tuple[str, ...], line: str, start: str, possible: set[str]) -> None:
    picking = MANY
    for pick in taken:
        picking = read(picking, pick).picking
    with pytest.raises(UnclearError) as caught:
        read(picking, line, words)
    if line != "R3 R99":
        assert (caught.value.start, set(caught.value.possible)) == (start, possible)
    assert not caught.value.elsewhere and caught.value.possible


def test_an_action_that_does_not_go_with_what_is_picked_is_told_so() -> None:
    with pytest.raises(UnclearError) as caught:
        read(read(MANY, "R3").picking, "B12+R6")
    assert caught.value.elsewhere


def test_names_that_are_numbers_are_not_mistaken_for_places_in_the_list() -> None:
    with pytest.raises(UnclearError) as caught:
        read(PAYS, "1")
    assert caught.value.possible == ("#1", "pay:1")
    assert played(PAYS, "#1") == PAYS.offers[0] and played(PAYS, "pay:1") == PAYS.offers[1]
    assert played(PAYS, "3") == PAYS.offers[2] and played(PAYS, "0") == PAYS.offers[0]


def test_the_list_has_picks_when_there_are_many_actions() -> None:
    assert [item.pick for item in MANY.items] == [("card", name) for name in (*CARDS, "new-hand")]
    assert [len(item.offers) for item in MANY.items] == [4, 4, 4, 1]
    assert MANY.rest(MANY.items[0]) == [(("tile", name),) for name in ("none", *TILES)]
    few = Picking(MANY.offers[:FEW])
    assert few.items == [Item(None, (offer,)) for offer in few.offers]
    single = Picking(tuple(LegalAction(k, f"build:{k}x", (("site", f"{k}x"),)) for k in range(3 * FEW)))
    assert len(single.items) == 3 * FEW and not single.in_steps


def test_picks_of_several_steps_and_taking_them_back() -> None:
    picking = NESTED
    for pick in ("#2", "#3"):
        picking = read(picking, pick).picking
    assert [offer.id for offer in picking.left] == [15, 16, 17] and [item.pick for item in picking.items] == [
        ("c", name) for name in "pqr"
    ]
    assert picking.undone() == read(NESTED, "#2").picking and picking.undone().undone() == NESTED == NESTED.undone()
    offer = played(picking, "q")
    assert offer is not None and offer.id == 16


def test_a_complete_action_and_one_with_more_picks_stand_side_by_side() -> None:
    offers = tuple(
        LegalAction(k, text, picks) for k, (text, picks) in enumerate([("a", (("x", "a"),)), ("a-b", (("x", "a"), ("y", "b")))])
    )
    picking = read(Picking(offers), "a").picking
    assert picking.taken == (("x", "a"),) and [item.offers[0].text for item in picking.items] == ["a", "a-b"]
    assert played(picking, "1") == offers[0] and played(picking, "a") == offers[0] and played(picking, "b") == offers[1]


def test_the_same_name_in_two_groups_is_unclear() -> None:
    offers = (LegalAction(0, "keep:R1", (("keep", "R1"),)), LegalAction(1, "pay:R1", (("pay", "R1"),)))
    with pytest.raises(UnclearError) as caught:
        read(Picking(offers), "R1")
    assert caught.value.possible == ("keep:R1", "pay:R1")
