"""Comparing checkpoints."""

from __future__ import annotations

import numpy as np

from ginkgo_agents.checkpoints import Checkpoint


def same(one: Checkpoint, other: Checkpoint) -> None:
    """All arrays are equal, and as many decisions were taken."""
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name], err_msg=name)
    assert one.about["decisions"] == other.about["decisions"]
