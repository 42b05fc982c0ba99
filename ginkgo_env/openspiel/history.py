"""The events of a game and what each seat learned from them: the memory behind information states."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.functional import copied, played
from ginkgo_env.core.game import Game
from ginkgo_env.core.log import new_log, read_log
from ginkgo_env.core.masks import NO_ACTION, RESET
from ginkgo_env.core.state import States

OWN_ACTION = -1
"""Stands for an own action, in place of the index of a change."""
Changes = NDArray[np.int32]
"""Changes (k, 2): an index of the observation and its new number, or OWN_ACTION and an action."""


def compact(data: Any) -> str:
    """Return plain data as JSON without spaces."""
    return json.dumps(data, separators=(",", ":"))


def by_block(game: Game, changes: Changes) -> dict[str, dict[str, int]]:
    """Return changes of an observation by block, each with its numbers by their places in the block.

    changes : in ascending order
    """
    cuts = np.searchsorted(changes[:, 0], game.observation.offsets)
    numbers = changes.tolist()
    return {
        name: {str(index - block.start): value for index, value in numbers[start:stop]}
        for (name, block), start, stop in zip(game.observation.items(), cuts, cuts[1:], strict=False)
        if stop > start
    }


class Step:
    """A step: the deal, an action, or the resampling of hidden information.

    state : the state after the step
    action : RESET for the deal of a seed, NO_ACTION for a deal from a position and for resampling
    kept_by : the seat whose knowledge resampling kept; None for other steps
    """

    __slots__ = ("_learned", "action", "kept_by", "state")

    def __init__(self, state: States, action: int, kept_by: int | None = None) -> None:
        self.state, self.action, self.kept_by = state, action, kept_by
        self._learned: dict[int, tuple[str, Changes]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.state, self.action, self.kept_by)

    def learned(self, game: Game, seat: int, before: States | None) -> tuple[str, Changes]:
        """Return what a seat learned, as a line of JSON (empty for nothing) and as changes.

        before : the state before the step; None to start from zeros, so that all other numbers are changes
        """
        if seat not in self._learned:
            now = game.observe(self.state, seat)
            was = np.zeros_like(now) if before is None else game.observe(before, seat)
            where = np.flatnonzero(now != was)
            changes = np.stack([where, now[where]], axis=1).astype(np.int32)
            line: dict[str, Any] = {}
            if before is not None and self.action >= 0 and int(game.actor(before)[0]) == seat:
                line["action"] = game.action_text(before, self.action)
                changes = np.concatenate([np.array([[OWN_ACTION, self.action]], np.int32), changes])
            if events := self._events(game, seat, before):
                line["events"] = events
            if where.size:
                line["observation"] = by_block(game, changes[-where.size :])
            self._learned[seat] = compact(line) if line else "", changes
        return self._learned[seat]

    def _events(self, game: Game, seat: int, before: States | None) -> list[dict[str, Any]]:
        """Return the lines of the record as the seat sees it."""
        if self.action == NO_ACTION:
            return []
        log, start = new_log(), copied(game.template if before is None else before, game.template)
        played(game, start, self.action, int(self.state["seed"][0]), log)
        return game.visible(seat, before, max(self.action, 0), self.state, read_log(log)).lines


class History:
    """A game so far. It never changes, so that copies of an OpenSpiel state share it."""

    __slots__ = ("_legal", "game", "steps")

    def __init__(self, game: Game, steps: tuple[Step, ...] = ()) -> None:
        self.game, self.steps = game, steps
        self._legal: list[int] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return History, (self.game, self.steps)

    def __deepcopy__(self, memo: dict[int, Any]) -> History:
        return self

    @property
    def state(self) -> States:
        """The current state."""
        return self.steps[-1].state

    @property
    def actor(self) -> int:
        """The seat that decides, negative if the game is over."""
        return int(self.state["actor"][0])

    @property
    def legal(self) -> list[int]:
        """The legal actions of the actor."""
        if self._legal is None:
            self._legal = self.game.legal_actions(self.state).tolist()
        return self._legal

    def dealt(self, state: States, *, from_seed: bool) -> History:
        """Return the history that begins with a state."""
        return History(self.game, (Step(state, RESET if from_seed else NO_ACTION),))

    def played(self, action: int) -> History:
        """Return the history with one more action. Raises IllegalActionError."""
        return History(self.game, (*self.steps, Step(self.game.step(self.state, action), action)))

    def resampled(self, seat: int, seed: int) -> History:
        """Return the history in which everything that a seat cannot know is resampled."""
        state = self.game.resample(self.state, seat, seed)
        return History(self.game, (*self.steps, Step(state, NO_ACTION, seat)))

    def learned(self, seat: int) -> Iterator[tuple[str, Changes]]:
        """Yield what a seat learned, step by step.

        The past of other seats is not resampled: for them it begins with what they know after the last resampling.
        """
        kept = [step.kept_by in (None, seat) for step in self.steps]
        first = max((k for k, keeps in enumerate(kept) if not keeps), default=0)
        for k in range(first, len(self.steps)):
            yield self.steps[k].learned(self.game, seat, self.steps[k - 1].state if k > first else None)
