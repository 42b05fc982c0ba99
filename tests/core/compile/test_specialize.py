"""Variants of kernels: copies with other constants, apart from what they are copies of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.compile.bits import count
from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel
from ginkgo_env.core.compile.specialize import interpreted, specialize
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.ginkgopolis.game import KERNELS

LARGE = True


@kernel
def size() -> int:
    """A kernel with a constant."""
    return 10 if LARGE else 1


@kernel
def twice() -> int:
    """A kernel that calls it."""
    return 2 * size()


@kernel
def neither() -> int:
    """A kernel that knows nothing of it."""
    return 5


def plain(function: Any) -> Any:
    return getattr(function, "py_func", function)


def test_a_variant_copies_what_it_calls() -> None:
    small = specialize(twice, LARGE=False)
    copied = plain(small).__globals__["size"]
    assert copied is not size and plain(copied).__globals__["LARGE"] is False and plain(size).__globals__["LARGE"] is True
    assert specialize(twice, LARGE=False) is small and specialize(twice, LARGE=True) is twice
    assert specialize(neither, LARGE=False) is neither


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_variants_have_names_of_their_own() -> None:
    """Machine code is found by names: with the same, one process would run the kernels of whichever variant it loads first."""
    assert plain(specialize(twice, LARGE=False)).__qualname__ == "twice_LARGE_False"
    names = [plain(loop).__qualname__ for loops in KERNELS.values() for loop in loops]
    assert len(names) == len(set(names)) == 22


@kernel
def members_and_constant(g: Any) -> int:
    """A kernel that reads a field and calls others."""
    return count(g.cards) + twice()


def test_an_interpreted_kernel_takes_records_and_lists() -> None:
    row = np.array([([0b101, 1],)], np.dtype([("cards", np.uint64, 2)])).view(np.recarray)[0]
    run = interpreted(members_and_constant)
    assert run(row) == run(PlainRecord(row)) == 3 + 20
    assert JIT_DISABLED or not hasattr(run, "py_func")
