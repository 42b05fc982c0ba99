"""A game in progress, with people and agents at its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ginkgo_agents.agents.base import Agent, act, nth_words
from ginkgo_agents.agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.records import Record
from ginkgo_env.records.pictures import is_noticed
from ginkgo_env.records.record import Step
from ginkgo_env.render.viewer.views import choices_of

_PLAYERS = 1 << 21  # where the random words of agents begin: apart from those of an analysis

Make = Callable[[str, str], Agent]
"""An agent by its name and the name of the game."""


class NotYourTurnError(GinkgoError):
    """A seat that does not decide now wants to."""


class SeatAssignment(NamedTuple):
    """Who sits at a seat."""

    name: str
    agent: str | None = None
    """The agent's name, as in ``ginkgo leaderboard --agents``; None: a person."""


class HistoryEntry(NamedTuple):
    """A line of the game's log, as a view may know it."""

    round: int | None
    """The round in which it happened; None in a game without rounds."""
    choices: list[tuple[int, str | None]]
    """Who decided, and on what (in notation, None where that is hidden)."""
    said: list[str]


class LiveGame:
    """A game that people and agents play. It follows from its seed and actions alone, as a record does.

    Parameters
    ----------
    game : the game and its configuration
    seed : 0 <= seed < 2**64; agents draw their random numbers from it too
    places : who sits at each seat; names as in records (1 to 40 printable characters)
    actions : what was played before
    make : makes agents from names

    Raises ConfigError for an agent that is not known or cannot play this game, RecordError for bad names, BatchError for a bad
    seed, IllegalActionError for actions that cannot be played.

    Views are seats of people. Where no person plays there is one view, None, to which everything is open.
    """

    def __init__(
        self, game: Game, seed: int, places: Sequence[SeatAssignment], actions: Iterable[int] = (), *, make: Make = make_agent
    ) -> None:
        self.game, self.seed, self.places = game, seed, tuple(places)
        if len(self.places) != game.seats:
            raise ConfigError(f"{game.title} has {game.seats} seats here, not {len(self.places)}")
        self.names = Record.from_actions(game, seed, [], [place.name for place in self.places]).names
        self._agents: Mapping[int, Agent] = {
            seat: _agent(make, place.agent, game) for seat, place in enumerate(self.places) if place.agent is not None
        }
        people = [seat for seat in range(game.seats) if seat not in self._agents]
        self.views: tuple[int | None, ...] = tuple(people) or (None,)
        self.actions: list[int] = []
        self._decisions = [0] * game.seats
        self._playback = Playback(game)
        self._log: dict[int | None, list[HistoryEntry]] = {view: [] for view in self.views}
        self._since: dict[int | None, States] = {}
        self._tell(None, -1, self._playback.start(seed), None)
        for action in actions:
            self._play(int(action))

    # --- where the game stands ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> States:
        """A copy of the state, shape (1,), hidden fields included."""
        return self._playback.state()

    @property
    def actor(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return self._playback.actor

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.actor is None

    @property
    def agent_decides(self) -> bool:
        """Whether the next decision is an agent's."""
        return self.actor in self._agents

    def legal(self) -> list[int]:
        """The legal actions of the seat that decides."""
        return [] if self.over else [int(action) for action in np.flatnonzero(self._playback.mask[0])]

    def log(self, view: int | None) -> list[HistoryEntry]:
        """What a view has learned so far, the setup first."""
        return self._log[view]

    def since(self, view: int | None) -> States | None:
        """The state after the seat's last decision; for None before the last of all. What has changed since then is new."""
        return self._since.get(view)

    def decided(self, seat: int) -> int:
        """How many decisions a seat has taken."""
        return self._decisions[seat]

    def record(self) -> Record:
        """The record so far."""
        return Record.from_actions(self.game, self.seed, self.actions, [place.name for place in self.places])

    # --- playing -----------------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: int) -> None:
        """A person decides. Raises NotYourTurnError, IllegalActionError; then nothing has changed."""
        if seat not in self.views or self.actor != seat:
            raise NotYourTurnError("the game is over" if self.over else f"it is the turn of {self.names[self.actor or 0]}")
        self._play(action)

    def choose(self) -> int | None:
        """The action that the agent takes whose decision is next; None if it is not an agent's. Nothing changes."""
        agent = self._agents.get(-1 if self.actor is None else self.actor)
        if agent is None:
            return None
        batch = Batch(self.game, 1)
        batch.set_states([0], self._playback.states)
        words = nth_words(np.array([self.seed], np.uint64), _PLAYERS + len(self.actions))
        return int(act(agent, batch, words)[0])

    def advance(self, chosen: int | None = None) -> bool:
        """Let an agent take the next decision, if it is an agent's; returns whether it was.

        chosen : what :meth:`choose` gave, as that may take long
        """
        if not self.agent_decides:
            return False
        action = self.choose() if chosen is None else chosen
        assert action is not None
        self._play(action)
        return True

    def _play(self, action: int) -> None:
        before, actor = self._playback.state(), self._playback.actor
        rows = self._playback.play(action)
        assert actor is not None  # else there was no legal action
        self.actions.append(action)
        self._decisions[actor] += 1
        self._tell(before, action, rows, actor)

    def _tell(self, before: States | None, action: int, rows: Rows, actor: int | None) -> None:
        """Add a step to the log of each view that notices it."""
        after, number = self._playback.state(), self.game.round_of(self.game.template if before is None else before)
        text = None if before is None else self.game.action_text(before, action)
        for view in self.views:
            seen, learned = ([], rows) if view is None else self.game.visible(view, before, action, after, rows)
            said = self.game.narrate(learned, self.names)
            step = Step(len(self.actions), 0, {}, after, actor, text, said, seen)
            if is_noticed(step, view):
                self._log[view].append(HistoryEntry(number, choices_of(step, view, self.game.sides), said))
            if before is not None and view in (actor, None):
                self._since[view] = before if view is None else after


def _agent(make: Make, name: str, game: Game) -> Agent:
    agent = make(name, game.name)
    agent.check(game)
    return agent
