"""Clauses about what a seat does, of which ``narrate`` makes sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ginkgo_env.core.log import Row
from ginkgo_env.games.ginkgopolis.constants import FIRST_NEW_BUILDING, GREEN_SPACE, NONE, EventTile, Item, Log
from ginkgo_env.games.ginkgopolis.tables import NAMES, TILE_VALUE
from ginkgo_env.games.ginkgopolis.text.reading import is_letter
from ginkgo_env.games.ginkgopolis.text.words import say

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
    return [] if n == 0 else [say(f"a {thing}") if n == 1 else say.counted(n, thing)]


def _amounts(*numbers: int) -> str:
    """Return numbers of resources, tiles and SP in words, without those that are 0."""
    return say.joined([say.counted(n, word) for n, word in zip(numbers, _ITEMS, strict=True) if n])


def _totals(rows: Sequence[Row]) -> str:
    """Return the totals of GAIN or PAY rows in words."""
    return _amounts(*(sum(n for _, _, item, n in rows if item == kind) for kind in Item))


# --- a card is revealed ----------------------------------------------------------------------------------------------------


def _reveal(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    extras = [] if tile == NONE else [NAMES[tile]]
    for kind, _, event, _ in rows[1:]:
        if kind == Log.SHOW_LOWER:
            extras[-1] = say("{tile} on a hidden tile", tile=extras[-1])
        else:
            extras.append(say(_EVENTS[EventTile(event)]))
    if not extras:
        return say("reveals {card}", card=NAMES[card])
    return say("reveals {card} with {things}", card=NAMES[card], things=say.joined(extras))


def _fallback(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, card, tile = rows[0]
    where = say("at {card}" if is_letter(card) else "on {card}", card=NAMES[card])
    back = say(_BACK[resolved.tiles == 2])
    return say("cannot pay for {tile} {where}: {back}, the card counts alone", tile=NAMES[tile], where=where, back=back)


# --- the action ------------------------------------------------------------------------------------------------------------


def _draw(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name tiles as far as the reader may know them."""
    names = [NAMES[tile] for _, _, tile, _ in rows if tile != NONE]
    values = [rights for _, _, tile, rights in rows if tile == NONE]
    new = values.count(_VALUE_II)
    return say("draws {things}", things=say.joined(names + _some(new, "new building") + _some(len(values) - new, "tile")))


def _place(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, tile, floors = rows[0]
    two, name = resolved.tiles == 2, NAMES[tile]
    if tile == GREEN_SPACE:
        return say("lays out a green space on a hidden tile" if two else "lays out a green space")
    if floors == 1 or is_letter(resolved.card):
        laid = say("{tile} on a hidden tile", tile=name) if two else name
        built = "lays {tile} as a new building of {n} floors" if floors > 1 else "lays {tile} as a new building"
        return say(built, tile=laid, n=floors)
    where = say("on {card}", card=NAMES[resolved.card]) if resolved.card != NONE else say("on top")
    put = "puts {tile} and a hidden tile under it {where} ({n} floors now)" if two else "puts {tile} {where} ({n} floors now)"
    return say(put, tile=name, where=where, n=floors)


def _return_resources(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, n, points = rows[0]
    taken = "takes back {resources} for {points} SP" if points else "takes back {resources}"
    return say(taken, resources=say.counted(n, "resource"), points=points)


def _operate(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    """Name the buildings operated, and parks beside a new tile (X3.2)."""
    buildings = [f"{NAMES[tile]} ({say.counted(floors, 'floor')})" for kind, _, tile, floors in rows if kind == Log.OPERATE]
    parks = [say("a park of {spaces}", spaces=say.counted(n, "green space")) for kind, _, n, _ in rows if kind == Log.PARK]
    things_of = {"operates {things}": buildings, "urbanizes beside {things}": parks}
    return say.joined([say(clause, things=say.joined(things)) for clause, things in things_of.items() if things])


# --- events ----------------------------------------------------------------------------------------------------------------


def _take_effect(rows: Sequence[Row], resolved: ResolvedCard) -> str:
    _, _, kind, n = rows[0]
    event, resources = say(_EVENTS[EventTile(kind)]), say.counted(n, "resource") if n else say("no resources")
    if kind == EventTile.CONTROL:
        return say("holds {event}", event=event)
    if kind == EventTile.EXPROPRIATION:
        return say("carries out {event} with {resources}", event=event, resources=say.counted(n, "resource"))
    return say("holds {event} for {resources} in the zone", event=event, resources=resources)


_CLAUSES: dict[Log, Callable[[Sequence[Row], ResolvedCard], str]] = {
    Log.REVEAL: _reveal,
    Log.FALLBACK: _fallback,
    Log.GAIN: lambda rows, _: say("gains {things}", things=_totals(rows)),
    Log.PAY: lambda rows, _: say("pays {things}", things=_totals(rows)),
    Log.DRAW: _draw,
    Log.PLACE: _place,
    Log.RETURN_RESOURCES: _return_resources,
    Log.NEW_HAND: lambda rows, _: say("spends a New Hand token and exchanges {cards}", cards=say.counted(rows[0][2], "card")),
    Log.GIVE_BACK: lambda rows, _: say("gives back {tiles}", tiles=say.counted(rows[0][2], "tile")),
    Log.KEEP_CARD: lambda rows, _: say("keeps the card {card}", card=NAMES[rows[0][2]]),
    Log.OPERATE: _operate,
    Log.TAKE_EFFECT: _take_effect,
    Log.EVENT_BACK: lambda rows, _: say(
        "cannot carry out {event}: the event tile goes back", event=say(_EVENTS[EventTile(rows[0][2])])
    ),
    Log.EXPROPRIATE: lambda rows, _: say(
        "loses {tile} and takes back {resources}", tile=NAMES[rows[0][2]], resources=say.counted(rows[0][3], "resource")
    ),
    Log.CONTROL: lambda rows, _: say("pays {things} for the quality control", things=_amounts(rows[0][2], 0, rows[0][3])),
    Log.BUY: lambda rows, _: say("buys {resources} for {n} SP", resources=say.counted(rows[0][2], "resource"), n=rows[0][2]),
}
_PART_OF = {Log.SHOW_LOWER: Log.REVEAL, Log.SHOW_EVENT: Log.REVEAL, Log.PARK: Log.OPERATE}
"""Events that are part of the clause of another event."""

BY_SEAT = frozenset(_CLAUSES) | frozenset(_PART_OF)
"""Events of a seat; other events belong to the table."""
