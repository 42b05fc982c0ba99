"""Many games at once: the fast way to play, and what every front end stands on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core.afterstates import Afterstates, LegalActions, Until, View, legal_lists, look_ahead, view_of
from ginkgo_env.core.checks import flag, integer, is_scalar, whole
from ginkgo_env.core.compile.jit import is_compiled
from ginkgo_env.core.engine import Engine, checked_game
from ginkgo_env.core.errors import BatchError, short, shown
from ginkgo_env.core.game import Game, Outcome
from ginkgo_env.core.masks import NO_ACTION, RESET, first_illegal, sample_many
from ginkgo_env.core.rewards import LATER, UNITS, UNKNOWN, Reward, chosen_reward, final_rewards, pay_many
from ginkgo_env.core.state import States

_SEEDS = 2**64
ACTOR = -1  # as a seat: whoever decides in the row
_SMALL_ARRAYS = 8 * 4 + 3  # bytes of a row in actions, seeds, words, seats and flags
_HUGE_GIB = 10**9
_PREPARED = set[tuple[Any, ...]]()  # loops that this process has compiled or found on disk
_SHOWN, _SHOWN_WIDTH = 4, 320  # games of a batch in a notebook, and the width of their pictures in pixels


def _memory() -> int:
    """Bytes of memory in this machine; a huge number if unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def game_seeds(seed: object, n: int) -> NDArray[np.uint64]:
    """Seeds of n games from one: the i-th does not depend on n (numpy's ``SeedSequence``)."""
    entropy = None if seed is None else integer(seed, 0, None, "seed")
    return np.random.SeedSequence(entropy).generate_state(n, np.uint64).astype(np.uint64, copy=False)


def _bytes_of(game: Game, size: int, keep_last: bool) -> int:
    """Bytes of memory that the arrays of a batch take."""
    results = 4 * game.seats + game.sides * (4 * len(game.sources) + 4 + 8)
    return size * (game.template.itemsize * (1 + keep_last) + game.actions.size + results + _SMALL_ARRAYS)


def checked_seed(seed: Any) -> int:
    """The seed of one game as a Python int. Raises BatchError unless it is an integer 0 <= seed < 2**64."""
    number = whole(seed)
    if number is None or not 0 <= number < _SEEDS:
        raise BatchError(f"invalid seed {shown(seed)}; expected an integer 0 <= seed < 2**64")
    return number


def prepare(game: Game) -> None:
    """Compile all kernels of the rules of a game that are not compiled yet, so that no later call has to wait."""
    loops = (*game.kernels.rules, sample_many, first_illegal, pay_many)
    if loops in _PREPARED:
        return
    _PREPARED.add(loops)
    if not all(map(is_compiled, loops)):
        batch = Batch(game, 1)
        batch.step(batch.sample())
        batch.observe()
        batch.scores()
        batch.outcome(0)
        batch.resample(seed=0)


