"""A game in progress, with people and agents at its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ginkgo_agents.base import Agent, act, nth_keys
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, GinkgoError
from ginkgo_env.core.game import OBSERVER, Game, States
from ginkgo_env.core.language import LANGUAGES, current_language, speaking
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.pictures.viewer.page import choices_of
from ginkgo_env.records import Record
from ginkgo_env.records.record import Step, is_noticed

_FIRST_AGENT_KEY = 1 << 21  # index of the agents' first random key, beyond those of an analysis

AgentFactory = Callable[[str, str], Agent]
"""Makes an agent from its name and the name of the game."""


class NotYourTurnError(GinkgoError):
    """Raised when a seat acts out of turn."""


class SeatAssignment(NamedTuple):
    """The player at a seat: a person or an agent."""

    name: str
    agent: str | None = None
    """The agent's name, as in ``ginkgo leaderboard --agents``; None for a person."""
    is_empty: bool = False
    """Whether the seat waits for a person."""


class Decision(NamedTuple):
    """A decision that a person has to make."""

    state: States
    """The state, (1,), in which the seat decides."""
    legal: list[int]
    """The legal actions."""


class HistoryEntry(NamedTuple):
    """A step of the game, restricted to what a view may know."""

    round: int | None
    """The round of the step; None in a game without rounds."""
    choices: list[tuple[int, str | None]]
    """Seats that decided, with their actions in notation; None for a hidden action."""
    picks: list[tuple[str, str]]
    """The picks of the action, if the view knows it: group and name, as in ``Choice``."""
    narration: Mapping[str, list[str]]
    """The events of the step, as sentences of the game by language."""
    played: int
    """The number of steps played so far, this one included."""

    @property
    def sentences(self) -> list[str]:
        """The events of the step, as sentences in the current language."""
        return self.narration[current_language()]


