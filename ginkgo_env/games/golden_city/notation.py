"""The notation of actions (G11.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import NotationError, join_names, short_repr
from ginkgo_env.games.golden_city.actions import ACTIONS, DONE, SOURCES_OF_TWO, STACK
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.queries import LANDSCAPES, PAIRS, Readable

_SOURCES = [f"{LANDSCAPES[a]}+{LANDSCAPES[b]}" for a, b in SOURCES_OF_TWO.tolist()]


def _block(name: str, words: Sequence[str]) -> dict[str, int]:
    """Return the actions of a block by the words for its places, in order."""
    start = ACTIONS[name].start
    return {word: start + i for i, word in enumerate(words)}


_WORDS: dict[str, Callable[[Board], dict[str, int]]] = {
    "bid": lambda board: _block("bid", PAIRS),
    "build": lambda board: _block("build", board.place_ids) | {"done": DONE},
    "pay": lambda board: _block("pay_one", LANDSCAPES) | _block("pay_two", _SOURCES),
    "goods": lambda board: _block("goods", board.goods_names) | {"stack": STACK},
    "box": lambda board: _block("box", board.goods_names),
    "bonus": lambda board: _block("bonus", board.bonus_names),
    "discard": lambda board: _block("discard", LANDSCAPES),
}
"""The actions of each verb by the word after the colon."""
_EXPECTED = {
    "bid": "a pair",
    "build": "a place or done",
    "pay": "the sources of the cards",
    "goods": "a kind of goods card or stack",
    "box": "a kind of goods card",
    "bonus": "a bonus card",
    "discard": "a landscape",
}
_VERBS = {"pay_one": "pay", "pay_two": "pay"}
"""The verbs of blocks whose names differ from the verb."""


def action_text(g: Readable, board: Board, action: int) -> str:
    """Return the notation of an action.

    Raises NotationError for an id that is out of range, or that has no action on a board with fewer kinds of goods cards.
    """
    action = integer(action, 0, ACTIONS.size - 1, "action", NotationError)
    block, _ = ACTIONS.locate(action)
    verb = _VERBS.get(block.name, block.name)
    for word, number in _WORDS[verb](board).items():
        if number == action:
            return f"{verb}:{word}"
    raise NotationError(f"invalid action {action}: this board has no such kind of goods card")


def parse_action(g: Readable, board: Board, text: str) -> int:
    """Return the action of a text, be it legal or not.

    Raises NotationError for text that is malformed or has a name that is not on this board.
    """
    if not isinstance(text, str):
        raise NotationError(f"an action must be a string, got {type(text).__name__}")
    if g.stage == Stage.OVER:
        raise NotationError(f"{short_repr(text)}: no action is legal, the game is over")
    verb, colon, word = text.partition(":")
    if not colon or verb not in _WORDS:
        *verbs, last = (f"{name}:" for name in _WORDS)
        raise NotationError(f"{short_repr(text)}: expected {', '.join(verbs)} or {last}")
    words = _WORDS[verb](board)
    if word not in words:
        raise NotationError(f"{short_repr(text)}: expected {_EXPECTED[verb]}: {join_names(words)}")
    return words[word]
