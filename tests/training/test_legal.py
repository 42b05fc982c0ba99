"""Logits, loss and gradient of legal actions alone, against plain torch with a mask of all actions and its autograd."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch import Tensor, nn

from ginkgo_agents.base import sample_actions
from ginkgo_agents.ppo import Network, NetworkSettings
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.registry import make_game
from ginkgo_training.legal import PolicyLoss, draw, lists_from, rows_of
from ginkgo_training.networks import NetworkPolicy, evaluate
from ginkgo_training.perceptron import Tanh

ROWS, ACTIONS, CLIP, ENTROPY, VALUE = 200, 40, 0.2, 0.01, 0.5


def some_legal(rng: np.random.Generator, rows: int = ROWS, actions: int = ACTIONS) -> LegalActions:
    """Random lists; in every third row one action alone is legal."""
    counts = np.where(np.arange(rows) % 3 == 0, 1, rng.integers(2, actions + 1, rows))
    return lists_from(counts, np.concatenate([np.sort(rng.choice(actions, n, replace=False)) for n in counts]))


def mask_of(legal: LegalActions, actions: int = ACTIONS) -> Tensor:
    rows = np.repeat(np.arange(len(legal.offsets) - 1), np.diff(legal.offsets))
    mask = torch.zeros((len(legal.offsets) - 1, actions), dtype=torch.bool)
    mask[rows, legal.actions] = True
    return mask


def some_played(rng: np.random.Generator, legal: LegalActions, logs: Tensor) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places, log probabilities far from and near the current ones, and gains of both signs."""
    places = rng.integers(np.diff(legal.offsets))
    now = logs.detach()[np.arange(len(places)), legal.actions[legal.offsets[:-1] + places]].numpy()
    old = now + rng.choice([-0.5, -0.1, 0.0, 0.1, 0.5], len(places))
    return places, old.astype(np.float32), rng.normal(size=len(places)).astype(np.float32)


def plain_loss(logs: Tensor, legal: LegalActions, played: tuple[np.ndarray, ...]) -> tuple[Tensor, list[Tensor]]:
    """The same loss from log probabilities (rows, actions) of all actions."""
    places, old, gains = played
    actions = torch.from_numpy(legal.actions[legal.offsets[:-1] + places])
    old, gain = torch.from_numpy(old), torch.from_numpy(gains)
    ratio = torch.exp(logs.gather(1, actions[:, None])[:, 0] - old)
    clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
    policy = -torch.min(ratio * gain, clipped * gain).mean()
    entropy = -(logs.exp() * logs.clamp_min(-1e9)).sum(1).mean()
    return policy - ENTROPY * entropy, [policy, entropy, (clipped != ratio).double().mean()]


def all_logs(logits: Tensor, legal: LegalActions) -> Tensor:
    return torch.log_softmax(logits.masked_fill(~mask_of(legal, logits.shape[1]), -1e9), 1)


def assert_close(ours: Tensor, theirs: Tensor) -> None:
    assert float((ours.double() - theirs.double()).norm()) <= 1e-5 * float(theirs.double().norm())


def test_the_loss_and_its_gradient() -> None:
    rng = np.random.default_rng(1)
    legal = some_legal(rng)
    logits = torch.from_numpy(3 * rng.normal(size=(ROWS, ACTIONS))).float().requires_grad_()
    exact = logits.detach().double().requires_grad_()
    logs = all_logs(exact, legal)
    played = some_played(rng, legal, logs)
    told, parts = plain_loss(logs, legal, played)
    own: Any = PolicyLoss.apply(logits[mask_of(legal)], legal.offsets, *played, CLIP, ENTROPY)
    assert 0.2 < float(parts[2]) < 0.8, "ratios are clipped on both sides, and not clipped"
    assert_close(own[0].detach(), told.detach())
    assert_close(own[1], torch.stack(parts).detach())
    (2 * own[0]).backward()
    (2 * told).backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None and exact.grad is not None
    assert_close(logits.grad, exact.grad)
    for row in range(0, ROWS, 3):
        assert logits.grad[row].abs().max() < 1e-8, "an action that alone is legal has no gradient"


