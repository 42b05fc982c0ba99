"""Clauses about what a seat does, of which ``narrate`` makes sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ginkgo_env.core.log import Row
from ginkgo_env.core.text import counted, joined
from ginkgo_env.games.ginkgopolis.constants import FIRST_NEW_BUILDING, GREEN_SPACE, NONE, EventTile, Item, Log
from ginkgo_env.games.ginkgopolis.tables import NAMES, TILE_VALUE
from ginkgo_env.games.ginkgopolis.text.reading import is_letter

_VALUE_II = TILE_VALUE[FIRST_NEW_BUILDING]
_EVENTS = {
    EventTile.DESIGN: "a design competition",
    EventTile.PRESS: "a press campaign",
    EventTile.EXPROPRIATION: "an expropriation",
    EventTile.CONTROL: "a quality control",
}
_ITEMS = ("resource", "tile", "SP")
_BACK = ("the tile goes back", "both tiles go back")


class ResolvedCard(NamedTuple):
    """The card being resolved, NONE if it was revealed in an earlier step, and the number of tiles on it."""

    card: int = NONE
    tiles: int = 0


def clauses_of(run: Sequence[Row], resolved: ResolvedCard) -> list[str]:
    """Return a clause for each kind of event in the run, in order of first occurrence."""
    kinds = dict.fromkeys(_PART_OF.get(Log(row[0]), Log(row[0])) for row in run)
    return [_CLAUSES[kind]([row for row in run if _PART_OF.get(Log(row[0]), row[0]) == kind], resolved) for kind in kinds]


def _some(n: int, thing: str) -> list[str]:
    """Return a number of unnamed things in words; empty if there are none."""
    return [] if n == 0 else [f"a {thing}" if n == 1 else f"{n} {thing}s"]


def _amounts(*numbers: int) -> str:
    """Return numbers of resources, tiles and SP in words, without those that are 0."""
    return joined([counted(n, word) for n, word in zip(numbers, _ITEMS, strict=True) if n])


def _totals(rows: Sequence[Row]) -> str:
    """Return the totals of GAIN or PAY rows in words."""
    return _amounts(*(sum(n for _, _, item, n in rows if item == kind) for kind in Item))


# --- a card is revealed ----------------------------------------------------------------------------------------------------


def _reveal(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    extras = [] if tile == NONE else [NAMES[tile]]
    for kind, _, event, _ in rows[1:]:
        if kind == Log.SHOW_LOWER:
            extras[-1] += " on a hidden tile"
        else:
            extras.append(_EVENTS[EventTile(event)])
    return f"reveals {NAMES[card]}" + (f" with {joined(extras)}" if extras else "")


def _fallback(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    where = f"at {NAMES[card]}" if is_letter(card) else f"on {NAMES[card]}"
    return f"cannot pay for {NAMES[tile]} {where}: {_BACK[resolved.tiles == 2]}, the card counts alone"


# --- the action ------------------------------------------------------------------------------------------------------------


def _draw(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name tiles as far as the reader may know them."""
    names = [NAMES[tile] for _, _, tile, _ in rows if tile != NONE]
    values = [rights for _, _, tile, rights in rows if tile == NONE]
    new = values.count(_VALUE_II)
    return f"draws {joined(names + _some(new, 'new building') + _some(len(values) - new, 'tile'))}"


def _place(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, tile, floors = rows[0]
    hidden = " on a hidden tile" if resolved.tiles == 2 else ""
    if tile == GREEN_SPACE:
        return f"lays out a green space{hidden}"
    if floors == 1 or is_letter(resolved.card):
        return f"lays {NAMES[tile]}{hidden} as a new building" + (f" of {floors} floors" if floors > 1 else "")
    where = f"on {NAMES[resolved.card]}" if resolved.card != NONE else "on top"
    below = " and a hidden tile under it" if hidden else ""
    return f"puts {NAMES[tile]}{below} {where} ({floors} floors now)"


def _return_resources(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, n, points = rows[0]
    return f"takes back {counted(n, 'resource')}" + (f" for {points} SP" if points else "")


def _operate(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name the buildings operated, and parks beside a new tile (X3.2)."""
    buildings = [f"{NAMES[tile]} ({counted(floors, 'floor')})" for kind, _, tile, floors in rows if kind == Log.OPERATE]
    parks = [f"a park of {counted(n, 'green space')}" for kind, _, n, _ in rows if kind == Log.PARK]
    things_of = {"operates": buildings, "urbanizes beside": parks}
    return " and ".join(f"{verb} {joined(things)}" for verb, things in things_of.items() if things)


# --- events ----------------------------------------------------------------------------------------------------------------


def _take_effect(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, kind, n = rows[0]
    event = _EVENTS[EventTile(kind)]
    if kind == EventTile.CONTROL:
        return f"holds {event}"
    if kind == EventTile.EXPROPRIATION:
        return f"carries out {event} with {counted(n, 'resource')}"
    return f"holds {event} for {counted(n, 'resource') if n else 'no resources'} in the zone"


_CLAUSES: dict[Log, Callable[[Sequence[Row], ResolvedCard], str]] = {
    Log.REVEAL: _reveal,
    Log.FALLBACK: _fallback,
    Log.GAIN: lambda rows, _: f"gains {_totals(rows)}",
    Log.PAY: lambda rows, _: f"pays {_totals(rows)}",
    Log.DRAW: _draw,
    Log.PLACE: _place,
    Log.RETURN_RESOURCES: _return_resources,
    Log.NEW_HAND: lambda rows, _: f"spends a New Hand token and exchanges {counted(rows[0][2], 'card')}",
    Log.GIVE_BACK: lambda rows, _: f"gives back {counted(rows[0][2], 'tile')}",
    Log.KEEP_CARD: lambda rows, _: f"keeps the card {NAMES[rows[0][2]]}",
    Log.OPERATE: _operate,
    Log.TAKE_EFFECT: _take_effect,
    Log.EVENT_BACK: lambda rows, _: f"cannot carry out {_EVENTS[EventTile(rows[0][2])]}: the event tile goes back",
    Log.EXPROPRIATE: lambda rows, _: f"loses {NAMES[rows[0][2]]} and takes back {counted(rows[0][3], 'resource')}",
    Log.CONTROL: lambda rows, _: f"pays {_amounts(rows[0][2], 0, rows[0][3])} for the quality control",
    Log.BUY: lambda rows, _: f"buys {counted(rows[0][2], 'resource')} for {rows[0][2]} SP",
}
_PART_OF = {Log.SHOW_LOWER: Log.REVEAL, Log.SHOW_EVENT: Log.REVEAL, Log.PARK: Log.OPERATE}
"""Events that are part of the clause of another event."""

BY_SEAT = frozenset(_CLAUSES) | frozenset(_PART_OF)
"""Events of a seat; other events belong to the table."""
