"""The contract suite: what every game promises to everything that stands on it, one function for each promise.

A promise is a function that takes a :class:`~ginkgo_env.core.game.Game` and raises ``AssertionError`` with a sentence when
it is broken. They know no game, so that the next one is held to the same:

>>> import ginkgo_env
>>> from ginkgo_env.core.contract import run_contract
>>> run_contract(ginkgo_env.make_game("ginkgopolis", players=2))

What only one game can promise (that no card is lost, say) goes through :func:`check_every_state`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import ACTOR, Batch
from ginkgo_env.core.entries import NO_ACTION
from ginkgo_env.core.errors import GinkgoError, IllegalActionError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.jit import JIT_DISABLED
from ginkgo_env.core.rewards import RewardName

Check = Callable[[Game], None]
Invariant = Callable[[Game, States], None]

LONGEST = 5_000
"""Decisions after which a game must be over."""
_STREAM_FIELDS = ("rng", "seed")  # random words in a record (core.rng); that they vary does not show that anything is hidden
_BEYOND = (-(2**62), -3, -2, 2**62)  # numbers that are no action in any game; -2 restarts a game inside the package


def require(condition: Any, sentence: str) -> None:
    """Raise AssertionError unless a condition holds (an ``assert`` that ``python -O`` keeps)."""
    if not condition:
        raise AssertionError(sentence)


# --- playing ---------------------------------------------------------------------------------------------------------------


def play(batch: Batch, steps: int = LONGEST) -> Iterator[int]:
    """Play uniformly at random until every game is over; yield the number of the step before each and after the last."""
    for step in range(steps):
        yield step
        if batch.over.all():
            return
        batch.step(batch.sample())
    require(batch.over.all(), f"a game of {batch.game.name} is not over after {steps} decisions")


def fresh(game: Game, rows: int, seed: int, **options: Any) -> Batch:
    """A batch at the start of its games."""
    batch = Batch(game, rows, **options)
    batch.reset(seed=seed)
    return batch


def visited(game: Game, *, seed: int = 0, n: int = 16, rows: int = 4, finished: bool = False) -> States:
    """About n states met in random play, (n,), of every kind of decision that came up; with ``finished`` final ones too."""
    batch = fresh(game, rows, seed)
    records = np.concatenate([batch.states.copy() for _ in play(batch)]).view(np.recarray)
    kinds = np.array(game.kind(records))
    wanted = sorted(set(kinds.tolist()) - (set() if finished else {game.over}))
    share = -(-n // len(wanted))
    chosen: list[int] = []
    for kind in wanted:
        found = np.flatnonzero(kinds == kind)
        chosen += found[np.linspace(0, len(found) - 1, min(share, len(found))).astype(int)].tolist()
    return records[sorted(chosen)].view(np.recarray)


def at(game: Game, states: States) -> Batch:
    """A batch whose rows hold these states."""
    batch = Batch(game, len(states))
    batch.set_states(np.arange(len(states)), states)
    return batch


def _repeated(game: Game, state: States, n: int) -> Batch:
    return at(game, np.repeat(state, n).view(np.recarray))


def _each(states: States) -> list[States]:
    return [states[i : i + 1].view(np.recarray) for i in range(len(states))]


def _table(batch: Batch, row: int) -> bytes:
    """Everything about a row that a step may change."""
    pieces = (batch.states[row : row + 1], batch.mask[row], batch.done[row : row + 1], batch.rewards[row], batch.totals[row])
    return b"".join(np.ascontiguousarray(piece).tobytes() for piece in pieces)


# --- decisions -------------------------------------------------------------------------------------------------------------


def check_legal_action_exists(game: Game, *, seed: int = 0, rows: int = 6) -> None:
    """Every live row has an actor with a choice (one legal action is taken, not asked); in finished rows nothing is legal."""
    batch = fresh(game, rows, seed)
    for step in play(batch):
        require(((batch.mask == 0) | (batch.mask == 1)).all(), f"step {step}: a mask holds numbers other than 0 and 1")
        choices = batch.mask.sum(axis=1, dtype=np.int64)
        live = ~batch.over
        kinds = np.array(batch.kind)
        require((choices[live] >= 2).all(), f"step {step}: a live row has fewer than two legal actions")
        require((choices[~live] == 0).all(), f"step {step}: something is legal in a finished game")
        require((batch.actor[live] < game.seats).all(), f"step {step}: an actor that is no seat")
        known = (kinds[live] >= 0) & (kinds[live] < len(game.decisions)) & (kinds[live] != game.over)
        require(known.all(), f"step {step}: an unknown kind of decision")
        require((kinds[~live] == game.over).all(), f"step {step}: a finished game awaits a decision")
        require((batch.sample()[~live] == NO_ACTION).all(), f"step {step}: an action was sampled in a finished game")


def check_mask_by_trial(game: Game, *, seed: int = 0, n: int = 8) -> None:
    """Every masked-in action is accepted and changes the state; every other is refused and leaves all bytes as they were."""
    states = visited(game, seed=seed, n=n, finished=True)
    one = Batch(game, 1)
    for i, state in enumerate(_each(states)):
        one.set_states([0], state)
        before = _table(one, 0)
        legal = np.flatnonzero(one.mask[0])
        for action in (*np.flatnonzero(one.mask[0] == 0).tolist(), game.actions.size, game.actions.size + 1, *_BEYOND):
            try:
                one.step([action])
            except IllegalActionError:
                pass
            else:
                raise AssertionError(f"state {i}: action {action} is masked out and was accepted")
            require(_table(one, 0) == before, f"state {i}: the refused action {action} left a trace")
        if len(legal):
            many = _repeated(game, state, len(legal))
            many.step(legal)
            for row in range(len(legal)):
                changed = many.states[row].tobytes() != state.tobytes()
                require(changed, f"state {i}: the legal action {legal[row]} did nothing")


def check_length(game: Game, *, seed: int = 0, rows: int = 6, longest: int = LONGEST) -> None:
    """Every game ends; its end is told once, and as cut off exactly where the game says so."""
    batch = fresh(game, rows, seed)
    ends = np.zeros(rows, np.int64)
    was_over = batch.over.copy()
    for step in play(batch, longest):
        if step:
            ends += batch.done
            require((batch.done == (batch.over & ~was_over)).all(), f"step {step}: done does not tell that a game ended")
            cut = game.truncated(batch.states) & batch.done
            require((batch.truncated == cut).all(), f"step {step}: truncated does not say how a game ended")
        was_over = batch.over.copy()
    require((ends == 1).all(), "a game has ended more than once, or without telling")
    still = batch.states.tobytes()
    batch.step(np.full(rows, NO_ACTION))
    require(batch.states.tobytes() == still and not batch.done.any(), "a finished game changes when it is left alone")


# --- the same game, whatever stands around it ------------------------------------------------------------------------------


def check_reproducible(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """The same seed and actions give the same bytes; another seed deals another game."""
    first, second = fresh(game, rows, seed), fresh(game, rows, seed)
    for step in play(first):
        for row in range(rows):
            require(_table(first, row) == _table(second, row), f"step {step}, row {row}: two runs of one seed differ")
        if not first.over.all():
            second.step(_peek(first))
    starts = [fresh(game, rows, other).observe(0).tobytes() for other in range(seed, seed + 4)]
    require(len(set(starts)) == len(starts), "different seeds begin with the same deal")
    rows_seen = {vector.tobytes() for vector in fresh(game, 8, seed).observe(0)}
    require(len(rows_seen) > 1, "all rows of a batch begin with the same deal")


def _peek(batch: Batch) -> NDArray[np.int64]:
    """What sample() will return next, without moving its stream on."""
    words = batch._words.copy()
    actions = batch.sample()
    batch._words[:] = words
    return actions


def check_rows_are_apart(game: Game, *, seed: int = 0, rows: int = 5) -> None:
    """Stepping, resetting, setting and copying one row leave the bytes of the others alone."""
    batch = fresh(game, rows, seed)
    for step in range(40 * rows):
        row = step % rows
        actions = np.full(rows, NO_ACTION)
        actions[row] = batch.sample()[row]
        before = [batch.states[k].tobytes() + batch.mask[k].tobytes() for k in range(rows)]
        if step % 10 == 9:
            batch.reset(seed=step, rows=[row])
        elif step % 10 == 8:
            batch.copy_rows(batch, [(row + 1) % rows], [row])
        else:
            batch.step(actions)
        for k in range(rows):
            if k != row:
                same = batch.states[k].tobytes() + batch.mask[k].tobytes() == before[k]
                require(same, f"step {step}: what happened in row {row} was felt in row {k}")


def check_batch_size(game: Game, *, seed: int = 0, size: int = 7) -> None:
    """Games of given seeds go the same way in one batch, in shuffled rows, and each alone."""
    seeds = np.random.SeedSequence(seed).generate_state(size, np.uint64)
    order = np.random.default_rng(seed).permutation(size)
    whole, shuffled = Batch(game, size), Batch(game, size)
    whole.reset(seed=seeds)
    shuffled.reset(seed=seeds[order])
    alone = [Batch(game, 1) for _ in range(size)]
    for row, batch in enumerate(alone):
        batch.reset(seed=[int(seeds[row])])
    for step in play(whole):
        for row in range(size):
            here = _table(whole, row)
            require(_table(alone[row], 0) == here, f"step {step}: row {row} goes another way when it is alone in its batch")
            require(_table(shuffled, int(np.flatnonzero(order == row)[0])) == here, f"step {step}: row {row} feels its place")
        if not whole.over.all():
            actions = _peek(whole)
            shuffled.step(actions[order])
            for row, batch in enumerate(alone):
                require(batch.sample()[0] == actions[row], f"step {step}: row {row} samples otherwise when it is alone")
                batch.step(actions[row : row + 1])


def check_threads(game: Game, *, seed: int = 0, size: int = 7) -> None:
    """Two threads do what one does."""
    one, two = fresh(game, size, seed), fresh(game, size, seed, threads=2)
    try:
        for step in play(one):
            for what in ("states", "mask", "done", "rewards", "totals"):
                require(getattr(one, what).tobytes() == getattr(two, what).tobytes(), f"step {step}: {what} depend on threads")
            if step % 8 == 0:
                require((one.observe() == two.observe()).all(), f"step {step}: observations depend on threads")
                require((one.scores() == two.scores()).all(), f"step {step}: scores depend on threads")
            if not one.over.all():
                two.step(two.sample())
        one.reset(seed=seed)
        two.reset(seed=seed)
        one.resample(0, seed=seed)
        two.resample(0, seed=seed)
        require(one.states.tobytes() == two.states.tobytes(), "resampling depends on threads")
    finally:
        two.close()


def check_autoreset(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """With autoreset the first game of each row is the same, its end is told the same, and the next one stands there at once."""
    plain, auto = fresh(game, rows, seed), fresh(game, rows, seed, autoreset=True)
    first = np.ones(rows, np.bool_)  # rows of `auto` that still hold their first game
    for step in range(LONGEST):
        if plain.over.all():
            return
        actions = plain.sample()
        auto.step(np.where(first, actions, auto.sample()))
        plain.step(actions)
        require(not auto.over.any() and auto.mask.any(axis=1).all(), f"step {step}: a row stands still despite autoreset")
        ended = first & plain.done
        require((auto.done[first] == plain.done[first]).all(), f"step {step}: autoreset changes when a game ends")
        require((auto.truncated[first] == plain.truncated[first]).all(), f"step {step}: autoreset changes how a game ends")
        require((auto.rewards[first] == plain.rewards[first]).all(), f"step {step}: autoreset changes rewards")
        require((auto.totals[ended] == plain.totals[ended]).all(), f"step {step}: autoreset changes the scores of an ended game")
        first &= ~plain.done
        for row in np.flatnonzero(first):
            same = plain.states[row].tobytes() == auto.states[row].tobytes()
            require(same, f"step {step}: autoreset changes the game in row {row} before its end")


# --- looking ---------------------------------------------------------------------------------------------------------------


def check_layouts(game: Game) -> None:
    """Blocks of actions and of observations are disjoint, cover the vector and find their places again."""
    for what, layout in (("actions", game.actions), ("observation", game.observation)):
        taken = np.zeros(layout.size, np.int64)
        for block in layout.values():
            taken[block.slice] += 1
            require(block.size == int(np.prod(block.shape)) > 0, f"{what}: block {block.name} has no size")
            require(block.meaning, f"{what}: block {block.name} does not say what it means")
            require(layout.locate(block.start)[0] is block, f"{what}: block {block.name} is not found at its start")
            last = layout.locate(block.stop - 1)
            require(layout.index(last[0].name, *last[1]) == block.stop - 1, f"{what}: {block.name} is not found at its end")
        require((taken == 1).all(), f"{what}: blocks overlap or leave gaps")
        starts = [block.start for block in layout.values()]
        require(layout.offsets.tolist() == [*starts, layout.size], f"{what}: offsets are not the starts")
    for block in game.observation.values():
        require(block.low <= block.high, f"observation: block {block.name} has no room between its bounds")
        kept = np.array([block.low, block.high]).astype(game.observation_dtype).tolist() == [block.low, block.high]
        require(kept, f"observation: the bounds of {block.name} do not fit its dtype")


def check_observations(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Every seat's observation is finite and within the bounds of its blocks; looking changes nothing."""
    batch = at(game, visited(game, seed=seed, n=n, finished=True))
    low, high = game.observation.bounds(game.observation_dtype)
    before = batch.states.tobytes()
    by_seat = []
    for seat in range(game.seats):
        seen = batch.observe(seat)
        require(seen.shape == (batch.size, game.observation.size), "an observation has another shape than its layout")
        require(seen.dtype == game.observation_dtype and np.isfinite(seen).all(), "an observation is not finite")
        for name, block in game.observation.items():
            part = seen[:, block.slice]
            inside = (part >= low[block.slice]) & (part <= high[block.slice])
            require(inside.all(), f"seat {seat}: block {name} holds {part[~inside][:3]}, outside {block.low}..{block.high}")
        by_seat.append(seen)
        out = np.full_like(seen, 77)  # whatever lay there before must not show
        require((batch.observe(seat, out=out) == seen).all(), f"seat {seat}: what lay in `out` before shows")
    actors = np.maximum(batch.actor, 0).astype(np.int64)
    rows = np.arange(batch.size)
    require((batch.observe() == np.stack(by_seat)[actors, rows]).all(), "without a seat the actor's view is not what comes")
    require((batch.observe(np.full(batch.size, ACTOR)) == batch.observe()).all(), "seat -1 is not the actor")
    require((batch.observe(rows % game.seats) == np.stack(by_seat)[rows % game.seats, rows]).all(), "a seat for each row fails")
    require(batch.states.tobytes() == before, "looking changes the state")


