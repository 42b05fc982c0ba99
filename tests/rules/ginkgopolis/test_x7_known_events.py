"""X7.4: an event tile that went back (X4.4) is known to all to be behind that screen or committed until it takes effect."""

import pytest

from .positions import Builder, Table

BACK = "expropriation"
WAYS = pytest.mark.parametrize("modules", [("events",), ("events", "experts")], ids=" ".join)


def naming(*modules: str, resources: int = 1) -> Builder:
    """Seat 0 may expropriate Y7, seat 1's of four floors, for which one resource is not enough; the others choose as well."""
    builder = Builder(3, modules=modules or ("events",)).building((0, 0), "Y7", floors=4, owner=1)
    builder.hand(0, "Y7", "C", "D").hand(1, "E", "F", "G").hand(2, "H", "I", "J")
    return builder.events(0, "press", BACK).player(0, resources=resources)


def on_cards(table: Table, *mine: str) -> Table:
    """Seat 0 commits so, then the others a card each, without events."""
    table.play(*mine)
    while table.decision[0] in ("commit", "event"):
        table.play("event:none" if table.decision[0] == "event" else min(t for t in table.legal if t != "new-hand"))
    return table


def went_back(*modules: str) -> Table:
    return on_cards(naming(*modules).start(), "Y7", f"event:{BACK}").play("timing:before")


def known(table: Table, viewer: int) -> list[str]:
    """Events that the viewer knows seat 0 to hold."""
    events: list[str] = table.seen(viewer).side(0)["held"]
    return events


@WAYS
def test_it_is_known_when_it_has_gone_back(modules: tuple[str, ...]) -> None:
    table = went_back(*modules)
    assert table.player(0)["known_events"] == [BACK] and [table.player(p)["known_events"] for p in (1, 2)] == [[], []]
    for viewer in range(3):
        assert known(table, viewer) == (["press", BACK] if "experts" in modules else [BACK])


def test_before_nobody_knows_it() -> None:
    table = on_cards(naming().start(), "Y7", f"event:{BACK}")
    assert table.decision == ("timing", 0) and table.player(0)["known_events"] == []
    assert known(table, 1) == []


def test_it_stays_known_in_the_next_round() -> None:
    table = went_back()
    while table.position["round"] == 5:
        table.play(min(table.legal))
    assert table.player(0)["known_events"] == [BACK] and known(table, 2) == [BACK]


def test_nobody_sees_whether_it_is_committed_again() -> None:
    """Committed it counts as behind the screen (R10.1)."""
    builder = naming(resources=5).known_events(0, BACK)
    views = []
    for event in (BACK, "press", "none"):
        table = builder.start().play("Y7", f"event:{event}")
        assert table.decision == ("commit", 1) and table.player(0)["known_events"] == [BACK]
        views.append(table.view(1, 2))
        assert known(table, 1) == [BACK]
    assert views[0] == views[1] == views[2]


@pytest.mark.parametrize("event", [BACK, "press"])
def test_with_all_cards_out_it_is_still_known_but_not_which_event_lies_there(event: str) -> None:
    builder = naming(resources=5).known_events(0, BACK).hand(0, "Y7", "C").other(first_player=1)
    builder.other(actor=1)
    table = builder.start().play("E", "H", "Y7", f"event:{event}")
    assert table.decision == ("take", 1)
    assert known(table, 1) == [BACK] and table.seen(1).player(0, "has_event_out") == 1


@WAYS
def test_it_is_known_no_more_when_it_has_taken_effect(modules: tuple[str, ...]) -> None:
    builder = naming(*modules, resources=5).known_events(0, BACK)
    table = on_cards(builder.start(), "Y7", f"event:{BACK}")
    assert table.decision == ("timing", 0) and table.player(0)["known_events"] == [BACK]
    assert BACK not in known(table, 1)  # shown: it is pending
    table.play("timing:before")
    assert table.player(0)["known_events"] == [] and table.player(0)["events_played"] == [BACK]
    assert BACK not in known(table, 1)


def test_it_may_go_back_again() -> None:
    table = on_cards(naming().known_events(0, BACK).start(), "Y7", f"event:{BACK}").play("timing:before")
    assert table.player(0)["known_events"] == [BACK] == known(table, 1)


def test_another_event_played_leaves_it_known() -> None:
    table = on_cards(naming().known_events(0, BACK).start(), "C", "event:press").play("timing:before")
    assert table.player(0)["events_played"] == ["press"] and known(table, 1) == [BACK]


def test_the_other_event_stays_hidden() -> None:
    """Two worlds that differ in what did not go back look the same to the others."""
    views = []
    for other in ("press", "design", "control"):
        table = naming().events(0, other, BACK).known_events(0, BACK).start()
        views.append(table.view(1, 2))
    assert views[0] == views[1] == views[2]
