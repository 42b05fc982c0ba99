"""The Experts, events (X4): hands, timing, zones and each of the four kinds."""

from typing import Any

import pytest

from .ginkgopolis import Oracle
from .helpers import Scripted, blank, building, config, find, kinds_of, play

Json = dict[str, Any]
KINDS = ["design", "press", "expropriation", "control"]


def table(players: int, *modules: str, **changes: Any) -> Json:
    """Seat 0 holds R9 (at (0, 0), three floors, seat 1's), two letters and all events; the others have no cards."""
    position = blank(players, "events", *modules, **changes)
    position["city"][0] = building(0, 0, "R9", 3, 1)
    position["players"][0] |= {"hand": ["R9", "A", "D"], "events": list(KINDS)}
    return position


def side_of(oracle: Oracle, seat: int) -> Json:
    """One entry of the players."""
    entry: Json = oracle.position()["players"][seat]
    return entry


# --- X4.1, X4.2 --------------------------------------------------------------------------------------------------------------


def test_everybody_keeps_two_of_four() -> None:
    """X4.1: after the start items, before the first player, in seat order; one choice of a pair."""
    chance = Scripted()
    oracle = Oracle(config(3, modules=["events"], hand_size=4), chance)
    assert oracle.decision() == ("events", 0) and len(oracle.legal()) == 6
    assert oracle.legal()[0] == "events:design+press" and oracle.legal()[-1] == "events:expropriation+control"
    start = oracle.position()
    assert [side["events"] for side in start["players"]] == [KINDS] * 3 and start["first_player"] is None
    assert start["round"] == 0 and start["players"][2]["resources"] > 0 and "first_player" not in dict(chance.asked)
    oracle.apply("events:press+control")
    assert oracle.decision() == ("events", 1)
    assert [side["events"] for side in oracle.position()["players"]] == [["press", "control"], KINDS, KINDS]
    oracle.apply("events:design+press")
    oracle.apply("events:design+expropriation")
    assert side_of(oracle, 2)["events"] == ["design", "expropriation"] and oracle.decision() == ("commit", 0)


def test_an_event_goes_with_the_card_and_leaves_the_game() -> None:
    """X4.2: with a card alone or with a tile, at most one; expropriation only on another player's building."""
    position = table(2)
    position["players"][0]["tiles"] = ["R4"]
    for card in ("A", "A+R4"):
        assert kinds_of(play(position, card)) == ["none", "design", "press", "control"]
    assert kinds_of(play(position, "R9+R4")) == ["none", *KINDS]
    for owner in (0, None):
        position["city"][0] = building(0, 0, "R9", 1, owner)
        assert kinds_of(play(position, "R9")) == ["none", "design", "press", "control"]
    position["players"][0]["events"] = ["expropriation"]
    assert play(position, "A").decision() == ("take", 0)  # nothing to ask
    position["players"][0]["events"] = ["press"]
    oracle = play(position, "A", "event:press")
    assert oracle.decision() == ("timing", 0) and oracle.legal() == ["timing:before", "timing:after"]
    assert side_of(oracle, 0)["events"] == [] and side_of(oracle, 0)["commitment"]["event"] is None
    oracle.apply("timing:before")
    assert side_of(oracle, 0)["events_played"] == ["press"] and oracle.decision() == ("take", 0)
    assert kinds_of(play(position, "A", "event:none")) == ["resource", "tile"]


def test_the_event_shown_and_played() -> None:
    """Text forms: phases, timing, event and zone in the position."""
    position = table(2)
    position["players"][0] |= {"tiles": ["R4"], "resources": 5}
    position["city"].append(building(1, -1, "B5", 2, 0))
    position["tokens"]["B"] = [1, -2]
    oracle = play(position, "A+R4", "event:press")
    shown = oracle.position()["pending"]
    plain = {"player": 0, "draws": 0, "split": None, "green_drawn": False, "received": 0}
    zone = {"cell": [0, -1], "center": False}
    assert shown == plain | {"phase": "timing", "action": None, "timing": None, "event": "press", "zone": zone}
    assert side_of(oracle, 0)["commitment"] == {"card": "A", "tile": "R4", "lower": None, "event": None}
    oracle.apply("timing:after")
    middle = oracle.position()["pending"]
    assert oracle.decision() == ("token", 0)
    assert middle == plain | {"phase": "action", "action": "urbanize", "timing": "after", "event": "press", "zone": zone}
    oracle.apply("token:N")
    # the new building on the token's cell is not in the zone: 2 resources on B5
    assert side_of(oracle, 0)["points"] == 2 and side_of(oracle, 0)["commitment"] is None
    assert oracle.position()["decision"]["kind"] == "over" and oracle.position()["pending"] is None