# --- hidden information (design: resampling and pairs of states) ---------------------------------------------------------------


def check_resampling(game: Game, *, seed: int = 0, n: int = 8, deals: int = 3) -> None:
    """What a seat cannot know is dealt anew, and nothing that it can perceive tells the difference.

    The resampled state and the old one are a pair that differs only in what the seat cannot know: the seat gets the same
    observation, mask (if it decides), scores, outcome and description. The new state is valid and can be played to its end.
    """
    states = visited(game, seed=seed, n=n)
    for seat in range(game.seats):
        hidden_varies = False
        for i, state in enumerate(_each(states)):
            old, batch = _repeated(game, state, deals), _repeated(game, state, deals)
            batch.resample(seat, seed=1000 * seed + i)
            _require_same_view(game, old, batch, seat, f"state {i}")
            choices = batch.mask.sum(axis=1, dtype=np.int64)
            require((choices >= 2).all(), f"state {i}, seat {seat}: after resampling there is nothing to choose between")
            _require_valid(game, batch.state(0), f"state {i}, seat {seat}")
            hidden_varies |= len({_without_streams(batch.states[row]) for row in range(deals)}) > 1
            for _ in play(batch):
                pass
        require(hidden_varies, f"seat {seat}: nothing hidden is ever dealt anew")


