"""What a seat learns from one step (G10.7): lines for records, and the log rows that it may see.

Decisions with one legal action are made without asking, and a seat may not see whether another one was asked. So there is a line
for each event on the table, however many steps it took; only the seat's own choices appear as choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import VisibleStep
from ginkgo_env.core.log import Row, runs_of
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import DISPLAYED, NOBODY, NONE, Log, Shuffle, Stage
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.notation import action_text
from ginkgo_env.games.golden_city.text.reading import ENDINGS, LANDSCAPES, PAIRS, REWARDS, SOURCES, bonus_left

Line = dict[str, Any]

_SEEN_SHUFFLES = {Shuffle.GOODS: DISPLAYED, Shuffle.FIRST_PLAYER: 1}
"""Random outcomes that all seats see, and how many items of them; all other cards stay face down."""
_WITH = {Log.OUTCOME: Log.ITEM, Log.PAIR: Log.PAIR, Log.BID: Log.PRICE, Log.PAY: Log.HOUSE}
"""Kinds of rows that belong to a row before them."""


def visible_step(seat: int, before: State | None, action: int, after: State, rows: Sequence[Row], board: Board) -> VisibleStep:
    """Return what a seat learns from a step; at the start of a game, before is None."""
    visible = visible_rows(seat, rows, is_setup=before is None)
    lines: list[Line] = []
    if before is not None and before.actor == seat:
        lines.append({"seat": seat, "action": action_text(before, board, action)})
    lines += [_LINES[Log(run[0][0])](run, board) for run in runs(visible) if run[0][0] in _LINES]
    if after.actor == seat and after.stage == Stage.BONUS:
        lines.append({"seat": seat, "bonus_cards": bonus_left(Fields(after), board)})
    return VisibleStep(lines, visible)


def visible_rows(seat: int, rows: Sequence[Row], *, is_setup: bool) -> list[Row]:
    """Return the rows that a seat may see (G10.7).

    Others' cards are replaced by NONE, and a "done" of others is left out. Of shuffles only what lies open is returned. A
    shuffle of which nothing lies open is left out, except for a new deck, as that is an event on the table.
    """
    visible: list[Row] = []
    left = 0  # items of the shuffle that lie open and are still to come
    for kind, a, b, c in rows:
        if kind == Log.OUTCOME:
            left = min(b, _SEEN_SHUFFLES.get(Shuffle(a), 0))
            if left or (a == Shuffle.LANDSCAPES and not is_setup):
                visible.append((kind, a, left or b, c))
        elif kind == Log.ITEM:
            if left:
                visible.append((kind, a, b, c))
                left -= 1
        elif kind in (Log.DRAW, Log.BONUS) and a != seat:
            visible.append((kind, a, NONE, c))
        elif kind != Log.DONE or a == seat:
            visible.append((kind, a, b, c))
    return visible


def runs(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Yield runs of rows that belong together."""
    return runs_of(rows, lambda run, row: _WITH.get(Log(run[0][0])) == row[0])


def _outcome(run: Sequence[Row], board: Board) -> Line:
    which, items = Shuffle(run[0][1]), [item for _, item, _, _ in run[1:]]
    line: Line = {"random": which.name.lower()}
    if which == Shuffle.GOODS:
        line["outcome"] = [board.goods_names[kind] for kind in items]
    elif which == Shuffle.FIRST_PLAYER:
        line["outcome"] = items[0]
    return line


def _bid(run: Sequence[Row], board: Board) -> Line:
    _, seat, pair, displaced = run[0]
    line: Line = {"seat": seat, "bids": PAIRS[pair]}
    return line if displaced == NOBODY else line | {"displaces": displaced, "pays": run[1][2]}


def _house(run: Sequence[Row], board: Board) -> Line:
    _, seat, *sources = run[0]
    return {"seat": seat, "builds": board.place_ids[run[1][2]], "pays": [LANDSCAPES[source] for source in sources if source >= 0]}


def _goods(run: Sequence[Row], board: Board) -> Line:
    _, seat, kind, from_stack = run[0]
    return {"seat": seat, "takes": board.goods_names[kind], "from": "stack" if from_stack else "display"}


def _ending(run: Sequence[Row], board: Board) -> Line:
    _, ending, seat, _ = run[0]
    return {"ending": ENDINGS[ending]} | ({} if seat == NOBODY else {"seat": seat})


def _gain(what: str, n: int) -> Line:
    return {"gains": what, "number": n}


_LINES: dict[Log, Callable[[Sequence[Row], Board], Line]] = {
    Log.OUTCOME: _outcome,
    Log.DRAW: lambda run, board: {"seat": run[0][1], "draws": 1 if run[0][2] == NONE else LANDSCAPES[run[0][2]]},
    Log.ROUND: lambda run, board: {
        "round": run[0][1],
        "first_player": run[0][2],
        "scoring_card": board.scoring_names[run[0][3]],
    },
    Log.PAIR: lambda run, board: {"pairs": [[LANDSCAPES[one], LANDSCAPES[other]] for _, _, one, other in run]},
    Log.BID: _bid,
    Log.TAKE_PAIR: lambda run, board: {"seat": run[0][1], "takes": [LANDSCAPES[run[0][2]], LANDSCAPES[run[0][3]]]},
    Log.BLOCKED: lambda run, board: {"seat": run[0][1], "blocked": True},
    Log.PAY: _house,
    Log.COINS: lambda run, board: {"seat": run[0][1], **_gain("coins", run[0][2])},
    Log.KEY: lambda run, board: {"seat": run[0][1], **_gain("keys", 1)},
    Log.LETTERS: lambda run, board: {"seat": run[0][1], **_gain("letters", run[0][3]), "source": SOURCES[run[0][2]]},
    Log.GOODS: _goods,
    Log.REFILL: lambda run, board: {"display": board.goods_names[run[0][1]]},
    Log.BOX: lambda run, board: {"seat": run[0][1], "boxes": board.goods_names[run[0][2]]},
    Log.BONUS: lambda run, board: {"seat": run[0][1], "takes_bonus": 1 if run[0][2] == NONE else board.bonus_names[run[0][2]]},
    Log.NOTHING: lambda run, board: {"seat": run[0][1], "nothing_left": REWARDS[run[0][2]]},
    Log.DISCARD: lambda run, board: {"seat": run[0][1], "discards": LANDSCAPES[run[0][2]]},
    Log.SCORING: lambda run, board: {"scores": board.scoring_names[run[0][1]]},
    Log.ENDING: _ending,
}
"""The line of a run of rows, by the kind of its first row. The row DONE has none, as it is no event on the table."""
