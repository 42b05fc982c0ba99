"""Kernels on masks, against plain numpy: masks of any length."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_env.core.afterstates import legal_lists
from ginkgo_env.core.masks import NO_ACTION, sample_many, sets_of
from ginkgo_env.core.rng import GOLDEN

LENGTHS = [1, 2, 7, 63, 64, 65, 127, 128, 129, 191, 192, 323, 486]


def masks_of(length: int) -> np.ndarray:
    """Masks that are empty, full, with a single one in each place, and random ones of any density."""
    rng = np.random.default_rng(length)
    random = rng.random((200, length)) < rng.random((200, 1)) ** 3
    return np.vstack([np.zeros((1, length)), np.ones((1, length)), np.eye(length), random]).astype(np.int8)


@pytest.mark.parametrize("length", LENGTHS)
def test_a_draw_takes_the_one_that_its_random_word_says(length: int) -> None:
    masks = masks_of(length)
    words = np.random.default_rng(1).integers(0, 2**64, len(masks), np.uint64)
    drawn, mixed = np.empty(len(masks), np.int64), [mixed_word(int(word) + int(GOLDEN)) for word in words]
    sample_many(0, len(masks), sets_of(masks), words, drawn)
    for mask, word, action in zip(masks, mixed, drawn, strict=True):
        ones = np.flatnonzero(mask)
        assert action == (ones[(word >> 32) * len(ones) >> 32] if len(ones) else NO_ACTION)


@pytest.mark.parametrize("length", LENGTHS)
def test_lists_of_legal_actions_are_the_ones_of_masks(length: int) -> None:
    masks = masks_of(length)
    offsets, ids = legal_lists(masks)
    assert ids.tolist() == np.nonzero(masks)[1].tolist()
    assert np.diff(offsets).tolist() == masks.sum(axis=1, dtype=np.int64).tolist()


def mixed_word(word: int) -> int:
    """splitmix64's output, in Python's integers."""
    word %= 2**64
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)
