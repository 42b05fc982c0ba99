"""Layers of networks, against products in float64; each row alone gives the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.compile.dense import HEIGHT, WIDTH, apply_tanh, dense, multiply_add
from ginkgo_env.core.compile.jit import entry

SHAPES = [(1, 1, 1), (8, 5, WIDTH), (HEIGHT, 0, 3), (7, 33, 2 * WIDTH + 1), (3, 9, WIDTH + 1), (8, 12, 2), (11, 6, WIDTH - 1)]


@entry
def layer(x: Any, w: Any, b: Any, out: Any) -> None:
    """Call the kernel."""
    dense(x, w, b, out)


@entry
def tanh_of(values: Any) -> None:
    """Call the kernel."""
    apply_tanh(values)


@entry
def fused(a: Any, b: Any, c: Any, out: Any) -> None:
    """Call the intrinsic for each item."""
    for i in range(out.size):
        out[i] = multiply_add(a[i], b[i], c[i])


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng((seed, *shape)).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_layer_is_its_product(shape: tuple[int, int, int]) -> None:
    """All numbers of the result are written, and none beside it."""
    rows, n, m = shape
    x, w, b = numbers(rows, n), numbers(n, m), numbers(m)
    memory = np.full((rows + 2, m), np.float32(np.nan))
    layer(x, w, b, memory[1:-1])
    np.testing.assert_allclose(memory[1:-1], b + x.astype(np.float64) @ w, atol=1e-5)
    assert np.isnan(memory[[0, -1]]).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_row_does_not_depend_on_the_others(shape: tuple[int, int, int]) -> None:
    rows, n, m = shape
    x, w, b, together = numbers(rows, n), numbers(n, m), numbers(m), np.empty((rows, m), np.float32)
    layer(x, w, b, together)
    for few in range(1, rows + 1):
        some = np.empty((few, m), np.float32)
        layer(x[rows - few :], w, b, some)
        assert some.tobytes() == together[rows - few :].tobytes()
    others = np.full((rows, n), np.float32(np.nan))
    others[rows // 2] = x[rows // 2]
    out = np.empty((rows, m), np.float32)
    layer(others, w, b, out)
    assert out[rows // 2].tobytes() == together[rows // 2].tobytes()


@pytest.mark.parametrize("columns", [1, 2, WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH - 1])
def test_an_output_does_not_depend_on_the_others(columns: int) -> None:
    x, w, b = numbers(8, 20), numbers(20, 3 * WIDTH), numbers(3 * WIDTH)
    whole, part = np.empty((8, 3 * WIDTH), np.float32), np.empty((8, columns), np.float32)
    layer(x, w, b, whole)
    layer(x, np.ascontiguousarray(w[:, :columns]), b[:columns], part)
    assert part.tobytes() == whole[:, :columns].tobytes()


def test_other_arrays_are_refused() -> None:
    """Without compilation any array will do."""
    if not hasattr(layer, "signatures"):
        return
    x, w, b, out = numbers(4, 4), numbers(4, 4), numbers(4), np.empty((4, 4), np.float32)
    for wrong in ((x.T, w, b, out), (x, w.astype(np.float64), b, out), (x, w, b[::-1], out)):
        with pytest.raises(Exception, match="contiguous arrays of float32"):
            layer(*wrong)


def test_tanh() -> None:
    values = np.concatenate([np.linspace(-12, 12, 20_001), np.geomspace(1e-30, 100, 999), [0, np.inf, -np.inf]]).astype(
        np.float32
    )
    out = values.copy()
    tanh_of(out)
    np.testing.assert_allclose(out, np.tanh(values.astype(np.float64)), rtol=0, atol=5e-7)
    assert 1 - 5e-7 < np.abs(out).max() <= 1
    mirrored = -values
    tanh_of(mirrored)
    np.testing.assert_array_equal(mirrored, -out)
    part = values[5:12].copy()
    tanh_of(part)
    assert part.tobytes() == out[5:12].tobytes()


def test_products_and_sums() -> None:
    a, b, c, out = numbers(50, seed=1), numbers(50, seed=2), numbers(50, seed=3), np.empty(50, np.float32)
    fused(a, b, c, out)
    np.testing.assert_allclose(out, a.astype(np.float64) * b + c, atol=1e-6)
