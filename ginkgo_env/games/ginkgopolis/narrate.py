"""What happened, in sentences that a player would say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ginkgo_env.games.ginkgopolis.constants import N_TILES, NONE, SQUARE, Ending, Event, Item, Shuffle
from ginkgo_env.games.ginkgopolis.tables import CARD_NAMES

Row = tuple[int, int, int, int]

_BY_SEAT = frozenset(
    {
        *(Event.REVEAL, Event.FALLBACK, Event.GAIN, Event.PAY, Event.DRAW, Event.PLACE, Event.RETURN_RESOURCES),
        *(Event.NEW_HAND, Event.GIVE_BACK, Event.KEEP_CARD, Event.OPERATE),
    }
)
_TIMES = ("", "first", "second")
_ENDINGS = {
    Ending.TILES: "The tile supply is empty for good: this is the last round.",
    Ending.RESOURCES: "All resources of one player are placed: this is the last round.",
    Ending.MAX_ROUNDS: "The game is cut off after this round.",
}


def narrate(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """The rows of a log as sentences; what a seat does in a row is one sentence.

    A DRAW row with the tile NONE is a tile that the listener does not see, and shuffles may come without their items.
    """
    said: list[str] = []
    card = NONE  # the one being resolved
    for run in _runs(rows):
        kind, seat, shown, _ = run[0]
        card = shown if kind == Event.REVEAL else run[0][3] if kind == Event.REPLACED else card
        if kind in _BY_SEAT:
            said.append(f"{names[seat]} {_joined(_clauses(run, card))}.")
        else:
            said.extend(_TABLE[Event(kind)](run, names, rows))
    return [sentence[0].upper() + sentence[1:] if sentence.startswith("token") else sentence for sentence in said]


def _runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows that make one sentence: one seat's, or one event of the table with what belongs to it."""
    run: list[Row] = []
    for row in rows:
        if run and not _goes_on(run[-1], row):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _goes_on(last: Row, row: Row) -> bool:
    if row[0] == Event.REVEAL or last[0] in (Event.REVEAL, Event.FALLBACK):
        return False
    if row[0] in _BY_SEAT:
        return last[0] in _BY_SEAT and last[1] == row[1]
    return row[0] == Event.ITEM or (row[0] == Event.TOKEN and last[0] == Event.TOKEN)


# --- a seat's clauses ------------------------------------------------------------------------------------------------------


