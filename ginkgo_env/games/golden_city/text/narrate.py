"""Log rows as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.log import Row
from ginkgo_env.core.text import counted, joined
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    DISPLAYED,
    NOBODY,
    NONE,
    Ending,
    Good,
    Log,
    Quarter,
    Reward,
    River,
    Shuffle,
    Source,
)
from ginkgo_env.games.golden_city.text.reading import LANDSCAPES, PAIRS
from ginkgo_env.games.golden_city.text.visible import runs

_REWARDS = {
    Reward.CARD: "landscape card",
    Reward.COIN: "coin",
    Reward.TWO_COINS: "coin",
    Reward.KEY: "key card",
    Reward.BONUS: "bonus card",
    Reward.GOODS: "goods card",
}
_ENDINGS = {
    Ending.HOUSES: "has built all houses",
    Ending.BLOCKED: "can never build again",
}
_LETTERS = {
    Source.OUTER: "for a house in an outer district",
    Source.INNER: "for a house in an inner district",
    Source.GOODS: "for goods",
    Source.RIVERS: "for houses at the river",
    Source.QUARTERS: "for houses in the quarter",
}


def narrate(rows: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; NONE stands for a card that the reader may not see."""
    sentences: list[str] = []
    first_deal = any(row[:2] == (Log.OUTCOME, Shuffle.GOODS) for row in rows)
    for run in runs(rows):
        if run[0][0] == Log.OUTCOME:
            sentences += _outcome(run, board, names, first_deal)
        else:
            sentences += _SENTENCES[Log(run[0][0])](run, board, names)
    return sentences


def scoring_text(board: Board, card: int) -> str:
    """Return a scoring card as text: id, good, and river or quarter."""
    t = board.tables[0]
    good = Good(int(t.scoring_good[card])).name.lower()
    return f"{board.scoring_names[card]} ({good}, {area_text(board, card)})"


def area_text(board: Board, card: int) -> str:
    """Return the river or quarter of a scoring card as text."""
    t = board.tables[0]
    if t.scoring_source[card] == Source.RIVERS:
        return f"river {River(t.at_river.tolist().index(t.area[card])).name}"
    return f"{Quarter(t.in_quarter.tolist().index(t.area[card])).name.lower()} quarter"


def _pair(one: int, other: int) -> str:
    return f"{LANDSCAPES[one]}+{LANDSCAPES[other]}"


def _outcome(run: Sequence[Row], board: Board, names: Sequence[str], first_deal: bool) -> list[str]:
    which, items = Shuffle(run[0][1]), [item for _, item, _, _ in run[1:]]
    if which == Shuffle.GOODS:
        return [f"Goods cards on display: {joined([board.goods_names[kind] for kind in items[:DISPLAYED]])}."]
    if which == Shuffle.LANDSCAPES and not first_deal:
        return [f"The discard pile is shuffled and becomes the deck: {counted(run[0][2], 'card')}."]
    return []


def _round(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, number, first, card = run[0]
    return [f"Round {number} begins, {names[first]} is first; scoring card {scoring_text(board, card)}."]


def _pairs(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    return [f"Pairs: {', '.join(f'{PAIRS[i]} {_pair(one, other)}' for _, i, one, other in run)}."]


def _bid(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, pair, displaced = run[0]
    if displaced == NOBODY:
        return [f"{names[seat]} takes pair {PAIRS[pair]}."]
    return [f"{names[seat]} pays {counted(run[1][2], 'coin')} and drives {names[displaced]} off pair {PAIRS[pair]}."]


def _house(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, *sources = run[0]
    place = run[1][2]
    needed = int(board.tables[0].landscape[place])
    cards = [LANDSCAPES[s] if s == needed else f"two {LANDSCAPES[s]}" for s in sources if s != NONE]
    key = " and a key card" if int(board.tables[0].inner) >> place & 1 else ""
    return [f"{names[seat]} builds on {board.place_ids[place]} for {joined(cards)}{key}."]


def _draw(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, card, _ = run[0]
    return [f"{names[seat]} draws {'a landscape card' if card == NONE else LANDSCAPES[card]}."]


def _coins(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, n, _ = run[0]
    return [f"{names[seat]} gains {counted(n, 'coin') if n else 'no coin: the supply is empty'}."]


def _letters(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, source, n = run[0]
    return [f"{names[seat]} gains {counted(n, 'letter')} {_LETTERS[Source(source)]}."]


def _goods(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, kind, from_stack = run[0]
    return [f"{names[seat]} takes {board.goods_names[kind]} from the {'stack' if from_stack else 'display'}."]


def _bonus(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, card, _ = run[0]
    return [f"{names[seat]} takes {'a bonus card' if card == NONE else f'the bonus card {board.bonus_names[card]}'}."]


def _ending(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, ending, seat, _ = run[0]
    if seat == NOBODY:
        return ["The last scoring card is scored: the game is over."]
    return [f"{names[seat]} {_ENDINGS[Ending(ending)]}: this is the last round."]


_SENTENCES: dict[Log, Callable[[Sequence[Row], Board, Sequence[str]], list[str]]] = {
    Log.DRAW: _draw,
    Log.ROUND: _round,
    Log.PAIR: _pairs,
    Log.BID: _bid,
    Log.TAKE_PAIR: lambda run, board, names: [f"{names[run[0][1]]} gets {_pair(*run[0][2:])}."],
    Log.BLOCKED: lambda run, board, names: [f"{names[run[0][1]]} has no site left and is blocked."],
    Log.PAY: _house,
    Log.COINS: _coins,
    Log.KEY: lambda run, board, names: [f"{names[run[0][1]]} gains a key card."],
    Log.LETTERS: _letters,
    Log.GOODS: _goods,
    Log.REFILL: lambda run, board, names: [f"New on display: {board.goods_names[run[0][1]]}."],
    Log.BOX: lambda run, board, names: [f"{names[run[0][1]]} puts {board.goods_names[run[0][2]]} out of the game."],
    Log.BONUS: _bonus,
    Log.NOTHING: lambda run, board, names: [f"No {_REWARDS[Reward(run[0][2])]} is left for {names[run[0][1]]}."],
    Log.DONE: lambda run, board, names: [f"{names[run[0][1]]} builds no more."],
    Log.DISCARD: lambda run, board, names: [f"{names[run[0][1]]} discards {LANDSCAPES[run[0][2]]}."],
    Log.SCORING: lambda run, board, names: [f"The scoring card {scoring_text(board, run[0][1])} is scored."],
    Log.ENDING: _ending,
}
