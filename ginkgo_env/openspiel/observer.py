"""Observations and information states as OpenSpiel's observers give them: tensors and strings."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pyspiel

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.openspiel.history import History, by_block, compact


class _State(Protocol):
    ginkgo: History


class SpielObserver:
    """An observer of what a player knows (see OpenSpiel's ``observation.py``).

    Pieces of the tensor: ``player`` (players,), one-hot; blocks of the game's observation by name, with seats
    relative to the player; with perfect recall also ``history`` (recall, 2), the last changes of the observation and own actions
    in order, then zeros. A row is 1 + index and the new number, or -1 and an action.

    A block with private numbers is private information as a whole.

    Strings hold the same as JSON lines, without a limit, and information states also the events.

    Raises ConfigError for parameters, for information about all players, and for recall of only a part of the observation.
    """

    def __init__(self, game: Game, recall: int, kind: Any = None, params: Any = None) -> None:
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        whole = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS or (kind.perfect_recall and not whole):
            raise ConfigError("invalid observer; expected no parameters, one player's information, and all of it with recall")
        self._game, self._recall = game, kind.perfect_recall
        known = {True: kind.public_info, False: kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER}
        blocks = {name: block for name, block in game.observation.items() if known[block.seen_by == "all"]}
        self._indices = np.flatnonzero([name in blocks for name, block in game.observation.items() for _ in range(block.size)])
        pieces = {"player": (game.seats,)} | {name: block.shape for name, block in blocks.items()}
        if self._recall:
            pieces["history"] = (recall, 2)
        sizes = [int(np.prod(shape)) for shape in pieces.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(pieces.items(), parts, strict=True)}

    def set_from(self, state: _State, player: int) -> None:
        """Write what a player observes into ``tensor``, of which ``dict`` has views; zeros before the deal."""
        self.tensor.fill(0)
        history, start = state.ginkgo, self._game.seats
        if not history.steps:
            return
        self.dict["player"][player] = 1
        seen = self._game.observe(history.state, player)
        self.tensor[start : start + self._indices.size] = seen[self._indices]
        if self._recall:
            rows = np.concatenate([changes for _, changes in history.learned(player)])
            rows = rows[-len(self.dict["history"]) :] + [[1, 0]]
            rows[rows[:, 0] == 0, 0] = -1  # an own action
            self.dict["history"][: len(rows)] = rows

    def string_from(self, state: _State, player: int) -> str:
        """Return what a player observes, or with perfect recall has observed and done, as JSON lines."""
        history, who = state.ginkgo, compact({"player": player})
        if not history.steps:
            return who
        if self._recall:
            return "\n".join([who, *(line for line, _ in history.learned(player) if line)])
        seen = self._game.observe(history.state, player)
        where = self._indices[seen[self._indices] != 0]
        return f"{who}\n{compact(by_block(self._game, np.stack([where, seen[where]], axis=1)))}"
