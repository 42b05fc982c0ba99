"""Promises about text: notation, positions, descriptions; bad input raises typed errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError, GinkgoError, NotationError, PositionError, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_env.testing.play import at, each, require, visited


def check_action_texts(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Every legal action has its own text, which is read back as that action.

    Other actions have a text or raise NotationError.
    """
    states = visited(game, seed=seed, n=n)
    batch = at(game, states)
    for action in range(game.actions.size):
        try:
            require(game.action_text(batch.state(0), action), f"action {action} has an empty text")
        except NotationError:
            continue
    for row in range(batch.size):
        state = batch.state(row)
        texts: dict[str, int] = {}
        for action in np.flatnonzero(batch.mask[row]).tolist():
            text = game.action_text(state, action)
            require(text not in texts, f"state {row}: {text!r} means both {texts.get(text)} and {action}")
            texts[text] = action
            require(game.parse_action(state, text) == action, f"state {row}: {text!r} is not read as its action")


def check_positions(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """In every state the position, through JSON and back, gives the same bytes and the same decision."""
    states = visited(game, seed=seed, n=n, finished=True)
    batch, other = at(game, states), Batch(game, 1)
    for row in range(batch.size):
        document = json.loads(json.dumps(batch.position(row), allow_nan=False))
        try:
            other.set_position(0, document)
        except GinkgoError as error:
            raise AssertionError(f"state {row}: the position of a reached state is refused: {error}") from None
        require(other.states.tobytes() == batch.states[row].tobytes(), f"state {row}: a position does not restore its state")
        require((other.mask[0] == batch.mask[row]).all(), f"state {row}: a position does not restore its mask")
        require(other.position(0) == document, f"state {row}: a restored position is not the same position")


def check_descriptions(game: Game, *, seed: int = 0) -> None:
    """Every state has a description for each seat, with the given names."""
    batch = at(game, visited(game, seed=seed, n=8, finished=True))
    names = [f"somebody {side}" for side in range(game.sides)]
    for row in range(batch.size):
        for seat in (None, *range(game.seats)):
            text = game.describe(batch.state(row), seat, names)
            require(isinstance(text, str) and text, f"state {row}: seat {seat} gets no description")
            require(names[0] in text, f"state {row}: seat {seat}'s description does not use the names")


# --- bad input ---------------------------------------------------------------------------------------------------------------


_HUGE = 2**70
_WRONG_VALUES: tuple[Any, ...] = (
    object(),
    "no such value",
    "",
    -1,
    _HUGE,
    2.5,
    float("nan"),
    ["no such value"],
    [[]],
    {"no": "such value"},
)
"""Values that no option has."""
_WRONG_TEXTS: tuple[Any, ...] = ("", " ", "zz", "no such action", ":", "\n", "\u2603", "x" * 10_000, None, 7, b"pass", [])
"""Texts and other values that name no action."""
_WRONG_ENTRIES: tuple[Any, ...] = (None, "no such value", -7, _HUGE, 2.5, True, [[]], {"no": "such value"})
"""Values to put into positions; some may be valid in their place."""


def _refused(error: type[GinkgoError], what: str, call: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
    """Raise AssertionError unless a call raises an error of this type."""
    try:
        call(*arguments, **keywords)
    except error:
        return
    except Exception as other:
        raise AssertionError(f"{what} raises {type(other).__name__} instead of {error.__name__}: {other}") from other
    raise AssertionError(f"{what} is accepted")


def check_options_refused(game: Game) -> None:
    """Unknown options, wrong values and impossible numbers of players raise ConfigError.

    The lowest and highest numbers of players are those in ``configurations``.
    """
    make, config = type(game), game.config_dict
    _refused(ConfigError, "an unknown option", make, **config, no_such_option=1)
    for name in config:
        for value in _WRONG_VALUES:
            _refused(ConfigError, f"{name}={short_repr(value)}", make, **config | {name: value})
    if "players" in config:
        numbers = {make(**options).seats for options in (*make.configurations(), config)}
        for players in (0, min(numbers) - 1, max(numbers) + 1, max(numbers) + 7, None, True):
            _refused(ConfigError, f"players={short_repr(players)}", make, **config | {"players": players})


def check_numbers_refused(game: Game, *, seed: int = 0) -> None:
    """Wrong seats, names and states raise BatchError; texts of actions out of range raise NotationError."""
    states = visited(game, seed=seed, n=2)
    state = each(states)[0]
    for seat in (-1, game.seats, _HUGE, 0.5, "0", [0]):
        _refused(BatchError, f"describe with seat={short_repr(seat)}", game.describe, state, seat)
        _refused(BatchError, f"visible with seat={short_repr(seat)}", game.visible, seat, None, 0, state, [])
    for names in (["one"] * (game.sides - 1), "a text", [None] * game.sides, 7):
        _refused(BatchError, f"describe with names={short_repr(names)}", game.describe, state, None, names)
    for action in (-1, game.actions.size, _HUGE, 0.5, None, "0"):
        _refused(NotationError, f"action_text of action {short_repr(action)}", game.action_text, state, action)
    wrong: tuple[Any, ...] = (states[:0], None, [], state.tobytes(), state.view("u1"))
    for other in wrong:
        for call in (game.position, game.describe, game.outcome):
            _refused(BatchError, f"a state that is {short_repr(other)}", call, other)


def _look_alikes(text: str) -> Iterator[str]:
    """Yield texts that resemble the text of an action."""
    yield from (f" {text}", f"{text} ", f"{text}\n", f"{text}\0", text.swapcase(), text + text, f"{text}:", f"{text}+", text[:-1])
    yield from (text.replace(":", " : "), text.replace("+", " + "), text.replace(":", "::"), text.replace("+", "++"))
    yield re.sub(r"\d+", r"0\g<0>", text)
    yield text.translate({ord("0") + digit: 0x660 + digit for digit in range(10)})  # digits of another script


def check_notation_refused(game: Game, *, seed: int = 0, n: int = 6) -> None:
    """Text that names no action raises NotationError.

    So does any text that is not written exactly as that of an action.
    """
    for state in each(visited(game, seed=seed, n=n, finished=True)):
        before = state.tobytes()
        for text in _WRONG_TEXTS:
            _refused(NotationError, f"the text {short_repr(text)}", game.parse_action, state, text)
        legal = game.legal_actions(state).tolist()
        for action in legal[:: max(1, len(legal) // 4)]:
            for text in _look_alikes(game.action_text(state, action)):
                try:
                    other = game.parse_action(state, text)
                except NotationError:
                    continue
                require(game.action_text(state, other) == text, f"the text {short_repr(text)} is read as action {other}")
        require(state.tobytes() == before, "a refused text changes the state")


def check_positions_refused(game: Game, *, seed: int = 0, n: int = 1) -> None:
    """Positions with missing or unknown keys raise PositionError.

    A position with another value raises PositionError too, or is read as a state with exactly this position.
    """
    wrong: tuple[Any, ...] = (None, [], "", 7, {}, {"no": "such key"}, [{}])
    for document in wrong:
        _refused(PositionError, f"the position {short_repr(document)}", game.from_position, document)
    for state in each(visited(game, seed=seed, n=n)):
        position = json.loads(json.dumps(game.position(state)))
        for path in _paths(position):
            where = ".".join(map(str, path))
            for change, broken in _broken(position, path):
                if change in ("without", "with another key in"):
                    _refused(PositionError, f"a position {change} {where}", game.from_position, broken)
                else:
                    _require_read_or_refused(game, broken, f"a position with {change} as {where}")


def _require_read_or_refused(game: Game, position: Any, what: str) -> None:
    """Raise AssertionError unless a position is refused, or read as a state with exactly this position."""
    try:
        state: States = game.from_position(position)
    except PositionError:
        return
    except Exception as other:
        raise AssertionError(f"{what} raises {type(other).__name__} instead of PositionError: {other}") from other
    written = json.dumps(game.position(state))
    require(written == json.dumps(position), f"{what} is accepted, but the state has another position")


def _paths(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of a position: all keys, and the first entries of lists."""
    inner = document.items() if isinstance(document, dict) else enumerate(document[:1]) if isinstance(document, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from _paths(value, (*path, key))


def _broken(position: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield copies of a position with a change at a place, each with a description of the change."""
    text = json.dumps(position)

    def copied() -> tuple[Any, Any]:
        broken = json.loads(text)  # much faster than copy.deepcopy
        inner = broken
        for key in path[:-1]:
            inner = inner[key]
        return broken, inner

    if isinstance(path[-1], str):
        broken, inner = copied()
        del inner[path[-1]]
        yield "without", broken
        broken, inner = copied()
        inner["no such key"] = inner[path[-1]]
        yield "with another key in", broken
    broken, inner = copied()
    if isinstance(entries := inner[path[-1]], list) and entries:
        inner[path[-1]] = [*entries[1:], entries[0]]
        yield "a list in another order", broken
        broken, inner = copied()
        inner[path[-1]] = [*entries, entries[-1]]
        yield "a list with a copy", broken
    for value in _WRONG_ENTRIES:
        broken, inner = copied()
        inner[path[-1]] = value
        yield short_repr(value), broken
