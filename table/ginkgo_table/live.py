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
from ginkgo_env.core.language import current_language, speaking
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.records import Record
from ginkgo_env.records.pictures import is_noticed
from ginkgo_env.records.record import Step
from ginkgo_env.render.viewer.views import choices_of
from ginkgo_table.translations import LANGUAGES

_FIRST_AGENT_WORD = 1 << 21  # index of the agents' first random word, beyond those of an analysis

AgentFactory = Callable[[str, str], Agent]
"""Makes an agent from its name and the name of the game."""


class NotYourTurnError(GinkgoError):
    """Raised when a seat acts out of turn."""


class SeatAssignment(NamedTuple):
    """The player at a seat: a person or an agent."""

    name: str
    agent: str | None = None
    """The agent's name, as in ``ginkgo leaderboard --agents``; None for a person."""


class HistoryEntry(NamedTuple):
    """A step of the game, as far as a view may know it."""

    round: int | None
    """The round of the step; None in a game without rounds."""
    choices: list[tuple[int, str | None]]
    """Seats that decided, with their actions in notation; None for a hidden action."""
    picks: list[tuple[str, str]]
    """The picks of the action, if the view knows it: group and name, as in ``Choice``."""
    said: Mapping[str, list[str]]
    """What happened, in sentences of the game by language."""

    @property
    def sentences(self) -> list[str]:
        """What happened, in sentences in the current language."""
        return self.said[current_language()]


class LiveGame:
    """A game of people and agents, determined by its seed and actions as a record is.

    Parameters
    ----------
    game : the game and its configuration
    seed : 0 <= seed < 2**64; agents draw their random numbers from it too
    places : the player at each seat; names as in records (1 to 40 printable characters)
    actions : actions played so far
    agent_factory : makes agents from their names

    Raises ConfigError for an agent that is unknown or cannot play this game, RecordError for bad names, BatchError for a bad
    seed, IllegalActionError for illegal actions.

    Views are the seats of people. Without people there is one view, None, with all information visible.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        places: Sequence[SeatAssignment],
        actions: Iterable[int] = (),
        *,
        agent_factory: AgentFactory = make_agent,
    ) -> None:
        self.game, self.seed, self.places = game, seed, tuple(places)
        if len(self.places) != game.seats:
            raise ConfigError(f"{game.title} needs {game.seats} places, got {len(self.places)}")
        self.names = Record.from_actions(game, seed, [], [place.name for place in self.places]).names
        self._agents: Mapping[int, Agent] = {
            seat: _make_checked(agent_factory, place.agent, game)
            for seat, place in enumerate(self.places)
            if place.agent is not None
        }
        people = [seat for seat in range(game.seats) if seat not in self._agents]
        self.views: tuple[int | None, ...] = tuple(people) or (None,)
        self.actions: list[int] = []
        self._decisions = [0] * game.seats
        self._playback = Playback(game)
        self._history: dict[int | None, list[HistoryEntry]] = {view: [] for view in self.views}
        self._last_seen: dict[int | None, States] = {}
        self._append_history(None, -1, self._playback.start(seed), None)
        for action in actions:
            self._play(int(action))

    # --- the current position ---------------------------------------------------------------------------------------------

    @property
    def state(self) -> States:
        """A copy of the state, shape (1,), hidden fields included."""
        return self._playback.state()

    @property
    def actor(self) -> int | None:
        """The seat whose turn it is; None when the game is over."""
        return self._playback.actor

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.actor is None

    @property
    def is_agent_turn(self) -> bool:
        """Whether an agent has the next decision."""
        return self.actor in self._agents

    def legal(self) -> list[int]:
        """Return the legal actions of the seat whose turn it is."""
        return [] if self.is_over else [int(action) for action in np.flatnonzero(self._playback.mask[0])]

    def history(self, view: int | None) -> list[HistoryEntry]:
        """Return what a view has learned so far, beginning with the setup."""
        return self._history[view]

    def last_seen(self, view: int | None) -> States | None:
        """Return the state to compare with when changes are marked; None before the first decision.

        That is the state after the seat's last decision, or, for the view None, before the latest decision.
        """
        return self._last_seen.get(view)

    def decision_count(self, seat: int) -> int:
        """Return how many decisions a seat has made."""
        return self._decisions[seat]

    def record(self) -> Record:
        """Return the record so far."""
        return Record.from_actions(self.game, self.seed, self.actions, [place.name for place in self.places])

    # --- playing -----------------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: int) -> None:
        """Play a person's action.

        Raises NotYourTurnError or IllegalActionError, which leave the game as it was.
        """
        if seat not in self.views or self.actor != seat:
            raise NotYourTurnError("the game is over" if self.is_over else f"it is the turn of {self.names[self.actor or 0]}")
        self._play(action)

    def choose(self) -> int | None:
        """Return the action of the agent whose turn it is, without playing it; None if a person's."""
        agent = self._agents.get(-1 if self.actor is None else self.actor)
        if agent is None:
            return None
        batch = Batch(self.game, 1)
        batch.set_states([0], self._playback.states, check=False)
        words = nth_words(np.array([self.seed], np.uint64), _FIRST_AGENT_WORD + len(self.actions))
        return int(act(agent, batch, words)[0])

    def advance(self, chosen: int | None = None) -> bool:
        """Play the next decision if it is an agent's, and return whether it was.

        chosen : the result of :meth:`choose`, which may take long; by default it is called here
        """
        if not self.is_agent_turn:
            return False
        action = self.choose() if chosen is None else chosen
        assert action is not None
        self._play(action)
        return True

    def _play(self, action: int) -> None:
        before, actor = self._playback.state(), self._playback.actor
        rows = self._playback.play(action)
        assert actor is not None  # otherwise no action would have been legal
        self.actions.append(action)
        self._decisions[actor] += 1
        self._append_history(before, action, rows, actor)

    def _append_history(self, before: States | None, action: int, rows: Rows, actor: int | None) -> None:
        """Append a step to the history of each view that can notice it."""
        after, number = self._playback.state(), self.game.round_of(self.game.template if before is None else before)
        text = None if before is None else self.game.action_text(before, action)
        for view in self.views:
            visible, learned = ([], rows) if view is None else self.game.visible(view, before, action, after, rows)
            said = {language: self._narrate(learned, language) for language in LANGUAGES}
            step = Step(len(self.actions), 0, {}, after, actor, text, said[LANGUAGES[0]], visible)
            if is_noticed(step, view):
                picks = [] if before is None or view not in (actor, None) else self._picks(before, action)
                self._history[view].append(HistoryEntry(number, choices_of(step, view, self.game.sides), picks, said))
            if before is not None and view in (actor, None):
                self._last_seen[view] = before if view is None else after

    def _narrate(self, rows: Rows, language: str) -> list[str]:
        with speaking(language):
            return self.game.narrate(rows, self.names)

    def _picks(self, before: States, action: int) -> list[tuple[str, str]]:
        return list(self.game.presenter.choice(before, action).picks.items())


def _make_checked(factory: AgentFactory, name: str, game: Game) -> Agent:
    agent = factory(name, game.name)
    agent.check(game)
    return agent
