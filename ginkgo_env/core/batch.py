"""Many games at once: the fast way to play, and the base of all front ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core import checks
from ginkgo_env.core.afterstates import (
    Afterstates,
    LegalActions,
    Until,
    View,
    check_worlds,
    checked_lists,
    lists_of,
    look_ahead,
    view_of,
)
from ginkgo_env.core.checks import check_memory, flag, indices, int_or_none, integer, is_scalar, memory_text
from ginkgo_env.core.compile.jit import is_compiled
from ginkgo_env.core.engine import Engine, ReusedArray, checked_game, exclusive
from ginkgo_env.core.errors import BatchError, short_repr
from ginkgo_env.core.events import SILENT
from ginkgo_env.core.game import Game, Outcome
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.masks import NO_ACTION, RESET, first_illegal, n_words, sample_many
from ginkgo_env.core.rewards import (
    LATER,
    NO_GAINS,
    UNITS,
    UNKNOWN,
    Reward,
    chosen_reward,
    final_rewards,
    pay_many,
    rewards_between,
)
from ginkgo_env.core.state import States
from ginkgo_env.core.transitions import is_paid_each_step

_SEEDS = 2**64
ACTOR = -1  # as a seat: the one that decides in the row
_SMALL_ARRAYS = 8 * 4 + 3  # bytes of a row in actions, seeds, keys, seats and flags
_PREPARED = set[tuple[Any, ...]]()  # loops that this process has compiled or found on disk
_SHOWN, _SHOWN_WIDTH = 4, 320  # games of a batch in a notebook, and the width of their pictures in pixels


def game_seeds(seed: object, n: int) -> NDArray[np.uint64]:
    """Return seeds of n games from one seed by numpy's ``SeedSequence``: the i-th does not depend on n."""
    entropy = None if seed is None else integer(seed, 0, None, "seed")
    return np.random.SeedSequence(entropy).generate_state(n, np.uint64).astype(np.uint64, copy=False)


def _bytes_of(game: Game, size: int, keep_last: bool) -> int:
    """Return the bytes of memory that the arrays of a batch take."""
    results = 4 * game.seats + game.sides * (4 * len(game.sources) + 4 + 8)
    legal = game.actions.size + 8 * n_words(game.actions.size)
    return size * (game.template.itemsize * (1 + keep_last) + legal + results + _SMALL_ARRAYS)


def checked_seed(seed: Any) -> int:
    """Return the seed of a game as ``int``. Raises BatchError unless 0 <= seed < 2**64."""
    number = int_or_none(seed)
    if number is None or not 0 <= number < _SEEDS:
        raise BatchError(f"invalid seed {short_repr(seed)}; expected an integer 0 <= seed < 2**64")
    return number


def prepare(game: Game) -> None:
    """Compile the rules of a game if they are not compiled yet, so that no later call has to wait."""
    loops = (*game.kernels.rules, sample_many, first_illegal, pay_many)
    if loops in _PREPARED:
        return
    _PREPARED.add(loops)
    if not all(map(is_compiled, loops)):
        batch = Batch(game, 1)
        batch.step(batch.sample())
        batch.step(batch.sample(), check=False)
        batch.observe()
        batch.scores()
        batch.resample(seed=0)


