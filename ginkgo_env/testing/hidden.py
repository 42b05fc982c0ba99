"""Promises about what a seat sees and what it cannot know: layouts, observations, resampling."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import ACTOR, Batch
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.game import OBSERVER, Game, States
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.testing.play import LONGEST, Policy, at, each, fresh, play, repeated, require, visited, without_streams


def check_layouts(game: Game) -> None:
    """Blocks of actions and observations are disjoint, cover the vector, and are found by their indices."""
    for what, layout in (("actions", game.actions), ("observation", game.observation), ("features", game.features)):
        taken = np.zeros(layout.size, np.int64)
        for block in layout.values():
            taken[block.slice] += 1
            require(block.size == int(np.prod(block.shape)) > 0, f"{what}: block {block.name} has no size")
            require(block.meaning, f"{what}: block {block.name} has no meaning")
            require(layout.locate(block.start)[0] is block, f"{what}: block {block.name} is not found at its start")
            last = layout.locate(block.stop - 1)
            require(layout.index(last[0].name, *last[1]) == block.stop - 1, f"{what}: {block.name} is not found at its end")
        require((taken == 1).all(), f"{what}: blocks overlap or leave gaps")
        starts = [block.start for block in layout.values()]
        require(layout.offsets.tolist() == [*starts, layout.size], f"{what}: offsets are not the starts of the blocks")
    for block in game.observation.values():
        require(block.low <= block.high, f"observation: block {block.name} has a lower bound above its upper bound")
        kept = np.array([block.low, block.high]).astype(game.observation_dtype).tolist() == [block.low, block.high]
        require(kept, f"observation: the bounds of {block.name} do not fit its dtype")


def check_observations(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Every seat's observation is finite and within the bounds of its blocks; observing changes nothing."""
    batch = at(game, visited(game, seed=seed, n=n, finished=True))
    by_seat = np.stack(_seen_by_seats(batch, Batch.observe, game.observation, game.observation_dtype))
    rows, seats = np.arange(batch.size), np.arange(batch.size) % game.seats
    actors = np.maximum(batch.actor, 0).astype(np.int64)
    require((batch.observe() == by_seat[actors, rows]).all(), "observe without a seat is not the actor's view")
    require((batch.observe(np.full(batch.size, ACTOR)) == batch.observe()).all(), "seat -1 is not the actor")
    require((batch.observe(seats) == by_seat[seats, rows]).all(), "seats by row are not used")


