"""The table in text form and back (docs/design/text-forms.md, "Position")."""

from dataclasses import asdict
from typing import Any

from .city import Building, City
from .components import LETTERS, characters_in_order, in_order
from .expansion import events_in_order, experts_in_order
from .table import Chance, Commitment, Pending, Question, Side, Table, Zone

Json = dict[str, Any]
PILES = ("supply", "removed", "returned", "deck", "discard")
NUMBERS = ("round", "first_player", "ending", "exhaustions")
EXPANSION = ("new_buildings", "prestige", "green_spaces")  # in games with modules only


def commitment_to_json(commitment: Commitment | None, modules: bool) -> Json | None:
    """What lies in front of a screen."""
    if commitment is None:
        return None
    return asdict(commitment) if modules else {"card": commitment.card, "tile": commitment.tile}


def side_to_json(side: Side, modules: bool) -> Json:
    """One entry of the position's "players"."""
    base = {
        "points": side.points,
        "resources": side.resources,
        "supply": side.supply,
        "new_hands": side.new_hands,
        "characters": characters_in_order(side.characters),
        "packet": characters_in_order(side.packet),
        "hand": in_order(side.hand),
        "commitment": commitment_to_json(side.commitment, modules),
        "tiles": in_order(side.tiles),
        "returning": in_order(side.returning),
        "known_tiles": in_order(side.known_tiles),
        "tableau": in_order(side.tableau),
        "passed": in_order(side.passed),
    }
    if not modules:
        return base
    return base | {
        "expert": side.expert,
        "packet_experts": experts_in_order(side.packet_experts),
        "events": events_in_order(side.events),
        "events_played": events_in_order(side.events_played),
        "kept": side.kept,
        "lower_tiles": in_order(side.lower_tiles),
        "known_events": events_in_order(side.known_events),
    }


def building_to_json(building: Building) -> Json:
    """One entry of the position's "city"."""
    return {
        "cell": list(building.cell),
        "tile": building.tile,
        "floors": building.floors,
        "owner": building.owner,
        "pawn": building.pawn,
    }


def tokens_to_json(city: City) -> dict[str, list[int] | None]:
    """The cell of each token; None for the one in hand."""
    places = {letter: city.tokens[letter] for letter in LETTERS}
    return {letter: None if cell is None else list(cell) for letter, cell in places.items()}


def pending_to_json(pending: Pending | None, modules: bool) -> Json | None:
    """The position's "pending"."""
    if pending is None:
        return None
    if not modules:
        return {"player": pending.player, "action": pending.action, "draws": pending.draws}
    zone = pending.zone
    return asdict(pending) | {"zone": None if zone is None else {"cell": list(zone.cell), "center": zone.center}}


def to_position(table: Table, question: Question) -> Json:
    """The position, without "random" and "seed" (the oracle has no generator)."""
    modules = bool(table.modules)
    base = {
        "format": "ginkgo-position",
        "version": 1,
        "game": "ginkgopolis",
        "config": dict(table.config),
        "round": table.round,
        "first_player": table.first_player,
        "decision": {"kind": question.kind, "actor": question.actor},
        "ending": table.ending,
        "exhaustions": table.exhaustions,
        "pending": pending_to_json(table.pending, modules),
        "city": [building_to_json(plot) for plot in table.city.plots],
        "tokens": tokens_to_json(table.city),
        "buried": in_order(table.city.buried),
        "supply": list(table.supply),
        "removed": in_order(table.removed),
        "returned": in_order(table.returned),
        "deck": list(table.deck),
        "discard": in_order(table.discard),
        "players": [side_to_json(side, modules) for side in table.sides],
    }
    if not modules:
        return base
    return base | {
        "new_buildings": list(table.new_buildings),
        "prestige": in_order(table.prestige),
        "green_spaces": table.green_spaces,
    }


def copied(entry: Json) -> Json:
    """The fields of an entry; its lists will be changed."""
    return {key: list(value) if isinstance(value, list) else value for key, value in entry.items()}


def pending_from_json(entry: Json | None) -> Pending | None:
    """The action under way; the zone as an object."""
    if entry is None:
        return None
    zone = entry.get("zone")
    return Pending(**entry | {"zone": zone and Zone(tuple(zone["cell"]), zone["center"])})


def from_position(position: Json, chance: Chance) -> Table:
    """The table of a position (whatever decision is open there)."""
    sides = []
    for entry in position["players"]:
        lying = entry["commitment"]
        sides.append(Side(**copied(entry) | {"commitment": lying and Commitment(**lying)}))
    plots = [Building(**entry | {"cell": tuple(entry["cell"])}) for entry in position["city"]]
    tokens = {letter: None if cell is None else tuple(cell) for letter, cell in position["tokens"].items()}
    fields = copied({key: position[key] for key in (*PILES, *NUMBERS, *EXPANSION) if key in position})
    city = City(plots, tokens, list(position["buried"]))
    pending = pending_from_json(position["pending"])
    return Table(dict(position["config"]), chance, sides, city, pending=pending, **fields)
