"""What happened, in words: what a seat learns from one step (G10.7), and log rows as sentences.

Decisions with one legal action are made without asking, and a seat may not see whether another one was asked. So there is a line
for each event on the table, however many steps it took; only the seat's own choices appear as choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ginkgo_env.core.events import Row, runs_of
from ginkgo_env.core.game import VisibleStep
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    DISPLAYED,
    NOBODY,
    NONE,
    Ending,
    Event,
    Good,
    Quarter,
    Reward,
    River,
    Shuffle,
    Source,
    Stage,
)
from ginkgo_env.games.golden_city.notation import action_text
from ginkgo_env.games.golden_city.queries import ENDINGS, LANDSCAPES, PAIRS, REWARDS, SOURCES, bonus_left, pair_text, translate
from ginkgo_env.games.golden_city.state import State

# --- what a seat learns ------------------------------------------------------------------------------------------------------


Line = dict[str, Any]

_SEEN_SHUFFLES = {Shuffle.GOODS: DISPLAYED, Shuffle.FIRST_PLAYER: 1}
"""Random outcomes that all seats see, and how many items of them; all other cards stay face down."""
_WITH = {Event.OUTCOME: Event.ITEM, Event.PAIR: Event.PAIR, Event.BID: Event.PRICE, Event.PAY: Event.HOUSE}
"""Kinds of rows that belong to a row before them."""


def visible_step(seat: int, before: State | None, action: int, after: State, rows: Sequence[Row], board: Board) -> VisibleStep:
    """Return what a seat learns from a step; at the start of a game, before is None."""
    visible = visible_rows(seat, rows, is_setup=before is None)
    lines: list[Line] = []
    if before is not None and before.actor == seat:
        lines.append({"seat": seat, "action": action_text(before, board, action)})
    lines += [_LINES[Event(run[0][0])](run, board) for run in runs(visible) if run[0][0] in _LINES]
    if after.actor == seat and after.stage == Stage.BONUS:
        lines.append({"seat": seat, "bonus_cards": bonus_left(PlainRecord(after), board)})
    return VisibleStep(lines, visible)


def visible_rows(seat: int, rows: Sequence[Row], *, is_setup: bool) -> list[Row]:
    """Return the rows that a seat may see (G10.7).

    Others' cards are replaced by NONE, and a "done" of others is left out. Of shuffles only what lies open is returned. A
    shuffle of which nothing lies open is left out, except for a new deck, as that is an event on the table.
    """
    visible: list[Row] = []
    left = 0  # items of the shuffle that lie open and are still to come
    for kind, a, b, c in rows:
        if kind == Event.OUTCOME:
            left = min(b, _SEEN_SHUFFLES.get(Shuffle(a), 0))
            if left or (a == Shuffle.LANDSCAPES and not is_setup):
                visible.append((kind, a, left or b, c))
        elif kind == Event.ITEM:
            if left:
                visible.append((kind, a, b, c))
                left -= 1
        elif kind in (Event.DRAW, Event.BONUS) and a != seat:
            visible.append((kind, a, NONE, c))
        elif kind != Event.DONE or a == seat:
            visible.append((kind, a, b, c))
    return visible


def runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield runs of rows that belong together."""
    return runs_of(rows, lambda run, row: _WITH.get(Event(run[0][0])) == row[0])


def _outcome_line(run: Sequence[Row], board: Board) -> Line:
    which, items = Shuffle(run[0][1]), [item for _, item, _, _ in run[1:]]
    line: Line = {"random": which.name.lower()}
    if which == Shuffle.GOODS:
        line["outcome"] = [board.goods_names[kind] for kind in items]
    elif which == Shuffle.FIRST_PLAYER:
        line["outcome"] = items[0]
    return line


def _bid_line(run: Sequence[Row], board: Board) -> Line:
    _, seat, pair, displaced = run[0]
    line: Line = {"seat": seat, "bids": PAIRS[pair]}
    return line if displaced == NOBODY else line | {"displaces": displaced, "pays": run[1][2]}


def _house_line(run: Sequence[Row], board: Board) -> Line:
    _, seat, *sources = run[0]
    return {"seat": seat, "builds": board.place_ids[run[1][2]], "pays": [LANDSCAPES[source] for source in sources if source >= 0]}


def _goods_line(run: Sequence[Row], board: Board) -> Line:
    _, seat, kind, from_stack = run[0]
    return {"seat": seat, "takes": board.goods_names[kind], "from": "stack" if from_stack else "display"}


def _ending_line(run: Sequence[Row], board: Board) -> Line:
    _, ending, seat, _ = run[0]
    return {"ending": ENDINGS[ending]} | ({} if seat == NOBODY else {"seat": seat})


def _gain(what: str, n: int) -> Line:
    return {"gains": what, "number": n}