class Batch(Engine):
    """``size`` games of one configuration, stepped together.

    Parameters
    ----------
    game : what :func:`ginkgo_env.make_game` returns
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
    states : the records themselves, hidden fields included: for analysis, never for players

    A copy (``copy.deepcopy`` or ``pickle``) plays on exactly as the original would.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 4)
    >>> batch.reset(seed=1)
    >>> while not batch.over.all():
    ...     batch.step(batch.sample())
    >>> batch.totals.shape
    (4, 2)
    """

    _views = (*Engine._views, "actor", "kind")

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
        threads = min(integer(threads, 1, None, "threads"), size)
        needed = _bytes_of(game, size, keep_last)
        try:
            if needed > _memory():  # systems that overcommit memory would kill the process later
                raise MemoryError
            super().__init__(game, size, threads=threads, autoreset=autoreset, keep_last=keep_last)
            self._allocate()
        except (MemoryError, ValueError, OverflowError):
            gib = -(-needed // 2**30)
            memory = f"{gib:,} GiB" if gib < _HUGE_GIB else f"more than {_HUGE_GIB:,} GiB"
            raise BatchError(f"invalid size {shown(size)}: such a batch takes {memory} of memory") from None
        prepare(game)
        self.reset(seed=0)

    def _allocate(self) -> None:
        """Allocate the arrays that the loops do not need."""
        game, size = self.game, self.size
        self.done: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self.truncated: NDArray[np.bool_] = np.zeros(size, np.bool_)
        self.rewards: NDArray[np.float32] = np.zeros((size, game.seats), np.float32)
        self.totals: NDArray[np.int32] = np.zeros((size, game.sides), np.int32)
        self._words: NDArray[np.uint64] = np.zeros(size, np.uint64)
        self._actor_seats: NDArray[np.int64] = np.full(size, ACTOR, np.int64)
        # For the reward score: what has been paid for so far, see core.loops.play_many.
        self._scores: NDArray[np.int32] = np.zeros((size, game.sides), np.int32)
        self._versions: NDArray[np.int64] = np.full(size, UNKNOWN, np.int64)

    def _take_views(self) -> None:
        super()._take_views()
        self.actor, self.kind = self.game.actor(self.states), self.game.kind(self.states)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Continue from a pickled state."""
        super().__setstate__(state)
        prepare(self.game)

    @property
    def threads(self) -> int:
        """How many threads share the rows."""
        return self._threads.count

    # --- playing -----------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | NDArray[np.integer[Any]] | None = None, rows: ArrayLike | None = None) -> None:
        """Start a new game in every row, or in the given rows.

        seed : one number, from which each row's seed is spawned (row i's does not depend on the size); or a seed for each row
            (0 <= seed < 2**64), the game's own; or None for fresh randomness.
        """
        if rows is None:
            chosen = np.arange(self.size)
        else:
            chosen = self._chosen(rows)
        if isinstance(seed, Sequence | np.ndarray) and not is_scalar(seed):
            seeds = self._own_seeds(seed, len(chosen))
        else:
            seeds = game_seeds(seed, self.size)[chosen]
        self._seeds[chosen] = seeds
        self._words[chosen] = seeds ^ np.uint64(0x5DEECE66D1CE4E5B)  # the stream of sample(), apart from the game's
        self._actions[:] = NO_ACTION
        self._actions[chosen] = RESET
        self._play(self._actions)
        self.done[chosen] = self.truncated[chosen] = False
        self.rewards[chosen] = 0
        self._rescore(chosen)

    def step(self, actions: ArrayLike, *, check: bool = True) -> None:
        """Play one action in each row; ``NO_ACTION`` (-1) leaves a row as it is.

        actions : (size,) integers. With ``check`` (the default) an illegal one raises IllegalActionError and no row changes.
        """
        acts = self._integers(actions, "actions")
        if check:
            self._check(acts)
        self._play(acts, *((self._versions, self._scores, self.rewards) if self.reward == "score" else ()))
        self._reward()

    def sample(self) -> NDArray[np.int64]:
        """A uniform legal action for each row, reproducible from the seed of ``reset``; NO_ACTION in finished rows."""
        out = np.empty(self.size, np.int64)
        self._threads.run(sample_many, self.size, self.mask, self._words, out)
        return out

    @property
    def over(self) -> NDArray[np.bool_]:
        """(size,) bool, which rows hold a finished (terminal) game."""
        return self.actor < 0

    # --- looking -----------------------------------------------------------------------------------------------------------

    def observe(self, seat: int | ArrayLike | None = None, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The observations of a seat: (size, n) of ``game.observation_dtype``, blocks as in ``game.observation``.

        seat : one for all rows, or one for each; None for the actor (in a finished game seat 0).
        out : written in place if given (C-contiguous, right shape and dtype).
        """
        shape, dtype = (self.size, self.game.observation.size), self.game.observation_dtype
        if out is None:
            out = np.empty(shape, dtype)
        elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != dtype or not out.flags.carray:
            raise BatchError(f"invalid out; expected a writable C-contiguous {np.dtype(dtype).name} array of shape {shape}")
        game = self.game
        self.run(game.kernels.observe, self._seats(seat), out, game.observation.offsets)
        return out

    def observe_last(self, seat: int = 0, view: View = "blocks") -> NDArray[Any]:
        """What a seat knew at the end of the games that ended in the last step: (k, n), k rows in the order of ``done``.

        Requires ``keep_last``.

        view : ``blocks`` for observations, ``features`` for compact features (float32)
        """
        if not self._last.size:
            raise BatchError("this batch does not keep the last states of games: make it with autoreset=True, keep_last=True")
        game, seats = self.game, integer(seat, 0, self.game.seats - 1, "seat")
        loop, layout, dtype = view_of(game, view)
        states = self._last[self.done]
        out = np.empty((len(states), layout.size), dtype)
        self.run(loop, np.full(len(states), seats), out, layout.offsets, rows=states)
        return out

    def features(self, seat: int | ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """The compact features of a seat: (size, n) float32, blocks as in ``game.features``; see :meth:`observe`."""
        game, shape = self.game, (self.size, self.game.features.size)
        if out is None:
            out = np.empty(shape, np.float32)
        elif not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float32 or not out.flags.carray:
            raise BatchError(f"invalid out; expected a writable C-contiguous float32 array of shape {shape}")
        self.run(game.kernels.features, self._seats(seat), out, game.features.offsets)
        return out

    def legal_actions(self) -> LegalActions:
        """The legal actions of each row as lists: offsets (size + 1,) and ids (N,), both int64."""
        return legal_lists(self.mask)

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
        """Where actions lead: each is played in resampled worlds to the end of the round; finished rows have none.

        worlds : how many for each row, the same for all its actions, with the same random numbers
        seed : of worlds and random numbers; None for fresh randomness
        legal : which actions to try in each row; by default all that are legal

        See :func:`ginkgo_env.core.afterstates.look_ahead` for the rest, and for what is returned.
        """
        n = integer(worlds, 1, None, "worlds")
        game, seats = self.game, np.maximum(self.actor, 0).astype(np.int64)
        words = game_seeds(seed, self.size * (n + 1))
        states = np.repeat(self._blobs, n).view(self._rows.dtype)
        self.run(game.kernels.resample, np.repeat(seats, n), words[self.size :], rows=states)
        legal = self.legal_actions() if legal is None else self._tried(legal)
        by_row = states.reshape(self.size, n)
        return look_ahead(
            game, by_row, seats, legal, words[: self.size], self._threads.run, until=until, view=view, average=average
        )

    def _tried(self, legal: LegalActions) -> LegalActions:
        offsets, actions = (np.ascontiguousarray(array, np.int64) for array in legal)
        fits = offsets.shape == (self.size + 1,) and actions.ndim == 1 and offsets[0] == 0 and offsets[-1] == len(actions)
        if not fits or (np.diff(offsets) < 0).any():
            raise BatchError(f"invalid legal actions; expected offsets ({self.size + 1},) and as many ids as they say")
        rows = np.repeat(np.arange(self.size), np.diff(offsets))
        inside = (actions >= 0) & (actions < self.game.actions.size)
        wrong = ~inside | (self.mask[rows, np.where(inside, actions, 0)] == 0)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            raise self.game.illegal_action(self.state(int(rows[at])), int(actions[at]))
        return LegalActions(offsets, actions)

    def scores(self) -> NDArray[np.int32]:
        """Current scores by source: (size, sides, sources) int32."""
        out = np.zeros((self.size, self.game.sides, len(self.game.sources)), np.int32)
        self.run(self.game.kernels.score, out, np.zeros_like(self.standings))
        return out

    def outcome(self, row: int) -> Outcome:
        """The outcome of the game in a row; if it is not terminal, as it would be scored now."""
        return self.game.outcome(self.state(row))

    def state(self, row: int) -> States:
        """The state in a row, shape (1,): a view, hidden fields included."""
        row = self._row(row)
        return cast(States, self.states[row : row + 1])

    def _repr_html_(self) -> str:
        """What a notebook shows: the first games as small pictures."""
        rows = range(min(self.size, _SHOWN))
        small = [self.game.picture(self.state(row)).svg(width=_SHOWN_WIDTH) for row in rows]
        cells = "".join(f'<div style="display:inline-block;vertical-align:top;margin:4px">{svg}</div>' for svg in small)
        rest = f", of which {len(rows)} are shown" if self.size > len(rows) else ""
        return f"<p>{self.game.title}: {self.size} game{'s' * (self.size != 1)}{rest}</p>{cells}"

    def position(self, row: int) -> dict[str, Any]:
        """The position in a row: the complete state as plain data."""
        return self.game.position(self.state(row))

    def positions(self) -> list[dict[str, Any]]:
        """All rows' positions."""
        return [self.position(row) for row in range(self.size)]

    # --- changing rows -----------------------------------------------------------------------------------------------------

    def set_position(self, row: int, position: Any) -> None:
        """Set a row to a position. Raises PositionError and leaves the row unchanged if the position is invalid."""
        self.set_states([row], self.game.from_position(position))

    def set_states(self, rows: ArrayLike, states: States) -> None:
        """Copy states into rows."""
        chosen = self._chosen(rows)
        if not isinstance(states, np.ndarray) or states.dtype.descr != self.states.dtype.descr:
            raise BatchError("invalid states; expected states of this game")
        if states.shape not in ((1,), chosen.shape):
            raise BatchError(f"invalid states of shape {states.shape}; expected ({chosen.size},) or (1,)")
        if any((states[name] != self.game.template[name]).any() for name in self.game.config_fields):
            raise BatchError("invalid states; these belong to another configuration")
        self.states[chosen] = states
        self._refresh(chosen)

    def copy_rows(self, source: Batch, source_rows: ArrayLike, rows: ArrayLike) -> None:
        """Copy games from rows of a batch (this one or another of the same game) into rows of this batch."""
        if not isinstance(source, Batch):
            raise BatchError(f"invalid source {shown(source)}; expected a Batch")
        if source.game is not self.game and not source.game.shares_states(self.game):
            raise BatchError("invalid source; it plays another game or configuration")
        here, there = self._chosen(rows), source._chosen(source_rows)
        if here.shape != there.shape:
            raise BatchError(f"cannot copy {there.size} rows into {here.size}")
        self._blobs[here] = source._blobs[there]
        self.mask[here] = source.mask[there]
        self._words[here] = source._words[there]
        self._rescore(here)

    def resample(self, seat: int | ArrayLike | None = None, seed: int | None = None) -> None:
        """Resample (determinize) in place what the seat (None: the actor) cannot know, and all further chance."""
        words = game_seeds(seed, self.size)
        self.run(self.game.kernels.resample, self._seats(seat), words)
        self._words[:] = words
        self.run(self.game.kernels.legal, self.mask)

    # --- inside ------------------------------------------------------------------------------------------------------------

    def _play(self, actions: NDArray[np.int64], *gains: NDArray[Any]) -> None:
        self.run(self.game.kernels.play, *self.play_arguments(actions, *gains))

    def _reward(self) -> None:
        unit = LATER if callable(self.reward) else UNITS[self.reward]
        pay_many(self._done, self.final, self.standings, unit, self.done, self.truncated, self.totals, self.rewards)
        if unit == LATER and self.done.any():
            paid = final_rewards(self.reward, self.totals[self.done], self.standings[self.done])
            self.rewards[self.done] = paid[:, : self.game.seats]

    def _refresh(self, rows: NDArray[np.int64]) -> None:
        self.run(self.game.kernels.legal, self.mask)
        self.done[rows] = self.truncated[rows] = False
        self.rewards[rows] = 0
        self._rescore(rows)

    def _rescore(self, rows: NDArray[np.int64]) -> None:
        """For the reward score: rows hold other games now, from whose scores on it is paid."""
        if self.reward == "score":
            states = self._blobs[rows].view(self.game.template.dtype)
            out = np.zeros((len(states), self.game.sides, len(self.game.sources)), np.int32)
            self.run(self.game.kernels.score, out, np.zeros(out.shape[:2], np.int64), rows=states)
            self._scores[rows] = out.sum(axis=2)
            self._versions[rows] = UNKNOWN

    def _check(self, actions: NDArray[np.int64]) -> None:
        row = int(first_illegal(self.mask, actions))
        if row < 0:
            return
        error = self.game.illegal_action(self.state(row), int(actions[row]))
        raise error if self.size == 1 else type(error)(f"row {row}: {error}")

    def _integers(self, values: ArrayLike, what: str) -> NDArray[np.int64]:
        array = self._array(values, what)
        if array.dtype.kind not in "iu":
            raise BatchError(f"invalid {what} of type {short(str(array.dtype))}; expected integers")
        if array.shape != (self.size,):
            raise BatchError(f"invalid {what} of shape {short(str(array.shape))}; expected ({self.size},)")
        if array.dtype == np.uint64:
            array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))  # still invalid, and not -1
        return np.ascontiguousarray(array, np.int64)

    @staticmethod
    def _array(values: ArrayLike, what: str) -> NDArray[Any]:
        try:
            return np.asarray(values)
        except (ValueError, TypeError, OverflowError):
            raise BatchError(f"invalid {what}; expected an array of integers") from None

    def _seats(self, seat: int | ArrayLike | None) -> NDArray[np.int64]:
        if seat is None:
            return self._actor_seats
        if is_scalar(seat):
            return np.full(self.size, integer(seat, ACTOR, self.game.seats - 1, "seat"), np.int64)
        seats = self._integers(seat, "seats")
        if ((seats < ACTOR) | (seats >= self.game.seats)).any():
            raise BatchError(f"invalid seats; expected 0..{self.game.seats - 1} (or {ACTOR} for the actor)")
        return seats

    def _row(self, row: int) -> int:
        return integer(row, -self.size, self.size - 1, "row") % self.size

    def _chosen(self, rows: ArrayLike) -> NDArray[np.int64]:
        array = np.atleast_1d(self._array(rows, "rows"))
        if array.dtype == np.bool_ and array.shape == (self.size,):
            return np.flatnonzero(array)
        if array.dtype.kind not in "iu" and array.size > 0:
            raise BatchError("invalid rows; expected integers or a boolean array over all rows")
        if array.ndim != 1 or ((array < 0) | (array >= self.size)).any():
            raise BatchError(f"invalid rows; expected a list of 0..{self.size - 1}")
        return array.astype(np.int64)

    def _own_seeds(self, seeds: Sequence[int] | NDArray[np.integer[Any]], n: int) -> NDArray[np.uint64]:
        if len(seeds) != n:
            raise BatchError(f"invalid seeds: {len(seeds)} for {n} rows")
        return np.array([checked_seed(seed) for seed in seeds], np.uint64)
