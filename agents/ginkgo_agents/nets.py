"""Compiled network layers, and the networks of ``lookahead`` in compiled loops over blocks of rows.

A loop that evaluates states as it goes, such as a search, collects the features of :data:`BLOCK` states and calls
:func:`evaluate_block`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.dense import apply_tanh, dense
from ginkgo_env.core.compile.intrinsics import copy
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.errors import ConfigError, join_names

CUT = 5.0
"""The largest magnitude of an input of a network, in units of the input's spread."""
BLOCK = 8
"""Number of rows that are evaluated together."""
_CUT = np.float32(CUT)


class Net(NamedTuple):
    """A network with two hidden layers.

    As an estimator of win and margin, all three layers end in tanh.
    """

    columns: NDArray[np.int64]
    """(n,) indices of the numbers that it reads, ascending."""
    mean: NDArray[np.float32]
    scale: NDArray[np.float32]
    """(n,) each: the input is (x - mean) x scale, clipped to -CUT..CUT."""
    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]
    """Weights (inputs, outputs) and biases (outputs,) of the layers."""


class Layers(NamedTuple):
    """The inputs of a network and the outputs of its three layers for a block of rows."""

    x: NDArray[np.float32]
    h1: NDArray[np.float32]
    h2: NDArray[np.float32]
    out: NDArray[np.float32]
    """(BLOCK, n) each."""


@kernel
def new_layers(net: Net) -> Layers:
    """Make the arrays of a network's layers."""
    x, h1 = np.empty((BLOCK, net.columns.size), np.float32), np.empty((BLOCK, net.b1.size), np.float32)
    return Layers(x, h1, np.empty((BLOCK, net.b2.size), np.float32), np.empty((BLOCK, net.b3.size), np.float32))


@kernel
def copy_columns(row: Any, columns: Any, offset: int, out: Any) -> None:
    """Copy some numbers of a row: ``out[n] = row[columns[n] - offset]``."""
    n = columns.shape[0]
    if n > 0 and columns[n - 1] - columns[0] == n - 1:  # in sequence, as columns ascend: much faster
        copy(out[:n], row[columns[0] - offset :])
    else:
        for k in range(n):
            out[k] = row[columns[k] - offset]


@kernel
def normalize(x: Any, net: Net) -> None:
    """Normalize and clip the inputs (n,) of a network in place."""
    mean, scale = net.mean, net.scale
    for n in range(x.shape[0]):
        x[n] = min(_CUT, max(-_CUT, (x[n] - mean[n]) * scale[n]))


@kernel
def prepare_block(rows: Any, first: int, stop: int, net: Net, x: Any) -> None:
    """Write the normalized columns of rows first to first + BLOCK - 1 into x (BLOCK, inputs).

    Rows at and after ``stop`` repeat row ``stop - 1``.
    """
    for r in range(BLOCK):
        copy_columns(rows[min(first + r, stop - 1)], net.columns, 0, x[r])
        normalize(x[r], net)


@kernel
def evaluate_block(features: Any, first: int, stop: int, net: Net, layers: Layers) -> None:
    """Evaluate rows first to first + BLOCK - 1 of features (rows, n).

    ``layers.out`` receives win and margin, each -1 to 1.

    Rows at and after ``stop`` repeat row ``stop - 1``. The result of a row depends, bit for bit, on that row alone.
    """
    x, h1, h2, out = layers
    prepare_block(features, first, stop, net, x)
    dense(x, net.w1, net.b1, h1)
    for r in range(BLOCK):
        apply_tanh(h1[r])
    dense(h1, net.w2, net.b2, h2)
    for r in range(BLOCK):
        apply_tanh(h2[r])
    dense(h2, net.w3, net.b3, out)
    for r in range(BLOCK):
        apply_tanh(out[r])


@entry
def _layer_many(x: Any, w: Any, b: Any, positive: bool, out: Any) -> None:
    dense(x, w, b, out)
    if positive:
        for i in range(out.shape[0]):
            for k in range(out.shape[1]):
                out[i, k] = max(np.float32(0.0), out[i, k])


def layer_of(
    x: NDArray[np.float32], w: NDArray[np.float32], b: NDArray[np.float32] | None = None, *, positive: bool = False
) -> NDArray[np.float32]:
    """Return x w + b (..., m) for vectors x (..., n), weights w (n, m) and a bias b (m,), if any.

    Each vector's result depends, bit for bit, on that vector alone.

    positive : whether to replace negative results by 0
    """
    vectors = np.ascontiguousarray(x, np.float32).reshape(-1, w.shape[0])
    out = np.empty((len(vectors), w.shape[1]), np.float32)
    _layer_many(vectors, np.ascontiguousarray(w), np.zeros(w.shape[1], np.float32) if b is None else b, positive, out)
    return out.reshape(*x.shape[:-1], w.shape[1])


@entry
def evaluate_many(start: int, stop: int, features: Any, net: Net, out: Any) -> None:
    """Evaluate features (rows, n) and write win and margin, each -1 to 1, into out (rows, 2)."""
    layers = new_layers(net)
    for first in range(start, stop, BLOCK):
        evaluate_block(features, first, stop, net, layers)
        for r in range(min(BLOCK, stop - first)):
            for k in range(net.b3.size):
                out[first + r, k] = layers.out[r, k]


def net_shapes(arrays: Mapping[str, NDArray[Any]], prefix: str, hidden: int, outputs: int = 2) -> dict[str, tuple[int, ...]]:
    """The shapes of a network's arrays by name; the number of its inputs is the length of ``columns``."""
    n, m = arrays[f"{prefix}.columns"].size if f"{prefix}.columns" in arrays else 0, outputs
    shapes = Net((n,), (n,), (n,), (n, hidden), (hidden,), (hidden, hidden), (hidden,), (hidden, m), (m,))  # type: ignore[arg-type]
    return {f"{prefix}.{name}": shape for name, shape in shapes._asdict().items()}


def net_of(arrays: Mapping[str, NDArray[Any]], prefix: str) -> Net:
    """A network from copies of a checkpoint's arrays, contiguous and writable for compiled code."""
    if missing := [name for name in Net._fields if f"{prefix}.{name}" not in arrays]:
        raise ConfigError(f"invalid arrays; missing {join_names(f'{prefix}.{name}' for name in missing)}")
    return Net(*(np.array(arrays[f"{prefix}.{name}"], order="C") for name in Net._fields))
