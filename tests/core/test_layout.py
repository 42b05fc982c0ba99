"""Named blocks of a flat vector."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.layout import Block, Layout, Observation, field_names

LAYOUT = Layout([Block("a", (2, 3), "first"), Block("b", (1,), "second", low=-1, high=7), Block("c", (4,), "third", high=255)])


def test_blocks_lie_one_after_the_other() -> None:
    assert [(b.name, b.start, b.stop, b.size) for b in LAYOUT.values()] == [("a", 0, 6, 6), ("b", 6, 7, 1), ("c", 7, 11, 4)]
    assert LAYOUT.size == 11 and LAYOUT.offsets.tolist() == [0, 6, 7, 11] and len(LAYOUT) == 3
    assert LAYOUT["b"].slice == slice(6, 7)


class Gap(IntEnum):
    FIRST, THIRD = 0, 2


class Alias(IntEnum):
    FIRST, SAME = 0, 0


def test_enums_of_fields_are_numbered_without_gaps() -> None:
    for fields in (Gap, Alias):
        with pytest.raises(ValueError, match=f"members of {fields.__name__} must be 0, 1, 2"):
            field_names(fields)


def test_views_are_no_copies() -> None:
    batch = np.arange(22, dtype=np.int64).reshape(2, 11)
    view = LAYOUT.view(batch, "a")
    assert view.shape == (2, 2, 3) and view[1, 1, 2] == 16
    view[0, 0, 0] = 99
    assert batch[0, 0] == 99
    assert Observation(LAYOUT, batch)["c"].tolist() == [[7, 8, 9, 10], [18, 19, 20, 21]]
    assert list(Observation(LAYOUT, batch[0])) == ["a", "b", "c"] and len(Observation(LAYOUT, batch)) == 3


def test_bounds() -> None:
    low, high = LAYOUT.bounds(np.int16)
    assert low.tolist() == [0] * 6 + [-1] + [0] * 4 and high.tolist() == [1] * 6 + [7] + [255] * 4
    assert low.dtype == high.dtype == np.int16


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), min_size=1, max_size=6))
def test_places_and_indices(shapes: list[tuple[int, ...]]) -> None:
    layout = Layout([Block(f"block {i}", shape, "") for i, shape in enumerate(shapes)])
    for index in range(layout.size):
        block, place = layout.locate(index)
        assert layout.index(block.name, *place) == index
        assert layout.view(np.arange(layout.size), block.name)[place] == index


@pytest.mark.parametrize("index", [-1, 11, 10**9])
def test_no_place_outside(index: int) -> None:
    with pytest.raises(BatchError):
        LAYOUT.locate(index)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="two are named"):
        Layout([Block("a", (1,), ""), Block("a", (2,), "")])
    with pytest.raises(ValueError, match="11"):
        Observation(LAYOUT, np.zeros(10))
    with pytest.raises(KeyError):
        LAYOUT["d"]
    assert "a[2, 3]" in repr(LAYOUT)
