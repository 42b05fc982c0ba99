"""Work on four words at once by vector instructions, where the compiler does not find them by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ginkgo_env.core.compile.jit import JIT_DISABLED

LANES = 4
_WORD = 64  # bits

if JIT_DISABLED:

    def add_moved(low: np.uint64, high: np.uint64, distances: np.ndarray, k: int, out: np.ndarray) -> None:
        """Shift a set of numbers below 128 down by four distances and add the results to four sets, in place.

        Numbers that would fall below 0 are dropped.

        low, high : the set as two words (``core.compile.bits``)
        distances (K, 4) int16, contiguous : row k has the four distances, 0 <= distance < 128
        out (2, 4) uint64, contiguous : the low words of the four sets, then the high words
        """
        numbers = int(low) | int(high) << _WORD
        for lane in range(LANES):
            moved = numbers >> int(distances[k, lane])
            out[0, lane] |= np.uint64(moved & (2**_WORD - 1))
            out[1, lane] |= np.uint64(moved >> _WORD)

else:

    @intrinsic
    def add_moved(typingctx: Any, low: Any, high: Any, distances: Any, k: Any, out: Any) -> Any:
        """Shift a set of numbers below 128 down by four distances and add the results to four sets, in place."""
        if (distances.layout, distances.dtype, out.layout, out.dtype) != ("C", types.int16, "C", types.uint64):
            raise TypeError("expected contiguous arrays of int16 and uint64")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, lanes = ir.IntType(_WORD), ir.VectorType(ir.IntType(_WORD), LANES)

            def all_of(value: Any) -> Any:
                if isinstance(value, int):
                    return lanes([word(value)] * LANES)
                vector: Any = lanes(ir.Undefined)
                for lane in range(LANES):
                    vector = builder.insert_element(vector, value, ir.IntType(32)(lane))
                return vector

            def row_of(array: Any, value: Any, row: Any, kind: Any) -> Any:
                data = context.make_array(array)(context, builder, value).data
                return builder.bitcast(builder.gep(data, [builder.mul(row, word(LANES))]), kind.as_pointer())

            here = row_of(signature.args[2], args[2], args[3], ir.VectorType(ir.IntType(16), LANES))
            distance = builder.zext(builder.load(here, align=2), lanes)
            # A shift by 64 or more is undefined.
            shift = builder.and_(distance, all_of(_WORD - 1))
            far = builder.icmp_unsigned(">=", distance, all_of(_WORD))
            lows, highs = all_of(args[0]), all_of(args[1])
            carried = builder.shl(builder.shl(highs, all_of(1)), builder.sub(all_of(_WORD - 1), shift))
            down = builder.lshr(highs, shift)
            moved_low = builder.select(far, down, builder.or_(builder.lshr(lows, shift), carried))
            moved_high = builder.select(far, all_of(0), down)
            for row, moved in enumerate((moved_low, moved_high)):
                place = row_of(signature.args[4], args[4], word(row), lanes)
                builder.store(builder.or_(builder.load(place, align=8), moved), place, align=8)
            return context.get_dummy_value()

        return types.void(types.uint64, types.uint64, distances, types.int64, out), codegen
