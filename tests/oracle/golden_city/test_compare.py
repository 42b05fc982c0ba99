"""Kernels against the oracle (docs/trust.md): positions, legal actions, scores and random outcomes, decision by decision."""

import pytest

from ..side_by_side import play_matches
from .compare import play_match

QUICK_DECISIONS, DECISIONS = 100, 2_000  # for each number of players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kernels_and_oracle_agree(players: int) -> None:
    play_matches(play_match, {"players": players}, QUICK_DECISIONS, 1000)


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 4])
def test_they_agree_in_many_games(players: int) -> None:
    play_matches(play_match, {"players": players}, DECISIONS, 2000)


def test_enough_is_compared() -> None:
    assert 3 * DECISIONS >= 5_000 and 3 * QUICK_DECISIONS >= 300
