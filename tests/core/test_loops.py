"""The loops that the core makes from scalar kernels, and kernels on masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.afterstates import legal_lists
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.loops import Kernels, PlayArrays, PlayMode, Scalars, make_loops
from ginkgo_env.core.masks import ENDED, NO_ACTION, RESET, RUNNING, TRUNCATED, sample_many, sets_of
from ginkgo_env.core.rewards import NO_GAINS
from ginkgo_env.core.rng import GOLDEN
from ginkgo_env.core.state import byte, record_dtype, seat, short, uint64


class State:
    """A sum."""

    rng: Any = uint64("state of the generator")
    seed: Any = uint64("seed of this game")
    actor: Any = seat("who decides")
    total: Any = byte("the sum")
    steps: Any = byte("how many were added")


class Components:
    """When the game ends."""

    goal: Any = short("the sum that wins")
    longest: Any = short("most steps")


RECORD, COMPONENTS = record_dtype(State), record_dtype(Components)


def components(goal: int, longest: int = 100) -> Any:
    found = np.zeros(1, COMPONENTS)
    found["goal"], found["longest"] = goal, longest
    found.flags.writeable = False
    return found


@kernel
def reset(g: Any, t: Any, seed: np.uint64, mask: Any, log: Any) -> None:
    g.seed = seed
    g.rng = seed
    g.actor = 0
    mask[:] = 1


@kernel
def step(g: Any, t: Any, action: int, mask: Any, log: Any) -> int:
    """Add the action; the game ends at the goal, or is cut off."""
    g.total += action
    g.steps += 1
    g.actor = 1 - g.actor
    if g.total < t.goal and g.steps < t.longest:
        return RUNNING
    g.actor = -1
    mask[:] = 0
    return ENDED if g.total >= t.goal else TRUNCATED


@kernel
def legal(g: Any, t: Any, mask: Any) -> None:
    mask[:] = g.actor >= 0


@kernel
def observe(g: Any, t: Any, seat: int, out: Any, offsets: Any) -> None:
    out[offsets[0]] = seat
    out[offsets[1]] = g.total


@kernel
def score(g: Any, t: Any, out: Any) -> None:
    out[0, 0] = g.total
    out[0, 1] = g.steps
    out[1, 0] = 7
    out[1, 1] = 0


@kernel
def double(g: Any, t: Any, action: int, mask: Any, log: Any) -> int:
    """Another game on the same record: actions count twice."""
    return step(g, t, 2 * action, mask, log)


@kernel
def fewest_first(g: Any, t: Any, points: Any, out: Any) -> None:
    for side in range(out.shape[0]):
        out[side] = -np.int64(points[side, 0])


GAME = make_loops(Scalars(reset, step, legal, observe, score))
OTHER = make_loops(Scalars(reset, double, legal, observe, score, standing=fewest_first))


class Rows:
    """Arguments of the loops for some rows."""

    def __init__(self, n: int, kernels: Kernels = GAME, table: Any = None) -> None:
        self.kernels, self.components = kernels, components(5) if table is None else table
        self.states = np.zeros(n, RECORD)
        self.masks, self.done = np.zeros((n, 4), np.int8), np.zeros(n, np.int8)
        self.seeds = np.arange(10, 10 + n).astype(np.uint64)
        self.final, self.standings = np.zeros((n, 2, 2), np.int32), np.zeros((n, 2), np.int64)
        self.gains: tuple[Any, ...] = NO_GAINS
        self.play([RESET] * n)

    def play(self, actions: list[int], autoreset: bool = False, start: int = 0, stop: int | None = None) -> Rows:
        arrays = PlayArrays(
            *(np.array(actions), self.seeds, self.masks, sets_of(self.masks), self.done, self.final, self.standings),
            *(np.zeros(1, RECORD), np.zeros(0, RECORD)),
        )
        stop, mode = len(actions) if stop is None else stop, PlayMode(autoreset, gains=self.gains)
        self.kernels.play(start, stop, self.states, self.components, tuple(arrays), tuple(mode))
        return self


def successor(seed: int) -> int:
    """splitmix64 (Steele, Lea and Flood 2014), in Python's integers."""
    word = (seed + int(GOLDEN)) % 2**64
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)