class LiveGame:
    """A game of people and agents, determined by its seed and actions as a record is.

    Parameters
    ----------
    game : the game and its configuration
    seed : 0 <= seed < 2**64; agents draw their random numbers from it too
    seats : the player at each seat; names as in records (1 to 40 printable characters)
    actions : actions played so far
    agent_factory : makes agents from their names
    pending : lets several people choose at the same time where the rules say so, and also asks them for forced decisions that
        others would notice otherwise (``Game.with_forced_decisions``): by seat, their actions that have no effect yet; by
        default people are asked one after another
    views : the views of the game: seats, OBSERVER for public information, None for all information; by default the seats of
        people or, without people, None

    Raises ConfigError for an agent that is unknown or cannot play this game, RecordError for bad names, BatchError for a bad
    seed, IllegalActionError for illegal actions.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        seats: Sequence[SeatAssignment],
        actions: Iterable[int] = (),
        *,
        agent_factory: AgentFactory = make_agent,
        pending: Mapping[int, Sequence[int]] | None = None,
        views: Iterable[int | None] | None = None,
    ) -> None:
        self.game, self.seed, self.seats = game, seed, tuple(seats)
        if len(self.seats) != game.seats:
            raise ConfigError(f"{game.title} needs {game.seats} seats, got {len(self.seats)}")
        self.names = Record.from_actions(game, seed, [], [assignment.name for assignment in self.seats]).names
        self._agents: Mapping[int, Agent] = {
            seat: _make_checked(agent_factory, assignment.agent, game)
            for seat, assignment in enumerate(self.seats)
            if assignment.agent is not None
        }
        self._people = [seat for seat in range(game.seats) if seat not in self._agents]
        self.views: tuple[int | None, ...] = tuple(self._people or (None,)) if views is None else tuple(views)
        self.actions: list[int] = []
        self.pending = {seat: list(chosen) for seat, chosen in (pending or {}).items()}
        self._at_once = pending is not None and len(self._people) > 1
        self._actors: list[int] = []  # the seat that played each action
        self._steps: list[int] = []  # the actions, including forced ones that were asked for
        self._decisions = [0] * game.seats
        self._playback, self._ahead = Playback(game.with_forced_decisions if self._at_once else game), Playback(game)
        self._history: dict[int | None, list[HistoryEntry]] = {view: [] for view in self.views}
        self._last_seen: dict[int | None, States] = {}
        self._append_history(None, -1, self._playback.start(seed), None)
        for action in actions:
            while self._is_forced:
                self._play(self.legal()[0])
            self._play(int(action))

    # --- the current position ---------------------------------------------------------------------------------------------

    @property
    def asked_game(self) -> Game:
        """The game played: ``Game.with_forced_decisions`` where people choose at the same time."""
        return self._playback.game

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

    @property
    def is_simultaneous(self) -> bool:
        """Whether people are choosing at the same time, so that there is no single seat whose turn it is."""
        return self._at_once and self._phase is not None

    @property
    def _phase(self) -> tuple[int, ...] | None:
        return None if self.is_over else self.game.choice_phase(self.state)

    @property
    def _is_forced(self) -> bool:
        """Whether the next decision has a single action, asked for only to keep secrets, and not recorded."""
        return self.asked_game is not self.game and len(self.legal()) == 1

    def legal(self) -> list[int]:
        """Return the legal actions of the seat whose turn it is."""
        return [] if self.is_over else [int(action) for action in np.flatnonzero(self._playback.mask[0])]

    @property
    def deciding(self) -> list[int]:
        """The seats of people that have to decide now: at most one, unless they choose at the same time."""
        return [seat for seat in self._people if self.decision(seat) is not None]

    def decision(self, seat: int) -> Decision | None:
        """Return the decision that a person has to make now; None if there is none."""
        if seat in self._agents or self.is_over:
            return None
        if not self.is_simultaneous:
            return Decision(self.state, self.legal()) if seat == self.actor else None
        return self._look_ahead(seat)[0]

    def pending_texts(self, seat: int) -> list[str]:
        """Return the pending actions of a person, in notation."""
        return self._look_ahead(seat)[1] if self.is_simultaneous and self.pending.get(seat) else []

    def _look_ahead(self, seat: int) -> tuple[Decision | None, list[str]]:
        """Return the decision of a seat in the simultaneous choice, and its pending actions in notation.

        Its turn is reached by any actions of the seats before it, as nothing depends on them. A pending action that all can
        see, such as a New Hand, has to take effect first.
        """
        phase, ahead, texts = self._phase, self._ahead, list[str]()
        ahead.continue_from(self.state)
        pending = iter(self.pending.get(seat, ()))
        while ahead.actor is not None and self.game.choice_phase(ahead.states) == phase:
            action = int(ahead.mask[0].argmax())
            if ahead.actor == seat:
                legal, chosen = np.flatnonzero(ahead.mask[0]).tolist(), next(pending, None)
                if chosen is None:
                    return Decision(ahead.state(), legal), texts
                if chosen not in legal:
                    break
                texts.append(self.game.action_text(ahead.states, chosen))
                action = chosen
            if ahead.play(action) and ahead.actor == seat and texts:
                break
        return None, texts

    def seen_state(self, view: int | None) -> States:
        """Return the state that a view is shown, shape (1,).

        While people choose at the same time, a seat that decides is shown as if it were its turn.
        """
        decision = self.decision(view) if view is not None and self.is_simultaneous else None
        if view is None or decision is None or self.pending.get(view):
            return self.state if decision is None else decision.state
        state = self.state
        state["actor"] = view  # as if others had chosen nothing yet
        return state

    def history(self, view: int | None) -> list[HistoryEntry]:
        """Return the steps that a view has learned of so far, beginning with the setup."""
        return self._history[view]

    def last_seen(self, view: int | None) -> States | None:
        """Return the state to compare with when changes are marked; None before the first decision.

        It is the state after the seat's last decision or, for views without a seat, before the latest decision that they
        notice.
        """
        return self._last_seen.get(view)

    def decision_count(self, seat: int) -> int:
        """Return how many decisions a seat has made."""
        return self._decisions[seat] + len(self.pending.get(seat, ()))

    def state_after(self, played: int) -> States:
        """Return the state after ``played`` steps, including forced choices that were asked for.

        The steps are replayed.
        """
        playback = Playback(self.asked_game)
        playback.start(self.seed)
        for action in self._steps[:played]:
            playback.play(action)
        return playback.state()

    def record(self) -> Record:
        """Return the record so far."""
        return Record.from_actions(self.game, self.seed, self.actions, [assignment.name for assignment in self.seats])

    # --- playing -----------------------------------------------------------------------------------------------------------

    def act(self, seat: int, action: int) -> None:
        """Play a person's action; while people choose at the same time it is pending until all have chosen.

        Raises NotYourTurnError or IllegalActionError, which leave the game as it was.
        """
        decision = self.decision(seat)
        if decision is None:
            turn = "others have to choose" if self.is_simultaneous else f"it is the turn of {self.names[self.actor or 0]}"
            raise NotYourTurnError("the game is over" if self.is_over else turn)
        if action not in decision.legal:
            raise self.game.illegal_action(decision.state, action)
        if self.is_simultaneous:
            self.pending.setdefault(seat, []).append(int(action))
            self._settle()
        else:
            self._play(action)

    def last_action_of(self, seat: int) -> int | None:
        """Return the number of the latest action of a seat; None if it has played none."""
        return max((number for number, actor in enumerate(self._actors) if actor == seat), default=None)

    def can_take_back(self, seat: int) -> bool:
        """Whether a person can take back a decision.

        A decision without effect yet can be taken back, and any decision if all others are agents.
        """
        alone = self._people == [seat] and not self.is_over and seat in self._actors
        return alone or bool(self.pending.get(seat))

    def withdraw(self, seat: int) -> bool:
        """Take back the latest choice of a seat that has no effect yet, and return whether there was one."""
        chosen = self.pending.get(seat)
        if chosen:
            chosen.pop()
        return chosen is not None

    def _settle(self) -> None:
        """Play pending actions in the order of turns, until a person has to choose."""
        while self.is_simultaneous and not self.deciding and (chosen := self.pending.get(self.actor or 0)):
            action = chosen.pop(0)
            if action in self.legal():
                self._play(action)
            else:  # a decision differs from what was expected: its seat is asked again
                chosen.clear()

    def choose(self) -> int | None:
        """Return the action of the agent whose turn it is, without playing it; None if it is a person's turn."""
        agent = self._agents.get(-1 if self.actor is None else self.actor)
        if agent is None:
            return None
        if self._is_forced:
            return self.legal()[0]
        batch = Batch(self.game, 1)
        batch.set_states([0], self._playback.states, check=False)
        keys = nth_keys(np.array([self.seed], np.uint64), _FIRST_AGENT_KEY + len(self.actions))
        return int(act(agent, batch, keys)[0])

    def advance(self, chosen: int | None = None) -> bool:
        """Play the next decision if it is an agent's, and return whether it was.

        chosen : the result of :meth:`choose`, which may take long; by default it is called here
        """
        if not self.is_agent_turn:
            return False
        action = self.choose() if chosen is None else chosen
        assert action is not None
        self._play(action)
        self._settle()
        return True

    def _play(self, action: int) -> None:
        before, actor, is_forced = self._playback.state(), self._playback.actor, self._is_forced
        rows = self._playback.play(action)
        self._steps.append(action)
        assert actor is not None  # otherwise no action would have been legal
        if not is_forced:
            self.actions.append(action)
            self._actors.append(actor)
        self._decisions[actor] += 1
        self._append_history(before, action, rows, actor)

    def _append_history(self, before: States | None, action: int, rows: Rows, actor: int | None) -> None:
        """Append a step to the history of each view that can notice it."""
        after, number = self._playback.state(), self.game.round_of(self.game.template if before is None else before)
        text = None if before is None else self.game.action_text(before, action)
        for view in self.views:
            visible, learned = ([], rows) if view is None else self.game.visible(view, before, action, after, rows)
            narration = {language: self._narrate(learned, language) for language in LANGUAGES}
            step = Step(len(self.actions), 0, {}, after, actor, text, narration[LANGUAGES[0]], visible)
            noticed = is_noticed(step, view)
            if noticed:
                picks = [] if before is None or view not in (actor, None) else self._picks(before, action)
                choices = choices_of(step, view, self.game.sides)
                self._history[view].append(HistoryEntry(number, choices, picks, narration, len(self._steps)))
            if before is not None and (view == actor or (noticed and view in (None, OBSERVER))):
                self._last_seen[view] = after if view == actor else before

    def _narrate(self, rows: Rows, language: str) -> list[str]:
        with speaking(language):
            return self.game.narrate(rows, self.names)

    def _picks(self, before: States, action: int) -> list[tuple[str, str]]:
        return list(self.game.presenter.choice(before, action).picks.items())


def _make_checked(factory: AgentFactory, name: str, game: Game) -> Agent:
    agent = factory(name, game.name)
    agent.check(game)
    return agent
