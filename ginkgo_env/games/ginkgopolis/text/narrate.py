"""Log rows as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.log import Row, runs_of
from ginkgo_env.games.ginkgopolis.constants import N_TILES, NONE, SQUARE, Ending, Log, Shuffle
from ginkgo_env.games.ginkgopolis.tables import EXPERT_NAMES, NAMES
from ginkgo_env.games.ginkgopolis.text.clauses import BY_SEAT, ResolvedCard, clauses_of
from ginkgo_env.games.ginkgopolis.text.words import say

_WITH_REVEAL = (Log.SHOW_LOWER, Log.SHOW_EVENT)
_FIRST = (Log.REVEAL, Log.TAKE_EFFECT, Log.EVENT_BACK)  # these begin a sentence
_LAST = (Log.REVEAL, *_WITH_REVEAL, Log.FALLBACK, Log.EVENT_BACK)  # these end a sentence
_EXHAUSTED = {1: "The tile supply is exhausted for the first time.", 2: "The tile supply is exhausted for the second time."}
_ENDINGS = {
    Ending.TILES: "The tile supply is empty for good: this is the last round.",
    Ending.RESOURCES: "All resources of one player are placed: this is the last round.",
    Ending.MAX_ROUNDS: "The game is cut off after this round.",
}


def narrate(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; consecutive actions of a seat make one sentence.

    A DRAW row with the tile NONE is a tile that the reader may not see; shuffles may lack their items.
    """
    sentences: list[str] = []
    resolved = ResolvedCard()
    for run in runs_of(rows, _goes_on):
        kind, seat, _, _ = run[0]
        resolved = _resolved_card(run, resolved)
        if kind in BY_SEAT:
            sentences.append(f"{names[seat]} {say.joined(clauses_of(run, resolved))}.")
        else:
            sentences.extend(_TABLE[Log(kind)](run, names, rows))
    return sentences


def _resolved_card(run: Sequence[Row], resolved: ResolvedCard) -> ResolvedCard:
    """Return the card being resolved after the first row of a run."""
    kind, _, second, third = run[0]
    if kind == Log.REVEAL:
        return ResolvedCard(second, (third != NONE) + any(row[0] == Log.SHOW_LOWER for row in run))
    if kind == Log.ACT:
        return ResolvedCard(second, third)
    return ResolvedCard(third) if kind == Log.REPLACED else resolved


def _goes_on(run: list[Row], row: Row) -> bool:
    """Whether a row belongs to the sentence of a run: of the same seat, or a detail of an event of the table."""
    last = run[-1]
    if row[0] in _WITH_REVEAL:
        return True
    if row[0] in _FIRST or last[0] in _LAST:
        return False
    if row[0] in BY_SEAT:
        return last[0] in BY_SEAT and last[1] == row[1]
    return row[0] == Log.ITEM or (row[0] == Log.TOKEN and last[0] == Log.TOKEN)


# --- what happens on the table ---------------------------------------------------------------------------------------------


def _outcome(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, kind, n, seat = run[0]
    items = [item for _, item, _, _ in run[1:]]
    if kind == Shuffle.START_TILES:
        tiles = [NAMES[item] for item in items]
        square = " / ".join(" ".join(tiles[i : i + SQUARE]) for i in range(0, n, SQUARE))
        return [say("The start square: {tiles}.", tiles=square)]
    if kind == Shuffle.SETS:
        shares = [say("{name} gets set {n}", name=name, n=number) for name, number in zip(names, items, strict=False)]
        return [say("Characters: {shares}.", shares=", ".join(shares))]
    if kind == Shuffle.RANDOM_EXPERT:
        expert = say(EXPERT_NAMES[items[0]])
        return [say("{name} has found no expert and gets one of those left over: {expert}.", name=names[seat], expert=expert)]
    known = kind in _SHUFFLED and not _is_of_setup(run[0], rows)
    return [say(_SHUFFLED[Shuffle(kind)], n=n)] if known else []


def _is_of_setup(outcome: Row, rows: Sequence[Row]) -> bool:
    """Whether a shuffle belongs to the setup."""
    kinds = [row[:2] for row in rows]
    return (Log.OUTCOME, Shuffle.START_TILES) in kinds and kinds.index(outcome[:2]) == rows.index(outcome)


_SHUFFLED = {
    Shuffle.DECK: "The deck is shuffled anew: {n} cards.",
    Shuffle.RETURNED_TILES: "The tiles given back are shuffled and become the new supply of {n}.",
    Shuffle.NEW_BUILDINGS: "The new buildings given back are shuffled into their stack: {n} tiles.",
}


def _token(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    first, *pushed = [(NAMES[N_TILES + letter], f"({x}, {y})") for _, letter, x, y in run]
    others = "".join(say(", pushing {token} to {cell}", token=letter, cell=cell) for letter, cell in pushed)
    return [say("Token {token} goes to {cell}{others}.", token=first[0], cell=first[1], others=others)]


def _replaced(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    _, first, second, used = run[0]
    sentence = "{name}'s second card {second} is no better and is discarded."
    if used == second:
        sentence = "{name}'s second card {second} replaces {first}."
    return [say(sentence, name=names[1], first=NAMES[first], second=NAMES[second])]


def _ending(run: Sequence[Row], names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    if run[0][1] != Ending.WILLIAM:
        return [say(_ENDINGS[Ending(run[0][1])])]
    placed = rows.index(run[0]) > 0 and rows[rows.index(run[0]) - 1][0] == Log.PLACE
    sentence = "{name} has placed his last resource: the game ends." if placed else "{name} cannot pay: the game ends."
    return [say(sentence, name=names[1])]


_TABLE: dict[Log, Callable[[Sequence[Row], Sequence[str], Sequence[Row]], list[str]]] = {
    Log.OUTCOME: _outcome,
    Log.TOKEN: _token,
    Log.EXHAUSTED: lambda run, _, __: [say(_EXHAUSTED[run[0][1]])],
    Log.REPLACED: _replaced,
    Log.ENDING: _ending,
    Log.ROUND: lambda run, names, _: [say("Round {n} begins, {name} is first.", n=run[0][1], name=names[run[0][2]])],
    Log.ACT: lambda run, _, __: [],  # only sets the card being resolved
}
