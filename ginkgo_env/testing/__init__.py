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
from ginkgo_env.testing import batches, decisions, hidden, pictures, text
from ginkgo_env.testing.batches import check_one_signature
from ginkgo_env.testing.play import at, fresh, play, require, visited

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
    """Check a promise of this game after every step of random games, and in resampled states.

    >>> from ginkgo_env import make_game
    >>> def no_negative_round(game, state):
    ...     assert state["rounds"][0] >= 0
    >>> check_every_state(make_game("my_city"), no_negative_round)
    """
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
    *(hidden.check_layouts, decisions.check_legal_action_exists, decisions.check_mask_by_trial, decisions.check_length),
    *(batches.check_reproducible, batches.check_rows_are_apart, batches.check_batch_size, batches.check_threads),
    *(batches.check_autoreset, hidden.check_observations, hidden.check_features, hidden.check_simultaneous),
    *(hidden.check_resampling, hidden.check_resampling_is_seeded, hidden.check_resampling_is_blind, hidden.check_seen),
    hidden.check_hidden_choices,
    *(decisions.check_declarations, text.check_action_texts, text.check_positions, text.check_descriptions),
    *(decisions.check_scores, decisions.check_rewards, text.check_options_refused, text.check_numbers_refused),
    *(text.check_notation_refused, text.check_positions_refused, pictures.check_pictures, pictures.check_pictures_open),
    *(pictures.check_choices, pictures.check_areas, batches.check_copies, check_one_signature),
)
"""All promises."""


def run_contract(game: Game, checks: Sequence[Check] = CHECKS) -> None:
    """Check all promises of a game. Raises AssertionError with the name of the promise and a sentence.

    >>> from ginkgo_env import make_game
    >>> run_contract(make_game("my_city"))  # doctest: +SKIP
    """
    for check in checks:
        try:
            check(game)
        except AssertionError as error:
            raise AssertionError(f"{check.__name__}({game.name}, {game.config_dict}): {error}") from error
