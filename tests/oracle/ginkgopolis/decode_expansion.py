"""What observations say with modules, in the words of :mod:`decode`."""

from collections.abc import Callable
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.games.ginkgopolis.observe import (
    EVENT_PLANES,
    EXPANSION_CARD_PLANES,
    EXPANSION_CITY_PLANES,
    EXPANSION_PLAYER_FIELDS,
    EXPANSION_STATUS_FIELDS,
    EXPANSION_TILE_PLANES,
    EXPANSION_TURN_FIELDS,
    PENDING_FIELDS,
)

from .components import CARDS, TILES
from .expansion import EVENTS, EXPERTS

__all__ = [
    "CARD_COLUMNS",
    "EXPANSION_CARD_PLANES",
    "EXPANSION_CITY_PLANES",
    "EXPANSION_TILE_PLANES",
    "KINDS",
    "TILE_COLUMNS",
    "decode",
]

Json = dict[str, Any]
KINDS = ("events", "lower", "event", "keep", "timing", "split", "pay")
MODULES = ("new_buildings", "prestige", "green_spaces", "events", "keep_card", "experts")
NEW_BUILDINGS = [f"{color}{number}" for color in "RBY" for number in (21, 22, 23)]
CARD_COLUMNS = CARDS + NEW_BUILDINGS
TILE_COLUMNS = [*TILES, *NEW_BUILDINGS, *(f"{color}{number}" for color in "RBY" for number in (24, 25)), "GS"]


def _marked(row: Any, names: Any) -> list[str]:
    return [list(names)[i] for i in np.flatnonzero(row)]


def decode(seen: ginkgo_env.Observation) -> Json:
    """The blocks and fields that only games with modules have."""
    sides = len(seen["players"])
    status = seen["status"][-len(EXPANSION_STATUS_FIELDS) :].tolist()
    held = seen["events"][len(EVENT_PLANES) :]
    return {
        **dict(zip(EXPANSION_STATUS_FIELDS, status, strict=True)),
        "modules": _marked(seen["modules"][:-1], MODULES),
        "hand_size": int(seen["modules"][-1]),
        "packet_experts": _marked(seen["packet_experts"], EXPERTS),
        **{f"event {name}": _marked(seen["events"][i], EVENTS) for i, name in enumerate(EVENT_PLANES)},
        "pending": dict(zip(PENDING_FIELDS, seen["pending"].tolist(), strict=True)),
        "sides with modules": [
            {
                **dict(zip(EXPANSION_TURN_FIELDS, seen["turn"][k][-len(EXPANSION_TURN_FIELDS) :].tolist(), strict=True)),
                **dict(zip(EXPANSION_PLAYER_FIELDS, seen["players"][k][-len(EXPANSION_PLAYER_FIELDS) :].tolist(), strict=True)),
                "expert": _marked(seen["expert"][k], EXPERTS),
                "held": _marked(held[k], EVENTS),
                "played": _marked(held[sides + k], EVENTS),
            }
            for k in range(sides)
        ],
    }


def decode_view(view: Json, sides: int, cell: Callable[[list[int]], tuple[int, int]]) -> Json:
    """The oracle's view in the words of :func:`decode`, with the planes that come to those of the base game."""
    own, me = view["own"], view["seat"]
    mine = own["commitment"] or {"card": None, "tile": None, "lower": None, "event": None}
    event = mine["event"] or (view["pending"]["event"] if view["pending"] and view["pending"]["player"] == me else None)
    uppers = [side["upper"] for side in view["players"] if side["upper"]]
    return {
        "new_buildings": view["new_buildings"],
        "green_spaces": view["green_spaces"],
        "modules": list(view["modules"]),
        "hand_size": view["hand_size"],
        "kept": [own["kept"]] if own["kept"] else [],
        "tile lower": [mine["lower"]] if mine["lower"] else [],
        "tile resolving": uppers,
        "tile stacks": view["prestige"],
        "tile own_lower": own["lower_tiles"],
        "packet_experts": own["packet_experts"],
        "event screen": own["events"],
        "event committed": [event] if event else [],
        "pending": _pending(view["pending"], cell),
        "sides with modules": [_view_side(view, (me + k) % sides) for k in range(sides)],
    }


def _pending(pending: Json | None, cell: Callable[[list[int]], tuple[int, int]]) -> Json:
    facts = dict.fromkeys(PENDING_FIELDS, 0)
    if pending is None:
        return facts
    phase = {"timing": "timing", "before": "before_action", "after": "after_action"}.get(pending["phase"])
    for name in (phase, pending["timing"] and f"chose_{pending['timing']}", pending["event"]):
        if name:
            facts[name] = 1
    if pending["event"]:
        facts["zone_x"], facts["zone_y"] = cell(pending["zone"]["cell"])
        facts["zone_center"] = int(pending["zone"]["center"])
    facts |= {f"split_{choice}": n for choice, n in (pending["split"] or {}).items()}
    return facts | {"green_drawn": int(pending["green_drawn"]), "received": pending["received"]}


def _view_side(view: Json, seat: int) -> Json:
    side, own = view["players"][seat], view["own"]
    mine = seat == view["seat"]
    return {
        "has_lower_out": int(side["tiles_on_card"] == 2),
        "has_event_out": int(bool(side["event_on_card"] or (view["pending"] and _shows_event(view, seat)))),
        "events": side["event_count"],
        "lower_tiles": side["lower_count"],
        "expert": [e for e in [own["expert"] if mine else side["expert"]] if e],
        "held": side["events"],
        "played": side["events_played"],
    }


def _shows_event(view: Json, seat: int) -> bool:
    return view["pending"]["player"] == seat and view["pending"]["event"] is not None
