"""Rows of a log as lines of what a seat may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ginkgo_env.core.log import Row, runs_of
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    N_TILES,
    NONE,
    WILLIAM,
    Ending,
    Item,
    Log,
    Shuffle,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EXPERT_NAMES, NAMES, TILE_VALUE

Line = dict[str, Any]

_VALUE_II = int(TILE_VALUE[FIRST_NEW_BUILDING])


def runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Group rows that make one line: a shuffle with its items, consecutive draws of one seat."""
    return runs_of(rows, lambda run, row: row[0] == Log.ITEM or (row[0] == Log.DRAW and row[:2] == run[-1][:2]))


def hidden_draw(row: Row) -> Row:
    """Return a DRAW row as others see it: without the tile, unless it was taken face up (X7.4)."""
    kind, seat, _, rights = row
    return row if rights not in (0, _VALUE_II) else (kind, seat, NONE, rights)


def draw_line(run: Sequence[Row], *, secret: bool) -> Line:
    """Describe the tiles that a seat draws; if drawn in secret, their number and what everybody sees."""
    names = [NAMES[tile] for _, _, tile, _ in run if tile != NONE]
    if not secret:
        return {"seat": run[0][1], "draws": names}
    new = sum(tile == NONE and rights == _VALUE_II for _, _, tile, rights in run)
    more: Line = {"new_buildings": new} if new else {}
    return {"seat": run[0][1], "draws": len(run)} | more | ({"open": names} if names else {})


def shuffle_line(run: Sequence[Row]) -> Line:
    """Describe a random outcome as far as everybody sees it."""
    which = Shuffle(run[0][1])
    items = [item for _, item, _, _ in run[1:]]
    line: Line = {"random": which.name.lower()}
    if which == Shuffle.FIRST_PLAYER:
        line["outcome"] = items[0]
    elif which == Shuffle.START_TILES:
        line["outcome"] = [NAMES[i] for i in items]
    elif which == Shuffle.RANDOM_EXPERT:
        line |= {"seat": run[0][3], "outcome": EXPERT_NAMES[items[0]]}
    return line


def commitment(card: int, tile: int) -> str:
    """Return card and tile in the notation of actions."""
    return NAMES[card] + ("" if tile == NONE else f"+{NAMES[tile]}")


def _item(number: int) -> str:
    return Item(number).name.lower()


LINES: dict[Log, Callable[[Row], Line]] = {
    Log.FALLBACK: lambda row: {"seat": row[1], "cannot_pay": commitment(row[2], row[3])},
    Log.GAIN: lambda row: {"seat": row[1], "gains": _item(row[2]), "number": row[3]},
    Log.PAY: lambda row: {"seat": row[1], "pays": _item(row[2]), "number": row[3]},
    Log.PLACE: lambda row: {"seat": row[1], "builds": NAMES[row[2]], "floors": row[3]},
    Log.RETURN_RESOURCES: lambda row: {"seat": row[1], "takes_back": row[2], "points": row[3]},
    Log.TOKEN: lambda row: {"token": NAMES[N_TILES + row[1]], "cell": [row[2], row[3]]},
    Log.EXHAUSTED: lambda row: {"exhaustions": row[1]},
    Log.KEEP_CARD: lambda row: {"seat": row[1], "keeps": NAMES[row[2]]},
    Log.REPLACED: lambda row: {"seat": WILLIAM, "second_card": NAMES[row[2]], "uses": NAMES[row[3]]},
    Log.ENDING: lambda row: {"ending": Ending(row[1]).name.lower()},
    Log.OPERATE: lambda row: {"seat": row[1], "operates": NAMES[row[2]], "floors": row[3]},
    Log.SHOW_LOWER: lambda row: {"seat": row[1], "second_tile": True},
    Log.SHOW_EVENT: lambda row: {"seat": row[1], "event": EVENT_NAMES[row[2]]},
    Log.TAKE_EFFECT: lambda row: {"seat": row[1], "takes_effect": EVENT_NAMES[row[2]], "resources": row[3]},
    Log.EVENT_BACK: lambda row: {"seat": row[1], "goes_back": EVENT_NAMES[row[2]]},
    Log.EXPROPRIATE: lambda row: {"seat": row[1], "loses": NAMES[row[2]], "takes_back": row[3]},
    Log.CONTROL: lambda row: {"seat": row[1], "pays_control": {"resources": row[2], "points": row[3]}},
    Log.PARK: lambda row: {"seat": row[1], "park": row[2], "points": row[3]},
    Log.BUY: lambda row: {"seat": row[1], "buys": row[2]},
}
"""Lines of events that depend on their row alone. ACT has none, as it adds nothing."""