class Batch(Engine):
    """``size`` games of one configuration, stepped together.

    Parameters
    ----------
    game : the game, as :func:`ginkgo_env.make_game` returns it
    size : number of games (rows)
    autoreset : whether a finished game's row is reset in the same step (same-step autoreset): ``done``, ``rewards`` and
        ``totals`` describe the finished game, ``mask``, ``actor`` and observations the next one. The next game's seed follows
        from the last one's. Off by default: a finished row stays, its mask is all zero, and only ``NO_ACTION`` is accepted.
        A game may be over at its start: its row is then finished after ``reset``, or after the step that started it, and with
        ``autoreset`` the next step reports it as done and starts the next game; its action is ``NO_ACTION``.
    keep_last : with autoreset, whether to keep the last states of finished games, for :meth:`observe_last`
    threads : number of threads that share the rows (kernels release the GIL); results do not depend on it
    reward : ``"win"``, ``"margin"``, ``"outcome"``, ``"score"`` or a function (see :mod:`ginkgo_env.core.rewards`);
        None: ``"win"``, with one side ``"score"``

    Attributes (arrays are reused: copy what you keep)
    ----------
    mask : (size, A) int8, 1 = legal for the actor
    actor : (size,) int8, the seat that decides (the current player), -1 if terminal
    kind : (size,) int8, kind of decision, an index into ``game.decisions``
    done : (size,) bool, whether the last step ended the row's game
    truncated : (size,) bool, whether it was truncated instead of ending by the rules
    rewards : (size, seats) float32 of the last step
    totals : (size, sides) int32, scores of the game that the row last finished
    standings : (size, sides) int64, what ranked the sides at its end, higher is better: the score unless the game says otherwise
    states : the records themselves, hidden fields included: for analysis, never for players. Values written to them are not
        checked, although the kernels trust them: use :meth:`set_states`

    Writing to these arrays, or assigning to them, changes what their owner reads until the next step, and nothing else: what is
    legal, and what rows hold, is kept apart. ``actor`` and ``kind`` are read-only.

    A batch serves one thread at a time: a call while another thread is in one raises BatchError. To share the rows among threads
    use ``threads``.

    A copy (``copy.deepcopy`` or ``pickle``) plays on exactly as the original would.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 4)
    >>> batch.reset(seed=1)
    >>> while not batch.over.all():
    ...     batch.step(batch.sample())
    >>> batch.totals.shape
    (4, 2)
    """

    done = ReusedArray[np.bool_]()
    truncated = ReusedArray[np.bool_]()
    rewards = ReusedArray[np.float32]()
    totals = ReusedArray[np.int32]()

    _views, _noun = (*Engine._views, "actor", "kind", "_paid"), "batch"
    running_games: Any = None
    """A :class:`~ginkgo_env.core.running_games.RunningGames` that keeps the actions of the running games, or None."""

    def __init__(
        self,
        game: Game,
        size: int,
        *,
        autoreset: bool = False,
        keep_last: bool = False,
        threads: int = 1,
        reward: Reward | None = None,
    ) -> None:
        self.reward: Reward = chosen_reward(reward, checked_game(game).sides)
        size, autoreset, keep_last = integer(size, 1, None, "size"), flag(autoreset, "autoreset"), flag(keep_last, "keep_last")
        if keep_last and not autoreset:
            raise BatchError("keep_last requires autoreset: without it finished games stay where they are")
        keep_last |= autoreset and is_paid_each_step(self.reward)
        threads = min(integer(threads, 1, None, "threads"), size)
        needed = _bytes_of(game, size, keep_last)
        check_memory(needed, f"size {short_repr(size)}", "a batch")
        try:
            super().__init__(game, size, threads=threads, autoreset=autoreset, keep_last=keep_last)
        except (MemoryError, ValueError, OverflowError):
            raise BatchError(f"invalid size {short_repr(size)}: such a batch takes {memory_text(needed)} of memory") from None
        prepare(game)
        self.reset(seed=0)
        self._last[:] = self._rows[: self._last.size]  # so that it always holds states

    def _allocate(self) -> None:
        super()._allocate()
        game, size = self.game, self.size
        self.done = np.zeros(size, np.bool_)
        self.truncated = np.zeros(size, np.bool_)
        self.rewards = np.zeros((size, game.seats), np.float32)
        self.totals = np.zeros((size, game.sides), np.int32)
        self._keys: NDArray[np.uint64] = np.zeros(size, np.uint64)
        self._actor_seats: NDArray[np.int64] = np.full(size, ACTOR, np.int64)
        # For the reward score: the scores paid so far, see core.loops.PlayMode.
        self._scores: NDArray[np.int32] = np.zeros((size, game.sides), np.int32)
        self._versions: NDArray[np.int64] = np.full(size, UNKNOWN, np.int64)

    def _take_views(self) -> None:
        super()._take_views()
        self.actor, self.kind = self.game.actor(self.states), self.game.kind(self.states)
        for view in (self.actor, self.kind):
            view.flags.writeable = False  # kernels trust states
        self._each_step = is_paid_each_step(self.reward)
        unit = LATER if callable(self.reward) else UNITS[self.reward]
        results = self.done, self.truncated, self.totals, self.rewards
        # The arguments of ``pay_many``.
        self._paid = self._done, self.final, self.standings, unit, results

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a pickled state."""
        super().__setstate__(state)
        prepare(self.game)

    @property
    def threads(self) -> int:
        """Number of threads that share the rows."""
        return self._threads.count

    def __repr__(self) -> str:
        return f"Batch({self.game!r}, {self.size})"

    # --- playing -----------------------------------------------------------------------------------------------------------

    @exclusive
    def reset(
        self, seed: int | np.integer[Any] | Sequence[int] | NDArray[np.integer[Any]] | None = None, rows: ArrayLike | None = None
    ) -> None:
        """Start a new game in every row, or in the given rows.

        seed : an integer, from which the seeds of all rows are spawned (that of row i does not depend on the size); or a list of
            the games' own seeds, one for each row, 0 <= seed < 2**64; or None for fresh randomness
        rows : indices, or a boolean array over all rows
        """
        chosen = np.arange(self.size) if rows is None else indices(rows, self.size, "rows")
        if isinstance(seed, Sequence | np.ndarray) and not is_scalar(seed):
            seeds = self._own_seeds(seed, len(chosen))
        else:
            seeds = game_seeds(seed, self.size)[chosen]
        self._seeds[chosen] = seeds
        self._keys[chosen] = seeds ^ np.uint64(0x5DEECE66D1CE4E5B)  # sample() has a stream of its own
        self._actions[:] = NO_ACTION
        self._actions[chosen] = RESET
        self._play(RESET)
        self.done[chosen] = self.truncated[chosen] = False
        self.rewards[chosen] = 0
        self._rescore(chosen)

    def step(self, actions: ArrayLike, *, check: bool = True) -> None:
        """Play one action in each row; ``NO_ACTION`` (-1) leaves a row as it is.

        actions : (size,) integers
        check : whether an illegal action raises IllegalActionError, in which case no row changes. If false, actions must be
            legal: only numbers that are no action ids raise it, and the effect of an illegal action is undefined
        """
        lock = self._lock
        if not lock.acquire(False):  # like ``exclusive``, but faster
            raise lock.refusal()
        try:
            self._actions[:] = checks.actions(actions, self.size)  # no caller can change this copy between check and use
            if check is not False and flag(check, "check") and (row := first_illegal(self._sets, self._actions)) >= 0:
                self._refuse(row)
            before = self._blobs.copy() if self._each_step else None
            self._play(NO_ACTION)
            self._reward(before)
        finally:
            lock.release()

    def sample(self) -> NDArray[np.int64]:
        """Return a uniform legal action for each row (size,), NO_ACTION in finished rows.

        The actions follow from the seed of ``reset``.
        """
        lock, out = self._lock, np.empty(self.size, np.int64)
        if not lock.acquire(False):
            raise lock.refusal()
        try:
            sample_many(0, self.size, self._sets, self._keys, out)  # as fast as to wake a thread
        finally:
            lock.release()
        return out

    @property
    def configurations(self) -> NDArray[np.int64]:
        """(size,) the number of the configuration of each row's game in a mixture; zeros for any other game."""
        return self.game.configuration_of(self.states)

    @property
    def over(self) -> NDArray[np.bool_]:
        """(size,) bool, whether each row holds a finished (terminal) game."""
        return self.actor < 0

    # --- observing ---------------------------------------------------------------------------------------------------------

    @exclusive
    def observe(self, seat: int | ArrayLike | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the observations of a seat: (size, n) of ``game.observation_dtype``.

        Blocks are those of ``game.observation``.

        seat : a seat for all rows, or one for each; None for the actor (in a finished game seat 0)
        out : written in place if given (C-contiguous, of the right shape and dtype)
        """
        game = self.game
        out = self._output(out, game.observation, game.observation_dtype)
        self._run(game.kernels.observe, self._seats(seat), out, game.observation.offsets)
        return out

    @exclusive
    def observe_last(self, seat: int = 0, view: View = "blocks") -> NDArray[Any]:
        """Return the last observations of a seat in the k games that the last step ended: (k, n).

        Requires ``keep_last``. Rows are in the order of ``done``.

        view : ``blocks`` for observations, ``features`` for compact features (float32)
        """
        if not self._last.size:
            raise BatchError("observe_last requires a batch with autoreset=True, keep_last=True")
        game, seats = self.game, integer(seat, 0, self.game.seats - 1, "seat")
        loop, layout, dtype = view_of(game, view)
        states = self._last[self.done]
        out = np.empty((len(states), layout.size), dtype)
        self._run(loop, np.full(len(states), seats), out, layout.offsets, rows=states)
        return out

    @exclusive
    def features(self, seat: int | ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return the compact features of a seat: (size, n) float32.

        Blocks are those of ``game.features``; arguments as for :meth:`observe`.
        """
        game = self.game
        out = self._output(out, game.features, np.float32)
        self._run(game.kernels.features, self._seats(seat), out, game.features.offsets)
        return out

    @exclusive
    def legal_actions(self) -> LegalActions:
        """Return the legal actions of each row as lists: offsets (size + 1,) and ids (N,), both int64."""
        return lists_of(self._sets)

    @exclusive
    def afterstates(
        self,
        worlds: int = 2,
        *,
        seed: int | None = None,
        legal: LegalActions | None = None,
        until: Until = "round",
        view: View = "features",
        average: bool = False,
    ) -> Afterstates:
        """Play each action in resampled worlds to the end of the round, and observe the results.

        worlds : number of worlds for each row: all its actions meet the same worlds and random numbers
        seed : seed of worlds and random numbers; None for fresh randomness
        legal : the actions to play in each row; by default all legal ones. Finished rows have none

        See :func:`ginkgo_env.core.afterstates.look_ahead` for the other arguments and for the result.
        """
        n, average = integer(worlds, 1, None, "worlds"), flag(average, "average")
        legal = self.legal_actions() if legal is None else checked_lists(legal, self.size)
        game, seats = self.game, np.maximum(self.actor, 0).astype(np.int64)
        check_worlds(game, self.size, n, np.size(legal[1]), view, average)
        keys = game_seeds(seed, self.size * (n + 1))
        states = np.repeat(self._blobs, n).view(self._rows.dtype)
        self._run(game.kernels.resample, np.repeat(seats, n), keys[self.size :], rows=states)
        by_row = states.reshape(self.size, n)
        return look_ahead(
            game, by_row, seats, legal, keys[: self.size], self._threads.run, until=until, view=view, average=average
        )

    @exclusive
    def scores(self) -> NDArray[np.int32]:
        """Return the current scores by source: (size, sides, sources) int32."""
        out = np.zeros((self.size, self.game.sides, len(self.game.sources)), np.int32)
        self._run(self.game.kernels.score, out, np.zeros_like(self.standings))
        return out

    @exclusive
    def outcome(self, row: int) -> Outcome:
        """Return the outcome of the game in a row; if it is not over, as it would be scored now."""
        return self.game.outcome(self.state(row))

    def state(self, row: int) -> States:
        """Return a view of the state in a row, (1,), hidden fields included."""
        row = self._row(row)
        return cast(States, self.states[row : row + 1])

    @exclusive
    def _repr_html_(self) -> str:
        """Return the first games as small pictures, for notebooks."""
        rows = range(min(self.size, _SHOWN))
        small = [self.game.picture(self.state(row)).svg(width=_SHOWN_WIDTH) for row in rows]
        cells = "".join(f'<div style="display:inline-block;vertical-align:top;margin:4px">{svg}</div>' for svg in small)
        rest = f", of which {len(rows)} are shown" if self.size > len(rows) else ""
        return f"<p>{self.game.title}: {self.size} game{'s' * (self.size != 1)}{rest}</p>{cells}"

    @exclusive
    def position(self, row: int) -> dict[str, Any]:
        """Return the position in a row: the complete state as plain data."""
        return self.game.position(self.state(row))

    @exclusive
    def positions(self) -> list[dict[str, Any]]:
        """Return the positions of all rows."""
        return [self.position(row) for row in range(self.size)]

    # --- changing rows -----------------------------------------------------------------------------------------------------

    @exclusive
    def set_position(self, row: int, position: Any) -> None:
        """Set a row to a position. Raises PositionError, and changes nothing, if the position is invalid."""
        self.set_states([row], self.game.from_position(position))

    @exclusive
    def set_states(self, rows: ArrayLike, states: States, *, check: bool = True) -> None:
        """Copy states into rows.

        check : whether states with a flaw raise BatchError, in which case no row changes; if false, they must come from a batch
        """
        chosen = indices(rows, self.size, "rows")
        self.game.checked_states(states)
        if states.shape not in ((1,), chosen.shape):
            raise BatchError(f"invalid states of shape {states.shape}; expected ({chosen.size},) or (1,)")
        if flag(check, "check") and (flaw := self.game.find_flaw(states)):
            raise BatchError(f"invalid states; {flaw}")
        self.states[chosen] = states
        self._refresh(chosen)

    @exclusive
    def copy_rows(self, source: Batch, source_rows: ArrayLike, rows: ArrayLike) -> None:
        """Copy games from rows of a batch, this one or another of the same game, into rows of this batch."""
        if not isinstance(source, Batch):
            raise BatchError(f"invalid source {short_repr(source)}; expected a Batch")
        if source.game is not self.game and not source.game.shares_states(self.game):
            raise BatchError("invalid source; expected a batch of the same game and configuration")
        here, there = indices(rows, self.size, "rows"), indices(source_rows, source.size, "source_rows")
        if here.shape != there.shape:
            raise BatchError(f"invalid source_rows; expected {here.size} rows, got {there.size}")
        with source._lock:
            self._blobs[here] = source._blobs[there]
            self.mask[here], self._sets[here] = source.mask[there], source._sets[there]
            self._keys[here] = source._keys[there]
        self._rescore(here)

    @exclusive
    def resample(self, seat: int | ArrayLike | None = None, seed: int | None = None) -> None:
        """Resample (determinize) in place what a seat (None: the actor) cannot know, and all further chance."""
        keys = game_seeds(seed, self.size)
        self._run(self.game.kernels.resample, self._seats(seat), keys)
        self._keys[:] = keys
        self.refresh()

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _play(self, lowest: int) -> None:
        """Play the actions in ``_actions``. One below ``lowest`` or no id raises IllegalActionError and changes nothing."""
        gains = (self._versions, self._scores, self.rewards) if lowest > RESET and self.reward == "score" else NO_GAINS
        row = self._run(self.game.kernels.play, self._play_arrays, (self.autoreset, lowest, SILENT, gains))
        if row >= 0:
            self._refuse(row)
        if self.running_games is not None:
            self.running_games.add(self._actions, self._done, self.autoreset)

    def _reward(self, before: NDArray[Any] | None) -> None:
        """Write the results of a step; ``before`` are the states before it, for rewards that are paid at each step."""
        pay_many(*self._paid)
        if before is not None:
            self._pay_step(before)
        elif callable(self.reward) and self.done.any():
            paid = final_rewards(self.reward, self.totals[self.done], self.standings[self.done])
            self.rewards[self.done] = paid[:, : self.game.seats]

    def _pay_step(self, before: NDArray[Any]) -> None:
        rows = np.flatnonzero((self._actions != NO_ACTION) | self.done)
        after, ended = self._blobs[rows], self.done[rows]
        if self.autoreset:
            after[ended] = self._last[rows[ended]].view(after.dtype)
        if rows.size:
            paid = rewards_between(self.reward, self, before[rows], after, self._actions[rows], ended)
            self.rewards[rows] = paid[:, : self.game.seats]

    def _refresh(self, rows: NDArray[np.int64]) -> None:
        self.refresh()
        self.done[rows] = self.truncated[rows] = False
        self.rewards[rows] = 0
        self._rescore(rows)

    def _rescore(self, rows: NDArray[np.int64]) -> None:
        """For the reward ``score``: take the current scores of the games in rows as paid."""
        if self.reward == "score":
            states = self._blobs[rows].view(self.game.template.dtype)
            out = np.zeros((len(states), self.game.sides, len(self.game.sources)), np.int32)
            self._run(self.game.kernels.score, out, np.zeros(out.shape[:2], np.int64), rows=states)
            self._scores[rows] = out.sum(axis=2)
            self._versions[rows] = UNKNOWN

    def _output(self, out: NDArray[Any] | None, layout: Layout, dtype: type[np.generic]) -> NDArray[Any]:
        """Return the array to write to, (size, n): a new one for None. Raises BatchError if it does not fit."""
        shape = self.size, layout.size
        if out is None:
            return np.empty(shape, dtype)
        if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.carray:
            raise BatchError(f"invalid out; expected a writable C-contiguous {np.dtype(dtype).name} array of shape {shape}")
        return out

    def _refuse(self, row: int) -> None:
        """Raise IllegalActionError for the action of a row."""
        error = self.game.illegal_action(self.state(row), int(self._actions[row]))
        raise error if self.size == 1 else type(error)(f"row {row}: {error}")

    def _seats(self, seat: int | ArrayLike | None) -> NDArray[np.int64]:
        if seat is None:
            return self._actor_seats
        if is_scalar(seat):
            return np.full(self.size, integer(seat, ACTOR, self.game.seats - 1, "seat"), np.int64)
        return checks.seats(seat, self.size, ACTOR, self.game.seats - 1)

    def _row(self, row: int) -> int:
        return integer(row, -self.size, self.size - 1, "row") % self.size

    def _own_seeds(self, seeds: Sequence[int] | NDArray[np.integer[Any]], n: int) -> NDArray[np.uint64]:
        if len(seeds) != n:
            raise BatchError(f"invalid seeds of length {len(seeds)}; expected {n}, one for each row")
        return np.array([checked_seed(seed) for seed in seeds], np.uint64)
