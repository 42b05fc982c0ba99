"""M13: how many sequences of choices there are, alone, with two decks (as ``tests/perft`` counts them)."""

from __future__ import annotations

import pytest

from .positions import table

KNOWN = {
    "in the order of names": ((), (44, 1041, 13419, 134290)),
    "churches first, Y1 blocked": (("C1", "C2", "C3", "X"), (35, 769, 17946, 687499)),
}
CASES = [
    pytest.param(name, depth, marks=[pytest.mark.full] if depth == 4 else [], id=f"{name}, {depth}")
    for name in KNOWN
    for depth in (1, 2, 3, 4)
]


@pytest.mark.parametrize(("name", "depth"), CASES)
def test_m13_sequences_of_choices(name: str, depth: int) -> None:
    first, known = KNOWN[name]
    found = table(*first, last=() if first else ("X",))
    assert found.leaves(depth) == known[depth - 1]


def test_m13_below_each_first_choice() -> None:
    """The sum over first choices, played one by one."""
    start = table()
    each = [start.copy().play(text).leaves(1) for text in start.legal]
    assert sum(each) == 1041 and each[-1] == 0 and each[-2] == 80  # Y2 is the first building after a pass