@pytest.mark.parametrize("observation", ["features", "both"])
def test_the_gradients_of_a_network(observation: Any) -> None:
    """In the positions of games, with the loss of the critic; structured networks compute all logits."""
    game, rng = make_game("ginkgopolis", players=2), np.random.default_rng(2)
    batch = Batch(game, 64)
    batch.reset(seed=3)
    for _ in range(25):
        batch.step(batch.sample())
    network = Network(game, NetworkSettings(observation, hidden=20, width=6))
    policy = NetworkPolicy(network, 1)
    with torch.no_grad():
        policy.other.mul_(1000)  # type: ignore[union-attr, operator]
    twin = deepcopy(policy)
    inputs = torch.from_numpy(rng.normal(size=(64, network.size))).float()
    legal, target = batch.legal_actions(), torch.from_numpy(rng.normal(size=64)).float()
    all_of_them, estimates = twin(inputs)
    logs = all_logs(all_of_them, legal)
    played = some_played(rng, legal, logs)
    (plain_loss(logs, legal, played)[0] + VALUE * ((estimates - target) ** 2).mean()).backward()
    logits, values = evaluate(policy, inputs, legal)
    loss: Any = PolicyLoss.apply(logits, legal.offsets, *played, CLIP, ENTROPY)
    (loss[0] + VALUE * ((values - target) ** 2).mean()).backward()
    torch.testing.assert_close(logits, all_of_them[mask_of(legal, game.actions.size)])
    for own, other in zip(policy.parameters(), twin.parameters(), strict=True):
        assert own.grad is not None and other.grad is not None
        assert_close(own.grad, other.grad)
    assert all(parameter.grad is not None and parameter.grad.any() for parameter in policy.parameters())


def test_draws_follow_the_probabilities() -> None:
    rng = np.random.default_rng(3)
    legal, keys = some_legal(rng), rng.integers(2**64, size=ROWS, dtype=np.uint64)
    logits = torch.from_numpy(rng.normal(size=(ROWS, ACTIONS))).float()
    logs = all_logs(logits, legal)
    actions, places, log_probs = draw(logits[mask_of(legal)], legal, keys)
    assert np.array_equal(actions, sample_actions(logs.double().exp().numpy(), keys))
    assert np.array_equal(actions, legal.actions[legal.offsets[:-1] + places])
    np.testing.assert_allclose(log_probs, logs.numpy()[np.arange(ROWS), actions], atol=1e-5)


def test_rows_without_legal_actions_and_logits_that_are_no_numbers() -> None:
    legal, keys = lists_from(np.array([0, 2, 0]), np.array([4, 7])), np.zeros(3, np.uint64)
    actions, places, log_probs = draw(torch.zeros(2), legal, keys)
    assert actions.tolist() == [NO_ACTION, 4, NO_ACTION] and not places.any()
    np.testing.assert_allclose(log_probs, [0, -np.log(2), 0], rtol=1e-6)
    for wrong in (np.nan, np.inf):
        with pytest.raises(ConfigError, match="the logits are not finite"):
            draw(torch.tensor([0, wrong]), legal, keys)


def test_lists_of_rows() -> None:
    rng = np.random.default_rng(4)
    legal = some_legal(rng)
    rows = rng.permutation(ROWS)[:70]
    assert torch.equal(mask_of(rows_of(legal, rows)), mask_of(legal)[rows])


def test_tanh() -> None:
    x = torch.linspace(-12, 12, 500).reshape(50, 10).requires_grad_()
    ours, theirs = (function(x) for function in (Tanh(), nn.Tanh()))
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)
    weights = torch.arange(500.0).reshape(50, 10)
    one, other = (torch.autograd.grad(values, x, weights)[0] for values in (ours, theirs))
    torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-3)