def test_reset_and_rows_that_are_left_alone() -> None:
    rows = Rows(3)
    assert rows.states["seed"].tolist() == [10, 11, 12] and rows.masks.all() and not rows.done.any()
    before = rows.states[1].tobytes()
    rows.play([2, NO_ACTION, 3])
    assert rows.states["total"].tolist() == [2, 0, 3] and rows.states[1].tobytes() == before
    rows.play([1, 1, 1], start=1, stop=2)
    assert rows.states["total"].tolist() == [2, 1, 3]
    rows.play([NO_ACTION, NO_ACTION, RESET])
    assert rows.states["total"].tolist() == [2, 1, 0] and rows.states["steps"].tolist() == [1, 1, 0]


def test_ends_are_told_with_scores_and_standings() -> None:
    rows = Rows(3, table=components(5, longest=2)).play([3, 1, 0]).play([3, 1, NO_ACTION])
    assert rows.done.tolist() == [ENDED, TRUNCATED, RUNNING]
    assert rows.final[:2].tolist() == [[[6, 2], [7, 0]], [[2, 2], [7, 0]]]
    assert rows.standings.tolist() == [[8, 7], [4, 7], [0, 0]]  # the default: the sum of the sources
    assert rows.masks.any(axis=1).tolist() == [False, False, True]


def test_the_next_game_stands_in_the_row_at_once() -> None:
    rows = Rows(2).play([3, 3], autoreset=True).play([3, 1], autoreset=True)
    assert rows.done.tolist() == [ENDED, RUNNING] and rows.final[0].tolist() == [[6, 2], [7, 0]]
    assert rows.states["seed"].tolist() == [successor(10), 11] and rows.states["total"].tolist() == [0, 4]
    assert rows.masks.all()


def test_looking() -> None:
    rows = Rows(3).play([2, 2, 3]).play([NO_ACTION, NO_ACTION, 3])
    out, offsets = np.zeros((3, 2), np.uint8), np.array([0, 1, 2])
    GAME.observe(0, 3, rows.states, rows.components, np.array([0, -1, -1]), out, offsets)
    assert out.tolist() == [[0, 2], [1, 2], [0, 6]]  # -1: the actor; in a finished game seat 0
    points, standings = np.zeros((3, 2, 2), np.int32), np.zeros((3, 2), np.int64)
    GAME.score(1, 3, rows.states, rows.components, points, standings)
    assert standings.tolist() == [[0, 0], [3, 7], [8, 7]]
    masks = np.full((3, 4), 9, np.int8)
    GAME.legal(0, 3, rows.states, rows.components, masks)
    assert (masks == rows.masks).all()


def test_without_hidden_information_only_chance_is_dealt_anew() -> None:
    rows = Rows(2)
    before = rows.states.copy()
    GAME.resample(1, 2, rows.states, rows.components, np.array([0, -1]), np.array([4, 5], np.uint64))
    assert rows.states[0] == before[0] and rows.states[1]["rng"] != before[1]["rng"]
    assert all((rows.states[name] == before[name]).all() for name in ("actor", "total", "steps"))


def test_games_with_one_record_are_kept_apart() -> None:
    for _ in range(2):
        assert Rows(1, GAME).play([2]).states["total"].tolist() == [2]
        other = Rows(1, OTHER).play([2]).play([2])
        assert other.states["total"].tolist() == [8] and other.standings.tolist() == [[-8, -7]]
    assert GAME.play.__qualname__ != OTHER.play.__qualname__


def test_components_are_arguments() -> None:
    assert [Rows(1, table=components(goal)).play([3]).done[0] for goal in (3, 4)] == [ENDED, RUNNING]
    if not JIT_DISABLED:
        assert all(len(loop.signatures) <= 1 for loop in GAME)  # type: ignore[attr-defined]


def declared(**fields: Any) -> type:
    return type("State", (), {"__annotations__": dict.fromkeys(fields, Any), **fields})


def test_a_record_has_no_gaps() -> None:
    assert RECORD.itemsize == 24 and RECORD.names is not None and RECORD.names[-1] == "spare"
    with pytest.raises(ValueError, match="decreasing width"):
        record_dtype(declared(actor=byte(""), rng=uint64("")))
    with pytest.raises(ValueError, match="'sum'"):
        record_dtype(declared(sum=uint64("")))


@kernel
def by_steps(g: Any, t: Any) -> int:
    """A version of the score that changes at every third step only: it hides changes, so it shows where scoring is spared."""
    return g.steps // 3


SELDOM = make_loops(Scalars(reset, step, legal, observe, score, score_version=by_steps))


