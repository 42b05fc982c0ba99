"""The oracle counts as many sequences of actions as ``tests/perft/data`` says that the kernels do."""

import pytest

from ...perft.perft import GOLDEN_CITY, read
from ..observations import no_chance
from .golden_city import Oracle

MOST = 300  # positions that the oracle goes through, each made anew


def after(oracle: Oracle, text: str) -> Oracle:
    """The oracle an action further."""
    other = Oracle.from_position(oracle.position(), no_chance)
    other.apply(text)
    return other


def leaves(oracle: Oracle, depth: int) -> list[int]:
    """Sequences of 1, 2, ... actions."""
    legal = oracle.legal()
    found = [len(legal)]
    if depth > 1:
        below = [leaves(after(oracle, text), depth - 1) for text in legal]
        found += [sum(numbers) for numbers in zip(*below, strict=True)] if below else [0] * (depth - 1)
    return found


@pytest.mark.parametrize("name", GOLDEN_CITY)
def test_the_oracle_counts_the_same(name: str) -> None:
    """At all depths that are cheap, which are three at least."""
    wanted = read(name)["leaves"]
    cheap = 1 + sum(sum(wanted[:depth]) <= MOST for depth in range(1, len(wanted)))
    assert cheap >= 3
    assert leaves(Oracle.from_position(read(name)["position"], no_chance), cheap) == wanted[:cheap]
