"""An observation back in words, and the oracle's view in the same words, so that the two can be compared."""

from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.games.ginkgopolis.constants import N_TILES
from ginkgo_env.games.ginkgopolis.observe import CARD_PLANES, CITY_PLANES, PLAYER_FIELDS, STATUS_FIELDS, TILE_PLANES, TURN_FIELDS

from . import decode_expansion as expansion
from .components import CARDS, CHARACTERS, in_order

Json = dict[str, Any]
KINDS = ("draft", "commit", "take", "token", "return")
COLORS = "RBY"


def _cards(plane: Any) -> list[str]:
    return in_order([expansion.CARD_COLUMNS[i] for i in np.flatnonzero(plane)])


def _tiles(plane: Any) -> list[str]:
    """Tiles in order; a green space as often as the plane says."""
    return in_order([name for name, n in zip(expansion.TILE_COLUMNS, plane.tolist(), strict=False) for _ in range(n)])


def decode(seen: ginkgo_env.Observation, seat: int) -> Json:
    """Blocks of an observation as facts; seats are relative to the viewer in both."""
    modules = "modules" in seen
    kinds = KINDS + (expansion.KINDS if modules else ())
    card_planes = CARD_PLANES + (expansion.EXPANSION_CARD_PLANES if modules else ())
    tile_planes = TILE_PLANES + (expansion.EXPANSION_TILE_PLANES if modules else ())
    status = dict(zip(STATUS_FIELDS, seen["status"].tolist(), strict=False))
    sides = len(seen["players"])
    kind = [kinds[i] for i in np.flatnonzero(seen["decision"])]
    cards = {name: _cards(seen["cards"][i]) for i, name in enumerate(card_planes)}
    tiles = {name: _tiles(seen["tiles"][i]) for i, name in enumerate(tile_planes)}
    facts = {
        "kind": kind[0] if kind else "over",
        **{name: status[name] for name in ("round", "exhaustions", "supply_tiles", "deck_cards", "end_triggered", "draws_due")},
        **cards,
        **{f"tile {name}": ids for name, ids in tiles.items()},
        "packet": [c for c, n in zip(CHARACTERS, seen["packet"], strict=True) for _ in range(n)],
        "city": [_building(row, sides) for row in seen["city"].T if row[0]],
        "tokens": {CARDS[N_TILES + i]: (int(x), int(y)) if placed else None for i, (placed, x, y) in enumerate(seen["tokens"].T)},
        "hand cells": _hand_cells(seen),
        "sides": [_side(seen, k, len(card_planes), len(tile_planes)) for k in range(sides)],
    }
    return facts | (expansion.decode(seen) if modules else {})


def _hand_cells(seen: ginkgo_env.Observation) -> Json:
    """Where what each card in hand names lies; places follow the columns of cards."""
    cards = [expansion.CARD_COLUMNS[i] for i in np.flatnonzero(seen["cards"][CARD_PLANES.index("hand")])]
    return {card: (int(row[9]), int(row[10])) for card, row in zip(cards, seen["hand"][: len(cards)], strict=True)}


def _building(row: Any, sides: int) -> Json:
    f = dict(zip(CITY_PLANES, row.tolist(), strict=False))
    color = "".join(c for c, name in zip(COLORS, ("red", "blue", "yellow"), strict=True) if f[name])
    planes = len(CITY_PLANES) + (len(expansion.EXPANSION_CITY_PLANES) if len(row) > len(CITY_PLANES) + sides else 0)
    owner = np.flatnonzero(row[planes:]).tolist()
    return {
        "cell": (f["x"], f["y"]),
        "tile": f"{color}{f['number']}" if color else "GS" if row[len(CITY_PLANES)] and not f["number"] else "?",
        "floors": f["floors"],
        "pawn": bool(f["pawn"]),
        "owner": owner[0] if owner else None,
    }