def _require_same_view(game: Game, old: Batch, new: Batch, seat: int, where: str) -> None:
    where = f"{where}, seat {seat}"
    before, after = old.observe(seat), new.observe(seat)
    if (before != after).any():
        column = int(np.argwhere(before != after)[0][1])
        raise AssertionError(f"{where}: resampling shows in the observation, in {_named(game, column)}")
    require((old.actor == new.actor).all(), f"{where}: resampling changes who decides")
    if old.actor[0] == seat:  # how far others have come with choosing may be hidden
        require((old.kind == new.kind).all(), f"{where}: resampling changes the decision")
        require((old.mask == new.mask).all(), f"{where}: resampling shows in the own mask")
    require((old.scores() == new.scores()).all(), f"{where}: resampling shows in the scores")
    require(game.outcome(old.state(0)) == game.outcome(new.state(0)), f"{where}: resampling shows in the outcome")
    try:
        text = game.describe(old.state(0), seat)
    except NotImplementedError:
        return
    require(all(game.describe(new.state(k), seat) == text for k in range(new.size)), f"{where}: resampling shows in the text")


def _named(game: Game, column: int) -> str:
    block, place = game.observation.locate(column)
    return f"{block.name}{list(place)}"


def _require_valid(game: Game, state: States, where: str) -> None:
    try:
        again = game.from_position(game.position(state))
    except GinkgoError as error:
        raise AssertionError(f"{where}: a resampled state is not valid: {error}") from None
    require(again.tobytes() == state.tobytes(), f"{where}: a resampled state is not what its position says")


