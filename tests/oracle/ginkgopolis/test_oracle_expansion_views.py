"""The Experts: what a seat may know, example by example (X7.3, X7.4). In games at random: test_oracle_expansion_play."""

from typing import Any

from .ginkgopolis import Oracle
from .helpers import Scripted, blank, building, config, play

Json = dict[str, Any]
ALL = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")


def table() -> Json:
    """Three players; seat 0 the architect with two events, four cards and four tiles; seats 1 and 2 with cards and tiles."""
    position = blank(3, *ALL)
    position["city"][0] = building(0, 0, "Y9", 2, 1)
    architect, second, third = position["players"]
    architect |= {"expert": "architect", "events": ["press", "expropriation"], "hand": ["Y9", "A", "B", "C"]}
    architect |= {"tiles": ["Y10", "B4", "R24", "GS"], "known_tiles": ["R24", "GS"]}
    second |= {"expert": "mayor", "events": ["design", "control"], "hand": ["E", "F", "G", "H"], "tiles": ["R5", "R6"]}
    third |= {"expert": "banker", "events": [], "hand": ["I", "J", "K", "L"], "tiles": ["R7"], "passed": ["A", "B", "Y9"]}
    return position


def seen(oracle: Oracle, viewer: int, seat: int) -> Json:
    """What a viewer sees of a seat."""
    entry: Json = oracle.view(viewer)["players"][seat]
    return entry


def test_a_player_who_chooses_is_only_choosing() -> None:
    """X7.3: no step of the sequence can be seen, whatever is chosen; the player himself sees it."""
    start = play(table())
    for actions in (["A"], ["A+Y10"], ["Y9+R24", "lower:GS"], ["Y9+R24", "lower:GS", "event:expropriation"]):
        oracle = play(table(), *actions)
        assert oracle.decision()[1] == 0 and oracle.decision()[0] != "commit"
        for viewer in (1, 2):
            assert oracle.view(viewer) == start.view(viewer)
        assert oracle.view(0)["decision"] == {"kind": oracle.decision()[0], "actor": 0}
    own = play(table(), "Y9+R24", "lower:GS", "event:press").view(0)["own"]
    assert own["commitment"] == {"card": "Y9", "tile": "R24", "lower": "GS", "event": "press"}
    assert own["tiles"] == ["B4", "Y10"] and own["events"] == ["expropriation"] and own["hand"] == ["A", "B", "C"]
    assert own["right_knows"] == ["A", "B"] and own["right_knows_committed"] == ["Y9"]


def test_when_the_next_player_chooses() -> None:
    """X7.3, R10.1: that something is committed and kept; tiles and events as if all lay behind the screen."""
    worlds = [
        play(table(), "A", "event:none", "keep:B"),
        play(table(), "Y9+Y10", "lower:R24", "event:expropriation", "keep:A"),
    ]
    for oracle in worlds:
        assert oracle.decision() == ("commit", 1)
        side = seen(oracle, 1, 0)
        assert (side["committed"], side["kept"], side["hand"], side["tiles"], side["event_count"]) == (True, True, 2, 4, 2)
        assert side["events"] == ["press", "expropriation"] and side["known_tiles"] == ["R24", "GS"]
        assert (side["tile_on_card"], side["tiles_on_card"], side["event_on_card"], side["upper"]) == (None, None, None, None)
    assert worlds[0].view(1) == worlds[1].view(1) and worlds[0].view(2) == worlds[1].view(2)
    assert worlds[0].view(0)["own"]["right_knows_kept"] == ["B"]
    assert worlds[1].view(0)["own"]["right_knows_kept"] == ["A"]
    assert worlds[1].view(2)["own"]["passed"] == ["Y9", "A", "B"]  # the card kept too


def resolving() -> Oracle:
    """All have chosen: seat 0 with two tiles and an event, seat 1 with a tile and an event, seat 2 with a card alone."""
    mine = ["Y9+Y10", "lower:B4", "event:press", "keep:A"]
    return play(table(), *mine, "E+R5", "event:control", "keep:F", "I", "keep:J")


