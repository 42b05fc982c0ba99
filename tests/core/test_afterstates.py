"""Features, lists of legal actions and afterstates, with the trial game always and with Ginkgopolis in the full tests."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.base import DecisionBatch, KernelThreads
from ginkgo_env.core.afterstates import Afterstates, LegalActions, legal_lists
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, IllegalActionError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION

THREE = ("three_cards", {"deck": "pairs"})
GAMES = [
    pytest.param(*THREE, id="three cards"),
    *(
        pytest.param("ginkgopolis", config, id=f"ginkgopolis {config}", marks=pytest.mark.full)
        for config in ({"players": 2}, {"players": 1}, {"players": 4}, {"players": 3, "modules": ("events", "experts")})
    ),
]
pytestmark = pytest.mark.usefixtures("trial_game")


def played(game: Game, rows: int = 8, steps: int = 20) -> Batch:
    """Games at different points, some of them perhaps over."""
    batch = Batch(game, rows)
    batch.reset(seed=5)
    for step in range(steps if game.name != "three_cards" else 1):
        actions = batch.sample()
        actions[np.arange(rows) > step] = NO_ACTION
        batch.step(actions)
    return batch


def pieces(found: Afterstates) -> dict[str, Any]:
    return found._asdict()


@pytest.mark.parametrize(("name", "config"), GAMES)
def test_afterstates(name: str, config: dict[str, Any]) -> None:
    """All that is promised, in one test: machine code is made once."""
    batch = played(ginkgo_env.make_game(name, **config))
    game, before = batch.game, batch.states.tobytes()
    found = batch.afterstates(3, seed=7)
    assert batch.states.tobytes() == before
    legal = batch.legal_actions()
    np.testing.assert_array_equal(found.offsets, legal.offsets)
    np.testing.assert_array_equal(found.actions, legal.actions)
    np.testing.assert_array_equal(np.diff(legal.offsets), batch.mask.sum(axis=1))
    n = len(legal.actions)
    assert n > 0
    assert found.views.shape == (n, 3, game.features.size) and found.views.dtype == np.float32
    assert found.done.shape == found.win.shape == found.margin.shape == (n, 3)
    assert (found.win[~found.done] == 0).all() and (np.abs(found.win) <= 1).all()

    again = batch.afterstates(3, seed=7)
    for piece, array in pieces(found).items():
        np.testing.assert_array_equal(array, getattr(again, piece), err_msg=piece)
    other = batch.afterstates(3, seed=8)
    assert not game.has_chance or (other.views != found.views).any()

    mean = batch.afterstates(3, seed=7, average=True)
    np.testing.assert_allclose(mean.views, found.views.mean(axis=1), rtol=1e-5, atol=1e-4)

    if legal.offsets[1] >= 1:
        first = LegalActions(np.r_[0, np.ones(batch.size, np.int64)], legal.actions[:1])
        only = batch.afterstates(3, seed=7, legal=first)
        np.testing.assert_array_equal(only.views, found.views[:1], "which other actions are tried changes what one leads to")

    threaded = Batch(game, batch.size, threads=2)
    threaded.set_states(np.arange(batch.size), batch.states)
    for piece, array in pieces(threaded.afterstates(3, seed=7)).items():
        np.testing.assert_array_equal(array, getattr(found, piece), err_msg=f"threads: {piece}")

    rows = np.flatnonzero(~batch.over)
    turn = DecisionBatch(batch, rows, np.arange(len(rows), dtype=np.uint64), KernelThreads())
    np.testing.assert_array_equal(turn.features(), batch.features()[rows])
    assert turn.afterstates(2).views.shape == (len(turn.legal_actions().actions), 2, game.features.size)
    halves = [
        DecisionBatch(batch, rows[k : k + 1], np.array([k], np.uint64), KernelThreads()).afterstates(2).views
        for k in range(len(rows))
    ]
    np.testing.assert_array_equal(np.concatenate(halves), turn.afterstates(2).views, "rows change each other")


@pytest.mark.full
def test_played_on_to_the_end() -> None:
    """Three cards have no rounds: each leaf is a finished game, whose rewards are those that a batch pays."""
    batch = played(ginkgo_env.make_game(THREE[0], **THREE[1]))
    found = batch.afterstates(4, seed=1)
    assert found.done.all()
    assert set(np.unique(found.win)) <= {-1.0, 0.0, 1.0}
    assert ((np.sign(found.margin) == np.sign(found.win)) | (found.margin == 0)).all() and (found.margin != 0).any()
    soon = batch.afterstates(4, seed=1, until="decision")
    assert not soon.done.all() or (batch.mask.sum() == 0)
    seen = batch.afterstates(4, seed=1, view="blocks")
    assert seen.views.dtype == batch.game.observation_dtype and seen.views.shape[2] == batch.game.observation.size


def test_bad_input() -> None:
    batch = played(ginkgo_env.make_game("three_cards"))
    with pytest.raises(BatchError, match="until"):
        batch.afterstates(until="dawn")  # type: ignore[arg-type]
    with pytest.raises(BatchError, match="worlds"):
        batch.afterstates(0)
    with pytest.raises(BatchError, match="offsets"):
        batch.afterstates(legal=LegalActions(np.zeros(3, np.int64), np.zeros(0, np.int64)))
    live = int(np.flatnonzero(~batch.over)[0])
    wrong = LegalActions((np.arange(batch.size + 1) > live).astype(np.int64), np.array([99]))
    with pytest.raises(IllegalActionError, match="99"):
        batch.afterstates(legal=wrong)
    with pytest.raises(BatchError, match="float32"):
        batch.features(out=np.zeros((1, 1)))  # type: ignore[arg-type]


def test_legal_lists() -> None:
    masks = np.array([[0, 1, 1], [0, 0, 0], [1, 0, 0]], np.int8)
    offsets, actions = legal_lists(masks)
    assert offsets.tolist() == [0, 2, 2, 3] and actions.tolist() == [1, 2, 0]


def test_a_game_without_features_shows_its_observation() -> None:
    batch = played(ginkgo_env.make_game("three_cards"))
    assert batch.game.features is batch.game.observation
    np.testing.assert_array_equal(batch.features(), batch.observe().astype(np.float32))


GOLDEN = {
    ("ginkgopolis", "round"): "0df97cfc5aa1487f308c34fe3f197ffa2c43658ccc811b87f64161c740e5bfcb",
    ("ginkgopolis", "decision"): "a84b53cb67a228c6105d8debc204e58fe30363c6c838a971aa071594f6460c00",
    ("my_city", "round"): "369bb8bde76acdadf1e33537aa09f4b74ce1340e18790beb04bcf52c540d3215",
}
"""SHA-256 of afterstates of eight games: frozen, as models are trained on them."""


@pytest.mark.parametrize(
    ("name", "until", "steps"),
    [
        pytest.param("ginkgopolis", "round", 40, marks=pytest.mark.full),
        pytest.param("ginkgopolis", "decision", 40, marks=pytest.mark.full),
        ("my_city", "round", 12),
    ],
)
def test_afterstates_are_frozen(name: str, until: Any, steps: int) -> None:
    digest = hashlib.sha256()
    for array in played(ginkgo_env.make_game(name, players=2), 8, steps).afterstates(2, seed=7, until=until)[:6]:
        digest.update(np.ascontiguousarray(array).tobytes())
    assert digest.hexdigest() == GOLDEN[name, until]
