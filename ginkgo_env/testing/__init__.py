"""The contract suite: the promises of every game, one function for each.

A promise is a function that takes a :class:`~ginkgo_env.core.game.Game` and raises ``AssertionError`` with a sentence when
it is broken. All games are held to the same promises:

>>> import ginkgo_env
>>> from ginkgo_env.testing import run_contract
>>> run_contract(ginkgo_env.make_game("ginkgopolis", players=2))

Promises of a single game, such as that no card is lost, go through :func:`check_every_state`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.game import Game, States
from ginkgo_env.testing.batches import (
    check_autoreset,
    check_batch_size,
    check_copies,
    check_reproducible,
    check_rows_are_apart,
    check_threads,
)
from ginkgo_env.testing.choices import check_areas, check_choices
from ginkgo_env.testing.compiled import check_one_signature
from ginkgo_env.testing.decisions import check_legal_action_exists, check_length, check_mask_by_trial
from ginkgo_env.testing.declarations import check_declarations
from ginkgo_env.testing.hidden import (
    check_features,
    check_layouts,
    check_observations,
    check_resampling,
    check_resampling_is_seeded,
    check_seen,
    check_simultaneous,
)
from ginkgo_env.testing.indistinguishable_states import check_resampling_is_blind
from ginkgo_env.testing.pictures import check_pictures, check_pictures_open
from ginkgo_env.testing.play import at, fresh, play, require, visited
from ginkgo_env.testing.refusals import (
    check_notation_refused,
    check_numbers_refused,
    check_options_refused,
    check_positions_refused,
)
from ginkgo_env.testing.scores import check_rewards, check_scores
from ginkgo_env.testing.text import check_action_texts, check_descriptions, check_positions

__all__ = [
    "CHECKS",
    "Check",
    "Invariant",
    "at",
    "check_every_state",
    "check_one_signature",
    "fresh",
    "play",
    "require",
    "run_contract",
    "visited",
]

Check = Callable[[Game], None]
Invariant = Callable[[Game, States], None]


def check_every_state(game: Game, invariant: Invariant, *, seed: int = 0, rows: int = 3) -> None:
    """Check a promise of this game after every step of random games, and in resampled states."""
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
    *(check_batch_size, check_threads, check_autoreset, check_observations, check_features, check_simultaneous),
    *(check_resampling, check_resampling_is_seeded, check_resampling_is_blind, check_seen),
    *(check_declarations, check_action_texts, check_positions, check_descriptions, check_scores, check_rewards),
    *(check_options_refused, check_numbers_refused, check_notation_refused, check_positions_refused),
    *(check_pictures, check_pictures_open, check_choices, check_areas, check_copies, check_one_signature),
)
"""All promises."""


def run_contract(game: Game, checks: Sequence[Check] = CHECKS) -> None:
    """Check all promises of a game. Raises AssertionError with the name of the promise and a sentence."""
    for check in checks:
        try:
            check(game)
        except AssertionError as error:
            raise AssertionError(f"{check.__name__}({game.name}, {game.config_dict}): {error}") from error
