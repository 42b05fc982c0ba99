"""Kernels of small networks: layers for a few rows at a time, some outputs of one, tanh.

Each number is the sum of its terms in one order, whatever rows stand beside it and however many: the results of a row depend, bit
for bit, on that row alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel

# Outputs and rows of a tile: eight vector instructions in flight hide the latency of one.
WIDTH, HEIGHT = 16, 4
_SINGLE = 8  # rows of a tile of one output
PRODUCTS = 8  # inner products that are computed together
_PARTS = 8  # sums of every eighth term of an inner product
_UNITS = 64  # that are modulated together
_ITEM = 4  # bytes

# tanh is x P(x^2) / Q(x^2) up to 8 and 1 beyond; the largest error in exact arithmetic is 6e-9.
_LARGEST = np.float32(8.0)
_P = tuple(map(np.float32, (0.99999994, 0.13438195, 3.5641608e-3, 2.1773305e-5, 1.5061854e-8)))
_Q = tuple(map(np.float32, (1.0, 0.46771517, 2.6136035e-2, 3.3991862e-4, 8.4536885e-7)))

if JIT_DISABLED:

    def multiply_add(a: np.float32, b: np.float32, c: np.float32) -> np.float32:
        """Return a b + c for float32, rounded once where the processor can."""
        return np.float32(np.float64(a) * np.float64(b) + np.float64(c))

    @kernel
    def dense(x: np.ndarray, w: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
        """Compute a fully connected layer, out = b + x w; see below."""
        out[:] = b
        for i in range(x.shape[1]):
            out[:] = x[:, i, None].astype(np.float64) * w[i] + out

    def products(a: np.ndarray, w: np.ndarray, rows: np.ndarray, out: np.ndarray) -> None:
        """Write the inner products of a vector and PRODUCTS rows of a matrix; see below."""
        sums = np.zeros((len(rows), _PARTS), np.float32)
        for i in range(0, len(a), _PARTS):
            sums[:] = a[i : i + _PARTS].astype(np.float64) * w[rows, i : i + _PARTS] + sums
        while sums.shape[1] > 1:
            sums = sums[:, ::2] + sums[:, 1::2]
        out[:] = sums[:, 0]

    @kernel
    def modulate(z: np.ndarray, x: np.ndarray, columns: np.ndarray, gain: np.ndarray, shift: np.ndarray, out: np.ndarray) -> None:
        """Write the units of a layer as some inputs modulate them; see below."""
        scaled, shifted = z.copy(), np.zeros_like(z)
        for m, column in enumerate(columns):
            scaled += x[column] * (gain[m] * z)
            shifted += x[column] * shift[m]
        out[:] = np.maximum(np.float32(0), scaled + shifted)

else:

    @intrinsic
    def multiply_add(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
        """Return a b + c for float32, rounded once where the processor can."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _fused(builder, *args)

        return types.float32(types.float32, types.float32, types.float32), codegen

    def _fused(builder: Any, a: Any, b: Any, c: Any) -> Any:
        lanes = f"v{a.type.count}" if isinstance(a.type, ir.VectorType) else ""
        kind = ir.FunctionType(a.type, [a.type] * 3)
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.{lanes}f32")  # type: ignore[no-untyped-call]
        return builder.call(function, [a, b, c])

    def _lanes_at(builder: Any, array: Any, index: Any, lanes: Any) -> Any:
        """Return a pointer to the numbers of an array from an index on, as a vector."""
        return builder.bitcast(builder.gep(array.data, [index]), lanes.as_pointer())

    def _spread(builder: Any, value: Any, lanes: Any) -> Any:
        """Return a vector of equal numbers."""
        first = builder.insert_element(lanes(ir.Undefined), value, ir.IntType(32)(0))
        return builder.shuffle_vector(first, lanes(ir.Undefined), ir.VectorType(ir.IntType(32), lanes.count)(None))

    def _tile(height: int, width: int) -> Any:
        """Return an intrinsic that computes ``height`` x ``width`` outputs of a layer, with their sums in registers."""
        word, lanes = ir.IntType(64), ir.VectorType(ir.FloatType(), width)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds = signature.args[:4]
            x, w, b, out = (context.make_array(kind)(context, builder, arg) for kind, arg in zip(kinds, args, strict=False))
            n, m = (cgutils.unpack_tuple(builder, array.shape)[1] for array in (x, out))  # type: ignore[no-untyped-call]
            row, column = args[4:]
            rows = [builder.add(row, word(k)) for k in range(height)]

            bias = builder.load(_lanes_at(builder, b, column, lanes), align=_ITEM)
            sums = [cgutils.alloca_once_value(builder, bias) for _ in rows]  # type: ignore[no-untyped-call]
            with cgutils.for_range(builder, n) as loop:
                start = builder.add(builder.mul(loop.index, m), column)
                weights = builder.load(_lanes_at(builder, w, start, lanes), align=_ITEM)
                for total, place in zip(sums, rows, strict=True):
                    value = builder.load(builder.gep(x.data, [builder.add(builder.mul(place, n), loop.index)]))
                    builder.store(_fused(builder, _spread(builder, value, lanes), weights, builder.load(total)), total)
            for total, place in zip(sums, rows, strict=True):
                start = builder.add(builder.mul(place, m), column)
                builder.store(builder.load(total), _lanes_at(builder, out, start, lanes), align=_ITEM)
            return context.get_dummy_value()

        @intrinsic
        def tile(typingctx: Any, x: Any, w: Any, b: Any, out: Any, row: Any, column: Any) -> Any:
            if any((array.layout, array.dtype) != ("C", types.float32) for array in (x, w, b, out)):
                raise TypeError("expected contiguous arrays of float32")
            return types.void(x, w, b, out, types.int64, types.int64), codegen

        return tile

    @intrinsic
    def products(typingctx: Any, a: Any, w: Any, rows: Any, out: Any) -> Any:
        """Write the inner products of a vector and PRODUCTS rows of a matrix.

        All arrays are contiguous: a (n,), w (R, n) and out (PRODUCTS,) float32, n a multiple of 8; rows (PRODUCTS,) int64.
        """
        word, flag, lanes = ir.IntType(64), ir.IntType(32), ir.VectorType(ir.FloatType(), _PARTS)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            vector, matrix, ids, sums = (
                context.make_array(kind)(context, builder, arg) for kind, arg in zip(signature.args, args, strict=True)
            )
            (n,) = cgutils.unpack_tuple(builder, vector.shape)  # type: ignore[no-untyped-call]

            def lanes_at(array: Any, index: Any) -> Any:
                return builder.load(_lanes_at(builder, array, index, lanes), align=_ITEM)

            starts = [builder.mul(builder.load(builder.gep(ids.data, [word(k)])), n) for k in range(PRODUCTS)]
            totals = [cgutils.alloca_once_value(builder, lanes(None)) for _ in starts]  # type: ignore[no-untyped-call]
            with cgutils.for_range(builder, builder.udiv(n, word(_PARTS))) as loop:
                first = builder.mul(loop.index, word(_PARTS))
                own = lanes_at(vector, first)
                for total, start in zip(totals, starts, strict=True):
                    builder.store(_fused(builder, own, lanes_at(matrix, builder.add(start, first)), builder.load(total)), total)
            for k, total in enumerate(totals):
                rest, n_parts = builder.load(total), _PARTS
                while n_parts > 1:
                    halves = [ir.VectorType(flag, n_parts // 2)(list(range(odd, n_parts, 2))) for odd in (0, 1)]
                    even, odd = (builder.shuffle_vector(rest, rest.type(ir.Undefined), half) for half in halves)
                    rest, n_parts = builder.fadd(even, odd), n_parts // 2
                builder.store(builder.extract_element(rest, flag(0)), builder.gep(sums.data, [word(k)]))
            return context.get_dummy_value()

        return types.void(a, w, rows, out), codegen

    def _modulation(width: int) -> Any:
        """Return an intrinsic that modulates ``width`` units from one on, with their sums in registers."""
        lanes = ir.VectorType(ir.FloatType(), width)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            arrays = [
                context.make_array(kind)(context, builder, arg) for kind, arg in zip(signature.args[:6], args, strict=False)
            ]
            (units, x, columns, gain, shift, out), column = arrays, args[6]
            (n,), (m,) = (cgutils.unpack_tuple(builder, array.shape) for array in (columns, units))  # type: ignore[no-untyped-call]

            def lanes_at(array: Any, index: Any) -> Any:
                return builder.load(_lanes_at(builder, array, index, lanes), align=_ITEM)

            z = lanes_at(units, column)
            scaled, shifted = (cgutils.alloca_once_value(builder, value) for value in (z, lanes(None)))  # type: ignore[no-untyped-call]
            with cgutils.for_range(builder, n) as loop:
                value = builder.load(builder.gep(x.data, [builder.load(builder.gep(columns.data, [loop.index]))]))
                feature = _spread(builder, value, lanes)
                place = builder.add(builder.mul(loop.index, m), column)
                product = builder.fmul(feature, builder.fmul(lanes_at(gain, place), z))
                builder.store(builder.fadd(builder.load(scaled), product), scaled)
                product = builder.fmul(feature, lanes_at(shift, place))
                builder.store(builder.fadd(builder.load(shifted), product), shifted)
            total = builder.fadd(builder.load(scaled), builder.load(shifted))
            positive = builder.fcmp_ordered(">", total, lanes(None))
            builder.store(builder.select(positive, total, lanes(None)), _lanes_at(builder, out, column, lanes), align=_ITEM)
            return context.get_dummy_value()

        @intrinsic
        def modulation(typingctx: Any, z: Any, x: Any, columns: Any, gain: Any, shift: Any, out: Any, column: Any) -> Any:
            return types.void(z, x, columns, gain, shift, out, types.int64), codegen

        return modulation

    _modulate_many, _modulate_one = _modulation(_UNITS), _modulation(1)

    @kernel
    def modulate(z: Any, x: Any, columns: Any, gain: Any, shift: Any, out: Any) -> None:
        """Write max(0, z (1 + f gain) + f shift), the units of a layer as some inputs f modulate them.

        All arrays are contiguous: z (n,), x, gain and shift (m, n), out (n,) float32; columns (m,) int64, which of x are f. out
        shares no memory with the others.
        """
        n = z.shape[0]
        if n >= _UNITS:
            for k in range((n + _UNITS - 1) // _UNITS):
                _modulate_many(z, x, columns, gain, shift, out, min(_UNITS * k, n - _UNITS))
        else:
            for k in range(n):
                _modulate_one(z, x, columns, gain, shift, out, k)

    _tall_and_wide, _wide = _tile(HEIGHT, WIDTH), _tile(1, WIDTH)
    _tall, _one = _tile(_SINGLE, 1), _tile(1, 1)

    @kernel
    def dense(x: Any, w: Any, b: Any, out: Any) -> None:
        """Compute a fully connected layer, out = b + x w.

        All arrays are contiguous float32: x (R, n) for R rows, best 8 or more; w (n, m), fastest with 16 outputs or more; b (m,);
        out (R, m), which shares no memory with the others.
        """
        rows, m = out.shape
        # Tiles at the edges overlap those before them: what is computed twice is the same.
        if m >= WIDTH:
            for k in range((m + WIDTH - 1) // WIDTH):
                column = min(WIDTH * k, m - WIDTH)
                if rows >= HEIGHT:
                    for i in range((rows + HEIGHT - 1) // HEIGHT):
                        _tall_and_wide(x, w, b, out, min(HEIGHT * i, rows - HEIGHT), column)
                else:
                    for i in range(rows):
                        _wide(x, w, b, out, i, column)
        elif rows >= _SINGLE:
            for i in range((rows + _SINGLE - 1) // _SINGLE):
                for column in range(m):
                    _tall(x, w, b, out, min(_SINGLE * i, rows - _SINGLE), column)
        else:
            for i in range(rows):
                for column in range(m):
                    _one(x, w, b, out, i, column)


@kernel
def apply_tanh(values: Any) -> None:
    """Replace contiguous values (n,) float32 by their tanh, -1 to 1, with an error below 1e-6."""
    for i in range(values.shape[0]):
        x = min(_LARGEST, max(-_LARGEST, values[i]))
        s = x * x
        p = multiply_add(multiply_add(multiply_add(multiply_add(_P[4], s, _P[3]), s, _P[2]), s, _P[1]), s, _P[0])
        q = multiply_add(multiply_add(multiply_add(multiply_add(_Q[4], s, _Q[3]), s, _Q[2]), s, _Q[1]), s, _Q[0])
        values[i] = min(np.float32(1.0), max(np.float32(-1.0), x * p / q))