# --- X4.3 --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("timing", "points"), [("before", 2 + 1), ("after", 2 + 1 + 4)])
def test_the_zone_of_a_building_card(timing: str, points: int) -> None:
    """X4.3: its cell and the neighbors; owners and resources when the event takes effect; no green spaces, nothing diagonal."""
    position = table(2, "green_spaces")
    position["city"][1] = building(1, 0, "B9", 2, 0)
    position["city"][3] = building(0, 1, "Y9", 1, 0)
    position["city"][4] = building(1, 1, "Y8", 4, 0)  # diagonal
    position["city"].append(building(-1, 0, "GS", 2, 0))
    position["players"][0] |= {"tiles": ["R10"], "resources": 4, "supply": 10}
    oracle = play(position, "R9+R10", "event:press", f"timing:{timing}")
    assert side_of(oracle, 0)["points"] == points and find(oracle.position(), "R10")["floors"] == 4


def test_the_card_decides_about_the_zone() -> None:
    """X4.3: after a fallback to exploiting the zone is still that of the card; the cells stay although tokens move."""
    position = table(2)
    position["city"][0] = building(0, 0, "R9", 3, 0)
    position["players"][0] |= {"tiles": ["R4"], "resources": 0, "supply": 22, "events": ["press"]}
    oracle = play(position, "A+R4", "event:press", "timing:after", "take:resource")
    assert side_of(oracle, 0)["points"] == 3 and side_of(oracle, 0)["known_tiles"] == ["R4"]
    oracle = play(position, "D", "event:press", "timing:before", "take:resource")
    assert side_of(oracle, 0)["points"] == 0  # D lies at the other end: an empty zone is allowed
    assert side_of(oracle, 0)["events_played"] == ["press"]


# --- X4.4: design competition and press campaign -----------------------------------------------------------------------------


def test_design_and_press_count_nine_at_most() -> None:
    position = table(2)
    position["city"][1] = building(1, 0, "B9", 12, 0)
    oracle = play(position, "R9", "event:press", "timing:before")
    assert side_of(oracle, 0)["points"] == 9
    oracle = play(position, "R9", "event:design", "timing:after")
    assert len(side_of(oracle, 0)["tiles"]) == 9 and side_of(oracle, 0)["resources"] == 5 + 3


def test_design_is_a_draw_of_its_own_but_shares_the_green_limit() -> None:
    """X4.4, X0.1, X3.1: two draws and two draws are not four; the second green space is not to be had."""
    position = table(2, "prestige", "green_spaces")
    position["city"][0] = building(0, 0, "B9", 2, 0)
    position["players"][0]["hand"] = ["B9", "A"]
    oracle = play(position, "B9", "event:design", "timing:before")
    pending = oracle.position()["pending"]
    assert oracle.decision() == ("split", 0) and kinds_of(oracle) == ["green-space", "done"]
    assert (pending["phase"], pending["action"], pending["draws"], pending["event"]) == ("before", None, 2, "design")
    green = play(position, "B9", "event:design", "timing:before", "split:green-space")
    assert side_of(green, 0)["tiles"] == [*position["supply"][:3], "GS"] and green.decision()[0] == "over"
    oracle.apply("split:done")  # the action's draw begins anew
    pending = oracle.position()["pending"]
    assert kinds_of(oracle) == ["green-space", "done"] and pending["green_drawn"] is False
    assert (pending["phase"], pending["action"], pending["draws"], pending["event"]) == ("action", "exploit", 2, None)
    after = play(position, "B9", "event:design", "timing:after", "split:green-space")
    assert side_of(after, 0)["tiles"] == [*position["supply"][:3], "GS"]


