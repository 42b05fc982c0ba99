"""The last observation of a game whose row was reset in the same step."""

from __future__ import annotations

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.masks import NO_ACTION

GAME = ginkgo_env.make_game("ginkgopolis", players=3, max_rounds=6)


def test_it_is_that_of_the_finished_game() -> None:
    """A batch without autoreset, played with the same actions, still shows it."""
    size, ended = 8, 0
    batch, plain = Batch(GAME, size, autoreset=True, keep_last=True), Batch(GAME, size)
    batch.reset(seed=4)
    plain.reset(seed=4)
    while not plain.over.all():
        live = ~plain.over
        actions = batch.sample()
        plain.step(np.where(live, actions, NO_ACTION))
        batch.step(actions)
        first = batch.done & live  # later games in the row are not the same
        for seat in range(GAME.seats):
            for view, whole in (("blocks", plain.observe(seat)), ("features", plain.features(seat))):
                last = np.full(whole.shape, 99, whole.dtype)
                last[batch.done] = batch.observe_last(seat, view)  # type: ignore[arg-type]
                np.testing.assert_array_equal(last[first], whole[first])
        ended += int(first.sum())
        assert len(batch.observe_last()) == batch.done.sum()
    assert ended == size


def test_it_changes_no_game() -> None:
    one, other = Batch(GAME, 8, autoreset=True, keep_last=True), Batch(GAME, 8, autoreset=True)
    for batch in (one, other):
        batch.reset(seed=2)
        for _ in range(150):
            batch.step(batch.sample())
    assert one.states.tobytes() == other.states.tobytes()


def test_it_has_to_be_asked_for() -> None:
    with pytest.raises(BatchError, match="keep_last=True"):
        Batch(GAME, 2, autoreset=True).observe_last()
    with pytest.raises(BatchError, match="requires autoreset"):
        Batch(GAME, 2, keep_last=True)
    with pytest.raises(BatchError, match="view"):
        Batch(GAME, 2, autoreset=True, keep_last=True).observe_last(0, "all")  # type: ignore[arg-type]
