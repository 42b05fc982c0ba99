"""The configurations that are always run are fewer than all, and leave no pair of modules untried."""

from __future__ import annotations

from .cases import COMBINATIONS, COVERING, THOROUGH, pairs


def test_always_run_combinations_cover_all_pairs() -> None:
    assert all(config in COMBINATIONS for config in COVERING)
    wanted = set().union(*map(pairs, COMBINATIONS))
    assert len(wanted) == 15 * 4 + 4 * 6 * 2
    assert set().union(*map(pairs, COVERING)) == wanted


def test_each_of_them_is_needed() -> None:
    for config in COVERING:
        assert set().union(*(pairs(other) for other in COVERING if other is not config)) != set().union(*map(pairs, COMBINATIONS))


def test_the_slow_promises_meet_every_set_of_modules_once() -> None:
    assert sorted(config["modules"] for config in THOROUGH) == sorted({config["modules"] for config in COMBINATIONS})
    for players in range(2, 6):
        met, wanted = ([pairs(config) for config in found if config["players"] == players] for found in (THOROUGH, COMBINATIONS))
        assert set().union(*met) == set().union(*wanted)