def test_tiles_run_out_in_a_before_event() -> None:
    """X4, X6: R7.1 in the middle; the tile on the card cannot be returned and is built afterwards."""
    position = table(2, max_rounds=9)
    position["city"][1] = building(1, 0, "B9", 4, 0)
    position["supply"] = ["Y5", "Y6"]
    position["players"][0] |= {"tiles": ["R10", "R11"], "resources": 4, "supply": 10}
    position["players"][1]["tiles"] = ["B4"]
    oracle = play(position, "R9+R10", "event:design", "timing:before")
    middle = oracle.position()
    assert oracle.decision() == ("return", 0) and kinds_of(oracle) == ["R11", "Y5", "Y6", "done"]
    assert middle["pending"]["phase"] == "before" and middle["pending"]["draws"] == 2
    assert middle["players"][0]["commitment"]["tile"] == "R10"
    oracle.apply("return:Y5")
    oracle.apply("return:done")
    assert oracle.decision() == ("return", 1)
    oracle.apply("return:B4")
    after = oracle.position()  # the other two draws take B4 and Y5: the second exhaustion, then the construction
    assert after["exhaustions"] == 2 and after["ending"] == "tiles" and find(after, "R10")["owner"] == 0
    assert after["players"][0]["tiles"] == ["R11", "B4", "Y5", "Y6"]
    assert [side["points"] for side in after["players"]] == [1, 1 + 3]


def test_tiles_run_out_in_an_after_event() -> None:
    """Text forms: the card has been put away."""
    position = table(2)
    position["city"][1] = building(1, 0, "B9", 1, 0)
    position["supply"] = ["Y5"]
    oracle = play(position, "R9", "event:design", "timing:after")
    middle = oracle.position()
    assert oracle.decision() == ("return", 0) and middle["pending"]["phase"] == "after"
    assert middle["pending"]["action"] == "exploit" and middle["players"][0]["commitment"] is None
    assert "R9" in middle["discard"]


# --- X4.4: expropriation -----------------------------------------------------------------------------------------------------


def test_expropriation() -> None:
    """1 SP for each resource to the new owner; the old one gets his back without SP, even the lawyer."""
    position = table(2, "experts")
    position["players"][1]["expert"] = "lawyer"
    oracle = play(position, "R9", "event:expropriation", "timing:before")
    one, two = oracle.position()["players"]
    assert find(oracle.position(), "R9")["owner"] == 0
    assert (one["resources"], one["points"]) == (5 - 3 + 3, 3) and (two["resources"], two["points"]) == (8, 0)
    assert one["events_played"] == ["expropriation"]


def test_expropriation_then_construction() -> None:
    """X4.2, R5.1: what was placed comes back and counts as payment; nobody gets SP for it again."""
    position = table(2)
    position["players"][0] |= {"tiles": ["R10"], "resources": 4, "supply": 18}
    before = play(position, "R9+R10", "event:expropriation", "timing:before").position()
    assert (before["players"][0]["points"], before["players"][1]["points"]) == (3, 0)
    assert before["players"][0]["resources"] == 0 and find(before, "R10")["owner"] == 0
    assert before["players"][0]["tableau"] == ["R9"]


def test_expropriation_without_effect() -> None:
    """After the own construction, or without enough resources: the tile goes back behind the screen (no banker)."""
    position = table(2)
    position["players"][0] |= {"tiles": ["R10"], "resources": 4, "supply": 18}
    after = play(position, "R9+R10", "event:expropriation", "timing:after").position()
    assert (after["players"][0]["points"], after["players"][1]["points"]) == (0, 3)
    assert after["players"][0]["events"] == KINDS and after["players"][0]["events_played"] == []
    position["players"][0] |= {"expert": "banker", "points": 9, "resources": 2, "supply": 18}
    after = play(position, "R9", "event:expropriation", "timing:before").position()
    assert find(after, "R9")["owner"] == 1 and after["players"][0]["events"] == KINDS
    after = play(position, "R9", "event:expropriation", "timing:after").position()
    assert find(after, "R9")["owner"] == 0 and after["players"][0]["events"] == ["design", "press", "control"]


def test_an_event_that_went_back_is_known_until_it_takes_effect() -> None:
    """X7.4: all have seen it; nothing else that the player holds is known to the others."""
    position = table(2)
    position["players"][0] |= {"resources": 2, "supply": 20}
    assert play(position).view(1)["players"][0]["events"] == []
    after = play(position, "R9", "event:expropriation", "timing:before")
    assert after.view(1)["players"][0]["events"] == ["expropriation"] == side_of(after, 0)["known_events"]
    position["players"][0] |= {"known_events": ["expropriation"]}
    on_card = play(position, "R9", "event:expropriation")
    assert on_card.decision() == ("timing", 0)  # shown: neither behind the screen nor unseen on the card
    assert on_card.view(1)["players"][0]["events"] == [] and side_of(on_card, 0)["known_events"] == ["expropriation"]
    position["players"][0] |= {"resources": 4, "supply": 18}
    assert side_of(play(position, "R9", "event:expropriation", "timing:before"), 0)["known_events"] == []