def test_while_actions_are_resolved() -> None:
    """X4.2, X7.4: how many tiles lie on a card and whether an event; of the card shown the upper tile; the event."""
    oracle = resolving()
    assert oracle.decision() == ("timing", 0)
    sides = [seen(oracle, 2, seat) for seat in range(3)]
    assert [side["tiles_on_card"] for side in sides] == [2, 1, 0]
    assert [side["event_on_card"] for side in sides] == [False, True, False]  # seat 0's is shown
    assert [side["event_count"] for side in sides] == [1, 1, 0] and [side["tiles"] for side in sides] == [2, 1, 1]
    assert [side["card"] for side in sides] == ["Y9", None, None] and [side["upper"] for side in sides] == ["Y10", None, None]
    assert sides[1]["events"] == ["design", "control"]  # public, but not which of them lies on the card
    pending = oracle.view(2)["pending"]
    assert (pending["event"], pending["phase"], pending["zone"]) == ("press", "timing", {"cell": [0, 0], "center": True})
    assert "B4" not in str(oracle.view(2)["players"]) and oracle.view(0)["own"]["commitment"]["lower"] == "B4"
    oracle.apply("timing:before")
    after = seen(oracle, 1, 0)
    assert (after["lower_count"], after["known_tiles"], after["events_played"]) == (1, [], ["press"])
    assert "B4" not in str(oracle.view(1)) and oracle.view(0)["own"]["lower_tiles"] == ["B4"]
    assert (after["kept"], after["hand"]) == (True, 2)


def test_of_two_tiles_that_come_back_only_the_upper_is_known() -> None:
    position = table()
    position["players"][0] |= {"resources": 3, "supply": 10, "known_tiles": []}
    oracle = play(position, "Y9+Y10", "lower:B4", "event:none", "keep:A", "E", "event:none", "keep:F", "I", "keep:J")
    assert seen(oracle, 1, 0)["known_tiles"] == ["Y10"] and seen(oracle, 1, 0)["lower_count"] == 0


def test_events_without_experts_are_private() -> None:
    """X7.4: only their number is public, until one goes back."""
    oracle = Oracle(config(2, modules=["events"], hand_size=4), Scripted())
    oracle.apply("events:design+control")
    assert seen(oracle, 1, 0)["events"] == [] and seen(oracle, 1, 0)["event_count"] == 2
    assert seen(oracle, 0, 1)["event_count"] == 4 and oracle.view(0)["own"]["events"] == ["design", "control"]
    assert oracle.view(1)["decision"] == {"kind": "events", "actor": 1}


def test_stacks_and_splits_are_public() -> None:
    """X7.4: the number of value-II tiles taken shows when it happens; the stack is not known as a set."""
    position = table()
    position["city"][0] = building(0, 0, "B9", 3, 1)
    position["players"][0] |= {"hand": ["B9"], "events": []}
    position["players"][1]["hand"] = position["players"][2]["hand"] = []
    position["prestige"], position["green_spaces"] = ["R25", "B24"], 4
    oracle = play(position, "B9", "split:new-building")
    view = oracle.view(1)
    assert view["pending"]["split"]["new_building"] == 1 and view["pending"]["draws"] == 1
    assert (view["new_buildings"], view["prestige"], view["green_spaces"]) == (9, ["R25", "B24"], 4)
    oracle.apply("split:green-space")
    view = oracle.view(1)
    assert (view["new_buildings"], view["green_spaces"]) == (8, 3)
    assert view["players"][0]["known_tiles"] == ["R24", "GS", "GS"] and view["players"][0]["tiles"] == 6


def test_draft_hides_whether_the_expert_is_kept() -> None:
    """X6: all are revealed together; only how many cards are kept shows."""
    settings = config(3, setup="draft", modules=["experts"], hand_size=4)
    worlds = []
    for first in ("draft:artist", "draft:RE"):
        worlds.append(Oracle(settings, Scripted()))
        worlds[-1].apply(first)
    assert worlds[0].view(1) == worlds[1].view(1)
    side = seen(worlds[0], 1, 0)
    assert (side["expert"], side["characters"], side["character_count"], side["events"]) == (None, None, 1, [])
    assert worlds[0].view(0)["own"]["expert"] == "artist" and worlds[0].view(0)["own"]["packet_experts"] == ["banker"]


def test_views_without_modules_have_no_new_keys() -> None:
    view = play(blank(2)).view(0)
    assert not {"new_buildings", "prestige", "green_spaces"} & set(view)
    assert not {"expert", "kept", "events"} & {*view["own"], *view["players"][0]}
