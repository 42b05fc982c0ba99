"""The configurations that are always run are fewer than all, and leave no pair of modules untried."""

from __future__ import annotations

from .cases import COMBINATIONS, COVERING, pairs


def test_always_run_combinations_cover_all_pairs() -> None:
    assert all(config in COMBINATIONS for config in COVERING)
    wanted = set().union(*map(pairs, COMBINATIONS))
    assert len(wanted) == 15 * 4 + 4 * 6 * 2
    assert set().union(*map(pairs, COVERING)) == wanted


def test_each_of_them_is_needed() -> None:
    for config in COVERING:
        assert set().union(*(pairs(other) for other in COVERING if other is not config)) != set().union(*map(pairs, COMBINATIONS))
