"""Events: when they take effect, where, and what they do (X4)."""

from collections.abc import Callable
from itertools import combinations

from .city import Building, around
from .components import is_letter
from .draws import draw_tiles
from .expansion import EVENTS, EVENTS_KEPT
from .table import Commitment, Effect, Flow, Question, Side, Table, Zone

MOST_COUNTED = 9  # X4.4: design competition and press campaign
MOST_RECEIVED = 6  # X4.4: quality control


def deal_events(table: Table) -> Flow:
    """X4.1: two of the four kinds are kept; with experts each brings two."""
    if "experts" in table.modules:
        for side in table.sides:
            side.events = list(side.power.events)
        return
    for side in table.sides:
        side.events = list(EVENTS)
    for seat, side in enumerate(table.sides):
        pairs = {f"events:{'+'.join(pair)}": pair for pair in combinations(EVENTS, EVENTS_KEPT)}
        answer = yield Question("events", seat, list(pairs))
        side.events = list(pairs[answer])


def playable_events(table: Table, seat: int) -> list[str]:
    """The event tiles that may go with the committed card (X4.2)."""
    side = table.sides[seat]
    assert side.commitment is not None
    kinds = [kind for kind in EVENTS if kind in side.events]
    if names_a_strangers_building(table, seat, side.commitment.card):
        return kinds
    return [kind for kind in kinds if kind != "expropriation"]


def names_a_strangers_building(table: Table, seat: int, card: str) -> bool:
    """Whether a card names a building that belongs to another player now (X4.4)."""
    return not is_letter(card) and table.city.showing(card).owner not in (None, seat)


def show_event(table: Table, commitment: Commitment) -> None:
    """X4.2, X4.3: the event is shown with the card, and its zone is fixed."""
    pending = table.pending
    assert pending is not None
    if commitment.event is None:
        return
    pending.event, commitment.event = commitment.event, None
    if is_letter(commitment.card):
        cell = table.city.tokens[commitment.card]
        assert cell is not None
        pending.zone = Zone(cell, center=False)
    else:
        pending.zone = Zone(table.city.showing(commitment.card).cell, center=True)


def choose_timing(table: Table, seat: int) -> Flow:
    """X4.2: before or after the action."""
    pending = table.pending
    assert pending is not None
    if pending.event is None:
        return
    pending.phase = "timing"
    answer = yield Question("timing", seat, ["timing:before", "timing:after"])
    pending.timing = answer.removeprefix("timing:")
    pending.phase = "action"


def take_effect(table: Table, seat: int, timing: str) -> Flow:
    """The event, if this is its time; it leaves the game, or goes back if it had no effect (X4.4)."""
    pending, side = table.pending, table.sides[seat]
    assert pending is not None
    if pending.event is None or pending.timing != timing:
        return
    pending.phase = timing
    had_effect = yield from EFFECTS[pending.event](table, seat)
    (side.events_played if had_effect else side.events).append(pending.event)
    # X7.4: a tile that goes back has been shown, and is known until it takes effect
    side.known_events = [event for event in side.known_events if event != pending.event] + [pending.event] * (not had_effect)
    pending.event, pending.zone, pending.received = None, None, 0
    pending.phase = "action"


def zone_buildings(table: Table) -> list[Building]:
    """The buildings in the zone now (X4.3)."""
    assert table.pending is not None and table.pending.zone is not None
    zone = table.pending.zone
    cells = around(zone.cell) + ([zone.cell] if zone.center else [])
    return [building for building in table.city.buildings if building.cell in cells]


def resources_in_zone(table: Table, seat: int) -> int:
    """Resources of a player in the zone now."""
    return sum(building.floors for building in zone_buildings(table) if building.owner == seat)


def design_competition(table: Table, seat: int) -> Effect:
    """X4.4: a draw of its own, a tile for each own resource in the zone."""
    assert table.pending is not None
    table.pending.draws = min(MOST_COUNTED, resources_in_zone(table, seat))
    yield from draw_tiles(table, seat)
    return True


def press_campaign(table: Table, seat: int) -> Effect:
    """X4.4: 1 SP for each own resource in the zone."""
    table.sides[seat].points += min(MOST_COUNTED, resources_in_zone(table, seat))
    yield from ()
    return True


def expropriation(table: Table, seat: int) -> Effect:
    """X4.4: own resources replace those of another player's building."""
    assert table.pending is not None and table.pending.zone is not None
    yield from ()
    side, building = table.sides[seat], table.city.at(table.pending.zone.cell)
    assert building is not None
    if building.owner in (None, seat) or side.resources < building.floors:
        return False
    table.sides[building.owner].resources += building.floors
    building.owner = seat
    side.resources -= building.floors
    side.points += building.floors
    if side.resources == 0 and side.supply == 0:
        table.trigger_end("resources")  # R8.1
    return True


def quality_control(table: Table, seat: int) -> Effect:
    """X4.4: the others pay one after the other, clockwise from the one who played it."""
    assert table.pending is not None
    for payer in table.clockwise_from(seat)[1:]:
        other = table.sides[payer]
        owed = min(resources_in_zone(table, payer), other.resources + other.points)
        answer = yield Question("pay", payer, ways_to_pay(other, owed))
        resources = int(answer.removeprefix("pay:"))
        other.pay_resources(resources)
        other.points -= owed - resources
        received = min(owed - resources, MOST_RECEIVED - table.pending.received)
        table.pending.received += received
        table.sides[seat].points += received
    return True


def ways_to_pay(payer: Side, owed: int) -> list[str]:
    """How many of the owed are resources, the rest being SP."""
    return [f"pay:{count}" for count in range(max(0, owed - payer.points), min(owed, payer.resources) + 1)]


EFFECTS: dict[str, Callable[[Table, int], Effect]] = {
    "design": design_competition,
    "press": press_campaign,
    "expropriation": expropriation,
    "control": quality_control,
}