def check_features(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Every seat's features are finite and within the bounds of their blocks; observing changes nothing."""
    _seen_by_seats(at(game, visited(game, seed=seed, n=n, finished=True)), Batch.features, game.features, np.float32)


def _seen_by_seats(
    batch: Batch, look: Callable[..., NDArray[Any]], layout: Layout, dtype: type[np.generic]
) -> list[NDArray[Any]]:
    """Return what ``look`` shows of a batch to each seat, after checks of shape, bounds and `out`."""
    low, high = layout.bounds(dtype)
    before, by_seat = batch.states.tobytes(), []
    for seat in range(batch.game.seats):
        seen = look(batch, seat)
        require(seen.shape == (batch.size, layout.size) and seen.dtype == dtype, "an observation differs from its layout")
        for name, block in layout.items():
            part = seen[:, block.slice]
            inside = (part >= low[block.slice]) & (part <= high[block.slice])  # false for NaN
            require(inside.all(), f"seat {seat}: block {name} holds {part[~inside][:3]}, outside {block.low}..{block.high}")
        out = np.full_like(seen, 77)  # previous contents must not show
        require((look(batch, seat, out=out) == seen).all(), f"seat {seat}: previous contents of `out` remain")
        by_seat.append(seen)
    require(batch.states.tobytes() == before, "observing changes the state")
    return by_seat


def check_simultaneous(game: Game, *, seed: int = 0, n: int = 12, choices: int = 4) -> None:
    """Simultaneous choices are made in the order of seats, and no other seat perceives them."""
    if not game.simultaneous:
        return
    for i, state in enumerate(each(visited(game, seed=seed, n=n))):
        number, seat = game.round_of(state), int(game.actor(state)[0])
        require(number is not None, "all seats choose at once, but the game has no rounds")
        old, batch = repeated(game, state, choices), repeated(game, state, choices)
        batch.step(batch.sample())
        goes_on = {not batch.over[row] and game.round_of(batch.state(row)) == number for row in range(choices)}
        where = f"state {i}: the choice of seat {seat}"
        require(len(goes_on) == 1, f"{where} decides whether the round continues")
        if goes_on == {False}:
            continue
        require((batch.actor > seat).all(), f"{where} is followed by the choice of an earlier seat")
        require((batch.actor == batch.actor[0]).all(), f"{where} changes who is next")
        require((batch.mask == batch.mask[0]).all(), f"{where} changes the mask of the next seat")
        require((batch.scores() == old.scores()).all(), f"{where} changes scores before all have chosen")
        for other in set(range(game.seats)) - {seat}:
            require((batch.observe(other) == old.observe(other)).all(), f"{where} changes the observation of seat {other}")
            require((batch.features(other) == old.features(other)).all(), f"{where} changes the features of seat {other}")


def check_resampling(game: Game, *, seed: int = 0, n: int = 8, deals: int = 3, policy: Policy = Batch.sample) -> None:
    """Resampling deals what a seat cannot know anew, and changes nothing that the seat can perceive.

    The seat sees the same of the resampled state (:func:`check_seen`), and gets the same mask (if it decides), scores and
    outcome. The new state is valid and can be played to its end.
    Another seat may have a single legal action there, although play would take it without asking.

    policy : the policy that reaches the states, so that all kinds of decision occur; see
        :data:`~ginkgo_env.testing.play.Policy`
    """
    states = visited(game, seed=seed, n=n, policy=policy)
    for seat in range(game.seats):
        hidden_varies = False
        for i, state in enumerate(each(states)):
            old, batch = repeated(game, state, deals), repeated(game, state, deals)
            batch.resample(seat, seed=1000 * seed + i)
            require_same_view(game, old, batch, seat, f"state {i}")
            choices = batch.mask.sum(axis=1, dtype=np.int64)
            require((choices >= 1).all(), f"state {i}, seat {seat}: after resampling no action is legal")
            for row in range(deals):
                _require_valid(game, batch.state(row), f"state {i}, seat {seat}")
            if not game.has_hidden_information:
                same = all(without_streams(record) == without_streams(state[0]) for record in batch.states)
                require(same, f"state {i}, seat {seat}: nothing is hidden, but resampling changes the state")
            hidden_varies |= len({without_streams(batch.states[row]) for row in range(deals)}) > 1
            for _ in play(batch):
                pass
        require(hidden_varies or not game.has_hidden_information, f"seat {seat}: hidden information is never dealt anew")


def check_hidden_choices(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Choices of others that are hidden from the deciding seat can be made again in a resampled world.

    Afterwards the seat sees the same of the world, which is valid. See ``ask`` and ``answer`` in
    ``ginkgo_env.core.loops.Scalars``.
    """
    for i, state in enumerate(each(visited(game, seed=seed, n=n))):
        seat, where, old = int(game.actor(state)[0]), f"state {i}", at(game, state)
        world = at(game, state)
        world.resample(seat, seed=1000 * seed + i)
        _choose_again(world, seat, np.random.default_rng(i), where)
        require_same_view(game, old, world, seat, where)
        _require_valid(game, world.state(0), where)


def _choose_again(world: Batch, seat: int, rng: np.random.Generator, where: str) -> None:
    """Make hidden choices of others in a world of one row at random."""
    game, seats = world.game, np.array([seat])
    for k in range(LONGEST):
        question, mask, count = at(game, world.state(0)), world.mask.copy(), np.zeros(1, np.int64)
        question.run(game.kernels.ask, seats, k, mask, count)
        if count[0] <= 0:
            require(
                (question.states == world.states).all(), f"{where}: asking changes the state, though choice {k} is not hidden"
            )
            if count[0] < 0:
                return
            continue
        actor, legal = int(question.states["actor"][0]), np.flatnonzero(mask[0])
        require(len(legal) == count[0], f"{where}: the mask of choice {k} has {len(legal)} actions, not {count[0]}")
        require(actor != seat, f"{where}: choice {k} is the seat's own")
        world.run(game.kernels.answer, k, rng.choice(legal, 1))
    raise AssertionError(f"{where}: there is no end of hidden choices")


def require_same_view(game: Game, old: Batch, new: Batch, seat: int, where: str) -> None:
    """Require that a seat perceives the same in the rows of two batches.

    old : one row, or copies of it, as many as in `new`
    """
    where = f"{where}, seat {seat}"
    require((old.actor == new.actor).all(), f"{where}: resampling changes who decides")
    if old.actor[0] == seat:  # the progress of others' choices may be hidden
        require((old.kind == new.kind).all(), f"{where}: resampling changes the decision")
        require((old.mask == new.mask).all(), f"{where}: resampling changes the seat's mask")
    require((old.scores() == new.scores()).all(), f"{where}: resampling changes the scores")
    require(game.outcome(old.state(0)) == game.outcome(new.state(0)), f"{where}: resampling changes the outcome")
    for viewer in (seat, OBSERVER):  # all seats know what is public
        seen = game.seen(old.state(0), viewer)
        for dealt in each(new.states):
            again = game.seen(dealt, viewer)
            unlike = [name for name in seen.dtype.names or () if seen[name].tobytes() != again[name].tobytes()]
            require(not unlike, f"{where}: resampling changes what {viewer} sees in {', '.join(unlike)}")


def check_seen(game: Game, *, seed: int = 0, n: int = 4) -> None:
    """Observations, texts and pictures follow from what ``Game.seen`` leaves of a state."""
    states = each(visited(game, seed=seed, n=n, finished=True))
    for i, state in enumerate(states):
        for viewer in (*range(game.seats), OBSERVER):
            seen, where = game.seen(state, viewer), f"state {i}, viewer {viewer}"
            require(game.seen(seen, viewer).tobytes() == seen.tobytes(), f"{where}: hiding twice differs from hiding once")
            if viewer != OBSERVER:
                old, new = repeated(game, state, 1), repeated(game, state, 1)
                new.states[:] = seen
                for what, look in (("observation", Batch.observe), ("features", Batch.features)):
                    same = (look(old, viewer) == look(new, viewer)).all()
                    require(same, f"{where}: the {what} depends on what is not seen")
            for what, show in (
                ("text", game.describe),
                ("picture", game.picture),
                ("areas", game.game_of(state).presenter.areas),
            ):
                try:
                    same = show(seen, viewer) == show(state, viewer)
                except NotImplementedError:  # a game without texts
                    break
                require(same, f"{where}: the {what} depends on what is not seen")


def _require_valid(game: Game, state: States, where: str) -> None:
    try:
        again = game.from_position(game.position(state))
    except GinkgoError as error:
        raise AssertionError(f"{where}: a resampled state is not valid: {error}") from None
    require(again.tobytes() == state.tobytes(), f"{where}: a resampled state differs from the state of its position")


def check_resampling_is_seeded(game: Game, *, seed: int = 0) -> None:
    """Resampling depends only on its seed and on what the seat knows, so resampling twice is the same."""
    states = visited(game, seed=seed, n=6)
    for seat in range(game.seats):
        first, second = at(game, states), at(game, states)
        first.resample(seat, seed=seed)
        second.resample(seat, seed=seed)
        require(first.states.tobytes() == second.states.tobytes(), f"seat {seat}: one seed gives two deals")
        second.resample(seat, seed=seed + 1)
        require((first.observe(seat) == second.observe(seat)).all(), f"seat {seat}: resampling twice changes the observation")
        second.resample(seat, seed=seed + 2)
        free = game.has_chance or game.has_hidden_information
        require(not free or first.states.tobytes() != second.states.tobytes(), f"seat {seat}: another seed gives the same deal")


# --- pairs of games that a seat cannot tell apart ----------------------------------------------------------------------------

# Two states are indistinguishable to a seat if observation and actor are the same. A pair of such games starts as a game and a
# resampled copy. The seat plays the same actions in both, the others any actions, as long as the seat does not notice a
# difference. So the games of a pair can differ in all hidden choices of others, without any help from the code that resamples.

_CATCH_UP = 8
"""Largest number of decisions by which one game of a pair may be ahead, as a choice may take more steps in it."""


def indistinguishable_pairs(
    game: Game, seat: int, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample
) -> Iterator[tuple[Batch, Batch]]:
    """Yield two batches whose running games a seat cannot tell apart, row by row, after each decision.

    policy : actions (B,) for the rows of a batch, used for both batches
    """
    one, other = fresh(game, rows, seed), Batch(game, rows)
    _part(one, other, seat, np.arange(rows), seed)
    for step in range(LONGEST):
        yield one, other
        if one.over.all():
            return
        actors = one.actor.copy()
        alike = (actors == seat) | one.over
        actions = np.asarray(policy(one))
        one_more = np.where(alike, actions, policy(other))
        one.step(actions)
        other.step(one_more)
        for _ in range(_CATCH_UP):
            apart = _apart(one, other, seat)
            for ahead, behind in ((one, other), (other, one)):
                late = apart & (behind.actor == actors) & (actors != seat) & (ahead.actor != actors)
                if late.any():
                    behind.step(np.where(late, policy(behind), NO_ACTION))
        _part(one, other, seat, np.flatnonzero(_apart(one, other, seat)), seed + step + 1)


def _apart(one: Batch, other: Batch, seat: int) -> np.ndarray:
    """Return whether the seat can tell the rows apart, (B,) bool."""
    return np.asarray((one.observe(seat) != other.observe(seat)).any(axis=1) | (one.actor != other.actor))


def _part(one: Batch, other: Batch, seat: int, rows: np.ndarray, seed: int) -> None:
    """Make rows of the second batch resampled copies of those of the first."""
    if len(rows):
        copies = Batch(one.game, len(rows))
        copies.copy_rows(one, rows, np.arange(len(rows)))
        copies.resample(seat, seed=seed)
        other.copy_rows(copies, np.arange(len(rows)), rows)


def check_resampling_is_blind(game: Game, *, seed: int = 0, rows: int = 2, policy: Policy = Batch.sample) -> None:
    """States that a seat cannot tell apart are resampled to the same bytes by the same random key.

    So resampling does not favor the true state over others that the seat cannot exclude.
    """
    first, second = Batch(game, rows), Batch(game, rows)
    everything = np.arange(rows)
    for seat in range(game.seats):
        for step, (one, other) in enumerate(indistinguishable_pairs(game, seat, seed=seed, rows=rows, policy=policy)):
            for batch, source in ((first, one), (second, other)):
                batch.copy_rows(source, everything, everything)
                batch.resample(seat, seed=step)
            live = ~one.over
            if first.states[live].tobytes() == second.states[live].tobytes():
                continue
            unlike = [
                name for name in one.states.dtype.names or () if (first.states[name][live] != second.states[name][live]).any()
            ]
            if unlike:
                kinds = sorted({game.decisions[kind] for kind in one.kind[live]})
                where = f"seat {seat}, step {step}, at {' or '.join(kinds)}"
                raise AssertionError(f"{where}: hidden information affects {', '.join(unlike)} after resampling")
