"""Actions put together from picks: what a line means, and what is said about one that means nothing."""

from __future__ import annotations

import pytest

from ginkgo_table.terminal.selection import MAX_LISTED, InputError, LegalAction, MenuItem, Selection, parse

CARDS, TILES = ("R3", "B12", "Y1"), ("R6", "R12", "B5")


def commits() -> list[LegalAction]:
    """Each card alone or with a tile, and one action of a single pick."""
    found = [
        LegalAction(10 * i + k, f"{card}+{tile}" if tile != "none" else card, (("card", card), ("tile", tile)))
        for i, card in enumerate(CARDS)
        for k, tile in enumerate(("none", *TILES))
    ]
    return [*found, LegalAction(99, "new-hand", (("card", "new-hand"),))]


MANY = Selection(tuple(commits()))
NESTED = Selection(
    tuple(LegalAction(k, f"x{k}", (("a", str(k // 9)), ("b", str(k // 3 % 3)), ("c", "pqr"[k % 3]))) for k in range(27))
)
PAYS = Selection(tuple(LegalAction(k, f"pay:{k}", (("pay", str(k)),)) for k in range(3)))
WORDS = {("tile", "none"): "alone", ("card", "new-hand"): "New Hand: exchange all cards"}


def note_of(pick: tuple[str, str]) -> str:
    return WORDS.get(pick, "")


def played(selection: Selection, *lines: str) -> LegalAction | None:
    """The action that lines lead to."""
    found = None
    for line in lines:
        found = parse(selection, line, note_of)
        selection = found.selection
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
    ("line", "is_complete"),
    [("R3+R12", True), ("new-hand", True), ("4", True), ("new", False), ("R3 R12", False), ("R3+R1", False)],
)
def test_what_is_called_in_full_need_not_be_confirmed(line: str, is_complete: bool) -> None:
    assert parse(MANY, line, note_of).is_complete is is_complete


def test_what_is_put_together_is_to_be_confirmed() -> None:
    assert (
        not parse(parse(MANY, "R3").selection, "R12").is_complete and not parse(parse(MANY, "R3").selection, "R3+R12").is_complete
    )


@pytest.mark.parametrize(
    ("picks", "line", "start", "possible"),
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
        ((), "R3 R12 B5", "", {offer.text for offer in MANY.actions}),
    ],
)
def test_unclear_input_tells_what_is_possible(picks: tuple[str, ...], line: str, start: str, possible: set[str]) -> None:
    selection = MANY
    for pick in picks:
        selection = parse(selection, pick).selection
    with pytest.raises(InputError) as caught:
        parse(selection, line, note_of)
    if line != "R3 R99":
        assert (caught.value.prefix, set(caught.value.candidates)) == (start, possible)
    assert not caught.value.is_excluded and caught.value.candidates


def test_an_action_that_does_not_go_with_what_is_picked_is_told_so() -> None:
    with pytest.raises(InputError) as caught:
        parse(parse(MANY, "R3").selection, "B12+R6")
    assert caught.value.is_excluded


def test_names_that_are_numbers_are_not_mistaken_for_places_in_the_list() -> None:
    with pytest.raises(InputError) as caught:
        parse(PAYS, "1")
    assert caught.value.candidates == ("#1", "pay:1")
    assert played(PAYS, "#1") == PAYS.actions[0] and played(PAYS, "pay:1") == PAYS.actions[1]
    assert played(PAYS, "3") == PAYS.actions[2] and played(PAYS, "0") == PAYS.actions[0]


def test_the_list_has_picks_when_there_are_many_actions() -> None:
    assert [item.pick for item in MANY.items] == [("card", name) for name in (*CARDS, "new-hand")]
    assert [len(item.actions) for item in MANY.items] == [4, 4, 4, 1]
    assert MANY.rest(MANY.items[0]) == [(("tile", name),) for name in ("none", *TILES)]
    few = Selection(MANY.actions[:MAX_LISTED])
    assert few.items == [MenuItem(None, (offer,)) for offer in few.actions]
    single = Selection(tuple(LegalAction(k, f"build:{k}x", (("site", f"{k}x"),)) for k in range(3 * MAX_LISTED)))
    assert len(single.items) == 3 * MAX_LISTED and not single.is_stepwise


def test_picks_of_several_steps_and_taking_them_back() -> None:
    selection = NESTED
    for pick in ("#2", "#3"):
        selection = parse(selection, pick).selection
    assert [offer.id for offer in selection.remaining] == [15, 16, 17] and [item.pick for item in selection.items] == [
        ("c", name) for name in "pqr"
    ]
    assert (
        selection.without_last_pick() == parse(NESTED, "#2").selection
        and selection.without_last_pick().without_last_pick() == NESTED == NESTED.without_last_pick()
    )
    offer = played(selection, "q")
    assert offer is not None and offer.id == 16


def test_a_complete_action_and_one_with_more_picks_stand_side_by_side() -> None:
    actions = tuple(
        LegalAction(k, text, picks) for k, (text, picks) in enumerate([("a", (("x", "a"),)), ("a-b", (("x", "a"), ("y", "b")))])
    )
    selection = parse(Selection(actions), "a").selection
    assert selection.picks == (("x", "a"),) and [item.actions[0].text for item in selection.items] == ["a", "a-b"]
    assert played(selection, "1") == actions[0] and played(selection, "a") == actions[0] and played(selection, "b") == actions[1]


def test_the_same_name_in_two_groups_is_unclear() -> None:
    actions = (LegalAction(0, "keep:R1", (("keep", "R1"),)), LegalAction(1, "pay:R1", (("pay", "R1"),)))
    with pytest.raises(InputError) as caught:
        parse(Selection(actions), "R1")
    assert caught.value.candidates == ("keep:R1", "pay:R1")
