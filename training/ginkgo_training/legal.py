"""Policies over legal actions alone, in compiled code.

A game has many more actions than are legal at once, so nothing is computed for the others: not their logits, not the loss, not
its gradient. The logits of the N legal actions of B decisions are one tensor (N,) in the order of ``LegalActions``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ginkgo_agents.base import uniform_of
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.masks import NO_ACTION


def lists_from(counts: NDArray[np.int64], actions: NDArray[np.int64]) -> LegalActions:
    """Make the lists of legal actions from their lengths (B,)."""
    return LegalActions(np.concatenate([[0], np.cumsum(counts)]), actions)


def rows_of(legal: LegalActions, rows: NDArray[np.int64]) -> LegalActions:
    """The legal actions of some rows (k,)."""
    starts, counts = legal.offsets[rows], np.diff(legal.offsets)[rows]
    skipped = np.repeat(starts - np.cumsum(counts) + counts, counts)
    return lists_from(counts, legal.actions[skipped + np.arange(len(skipped))])


class LastLayer(torch.autograd.Function):
    """A linear layer for legal actions alone.

    Takes hidden units (B, n), weights (n, A), a bias (A,) and the legal actions. Returns logits (N,).
    """

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weights: Tensor, bias: Tensor, legal: LegalActions) -> Tensor:
        """Compute the logits."""
        weights, logits = weights.t().contiguous(), torch.empty(len(legal.actions))
        ctx.save_for_backward(hidden, weights)
        ctx.legal = legal
        _layer(hidden.numpy(), weights.numpy(), bias.numpy(), legal, logits.numpy())
        return logits

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        """Compute the gradients of hidden units, weights and bias."""
        hidden, weights = ctx.saved_tensors
        h, w, b = torch.zeros_like(hidden), torch.zeros_like(weights), torch.zeros(len(weights))
        _layer_gradient(gradient.numpy(), hidden.numpy(), weights.numpy(), ctx.legal, h.numpy(), w.numpy(), b.numpy())
        return h, w.t(), b, None


@kernel(reorder=True)
def _dot(x: Any, y: Any) -> Any:
    total = np.float32(0.0)
    for j in range(x.size):
        total += x[j] * y[j]
    return total


@entry
def _layer(hidden: Any, weights: Any, bias: Any, legal: LegalActions, logits: Any) -> None:
    offsets, actions = legal
    for i in range(hidden.shape[0]):
        for k in range(offsets[i], offsets[i + 1]):
            logits[k] = bias[actions[k]] + _dot(hidden[i], weights[actions[k]])


@entry
def _layer_gradient(gradient: Any, hidden: Any, weights: Any, legal: LegalActions, h: Any, w: Any, b: Any) -> None:
    """Add the gradients of hidden units, weights and bias to h, w and b."""
    offsets, actions = legal
    for i in range(hidden.shape[0]):
        for k in range(offsets[i], offsets[i + 1]):
            action, slope = actions[k], gradient[k]
            b[action] += slope
            for j in range(hidden.shape[1]):
                h[i, j] += slope * weights[action, j]
                w[action, j] += slope * hidden[i, j]


def draw(
    logits: Tensor, legal: LegalActions, keys: NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Draw an action in each decision by random keys (B,).

    Returns actions (B,), NO_ACTION where none is legal, their places among the legal ones, and their log probabilities.

    Raises ConfigError if a logit is not finite.
    """
    if not torch.isfinite(logits).all():
        raise ConfigError("the logits are not finite: the weights have become too large")
    actions, places, log_probs = np.full(len(keys), NO_ACTION), np.zeros(len(keys), np.int64), np.zeros(len(keys), np.float32)
    _draw_many(logits.numpy(), *legal, uniform_of(keys), actions, places, log_probs)
    return actions, places, log_probs


@entry
def _draw_many(logits: Any, offsets: Any, legal: Any, uniform: Any, actions: Any, places: Any, log_probs: Any) -> None:
    for i in range(places.size):
        start, stop = offsets[i], offsets[i + 1]
        if start < stop:
            own = logits[start:stop].astype(np.float64)
            reached = np.cumsum(np.exp(own - own.max()))
            place = min(np.searchsorted(reached, uniform[i] * reached[-1], "right"), stop - start - 1)
            actions[i], places[i] = legal[start + place], place
            log_probs[i] = own[place] - own.max() - math.log(reached[-1])


class PolicyLoss(torch.autograd.Function):
    """The clipped loss of a policy (Schulman et al. 2017) less its entropy times a weight.

    Both are means over decisions. Takes logits (N,) and their offsets (B + 1,); for the actions played the places among the legal
    ones, the log probabilities at that time and the advantages, (B,) each; the clip range and the weight. Returns this loss and,
    for a log, (3,): the loss without the entropy, the entropy, and the share of clipped ratios.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, *known: Any) -> tuple[Tensor, Tensor]:
        """Compute the loss, and its gradient as well."""
        ctx.gradient, means = torch.empty_like(logits), torch.zeros(3)
        _loss(*(logits.numpy(), *known, ctx.gradient.numpy(), means.numpy()))
        ctx.mark_non_differentiable(means)
        return means[0] - known[-1] * means[1], means

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradient of the logits."""
        return gradient * ctx.gradient, *[None] * 6


@entry
def _loss(
    logits: Any, offsets: Any, places: Any, old: Any, gains: Any, clip_range: float, ent_coef: float, gradient: Any, means: Any
) -> None:
    share = 1.0 / places.size
    for i in range(places.size):
        start, stop = offsets[i], offsets[i + 1]
        top = logits[start:stop].max()
        total, weighted = 0.0, 0.0
        for k in range(start, stop):
            weight = math.exp(logits[k] - top)
            gradient[k] = weight
            total += weight
            weighted += weight * (logits[k] - top)
        scale = top + math.log(total)
        entropy = scale - top - weighted / total
        chosen, gain = start + places[i], gains[i]
        ratio = math.exp(logits[chosen] - scale - old[i])
        clipped = min(max(ratio, 1 - clip_range), 1 + clip_range)
        means[0] -= share * min(ratio * gain, clipped * gain)
        means[1] += share * entropy
        means[2] += share * (ratio != clipped)
        slope = share * ratio * gain if ratio * gain <= clipped * gain else 0.0  # with the log probability of the action played
        for k in range(start, stop):
            gradient[k] *= (slope + share * ent_coef * (logits[k] - scale + entropy)) / total
        gradient[chosen] -= slope