def _side(seen: ginkgo_env.Observation, k: int, card_planes: int, tile_planes: int) -> Json:
    turn = dict(zip(TURN_FIELDS, seen["turn"][k].tolist(), strict=False))
    return {
        **{name: bool(value) for name, value in turn.items()},
        **dict(zip(PLAYER_FIELDS, seen["players"][k].tolist(), strict=False)),
        "characters": [c for c, n in zip(CHARACTERS, seen["characters"][k], strict=True) for _ in range(n)],
        "tableau": _cards(seen["cards"][card_planes + k]),
        "known_tiles": _tiles(seen["tiles"][tile_planes + k]),
    }


def decode_view(view: Json, sides: int) -> Json:
    """The oracle's view in the words of :func:`decode`."""
    me, own = view["seat"], view["own"]
    kind, actor = view["decision"]["kind"], view["decision"]["actor"]
    pending = view["pending"] or {"player": None, "draws": 0}
    west = min(b["cell"][0] for b in view["city"]) - 1
    north = min(b["cell"][1] for b in view["city"]) - 1

    def cell(place: list[int]) -> tuple[int, int]:
        return place[0] - west, place[1] - north

    def relative(seat: int | None) -> int | None:
        return None if seat is None else (seat - me) % sides

    tops = {b["tile"]: cell(b["cell"]) for b in view["city"]}
    tokens = {letter: None if place is None else cell(place) for letter, place in view["tokens"].items()}
    mine = own["commitment"] or {"card": None, "tile": None, "lower": None, "event": None}
    resolving = [side["card"] for side in view["players"] if side["card"]]
    known = in_order(own["right_knows"] + _known_commitment(view, mine["card"]) + own.get("right_knows_kept", []))
    facts = {
        "kind": kind,
        "round": view["round"],
        "exhaustions": view["exhaustions"],
        "supply_tiles": view["supply"],
        "deck_cards": view["deck"],
        "end_triggered": int(view["ending"] is not None),
        "draws_due": pending["draws"],
        "hand": own["hand"],
        "committed": [mine["card"]] if mine["card"] else [],
        "left_has": own["passed"],
        "right_knows": known,
        "discard": view["discard"],
        "resolving": resolving,
        "tile screen": own["tiles"],
        "tile committed": [mine["tile"]] if mine["tile"] else [],
        "tile aside": own["returning"],
        "tile returned": view["returned"],
        "tile buried": view["buried"],
        "packet": own["packet"],
        "city": [
            {
                "cell": cell(b["cell"]),
                "tile": b["tile"],
                "floors": b["floors"],
                "pawn": b["pawn"],
                "owner": relative(b["owner"]),
            }
            for b in view["city"]
        ],
        "tokens": tokens,
        "hand cells": {c: tops[c] if c in tops else tokens[c] or (0, 0) for c in own["hand"]},
        "sides": [_view_side(view, (me + k) % sides, actor, pending["player"], own) for k in range(sides)],
    }
    return facts | (expansion.decode_view(view, sides, cell) if "prestige" in view else {})


def _known_commitment(view: Json, card: str | None) -> list[str]:
    """One's own committed card, if the right neighbor passed it and it is not revealed yet."""
    return [card] if card and card in view["own"]["right_knows_committed"] else []


def _view_side(view: Json, seat: int, actor: int | None, resolving: int | None, own: Json) -> Json:
    side, kind = view["players"][seat], view["decision"]["kind"]
    alone = view["alone"]
    choosing = kind in ("commit", "lower", "event", "keep") and side["committed"] and not (alone and seat == 1)
    characters = side["characters"] if side["characters"] is not None else []
    return {
        "is_actor": seat == actor,
        "is_first": seat == view["first_player"],
        "is_resolving": seat == resolving,
        "has_card_out": side["committed"],
        "has_tile_out": bool(side["tile_on_card"]),
        "points": min(255, side["points"]),
        "resources": side["resources"],
        "supply_resources": side["supply"],
        "new_hands": side["new_hands"],
        "tiles": side["tiles"],
        "cards": side["hand"] + int(choosing) + int(choosing and side.get("kept", False)),
        "characters": own["characters"] if seat == view["seat"] else characters,
        "tableau": side["tableau"],
        "known_tiles": side["known_tiles"],
    }
