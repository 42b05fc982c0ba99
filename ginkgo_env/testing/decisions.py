"""Promises about masks, the length of a game, declared fields, scores, winners and rewards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import IllegalActionError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.core.state import Field, Held, fields_of
from ginkgo_env.testing.play import LONGEST, each, fresh, play, repeated, require, table, visited

_BEYOND = (-(2**62), -3, -2, 2**62)  # no actions in any game; -2 restarts a game inside the package


def check_legal_action_exists(game: Game, *, seed: int = 0, rows: int = 6) -> None:
    """Running games have an actor with at least two legal actions, finished games no legal action."""
    batch = fresh(game, rows, seed)
    for step in play(batch):
        require(((batch.mask == 0) | (batch.mask == 1)).all(), f"step {step}: a mask holds numbers other than 0 and 1")
        choices = batch.mask.sum(axis=1, dtype=np.int64)
        live = ~batch.over
        kinds = np.array(batch.kind)
        require((choices[live] >= 2).all(), f"step {step}: a live row has fewer than two legal actions")
        require((choices[~live] == 0).all(), f"step {step}: an action is legal in a finished game")
        require((batch.actor[live] < game.seats).all(), f"step {step}: the actor is not a seat")
        known = (kinds[live] >= 0) & (kinds[live] < len(game.decisions)) & (kinds[live] != game.over)
        require(known.all(), f"step {step}: an unknown kind of decision")
        require((kinds[~live] == game.over).all(), f"step {step}: a finished game awaits a decision")
        require((batch.sample()[~live] == NO_ACTION).all(), f"step {step}: an action was sampled in a finished game")


def check_mask_by_trial(game: Game, *, seed: int = 0, n: int = 8) -> None:
    """Legal actions are accepted and change the state; others are refused and change nothing."""
    states = visited(game, seed=seed, n=n, finished=True)
    one = Batch(game, 1)
    for i, state in enumerate(each(states)):
        one.set_states([0], state)
        before = table(one, 0)
        legal = np.flatnonzero(one.mask[0])
        for action in (*np.flatnonzero(one.mask[0] == 0).tolist(), game.actions.size, game.actions.size + 1, *_BEYOND):
            try:
                one.step([action])
            except IllegalActionError:
                pass
            else:
                raise AssertionError(f"state {i}: action {action} is masked out but was accepted")
            require(table(one, 0) == before, f"state {i}: the refused action {action} changed the game")
        if len(legal):
            many = repeated(game, state, len(legal))
            many.step(legal)
            for row in range(len(legal)):
                changed = many.states[row].tobytes() != state.tobytes()
                require(changed, f"state {i}: the legal action {legal[row]} did nothing")
            again = repeated(game, state, len(legal))
            again.mask[:] = 7
            again.step(legal, check=False)
            require((again.mask == many.mask).all(), f"state {i}: a step does not write the whole mask")


def check_length(game: Game, *, seed: int = 0, rows: int = 6, longest: int = LONGEST) -> None:
    """Every game ends; its end is reported once, and as truncated exactly where the game says so."""
    batch = fresh(game, rows, seed)
    ends = np.zeros(rows, np.int64)
    was_over = batch.over.copy()
    for step in play(batch, longest):
        if step:
            ends += batch.done
            require((batch.done == (batch.over & ~was_over)).all(), f"step {step}: done does not report the end of a game")
            cut = game.truncated(batch.states) & batch.done
            require((batch.truncated == cut).all(), f"step {step}: truncated does not report how a game ended")
        was_over = batch.over.copy()
    require((ends == 1).all(), "a game has ended more than once, or without being reported as done")
    still = batch.states.tobytes()
    batch.step(np.full(rows, NO_ACTION))
    require(batch.states.tobytes() == still and not batch.done.any(), "a finished game changes at NO_ACTION")


# --- the declared state ------------------------------------------------------------------------------------------------------


def check_declarations(game: Game, *, seed: int = 0) -> None:
    """Reached states are as declared, and values that are not are refused."""
    states = visited(game, seed=seed, n=24, finished=True)
    require(not game.find_flaw(states), f"a reached state is refused: {game.find_flaw(states)}")
    state: Any = states[len(states) // 2 :][:1]
    for name, field in fields_of(game.state).items():
        if name in game.config_fields:
            continue
        for value in _outside(field):
            changed = state.copy()
            changed[name].reshape(-1)[:1] = value
            if changed.tobytes() == state.tobytes():  # the empty value, of an entry that is not in use
                continue
            require(game.find_flaw(changed).startswith(f"{name}: "), f"{value} in the field {name} is accepted")
        if field.used and int(state[field.used][0]) < field.shape[0]:
            changed = state.copy()
            changed[name][0, -1] = 1 if field.empty == 0 else 0
            require(game.find_flaw(changed) != "", f"an entry of {name} that is not in use is accepted")


def _outside(field: Field) -> Iterator[int]:
    """Yield values that are out of the range of a field."""
    if field.held in (Held.BITS, Held.SET) or field.limit:
        return
    kind: Any = field.dtype
    bounds = np.iinfo(kind)
    if field.low > bounds.min:
        yield field.low - 1
    if field.high < bounds.max:
        yield field.high + 1


# --- scores and rewards ------------------------------------------------------------------------------------------------------


_CLOSE = 1e-5


def check_scores(game: Game, *, seed: int = 0, rows: int = 6) -> None:
    """Scores by source, outcome, breakdown, totals and standings agree, in every state and at the end."""
    batch = fresh(game, rows, seed)
    for step in play(batch):
        if step % 16 == 0 or batch.over.all():
            _require_scores(game, batch, step)
    require((batch.scores().sum(axis=2) == batch.totals).all(), "the totals of finished games are not their scores")
    for row in range(rows):
        outcome = game.outcome(batch.state(row))
        standings = batch.standings[row]
        require(outcome.standings == tuple(standings.tolist()), f"row {row}: outcome and batch have different standings")
        best = tuple(np.flatnonzero(standings == standings.max()).tolist())
        require(outcome.ending is not None and outcome.winners == best, f"row {row}: a winner does not rank highest")


def _require_scores(game: Game, batch: Batch, step: int) -> None:
    scores = batch.scores()
    require(scores.shape == (batch.size, game.sides, len(game.sources)), "scores do not have the shape (sides, sources)")
    for row in range(batch.size):
        outcome = game.outcome(batch.state(row))
        where = f"step {step}, row {row}"
        require(outcome.scores == tuple(scores[row].sum(axis=1).tolist()), f"{where}: outcome and scores differ")
        require((outcome.ending is None) == (batch.actor[row] >= 0), f"{where}: ending and actor disagree on whether it is over")
        require(bool(outcome.winners) == bool(batch.over[row]), f"{where}: winners and over disagree on whether it is over")
        require(len(outcome.breakdown) == game.sides, f"{where}: the breakdown does not have every side")
        for side, parts in enumerate(outcome.breakdown):
            require(_sum(parts) == outcome.scores[side], f"{where}: side {side}'s breakdown does not add up")


def _sum(parts: Any) -> int:
    """The sum of a breakdown without its total."""
    if isinstance(parts, dict):
        return sum(_sum(value) for name, value in parts.items() if name != "total")
    if isinstance(parts, list | tuple):
        return sum(_sum(value) for value in parts)
    return int(parts)


def check_rewards(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """``win`` and ``margin`` pay higher ranks more, at the end; ``score`` adds up to the score.

    With a single side there is only ``score``.
    """
    names: tuple[RewardName, ...] = ("win", "margin", "score") if game.sides > 1 else ("score",)
    require(Batch(game, 1).reward == names[0], f"the default reward is not {names[0]!r}")
    for name in names:
        batch = fresh(game, rows, seed, reward=name)
        start = batch.scores().sum(axis=2)
        total = np.zeros((rows, game.seats))
        for step in play(batch):
            if step:
                require(name == "score" or not batch.rewards[~batch.done].any(), f"{name}: a reward is paid before the end")
                total += batch.rewards
        gained = (batch.totals - start)[:, : game.seats]
        require(name != "score" or (total == gained).all(), "score: rewards do not add up to the score")
        if game.seats == game.sides:
            require(name == "score" or np.allclose(total.sum(axis=1), 0, atol=_CLOSE), f"{name}: rewards are not zero-sum")
        judged: dict[str, NDArray[Any]] = {"win": batch.standings, "margin": batch.totals}
        if name in judged:
            order = np.argsort(judged[name][:, : game.seats], axis=1)
            sorted_pay = np.take_along_axis(total, order, axis=1)
            require((np.diff(sorted_pay, axis=1) >= -_CLOSE).all(), f"{name}: a lower rank is paid more")
