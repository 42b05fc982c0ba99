"""Networks in compiled loops, against numpy in float64; the result of a row depends on that row alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ginkgo_agents import make_agent
from ginkgo_agents.base import DecisionBatch, KernelThreads
from ginkgo_agents.lookahead import LookaheadAgent, outcome_of, win_share
from ginkgo_agents.nets import BLOCK, CUT, Net, evaluate_block, evaluate_many, layer_of, net_of, new_layers
from ginkgo_agents.pretrained import PretrainedLookahead
from ginkgo_env.core.afterstates import Afterstates
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.game import Game
from ginkgo_env.registry import make_game

from ..tiers import by_tier

CLOSE = 1e-4
GAMES = [("my_city", {"players": 1}), ("ginkgopolis", {"players": 2}), ("golden_city", {"players": 2})]


def random_net(inputs: int, hidden: int, seed: int = 0) -> Net:
    rng = np.random.default_rng(seed)

    def numbers(*shape: int) -> Any:
        return (rng.normal(size=shape) / shape[0] ** 0.5).astype(np.float32)

    columns = rng.permutation(inputs + 5)[:inputs]
    layers = [numbers(inputs, hidden), numbers(hidden), numbers(hidden, hidden), numbers(hidden), numbers(hidden, 2), numbers(2)]
    return Net(columns, numbers(inputs), 1 + abs(numbers(inputs)), *layers)


def features_for(net: Net, rows: int) -> NDArray[np.float32]:
    return np.random.default_rng(rows).normal(scale=3, size=(rows, net.columns.size + 5)).astype(np.float32)


def evaluated(net: Net, features: NDArray[np.float32], threads: int = 1) -> NDArray[np.float32]:
    out = np.full((len(features), 2), np.float32(np.nan))
    KernelThreads(threads, rows_each=3).run(evaluate_many, len(out), features, net, out)
    return out


def in_float64(net: Net, features: NDArray[np.float32]) -> NDArray[np.float64]:
    columns, mean, scale, *layers = (np.asarray(array, np.float64) for array in net)
    x = ((features.astype(np.float64)[:, columns.astype(int)] - mean) * scale).clip(-CUT, CUT)
    for w, b in zip(layers[::2], layers[1::2], strict=True):
        x = np.tanh(x @ w + b)
    return x


@pytest.mark.full
@pytest.mark.parametrize(("inputs", "hidden"), [(1, 1), (33, 8), (40, 20), (177, 128), (60, 64)])
def test_estimates_are_those_of_the_network(inputs: int, hidden: int) -> None:
    net = random_net(inputs, hidden)
    features = features_for(net, 3 * BLOCK + 5)
    features[0] *= 1000  # beyond the cut
    out = evaluated(net, features)
    np.testing.assert_allclose(out, in_float64(net, features), atol=1e-5)
    assert np.abs(out).max() <= 1


@pytest.mark.full
@pytest.mark.parametrize("hidden", [8, 20])
def test_the_result_of_a_row_depends_on_that_row_alone(hidden: int) -> None:
    """Not on the rows beside it, their number or the threads."""
    net = random_net(30, hidden)
    features = features_for(net, 3 * BLOCK + 5)
    out = evaluated(net, features)
    for rows in (*(slice(k, k + 1) for k in range(len(out))), slice(3, None), slice(0, 13), slice(None, None, -1)):
        assert evaluated(net, features[rows]).tobytes() == out[rows].tobytes()
    others = np.full_like(features, np.nan)
    others[BLOCK + 3] = features[BLOCK + 3]
    assert evaluated(net, others)[BLOCK + 3].tobytes() == out[BLOCK + 3].tobytes()
    for threads in (2, 3, 5):
        assert evaluated(net, features, threads).tobytes() == out.tobytes()


@entry
def block_sums(features: Any, net: Any, sums: Any) -> None:
    """A loop that evaluates blocks of rows as a search would."""
    layers = new_layers(net)
    for first in range(0, features.shape[0], BLOCK):
        stop = features.shape[0]
        evaluate_block(features, first, stop, net, layers)
        for r in range(min(BLOCK, stop - first)):
            sums[0] += layers.out[r, 0]
            sums[1] += layers.out[r, 1]


def test_compiled_loops_evaluate_blocks() -> None:
    net = random_net(30, 20)
    features = features_for(net, 2 * BLOCK + 3)
    sums = np.zeros(2)
    block_sums(features, net, sums)
    np.testing.assert_array_equal(sums, evaluated(net, features).sum(axis=0, dtype=np.float64))


@pytest.mark.parametrize("positive", [False, True])
def test_layers_of_any_arrays(positive: bool) -> None:
    """Of arrays in any order of memory, with or without a bias."""
    x, w, b = (np.random.default_rng(k).normal(size=s).astype(np.float32) for k, s in enumerate([(3, 7, 5), (5, 20), (20,)]))
    for bias in (None, b):
        for vectors in (x, x.swapaxes(0, 1), x[:, :1], x[:0]):
            out = layer_of(vectors, w, bias, positive=positive)
            expected = vectors.astype(np.float64) @ w + (0 if bias is None else bias)
            np.testing.assert_allclose(out, expected.clip(0) if positive else expected, atol=1e-5)
    assert layer_of(x[1, 2], w, b).tobytes() == layer_of(x, w, b)[1, 2].tobytes()


def turn_of(game: Game, rows: int, steps: int) -> DecisionBatch:
    batch = Batch(game, rows, autoreset=True)
    batch.reset(seed=3)
    for _ in range(steps):
        batch.step(batch.sample())
    return DecisionBatch(batch, np.arange(rows), np.arange(rows, dtype=np.uint64))


def reference_values(agent: LookaheadAgent, game: Game, after: Afterstates) -> NDArray[np.float64]:
    n, worlds, size = after.views.shape
    win, margin = (
        in_float64(net_of(agent.checkpoint.arrays, "scorer"), after.views.reshape(-1, size))
        .reshape(n, worlds, 2)
        .transpose(2, 0, 1)
    )
    share = win_share(game)
    ended = outcome_of(game, after.win, after.margin)
    values: NDArray[np.float64] = np.where(after.done, ended, share * win + (1 - share) * margin).mean(axis=1)
    return values


@pytest.mark.parametrize("case", by_tier(GAMES, GAMES[:1]), ids=str)
def test_choices_are_those_of_exact_arithmetic(case: tuple[str, dict[str, Any]]) -> None:
    """Wherever the best two values are not closer than rounding."""
    name, config = case
    game = make_game(name, **config)
    pretrained = make_agent("lookahead:worlds=2:prior=false", name)
    assert isinstance(pretrained, PretrainedLookahead)
    agent: Any = pretrained.agent_for(game)
    clear = 0
    for steps in (0, 5, 11, 20, 40):
        turn = turn_of(game, 8, steps)
        after, values = agent.values(turn)
        expected, actions = reference_values(agent, game, after), agent.act(turn)
        np.testing.assert_allclose(values, expected, atol=1e-5)
        for row, (start, stop) in enumerate(zip(after.offsets, after.offsets[1:], strict=False)):
            *_, second, best = [-np.inf, *sorted(expected[start:stop])]
            if best - second > CLOSE:
                assert actions[row] == after.actions[start + expected[start:stop].argmax()]
                clear += 1
    assert clear > 20