_LINES: dict[Event, Callable[[Sequence[Row], Board], Line]] = {
    Event.OUTCOME: _outcome_line,
    Event.DRAW: lambda run, board: {"seat": run[0][1], "draws": 1 if run[0][2] == NONE else LANDSCAPES[run[0][2]]},
    Event.ROUND: lambda run, board: {
        "round": run[0][1],
        "first_player": run[0][2],
        "scoring_card": board.scoring_names[run[0][3]],
    },
    Event.PAIR: lambda run, board: {"pairs": [[LANDSCAPES[one], LANDSCAPES[other]] for _, _, one, other in run]},
    Event.BID: _bid_line,
    Event.TAKE_PAIR: lambda run, board: {"seat": run[0][1], "takes": [LANDSCAPES[run[0][2]], LANDSCAPES[run[0][3]]]},
    Event.BLOCKED: lambda run, board: {"seat": run[0][1], "blocked": True},
    Event.PAY: _house_line,
    Event.COINS: lambda run, board: {"seat": run[0][1], **_gain("coins", run[0][2])},
    Event.KEY: lambda run, board: {"seat": run[0][1], **_gain("keys", 1)},
    Event.LETTERS: lambda run, board: {"seat": run[0][1], **_gain("letters", run[0][3]), "source": SOURCES[run[0][2]]},
    Event.GOODS: _goods_line,
    Event.REFILL: lambda run, board: {"display": board.goods_names[run[0][1]]},
    Event.BOX: lambda run, board: {"seat": run[0][1], "boxes": board.goods_names[run[0][2]]},
    Event.BONUS: lambda run, board: {"seat": run[0][1], "takes_bonus": 1 if run[0][2] == NONE else board.bonus_names[run[0][2]]},
    Event.NOTHING: lambda run, board: {"seat": run[0][1], "nothing_left": REWARDS[run[0][2]]},
    Event.DISCARD: lambda run, board: {"seat": run[0][1], "discards": LANDSCAPES[run[0][2]]},
    Event.SCORING: lambda run, board: {"scores": board.scoring_names[run[0][1]]},
    Event.ENDING: _ending_line,
}
"""The line of a run of rows, by the kind of its first row. The row DONE has none, as it is no event on the table."""


# --- sentences ---------------------------------------------------------------------------------------------------------------


_REWARDS = {
    Reward.CARD: "No landscape card is left for {name}.",
    Reward.COIN: "No coin is left for {name}.",
    Reward.TWO_COINS: "No coin is left for {name}.",
    Reward.KEY: "No key card is left for {name}.",
    Reward.BONUS: "No bonus card is left for {name}.",
    Reward.GOODS: "No goods card is left for {name}.",
}
_ENDINGS = {
    Ending.HOUSES: "{name} has built all houses: this is the last round.",
    Ending.BLOCKED: "{name} can never build again: this is the last round.",
}
_LETTERS = {
    Source.OUTER: "{name} gains {letters} for a house in an outer district.",
    Source.INNER: "{name} gains {letters} for a house in an inner district.",
    Source.GOODS: "{name} gains {letters} for goods.",
    Source.RIVERS: "{name} gains {letters} for houses at the river.",
    Source.QUARTERS: "{name} gains {letters} for houses in the quarter.",
}


