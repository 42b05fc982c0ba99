"""An environment for one seat of each game in a batch, shared by the front ends for a single learner.

A step plays the learner's action and then the opponents, until the learner has to decide again or the game is over. It pays
everything that happened in between, including changes of the learner's score by others.

All chance comes from the seeds of the games: a game depends on its seed, on the learner's seat and actions, and on the opponents,
never on other rows.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, Literal, Self, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core import checks
from ginkgo_env.core.batch import Batch, checked_seed, game_seeds
from ginkgo_env.core.checks import integer
from ginkgo_env.core.engine import CallLock, exclusive
from ginkgo_env.core.errors import BatchError, ConfigError, FinishedGameError, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.masks import NO_ACTION, mix_many
from ginkgo_env.core.rewards import Reward, chosen_reward, final_rewards, rewards_between
from ginkgo_env.core.rng import GOLDEN
from ginkgo_env.core.transitions import is_paid_each_step
from ginkgo_env.envs.observation_writer import Observations, ObservationWriter, RowSubset, write_masks
from ginkgo_env.envs.one_game import Restorable
from ginkgo_env.envs.opponents import RANDOM, Opponents
from ginkgo_env.registry import game_class, make_game

ILLEGAL_REWARD = -1.0
IllegalAction = Literal["penalty", "raise"]
SeatChoice = int | Literal["random", "rotating"]

_OPTIONS = ("opponents", "seat", "reward", "observation", "illegal_action", "threads")  # of a learner
_MOST_GAMES = 10_000  # consecutive games without a decision of the learner, after which an error is raised
_SEATS, _OPPONENTS = np.uint64(0x8F1D3A6C5B7E9024), np.uint64(0x3C79AC492BA7B653)  # further random streams of a seed
_HALF = np.uint64(32)

Rows = NDArray[np.int64]


def _mixed(seeds: NDArray[np.uint64], stream: np.uint64) -> NDArray[np.uint64]:
    keys = seeds ^ stream
    mix_many(keys)
    return keys


class Learner(Restorable):
    """``size`` games with one learner, who has one seat in each.

    Parameters
    ----------
    opponents : the players of the other seats, see :mod:`ginkgo_env.envs.opponents`
    seat : the learner's seat; ``"random"``: a seat drawn from the seed of each game; ``"rotating"``: for seed s, s modulo the
        number of seats, and then the next seat in each game that follows
    reward : the reward of the learner's seat, see :mod:`ginkgo_env.core.rewards`; None: ``"win"`` or, with one side,
        ``"score"``
    observation : the kind of observation, see :mod:`ginkgo_env.envs.observation_writer`
    illegal_action : ``"penalty"`` ends the episode with reward -1; ``"raise"`` raises IllegalActionError and changes nothing
    threads : number of threads that share the rows

    Attributes (written in place by each step)
    ----------
    batch : the games. Between calls, each is over or waits for the learner
    seats : (size,) int64, the learner's seat
    over : (size,) bool, whether the episode is over
    rewards : (size,) float64 of the last step
    terminated, truncated : (size,) bool, whether the last step ended the episode by termination or truncation
    illegal : (size,) bool, whether it ended by an illegal action; the game is then unchanged
    decisions : number of actions taken so far, the opponents' included
    """

    _changing = (
        *("batch", "seats", "over", "rewards", "terminated", "truncated", "illegal", "decisions"),
        *("_seeds", "_keys", "_scores", "_states", "_actions"),
    )

    def __init__(
        self,
        game: Game,
        size: int,
        *,
        opponents: Any = RANDOM,
        seat: SeatChoice = 0,
        reward: Reward | None = None,
        observation: str = "blocks",
        illegal_action: IllegalAction = "penalty",
        threads: int = 1,
    ) -> None:
        if not isinstance(illegal_action, str) or illegal_action not in get_args(IllegalAction):
            raise ConfigError(f"invalid illegal_action {short_repr(illegal_action)}; expected 'penalty' or 'raise'")
        if not isinstance(seat, str):
            seat = integer(seat, 0, int(game.seats_of(game.template).min()) - 1, "seat", ConfigError)
        elif seat not in ("random", "rotating"):
            raise ConfigError(f"invalid seat {short_repr(seat)}; expected 0..{game.seats - 1}, 'random' or 'rotating'")
        self.game, self.illegal_action = game, illegal_action
        self.reward: Reward = chosen_reward(reward, game.sides)
        self.view = ObservationWriter(game, observation)
        self.opponents = Opponents(game, opponents, self.view)
        self.batch = Batch(game, size, threads=threads)
        self._subset = RowSubset(self.batch)
        self._lock, self._seat, self.decisions, n = CallLock("batch"), seat, 0, self.batch.size
        self.seats: NDArray[np.int64] = np.full(n, 0 if isinstance(seat, str) else seat, np.int64)
        self.over: NDArray[np.bool_] = np.ones(n, np.bool_)
        self.rewards: NDArray[np.float64] = np.zeros(n)
        self.terminated: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.illegal: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self._every: Rows = np.arange(n)
        self._seeds: NDArray[np.uint64] = game_seeds(None, n)
        self._keys: NDArray[np.uint64] = np.zeros(n, np.uint64)  # the opponents' random numbers
        self._scores: NDArray[np.int64] = np.zeros(n, np.int64)  # the learner's scores paid so far
        # The states up to which a reward of each step is paid.
        self._states: NDArray[Any] = self.batch._blobs[: n if is_paid_each_step(self.reward) else 0].copy()
        self._actions: NDArray[np.int64] = np.full(n, NO_ACTION, np.int64)

    # --- playing -----------------------------------------------------------------------------------------------------------

    @exclusive
    def set_opponents(self, opponents: Any) -> None:
        """Change the opponents, from the next action on."""
        self.opponents = Opponents(self.game, opponents, self.view)

    @exclusive
    def reset(self, seeds: Sequence[int | None] | None = None, rows: Rows | None = None) -> None:
        """Start new games in all rows, or in some, and play them to the learner's first decision.

        seeds : the game's seed for each of these rows. None: the seed that follows from the row's last one, as in a ``Batch``
            with autoreset; the first one is random. A game that ends before the learner has decided is followed by the next
            one.
        """
        rows = self._every if rows is None else rows
        given, begun = self._take_seeds(rows, seeds), rows
        self.over[begun] = True  # remains so if an opponent raises an error
        for _ in range(_MOST_GAMES):
            self._begin(rows, given)
            rows = rows[self.batch.actor[rows] < 0]
            if not rows.size:
                self.over[begun] = self.illegal[begun] = False
                return
            given = self._take_seeds(rows, None)
        raise BatchError(f"the learner never decides: {_MOST_GAMES} games in a row ended before its first decision")

    @exclusive
    def step(self, actions: ArrayLike, rows: Rows | None = None) -> None:
        """Play the learner's actions in all rows, or in some. None of these may be over.

        Rewards and flags of other rows are cleared.

        actions : (size,) integers; those of other rows are ignored

        Raises FinishedGameError, IllegalActionError or BatchError, and then changes nothing. After an error of an opponent the
        rows have to be reset.
        """
        chosen = checks.actions(actions, self.batch.size).astype(np.int64)
        rows = self._every if rows is None else rows
        if self.over[rows].any():
            raise FinishedGameError("the episode is over: call reset first")
        legal = self.batch.are_legal(rows, chosen[rows])
        good, bad = (rows, rows[:0]) if legal.all() else (rows[legal], rows[~legal])
        if bad.size and self.illegal_action == "raise":
            self._refuse(int(bad[0]), int(chosen[bad[0]]))
        self.rewards[:] = 0
        self.terminated[:] = self.truncated[:] = self.illegal[:] = False
        if good.size:
            self.over[good] = True  # remains so if an opponent raises an error: the game does not wait for the learner then
            self._play(good, chosen[good])
            self._play_opponents(good)
            self._pay(good, chosen[good])
        self.illegal[bad] = self.terminated[bad] = self.over[bad] = True
        self.rewards[bad] = ILLEGAL_REWARD

    @exclusive
    def truncate(self, rows: Rows) -> None:
        """End the episodes in rows (k,) before the games are over."""
        self.over[rows] = self.truncated[rows] = True

    # --- observing ---------------------------------------------------------------------------------------------------------

    @exclusive
    def observe(self, out: Observations | None = None) -> Observations:
        """Return the learner's observations of all rows: new arrays, or written to ``out``."""
        out = self.view.empty(self.batch.size) if out is None else out
        self.view.write(self.batch, self.seats, out)
        return out

    @exclusive
    def observe_rows(self, rows: Rows) -> Observations:
        """Return the learner's observations of some rows (k,): new arrays."""
        return self.view.rows(self._subset, rows, self.seats[rows])

    @exclusive
    def masks(self, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Return the learner's action masks (size, A) int8: a new array, or written to ``out``.

        The mask of a game that is over is all ones, as its action is ignored. Where an illegal action has ended the episode,
        the mask is the one that forbids this action.
        """
        out = np.empty_like(self.batch.mask) if out is None else out
        write_masks(self.batch, self.seats, out)
        return out

    @exclusive
    def masks_rows(self, rows: Rows) -> NDArray[np.int8]:
        """Return the masks of some rows (k,): a new array (k, A)."""
        masks: NDArray[np.int8] = self.batch.mask[rows]
        masks[self.batch.actor[rows] < 0] = 1
        return masks

    def endings(self, rows: Rows) -> dict[str, NDArray[Any]]:
        """Return what infos say of the ends of episodes in rows (k,), with zeros where none has ended.

        ``illegal_action`` (k,) bool, ``scores`` (k, sides) int32 and, with several sides, ``is_success`` (k,) bool.
        """
        played_out = self.batch.actor[rows] < 0
        infos: dict[str, NDArray[Any]] = {"illegal_action": self.illegal[rows]}
        infos["scores"] = self.batch.totals[rows] * played_out[:, None]
        if self.game.sides > 1:
            standings = self.batch.standings[rows]
            infos["is_success"] = (standings[np.arange(rows.size), self.seats[rows]] == standings.max(axis=1)) & played_out
        return infos

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _take_seeds(self, rows: Rows, seeds: Sequence[int | None] | None) -> NDArray[np.bool_]:
        """Set the seeds of the next games; return which of them were given, (k,) bool."""
        given = np.array([seed is not None for seed in seeds], np.bool_) if seeds is not None else np.zeros(rows.size, np.bool_)
        if given.shape != rows.shape:
            raise BatchError(f"invalid seeds; expected {rows.size}, got {given.size}")
        numbers = [checked_seed(seed) for seed in seeds or () if seed is not None]
        following = self._seeds[rows] + GOLDEN  # core.rng.successor
        mix_many(following)
        following[given] = numbers
        self._seeds[rows] = following
        return given

    def _choose_seats(self, rows: Rows, given: NDArray[np.bool_]) -> None:
        if not isinstance(self._seat, str):
            return
        seats = self.game.seats_of(cast(States, self.batch.states[rows]))
        if self._seat == "random":
            self.seats[rows] = ((_mixed(self._seeds[rows], _SEATS) >> _HALF) * seats.astype(np.uint64)) >> _HALF
        else:
            self.seats[rows] = np.where(given, self._seeds[rows] % seats.astype(np.uint64), (self.seats[rows] + 1) % seats)

    def _begin(self, rows: Rows, given: NDArray[np.bool_]) -> None:
        seeds = self._seeds[rows]
        self.batch.reset(seeds, rows=rows)
        self._choose_seats(rows, given)
        self._keys[rows] = _mixed(seeds, _OPPONENTS)
        if self.reward == "score":
            self._scores[rows] = self._scores_of(rows)
        elif self._states.size:
            self._states[rows] = self.batch._blobs[rows]
        self._play_opponents(rows)

    def _play(self, rows: Rows, actions: NDArray[np.int64]) -> None:
        """Play legal actions (k,) in rows (k,)."""
        self._actions[rows] = actions
        self.batch.step(self._actions, check=False)
        self._actions[rows] = NO_ACTION
        self.decisions += rows.size
        self.truncated |= self.batch.truncated

    def _play_opponents(self, rows: Rows) -> None:
        """Play until in all rows (k,) the learner decides or the game is over."""
        actor = self.batch.actor
        while True:
            deciding, seats = actor[rows], self.seats[rows]
            others = (deciding >= 0) & (deciding != seats)
            rows, seats = rows[others], seats[others]
            if not rows.size:
                return
            self._play(rows, self.opponents.decide(self._subset, rows, seats, self._keys))

    def _pay(self, rows: Rows, actions: NDArray[np.int64]) -> None:
        """Set rewards and flags of rows (k,) in which the learner has played these actions (k,)."""
        self.over[rows] = self.batch.actor[rows] < 0
        ended = rows[self.over[rows]]
        self.terminated[ended] = ~self.truncated[ended]
        if self.reward == "score":
            now = self._scores_of(rows)
            self.rewards[rows] = now - self._scores[rows]
            self._scores[rows] = now
        elif self._states.size:
            before, after, seats = self._states[rows], self.batch._blobs[rows], self.seats[rows]
            self._states[rows] = after
            paid = rewards_between(self.reward, self.batch, before, after, actions, self.over[rows], seats)
            self.rewards[rows] = paid[np.arange(rows.size), seats]
        elif ended.size:
            paid = final_rewards(self.reward, self.batch.totals[ended], self.batch.standings[ended])
            self.rewards[ended] = paid[np.arange(ended.size), self.seats[ended]]

    def _scores_of(self, rows: Rows) -> NDArray[np.int64]:
        """Return the learner's current scores (k,)."""
        seats = self.seats[rows]
        totals = self._subset.look(rows, seats, lambda batch, _: batch.scores().sum(axis=2))
        scores: NDArray[np.int64] = totals[np.arange(rows.size), seats]
        return scores

    def _refuse(self, row: int, action: int) -> None:
        error = self.game.illegal_action(self.batch.state(row), action)
        raise error if self.batch.size == 1 else type(error)(f"row {row}: {error}")


class LearnerEnv:
    """Base of the environments for one learner.

    >>> from ginkgo_env import GinkgoEnv
    >>> GinkgoEnv("my_city").action_masks().shape
    (486,)
    """

    game: Game
    learner: Learner

    def _begin(self, game: str | type[Game], size: int, options: dict[str, Any]) -> None:
        """Make the game and the learner. Options that a :class:`Learner` does not have are those of the game."""
        of_learner = {name: options.pop(name) for name in _OPTIONS if name in options}
        self.game = make_game(game_class(game), **options)
        self.learner = Learner(self.game, size, **of_learner)

    def action_masks(self) -> NDArray[np.int8]:
        """The action masks (num_envs, A) int8: a new array."""
        return self.learner.masks()

    def set_opponents(self, opponents: Any) -> None:
        """Change the opponents, from the next action on."""
        self.learner.set_opponents(opponents)

    def __copy__(self) -> Self:
        """An independent copy."""
        return copy.deepcopy(self)
