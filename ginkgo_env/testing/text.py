"""Promises about text: notation, positions, descriptions."""

from __future__ import annotations

import json

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import GinkgoError, NotationError
from ginkgo_env.core.game import Game
from ginkgo_env.testing.play import at, require, visited


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
        data = json.loads(json.dumps(batch.position(row), allow_nan=False))
        try:
            other.set_position(0, data)
        except GinkgoError as error:
            raise AssertionError(f"state {row}: the position of a reached state is refused: {error}") from None
        require(other.states.tobytes() == batch.states[row].tobytes(), f"state {row}: a position does not restore its state")
        require((other.mask[0] == batch.mask[row]).all(), f"state {row}: a position does not restore its mask")
        require(other.position(0) == data, f"state {row}: a restored position is not the same position")


def check_descriptions(game: Game, *, seed: int = 0) -> None:
    """Every state has a description for each seat, with the given names (skipped for games without texts)."""
    batch = at(game, visited(game, seed=seed, n=8, finished=True))
    try:
        batch.game.describe(batch.state(0))
    except NotImplementedError:
        return
    names = [f"somebody {side}" for side in range(game.sides)]
    for row in range(batch.size):
        for seat in (None, *range(game.seats)):
            text = game.describe(batch.state(row), seat, names)
            require(isinstance(text, str) and text, f"state {row}: seat {seat} gets no description")
            require(names[0] in text, f"state {row}: seat {seat}'s description does not use the names")