@pytest.mark.parametrize(("kernels", "paid"), [(GAME, [2, 2, 2, 2]), (SELDOM, [0, 0, 6, 0])])
def test_scores_are_looked_at_when_their_version_changes(kernels: Kernels, paid: list[int]) -> None:
    """Each step adds an action of 1 and counts itself. Without a version of its own a game is scored after each step."""
    rows = Rows(1, kernels)
    versions, scores, rewards = np.zeros(1, np.int64), np.array([[0, 7]], np.int32), np.zeros((1, 2), np.float32)
    rows.gains, found = (versions, scores, rewards), []
    for _ in paid:
        rows.play([1])
        found.append(rewards[0].tolist())
    assert found == [[gain, 0] for gain in paid]


# --- the last observation of a game whose row was reset in the same step -----------------------------------------------------


THREE_PLAYERS = ginkgo_env.make_game("ginkgopolis", players=3, max_rounds=6)


def test_it_is_that_of_the_finished_game() -> None:
    """A batch without autoreset, played with the same actions, still shows it."""
    size, ended = 8, 0
    batch, plain = Batch(THREE_PLAYERS, size, autoreset=True, keep_last=True), Batch(THREE_PLAYERS, size)
    batch.reset(seed=4)
    plain.reset(seed=4)
    while not plain.over.all():
        live = ~plain.over
        actions = batch.sample()
        plain.step(np.where(live, actions, NO_ACTION))
        batch.step(actions)
        first = batch.done & live  # later games in the row are not the same
        for viewer in range(THREE_PLAYERS.seats):
            for view, whole in (("blocks", plain.observe(viewer)), ("features", plain.features(viewer))):
                last = np.full(whole.shape, 99, whole.dtype)
                last[batch.done] = batch.observe_last(viewer, view)  # type: ignore[arg-type]
                np.testing.assert_array_equal(last[first], whole[first])
        ended += int(first.sum())
        assert len(batch.observe_last()) == batch.done.sum()
    assert ended == size


def test_it_changes_no_game() -> None:
    one, other = Batch(THREE_PLAYERS, 8, autoreset=True, keep_last=True), Batch(THREE_PLAYERS, 8, autoreset=True)
    for batch in (one, other):
        batch.reset(seed=2)
        for _ in range(150):
            batch.step(batch.sample())
    assert one.states.tobytes() == other.states.tobytes()


def test_it_has_to_be_asked_for() -> None:
    with pytest.raises(BatchError, match="keep_last=True"):
        Batch(THREE_PLAYERS, 2, autoreset=True).observe_last()
    with pytest.raises(BatchError, match="requires autoreset"):
        Batch(THREE_PLAYERS, 2, keep_last=True)
    with pytest.raises(BatchError, match="view"):
        Batch(THREE_PLAYERS, 2, autoreset=True, keep_last=True).observe_last(0, "all")  # type: ignore[arg-type]


# --- kernels on masks, against plain numpy -----------------------------------------------------------------------------------


LENGTHS = [1, 2, 7, 63, 64, 65, 127, 128, 129, 191, 192, 323, 486]


def masks_of(length: int) -> np.ndarray:
    """Masks that are empty, full, with a single one in each place, and random ones of any density."""
    rng = np.random.default_rng(length)
    random = rng.random((200, length)) < rng.random((200, 1)) ** 3
    return np.vstack([np.zeros((1, length)), np.ones((1, length)), np.eye(length), random]).astype(np.int8)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_draw_takes_the_one_that_its_random_word_says(length: int) -> None:
    masks = masks_of(length)
    keys = np.random.default_rng(1).integers(0, 2**64, len(masks), np.uint64)
    drawn, mixed = np.empty(len(masks), np.int64), [successor(each) for each in keys.tolist()]
    sample_many(0, len(masks), sets_of(masks), keys, drawn)
    for mask, bits, action in zip(masks, mixed, drawn, strict=True):
        ones = np.flatnonzero(mask)
        assert action == (ones[(bits >> 32) * len(ones) >> 32] if len(ones) else NO_ACTION)


@pytest.mark.parametrize("length", LENGTHS)
def test_lists_of_legal_actions_are_the_ones_of_masks(length: int) -> None:
    masks = masks_of(length)
    offsets, ids = legal_lists(masks)
    assert ids.tolist() == np.nonzero(masks)[1].tolist()
    assert np.diff(offsets).tolist() == masks.sum(axis=1, dtype=np.int64).tolist()