def test_expropriation_can_end_the_game() -> None:
    """R8.1 is tested: after the event nothing is behind the screen and in the supply."""
    position = table(2, max_rounds=9)
    position["players"][0] |= {"resources": 3, "supply": 0}
    assert play(position, "R9", "event:expropriation", "timing:before").position()["ending"] == "resources"


# --- X4.4: quality control ---------------------------------------------------------------------------------------------------


def control_position() -> Json:
    """Four players; seats 1, 2 and 3 own 3, 5 and 2 resources in the zone of R9, seat 0 one."""
    position = table(4)
    position["city"][1] = building(1, 0, "B9", 5, 2)
    position["city"][3] = building(0, 1, "Y9", 2, 3)
    position["city"].append(building(-1, 0, "Y8", 1, 0))
    for seat, (resources, points) in enumerate([(5, 0), (2, 4), (1, 1), (0, 9)]):
        position["players"][seat] |= {"resources": resources, "points": points}
    return position


def test_quality_control() -> None:
    """Clockwise from the one who played it; not asked where there is one way; six SP in all, the rest to the bank."""
    oracle = play(control_position(), "R9", "event:control", "timing:before")
    assert oracle.decision() == ("pay", 1) and kinds_of(oracle) == ["0", "1", "2"]
    assert oracle.position()["pending"]["received"] == 0
    paid = play(control_position(), "R9", "event:control", "timing:before", "pay:0")
    # seat 1 pays 3 SP; seat 2 has two things and pays both: 1 SP; seat 3 has no resource: 2 SP; six in all
    assert paid.decision()[0] == "over"
    sides = paid.position()["players"]
    assert [side["points"] for side in sides] == [6, 1, 0, 7]
    assert [side["resources"] for side in sides] == [5 + 3, 2, 0, 0]
    oracle.apply("pay:2")
    assert [side["points"] for side in oracle.position()["players"]] == [1 + 1 + 2, 3, 0, 7]
    assert side_of(oracle, 1)["supply"] == 13 + 2 and side_of(oracle, 0)["events_played"] == ["control"]


def test_later_payers_see_earlier_payments_and_six_is_the_most() -> None:
    position = control_position()
    position["players"][2] |= {"resources": 5, "points": 5}
    oracle = play(position, "R9", "event:control", "timing:after", "pay:0")
    assert oracle.decision() == ("pay", 2) and oracle.position()["pending"]["received"] == 3
    assert oracle.position()["pending"]["phase"] == "after" and side_of(oracle, 0)["points"] == 3
    assert side_of(oracle, 1)["points"] == 1 and kinds_of(oracle) == ["0", "1", "2", "3", "4", "5"]
    oracle.apply("pay:0")
    sides = oracle.position()["players"]
    assert [side["points"] for side in sides] == [6, 1, 0, 7]  # 3 + 5 + 2 were paid


def test_control_can_make_unpayable_and_comes_before_the_test() -> None:
    """X7.1, X7.2: R5.7 is tested after the before-event; with what the event brought."""
    position = table(2, strict=True)
    position["city"][0] = building(0, 0, "R9", 3, 1)
    position["players"][0] |= {"tiles": ["R8"], "resources": 4, "points": 0}
    assert "R9+R8" not in play(position).legal()  # the strict mask does not count on events
    position["config"]["strict"] = False
    position["players"][1] |= {"resources": 0, "points": 3}
    after = play(position, "R9+R8", "event:control", "timing:before").position()
    assert find(after, "R8")["owner"] == 0 and after["players"][0]["points"] == 2
    # R9 of seat 1 with a control against him: he cannot urbanize any more
    position["players"][1] |= {"resources": 1, "points": 0, "hand": ["E", "F"], "tiles": ["Y7"]}
    robbed = play(position, "R9", "event:control", "E+Y7", "timing:after")
    assert robbed.decision() == ("take", 1) and side_of(robbed, 1)["known_tiles"] == ["Y7"]