def narrate(rows: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    """Return the rows of a log as sentences; NONE stands for a card that the reader may not see."""
    sentences: list[str] = []
    first_deal = any(row[:2] == (Event.OUTCOME, Shuffle.GOODS) for row in rows)
    for run in runs(rows):
        if run[0][0] == Event.OUTCOME:
            sentences += _outcome(run, board, names, first_deal)
        else:
            sentences += _SENTENCES[Event(run[0][0])](run, board, names)
    return sentences


def scoring_text(board: Board, card: int) -> str:
    """Return a scoring card as text: id, good, and river or quarter."""
    t = board.components[0]
    good = translate(Good(int(t.scoring_good[card])).name.lower())
    return f"{board.scoring_names[card]} ({good}, {area_text(board, card)})"


def area_text(board: Board, card: int) -> str:
    """Return the river or quarter of a scoring card as text."""
    t = board.components[0]
    if t.scoring_source[card] == Source.RIVERS:
        return translate("river {name}", name=River(t.at_river.tolist().index(t.area[card])).name)
    return translate(f"{Quarter(t.in_quarter.tolist().index(t.area[card])).name.lower()} quarter")


def _pair(one: int, other: int) -> str:
    return f"{translate(LANDSCAPES[one])}+{translate(LANDSCAPES[other])}"


def _outcome(run: Sequence[Row], board: Board, names: Sequence[str], first_deal: bool) -> list[str]:
    which, items = Shuffle(run[0][1]), [item for _, item, _, _ in run[1:]]
    if which == Shuffle.GOODS:
        names_of = [pair_text(board.goods_names[kind]) for kind in items[:DISPLAYED]]
        return [translate("Goods cards on display: {cards}.", cards=translate.joined(names_of))]
    if which == Shuffle.LANDSCAPES and not first_deal:
        return [
            translate("The discard pile is shuffled and becomes the deck: {cards}.", cards=translate.counted(run[0][2], "card"))
        ]
    return []


def _round(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, number, first, card = run[0]
    sentence = "Round {n} begins, {name} is first; scoring card {card}."
    return [translate(sentence, n=number, name=names[first], card=scoring_text(board, card))]


def _pairs(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    return [translate("Pairs: {pairs}.", pairs=", ".join(f"{PAIRS[i]} {_pair(one, other)}" for _, i, one, other in run))]


def _bid(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, pair, displaced = run[0]
    if displaced == NOBODY:
        return [translate("{name} takes pair {pair}.", name=names[seat], pair=PAIRS[pair])]
    sentence, coins = "{name} pays {coins} and drives {other} off pair {pair}.", translate.counted(run[1][2], "coin")
    return [translate(sentence, name=names[seat], coins=coins, other=names[displaced], pair=PAIRS[pair])]


def _house(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, *sources = run[0]
    place = run[1][2]
    needed = int(board.components[0].landscape[place])
    cards = [translate(LANDSCAPES[s] if s == needed else f"two {LANDSCAPES[s]}") for s in sources if s != NONE]
    sentence = "{name} builds on {place} for {cards}."
    if int(board.components[0].inner) >> place & 1:
        sentence = "{name} builds on {place} for {cards} and a key card."
    return [translate(sentence, name=names[seat], place=board.place_ids[place], cards=translate.joined(cards))]


def _draw(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, card, _ = run[0]
    drawn = translate("a landscape card" if card == NONE else LANDSCAPES[card])
    return [translate("{name} draws {card}.", name=names[seat], card=drawn)]


def _coins(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, n, _ = run[0]
    sentence = "{name} gains {coins}." if n else "{name} gains no coin: the supply is empty."
    return [translate(sentence, name=names[seat], coins=translate.counted(n, "coin"))]


def _letters(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, source, n = run[0]
    return [translate(_LETTERS[Source(source)], name=names[seat], letters=translate.counted(n, "letter"))]


def _goods(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, kind, from_stack = run[0]
    sentence = "{name} takes {card} from the stack." if from_stack else "{name} takes {card} from the display."
    return [translate(sentence, name=names[seat], card=pair_text(board.goods_names[kind]))]


def _bonus(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, seat, card, _ = run[0]
    if card == NONE:
        return [translate("{name} takes a bonus card.", name=names[seat])]
    return [translate("{name} takes the bonus card {card}.", name=names[seat], card=translate(board.bonus_names[card]))]


def _ending(run: Sequence[Row], board: Board, names: Sequence[str]) -> list[str]:
    _, ending, seat, _ = run[0]
    if seat == NOBODY:
        return [translate("The last scoring card is scored: the game is over.")]
    return [translate(_ENDINGS[Ending(ending)], name=names[seat])]


_SENTENCES: dict[Event, Callable[[Sequence[Row], Board, Sequence[str]], list[str]]] = {
    Event.DRAW: _draw,
    Event.ROUND: _round,
    Event.PAIR: _pairs,
    Event.BID: _bid,
    Event.TAKE_PAIR: lambda run, board, names: [translate("{name} gets {pair}.", name=names[run[0][1]], pair=_pair(*run[0][2:]))],
    Event.BLOCKED: lambda run, board, names: [translate("{name} has no site left and is blocked.", name=names[run[0][1]])],
    Event.PAY: _house,
    Event.COINS: _coins,
    Event.KEY: lambda run, board, names: [translate("{name} gains a key card.", name=names[run[0][1]])],
    Event.LETTERS: _letters,
    Event.GOODS: _goods,
    Event.REFILL: lambda run, board, names: [translate("New on display: {card}.", card=pair_text(board.goods_names[run[0][1]]))],
    Event.BOX: lambda run, board, names: [
        translate("{name} puts {card} out of the game.", name=names[run[0][1]], card=pair_text(board.goods_names[run[0][2]]))
    ],
    Event.BONUS: _bonus,
    Event.NOTHING: lambda run, board, names: [translate(_REWARDS[Reward(run[0][2])], name=names[run[0][1]])],
    Event.DONE: lambda run, board, names: [translate("{name} builds no more.", name=names[run[0][1]])],
    Event.DISCARD: lambda run, board, names: [
        translate("{name} discards {card}.", name=names[run[0][1]], card=translate(LANDSCAPES[run[0][2]]))
    ],
    Event.SCORING: lambda run, board, names: [
        translate("The scoring card {card} is scored.", card=scoring_text(board, run[0][1]))
    ],
    Event.ENDING: _ending,
}
