"""Promises about decisions: masks, legal actions, the length of a game."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import IllegalActionError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
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