def _without_streams(record: Any) -> bytes:
    return b"".join(record[name].tobytes() for name in record.dtype.names if name not in _STREAM_FIELDS)


def check_resampling_is_seeded(game: Game, *, seed: int = 0) -> None:
    """Resampling follows from its seed and from what the seat knows: resampled again, a resampled state tells no more."""
    states = visited(game, seed=seed, n=6)
    for seat in range(game.seats):
        first, second = at(game, states), at(game, states)
        first.resample(seat, seed=seed)
        second.resample(seat, seed=seed)
        require(first.states.tobytes() == second.states.tobytes(), f"seat {seat}: one seed gives two deals")
        second.resample(seat, seed=seed + 1)
        require((first.observe(seat) == second.observe(seat)).all(), f"seat {seat}: resampling twice shows")
        second.resample(seat, seed=seed + 2)
        require(first.states.tobytes() != second.states.tobytes(), f"seat {seat}: another seed gives the same deal")


# --- text ------------------------------------------------------------------------------------------------------------------


def check_action_texts(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """Every legal action has a text of its own that means it."""
    states = visited(game, seed=seed, n=n)
    batch = at(game, states)
    for row in range(batch.size):
        state = batch.state(row)
        texts: dict[str, int] = {}
        for action in np.flatnonzero(batch.mask[row]).tolist():
            text = game.action_text(state, action)
            require(text not in texts, f"state {row}: {text!r} means both {texts.get(text)} and {action}")
            texts[text] = action
            require(game.parse_action(state, text) == action, f"state {row}: {text!r} does not mean the action that it names")


def check_positions(game: Game, *, seed: int = 0, n: int = 24) -> None:
    """At every moment the position, through JSON and back, gives the same bytes and the same decision."""
    states = visited(game, seed=seed, n=n, finished=True)
    batch, other = at(game, states), Batch(game, 1)
    for row in range(batch.size):
        data = json.loads(json.dumps(batch.position(row), allow_nan=False))
        try:
            other.set_position(0, data)
        except GinkgoError as error:
            raise AssertionError(f"state {row}: the position of a reached state is refused: {error}") from None
        require(other.states.tobytes() == batch.states[row].tobytes(), f"state {row}: a position does not give its state back")
        require((other.mask[0] == batch.mask[row]).all(), f"state {row}: a position does not give its mask back")
        require(other.position(0) == data, f"state {row}: a position is written otherwise the second time")


def check_descriptions(game: Game, *, seed: int = 0) -> None:
    """Every state has a description for each seat, with the names given (skipped while a game has no texts)."""
    batch = at(game, visited(game, seed=seed, n=8, finished=True))
    try:
        batch.game.describe(batch.state(0))
    except NotImplementedError:
        return
    names = [f"somebody {side}" for side in range(game.sides)]
    for row in range(batch.size):
        for seat in (None, *range(game.seats)):
            text = game.describe(batch.state(row), seat, names)
            require(isinstance(text, str) and text, f"state {row}: seat {seat} gets no description")
            require(names[0] in text, f"state {row}: seat {seat}'s description does not use the names")


# --- scores ----------------------------------------------------------------------------------------------------------------


def check_scores(game: Game, *, seed: int = 0, rows: int = 6) -> None:
    """Scores by source, outcome, breakdown and totals are one and the same, at every moment and at the end."""
    batch = fresh(game, rows, seed)
    for step in play(batch):
        if step % 16 == 0 or batch.over.all():
            _require_scores(game, batch, step)
    require((batch.scores().sum(axis=2) == batch.totals).all(), "the totals of finished games are not their scores")
    for row in range(rows):
        outcome = game.outcome(batch.state(row))
        best = tuple(int(side) for side in np.flatnonzero(batch.totals[row] == batch.totals[row].max()))
        require(outcome.ending is not None and outcome.winners == best, f"row {row}: the winners do not have the most points")


def _require_scores(game: Game, batch: Batch, step: int) -> None:
    scores = batch.scores()
    require(scores.shape == (batch.size, game.sides, len(game.sources)), "scores have another shape than sides and sources")
    for row in range(batch.size):
        outcome = game.outcome(batch.state(row))
        where = f"step {step}, row {row}"
        require(outcome.scores == tuple(scores[row].sum(axis=1).tolist()), f"{where}: outcome and scores differ")
        require((outcome.ending is None) == (batch.actor[row] >= 0), f"{where}: a game has an ending before its end, or none")
        require(bool(outcome.winners) == bool(batch.over[row]), f"{where}: there are winners before the end, or none at it")
        require(len(outcome.breakdown) == game.sides, f"{where}: the breakdown has not every side")
        for side, parts in enumerate(outcome.breakdown):
            require(_sum(parts) == outcome.scores[side], f"{where}: side {side}'s breakdown does not add up")


def _sum(parts: Any) -> int:
    """Everything in a breakdown but its total."""
    if isinstance(parts, dict):
        return sum(_sum(value) for name, value in parts.items() if name != "total")
    if isinstance(parts, list | tuple):
        return sum(_sum(value) for value in parts)
    return int(parts)


def check_rewards(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """``win`` and ``margin`` are paid at the end and favor who has more; dense ``score`` adds up to the score."""
    names: tuple[RewardName, ...] = ("win", "margin", "score")
    paid = {}
    for name in names:
        batch = fresh(game, rows, seed, reward=name)
        start = batch.scores().sum(axis=2)
        total = np.zeros((rows, game.seats))
        for step in play(batch):
            if step:
                require(name == "score" or not batch.rewards[~batch.done].any(), f"{name}: something is paid before the end")
                total += batch.rewards
        gained = (batch.totals - start)[:, : game.seats]
        require(name != "score" or (total == gained).all(), "score: rewards do not add up to the score")
        if game.seats == game.sides:
            require(name == "score" or np.allclose(total.sum(axis=1), 0, atol=1e-5), f"{name}: rewards are not zero-sum")
        paid[name] = total
    require((np.sign(paid["win"].argmax(axis=1)) == np.sign(paid["margin"].argmax(axis=1))).all(), "win and margin disagree")


# --- copies and kernels ----------------------------------------------------------------------------------------------------


def check_copies(game: Game, *, seed: int = 0) -> None:
    """A copied row is a game of its own that goes the same way."""
    states = visited(game, seed=seed, n=6)
    source = at(game, states)
    target = fresh(game, len(states) + 1, seed + 1)
    rows = np.arange(len(states))
    target.copy_rows(source, rows, rows + 1)
    require(target.states[1:].tobytes() == source.states.tobytes(), "a copied row has other bytes")
    require((target.mask[1:] == source.mask).all(), "a copied row has another mask")
    before = source.states.tobytes()
    actions = source.sample()
    target.step(np.concatenate([[NO_ACTION], actions]))
    require(source.states.tobytes() == before, "a copy and its original are not apart")
    source.step(actions)
    require(target.states[1:].tobytes() == source.states.tobytes(), "a copied game goes another way")


def compiled_kernels(game: Game) -> dict[str, Any]:
    """Every compiled function in the modules of the core and of the game, by its full name."""
    places = ("ginkgo_env.core.", type(game).__module__.rpartition(".")[0] + ".")
    found = {}
    for module in [m for name, m in sorted(sys.modules.items()) if name.startswith(places)]:
        for value in vars(module).values():
            if hasattr(value, "signatures") and hasattr(value, "py_func"):
                found[f"{value.py_func.__module__}.{value.py_func.__qualname__}"] = value
    return found


def _numbers_of(signature: Sequence[Any]) -> tuple[str, ...]:
    """A signature without the kinds of its arrays and records.

    Fields of a record, rows of a batch and local arrays each have their own, and so have games whose records differ.
    """
    return tuple("array" if hasattr(kind, "ndim") else "record" if hasattr(kind, "fields") else str(kind) for kind in signature)


def _of_records(kind: Any) -> bool:
    """Whether a compiled type is an array of records."""
    return hasattr(getattr(kind, "dtype", None), "fields")


def check_one_signature(game: Game) -> None:
    """No kernel is compiled several times for integers of several widths, or for plain numbers of several kinds.

    Helpers on arrays are compiled once for each kind of array (a field of the record, a row, a local array), which is needed.
    Machine code from the cache brings no signatures of inner kernels: to test them, compile in a process without a cache.
    """
    if JIT_DISABLED:
        return
    batch = fresh(game, 2, 0)
    batch.observe()
    batch.resample(0, seed=0)
    batch.step(batch.sample())
    game.outcome(batch.state(0))
    for name, kernel in compiled_kernels(game).items():
        kinds = {_numbers_of(signature) for signature in kernel.signatures}
        require(len(kinds) <= 1, f"{name} is compiled for {len(kinds)} kinds of numbers: {sorted(kinds)}"[:400])
    for what, entry in zip(game.kernels._fields, game.kernels, strict=True):
        records = [
            next(str(kind.dtype) for kind in signature if _of_records(kind)) for signature in getattr(entry, "signatures", ())
        ]
        require(len(records) == len(set(records)) > 0, f"the entry {what!r} is compiled several times, or never, for its records")


# --- all of them -----------------------------------------------------------------------------------------------------------


def check_every_state(game: Game, invariant: Invariant, *, seed: int = 0, rows: int = 3) -> None:
    """Hold something that only this game can promise after every step of random games, and in resampled states."""
    batch = fresh(game, rows, seed)
    for _ in play(batch):
        for row in range(rows):
            invariant(game, batch.state(row))
    states = visited(game, seed=seed, n=12)
    for seat in range(game.seats):
        dealt = at(game, states)
        dealt.resample(seat, seed=seed)
        for row in range(dealt.size):
            invariant(game, dealt.state(row))


CHECKS: tuple[Check, ...] = (
    *(check_layouts, check_legal_action_exists, check_mask_by_trial, check_length, check_reproducible, check_rows_are_apart),
    *(check_batch_size, check_threads, check_autoreset, check_observations, check_resampling, check_resampling_is_seeded),
    *(check_action_texts, check_positions, check_descriptions, check_scores, check_rewards, check_copies, check_one_signature),
)
"""All promises."""


def run_contract(game: Game, checks: Sequence[Check] = CHECKS) -> None:
    """Hold a game to all promises. Raises AssertionError with the promise's name and a sentence."""
    for check in checks:
        try:
            check(game)
        except AssertionError as error:
            raise AssertionError(f"{check.__name__}({game.name}, {game.config_dict}): {error}") from error