def _clauses(run: Sequence[Row], card: int) -> list[str]:
    """One clause for each kind of event in the run, in the order in which the kinds first come up."""
    kinds = list(dict.fromkeys(row[0] for row in run))
    return [_CLAUSES[Event(kind)]([row for row in run if row[0] == kind], card) for kind in kinds]


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _counted(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 or thing == "SP" else f"{n} {thing}s"


def _items(rows: Sequence[Row]) -> str:
    """What GAIN or PAY rows add up to."""
    totals = [sum(n for _, _, item, n in rows if item == which) for which in Item]
    return _joined([_counted(n, word) for n, word in zip(totals, ("resource", "tile", "SP"), strict=True) if n])


def _reveal(rows: Sequence[Row], _: int) -> str:
    _, _, card, tile = rows[0]
    return f"reveals {CARD_NAMES[card]}" + (f" with {CARD_NAMES[tile]}" if tile != NONE else "")


def _fallback(rows: Sequence[Row], _: int) -> str:
    _, _, card, tile = rows[0]
    where = f"on {CARD_NAMES[card]}" if card < N_TILES else f"at {CARD_NAMES[card]}"
    return f"cannot pay for {CARD_NAMES[tile]} {where}: the tile goes back, the card counts alone"


def _draw(rows: Sequence[Row], _: int) -> str:
    tiles = [tile for _, _, tile, _ in rows]
    if NONE in tiles:
        return "draws a tile" if len(tiles) == 1 else f"draws {len(tiles)} tiles"
    return f"draws {_joined([CARD_NAMES[tile] for tile in tiles])}"


def _place(rows: Sequence[Row], card: int) -> str:
    _, _, tile, floors = rows[0]
    if floors == 1:
        return f"lays {CARD_NAMES[tile]} as a new building"
    where = f"on {CARD_NAMES[card]}" if card != NONE else "on top"
    return f"puts {CARD_NAMES[tile]} {where} ({floors} floors now)"


def _return_resources(rows: Sequence[Row], _: int) -> str:
    _, _, n, points = rows[0]
    return f"takes back {_counted(n, 'resource')}" + (f" for {points} SP" if points else "")


def _operate(rows: Sequence[Row], _: int) -> str:
    buildings = [f"{CARD_NAMES[tile]} ({_counted(floors, 'floor')})" for _, _, tile, floors in rows]
    return f"lets {_joined(buildings)} work"


_CLAUSES: dict[Event, Callable[[Sequence[Row], int], str]] = {
    Event.REVEAL: _reveal,
    Event.FALLBACK: _fallback,
    Event.GAIN: lambda rows, _: f"gains {_items(rows)}",
    Event.PAY: lambda rows, _: f"pays {_items(rows)}",
    Event.DRAW: _draw,
    Event.PLACE: _place,
    Event.RETURN_RESOURCES: _return_resources,
    Event.NEW_HAND: lambda rows, _: f"spends a New Hand token and exchanges {_counted(rows[0][2], 'card')}",
    Event.GIVE_BACK: lambda rows, _: f"gives back {_counted(rows[0][2], 'tile')}",
    Event.KEEP_CARD: lambda rows, _: f"keeps the card {CARD_NAMES[rows[0][2]]}",
    Event.OPERATE: _operate,
}

# --- what happens on the table ---------------------------------------------------------------------------------------------


def _outcome(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, which, n, _ = run[0]
    items = [item for _, item, _, _ in run[1:]]
    if which == Shuffle.START_TILES:
        tiles = [CARD_NAMES[item] for item in items]
        return [f"The start square: {' / '.join(' '.join(tiles[i : i + SQUARE]) for i in range(0, n, SQUARE))}."]
    if which == Shuffle.RETURNED_TILES:
        return [f"The tiles given back are shuffled and become the new supply of {n}."]
    setting_up = (Event.OUTCOME, Shuffle.START_TILES) in {row[:2] for row in rows}
    if which == Shuffle.DECK and not setting_up:
        return [f"The deck is shuffled anew: {n} cards."]
    if which == Shuffle.SETS:
        shares = [f"{name} gets set {number}" for name, number in zip(names, items, strict=False)]
        return [f"Characters: {', '.join(shares)}."]
    return []


def _token(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    first, *pushed = [(CARD_NAMES[N_TILES + letter], f"({x}, {y})") for _, letter, x, y in run]
    others = "".join(f", pushing {letter} to {cell}" for letter, cell in pushed)
    return [f"token {first[0]} goes to {first[1]}{others}."]


def _replaced(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, first, second, used = run[0]
    if used == second:
        return [f"{names[1]}'s second card {CARD_NAMES[second]} replaces {CARD_NAMES[first]}."]
    return [f"{names[1]}'s second card {CARD_NAMES[second]} is no better and is discarded."]


def _ending(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    if run[0][1] != Ending.WILLIAM:
        return [_ENDINGS[Ending(run[0][1])]]
    placed = rows.index(run[0]) > 0 and rows[rows.index(run[0]) - 1][0] == Event.PLACE
    return [f"{names[1]} {'has placed his last resource' if placed else 'cannot pay'}: the game ends."]


def _round(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    return [f"Round {run[0][1]} begins, {names[run[0][2]]} is first."]


_TABLE: dict[Event, Callable[[Sequence[Row], Sequence[str], Sequence[Row]], list[str]]] = {
    Event.OUTCOME: _outcome,
    Event.TOKEN: _token,
    Event.EXHAUSTED: lambda run, _, __: [f"The tile supply is exhausted for the {_TIMES[run[0][1]]} time."],
    Event.REPLACED: _replaced,
    Event.ENDING: _ending,
    Event.ROUND: _round,
}
