"""Intrinsics for faster memory: prefetching, arrays without reference counts or on the stack.

None of them changes a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel

_LINE = 64  # bytes of a cache line
_BYTE = 8  # bits
_READ, _KEEP, _DATA = 0, 3, 1  # arguments of LLVM's prefetch

if JIT_DISABLED:

    def prefetch(array: np.ndarray, row: int) -> None:
        """Fetch a row of a C-contiguous array (n,) of records into the processor's caches.

        A batch is larger than the caches, and a step reads its row in no particular order. Fetching the next row while this one
        is processed hides the latency.
        """

    def borrow(value: Any) -> Any:
        """Return the same array, or the same tuple of arrays, without reference counts; other values stay as they are.

        Numba counts a reference at each call that an array is passed to, by two locked instructions. Use it for arguments of
        entries, which Python holds. An array that a kernel makes is freed after its last use by name, borrowed or not.
        """
        return value

    def nth_components(components: Any, k: int) -> Any:
        """Return the k-th record of a game's components (n,); None for None."""
        return None if components is None else components[k]

    def increment(i: int) -> int:
        """Return i + 1 in a way that is opaque to the compiler.

        Thus ``while i < n: ...; i = increment(i)`` is not vectorized. Vector instructions make short loops over irregular data
        slower, mostly by mispredicted branches around them.
        """
        return i + 1

    def read_bits(array: np.ndarray, i: int) -> np.uint64:
        """Return a word with a bit for each of the items i to i + 63 of a contiguous array of bytes.

        A bit is 1 if its item is not zero; item i is the lowest bit.
        """
        return np.uint64(sum(1 << k for k in range(64) if array[i + k] != 0))

    def equal_bits(array: np.ndarray, i: int, value: int) -> np.uint64:
        """Return a word whose bits say which of the items i to i + 63 of an array equal a value.

        The array is a contiguous one of int8; item i is the lowest bit.
        """
        return np.uint64(sum(1 << k for k in range(64) if array[i + k] == value))

    def greater_bits(array: np.ndarray, i: int, value: int) -> np.uint64:
        """Return a word whose bits say which of the items i to i + 63 of an array are above a value.

        The array is a contiguous one of int8; item i is the lowest bit.
        """
        return np.uint64(sum(1 << k for k in range(64) if array[i + k] > value))

    def sum_where(array: np.ndarray, i: int, word: np.uint64) -> int:
        """Return the sum of those of the items i to i + 63 of an array whose bits in a word are set.

        The array is a contiguous one of int8; item i is the lowest bit. None of these items may be negative.
        """
        return sum(int(array[i + k]) for k in range(64) if int(word) >> k & 1)

    def write_bits(array: np.ndarray, i: int, word: Any) -> None:
        """Write the n bits of a word, lowest first, into items i to i + n - 1 of a contiguous array of bytes."""
        n = 8 * word.itemsize
        array[i : i + n] = [int(word) >> k & 1 for k in range(n)]

    def write_items(out: np.ndarray, at: int, array: np.ndarray, i: int, added: int, word: Any) -> None:
        """Write items i to i + n - 1 of an array of bytes, each plus a number, where the n bits of a word are set, else zeros.

        They become items at to at + n - 1 of another one; numbers wrap around.
        """
        out[at : at + 8 * word.itemsize] = 0
        replace_items(out, at, array, i, added, word)

    def replace_items(out: np.ndarray, at: int, array: np.ndarray, i: int, added: int, word: Any) -> None:
        """Write the same where bits are set; items stay where they are not."""
        for k in range(8 * word.itemsize):
            if int(word) >> k & 1:
                out[at + k] = (int(array.ravel()[i + k]) + added) % 256

    def scratch(n: int) -> Any:
        """Return an uninitialized array (n,) of int64 on the stack; n must be a constant.

        It costs nothing, and is invalid once the kernel that made it returns.
        """
        return np.empty(n, np.int64)

    def scratch_table(n: int, m: int) -> Any:
        """Return an uninitialized array (n, m) of int64 on the stack; see :func:`scratch`."""
        return np.empty((n, m), np.int64)

    def scratch_scores(n: int, m: int) -> Any:
        """Return an uninitialized array (n, m) of int32 on the stack, as for scores; see :func:`scratch`."""
        return np.empty((n, m), np.int32)

    def scratch_sets(n: int, m: int) -> Any:
        """Return an uninitialized array (n, m) of uint64 on the stack: n sets of m words; see :func:`scratch`."""
        return np.empty((n, m), np.uint64)

else:

    def _borrowed(context: Any, builder: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            kinds: Any = kind
            for i, item in enumerate(kinds):
                value = builder.insert_value(value, _borrowed(context, builder, item, builder.extract_value(value, i)), i)
        if not isinstance(kind, types.Array):
            return value
        view = context.make_array(kind)(context, builder, value)
        view.meminfo = cgutils.get_null_value(view.meminfo.type)  # type: ignore[no-untyped-call]
        view.parent = cgutils.get_null_value(view.parent.type)  # type: ignore[no-untyped-call]
        return view._getvalue()

    @intrinsic
    def borrow(typingctx: Any, value: Any) -> Any:
        """Return the same array, or the same tuple of arrays, without reference counts; other values stay as they are."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _borrowed(context, builder, value, args[0])

        return value(value), codegen

    @intrinsic
    def nth_components(typingctx: Any, components: Any, k: Any) -> Any:
        """Return the k-th record of a game's components (n,); None for None."""
        kind = components.dtype if isinstance(components, types.Array) else components

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if kind is components:
                return args[0]
            data = context.make_array(components)(context, builder, args[0]).data
            return builder.gep(builder.bitcast(data, context.get_value_type(kind)), [args[1]])

        return kind(components, types.int64), codegen

    @intrinsic
    def prefetch(typingctx: Any, array: Any, row: Any) -> Any:
        """Fetch a row of a C-contiguous array (n,) of records into the processor's caches."""
        n_bytes = array.dtype.size

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, args[0])
            strides = cgutils.unpack_tuple(builder, view.strides)  # type: ignore[no-untyped-call]
            pointer = ir.IntType(8).as_pointer()
            word, flag = ir.IntType(64), ir.IntType(32)
            start = builder.add(builder.ptrtoint(view.data, word), builder.mul(args[1], strides[0]))
            hint = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
                builder.module, ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag]), "llvm.prefetch.p0"
            )
            for offset in range(0, n_bytes, _LINE):
                line = builder.inttoptr(builder.add(start, word(offset)), pointer)
                builder.call(hint, [line, flag(_READ), flag(_KEEP), flag(_DATA)])
            return context.get_dummy_value()

        return types.void(array, types.int64), codegen

    @intrinsic
    def increment(typingctx: Any, i: Any) -> Any:
        """Return i + 1 in a way that is opaque to the compiler."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            same = builder.asm(ir.FunctionType(word, [word]), "", "=r,0", [args[0]], side_effect=False)
            return builder.add(same, word(1))

        return types.int64(types.int64), codegen

    def _vector_at(context: Any, builder: Any, kind: Any, array: Any, i: Any, n: int = 64) -> Any:
        """Return a pointer to items i to i + n - 1 of a contiguous array of bytes, as a vector."""
        if kind.layout != "C" or kind.dtype.bitwidth != _BYTE:
            raise TypeError("expected a contiguous array of bytes")
        view = context.make_array(kind)(context, builder, array)
        start = builder.gep(builder.bitcast(view.data, ir.IntType(8).as_pointer()), [i])
        return builder.bitcast(start, ir.VectorType(ir.IntType(8), n).as_pointer())

    def _bytes_at(context: Any, builder: Any, kind: Any, array: Any, i: Any, n: int = 64) -> Any:
        """Load items i to i + n - 1 of a contiguous array of bytes as a vector."""
        return builder.load(_vector_at(context, builder, kind, array, i, n), align=1)

    def _repeated(builder: Any, number: Any, n: int = 64) -> Any:
        """Return a vector of n bytes that are all the lowest byte of a number."""
        vector = ir.VectorType(ir.IntType(8), n)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), builder.trunc(number, ir.IntType(8)), ir.IntType(32)(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), n), None)
        return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)

    @intrinsic
    def read_bits(typingctx: Any, array: Any, i: Any) -> Any:
        """Return a word with a bit for each of the items i to i + 63 of a contiguous array of bytes."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            numbers = _bytes_at(context, builder, signature.args[0], args[0], args[1])
            return builder.bitcast(builder.icmp_unsigned("!=", numbers, numbers.type(None)), ir.IntType(64))

        return types.uint64(array, types.int64), codegen

    def _comparison(comparison: str) -> Any:
        """Return an intrinsic that compares 64 items with a value."""

        @intrinsic
        def compare(typingctx: Any, array: Any, i: Any, value: Any) -> Any:
            if (array.layout, array.dtype) != ("C", types.int8):
                raise TypeError("expected a contiguous array of int8")

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                numbers = _bytes_at(context, builder, signature.args[0], args[0], args[1])
                return builder.bitcast(builder.icmp_signed(comparison, numbers, _repeated(builder, args[2])), ir.IntType(64))

            return types.uint64(array, types.int64, types.int64), codegen

        return compare

    equal_bits, greater_bits = _comparison("=="), _comparison(">")

    @intrinsic
    def sum_where(typingctx: Any, array: Any, i: Any, word: Any) -> Any:
        """Return the sum of those of the items i to i + 63 of an array whose bits in a word are set."""
        if (array.layout, array.dtype) != ("C", types.int8):
            raise TypeError("expected a contiguous array of int8")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            numbers = _bytes_at(context, builder, signature.args[0], args[0], args[1])
            chosen = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
            kept = builder.select(chosen, numbers, ir.Constant(numbers.type, None))
            pairs = ir.VectorType(ir.IntType(16), 32)
            both, byte = builder.bitcast(kept, pairs), pairs([ir.IntType(16)(_BYTE)] * 32)
            low = builder.and_(both, pairs([ir.IntType(16)(255)] * 32))
            wide = builder.add(low, builder.lshr(both, byte))
            add = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
                builder.module, ir.FunctionType(ir.IntType(16), [wide.type]), "llvm.vector.reduce.add.v32i16"
            )
            return builder.zext(builder.call(add, [wide]), ir.IntType(64))

        return types.int64(array, types.int64, types.uint64), codegen

    @intrinsic
    def write_bits(typingctx: Any, array: Any, i: Any, word: Any) -> Any:
        """Write the n bits of a word, lowest first, into items i to i + n - 1 of a contiguous array of bytes."""
        n = word.bitwidth

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            flags = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), n))
            items = builder.zext(flags, ir.VectorType(ir.IntType(8), n))
            builder.store(items, _vector_at(context, builder, signature.args[0], args[0], args[1], n), align=1)
            return context.get_dummy_value()

        return types.void(array, types.int64, word), codegen

    def _item_writer(keeps: bool) -> Any:
        """Return an intrinsic that writes numbers where the bits of a word are set."""

        @intrinsic
        def write(typingctx: Any, out: Any, at: Any, array: Any, i: Any, added: Any, word: Any) -> Any:
            n = word.bitwidth

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                target = _vector_at(context, builder, signature.args[0], args[0], args[1], n)
                items = _bytes_at(context, builder, signature.args[2], args[2], args[3], n)
                sums = builder.add(items, _repeated(builder, args[4], n))
                others = builder.load(target, align=1) if keeps else ir.Constant(items.type, None)
                chosen = builder.bitcast(args[5], ir.VectorType(ir.IntType(1), n))
                builder.store(builder.select(chosen, sums, others), target, align=1)
                return context.get_dummy_value()

            return types.void(out, types.int64, array, types.int64, types.int64, word), codegen

        return write

    write_items, replace_items = _item_writer(keeps=False), _item_writer(keeps=True)

    def _stack_array(item: Any, *sizes: Any) -> Any:
        """Return signature and code generator of an intrinsic that makes an array of integers."""
        if not all(isinstance(size, types.IntegerLiteral) for size in sizes):
            raise TypeError("the size of a scratch array must be a constant")
        shape = [size.literal_value for size in sizes]
        kind: Any = types.Array(item, len(shape), "C")

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word, n_bytes = ir.IntType(64), item.bitwidth // 8
            data = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(item.bitwidth), int(np.prod(shape))))  # type: ignore[no-untyped-call]
            array = context.make_array(kind)(context, builder)
            arrayobj.populate_array(  # type: ignore[no-untyped-call]
                array,
                data=builder.bitcast(data, array.data.type),
                shape=[word(size) for size in shape],
                strides=[word(n_bytes * int(np.prod(shape[axis + 1 :]))) for axis in range(len(shape))],
                itemsize=word(n_bytes),
                meminfo=None,
            )
            return array._getvalue()

        return kind(*sizes), codegen

    @intrinsic(prefer_literal=True)
    def scratch(typingctx: Any, n: Any) -> Any:
        """Return an uninitialized array (n,) of int64 on the stack; n must be a constant."""
        return _stack_array(types.int64, n)

    @intrinsic(prefer_literal=True)
    def scratch_table(typingctx: Any, n: Any, m: Any) -> Any:
        """Return an uninitialized array (n, m) of int64 on the stack; see :func:`scratch`."""
        return _stack_array(types.int64, n, m)

    @intrinsic(prefer_literal=True)
    def scratch_scores(typingctx: Any, n: Any, m: Any) -> Any:
        """Return an uninitialized array (n, m) of int32 on the stack, as for scores; see :func:`scratch`."""
        return _stack_array(types.int32, n, m)

    @intrinsic(prefer_literal=True)
    def scratch_sets(typingctx: Any, n: Any, m: Any) -> Any:
        """Return an uninitialized array (n, m) of uint64 on the stack: n sets of m words; see :func:`scratch`."""
        return _stack_array(types.uint64, n, m)


@kernel
def clear(out: Any) -> None:
    """Write zeros into a contiguous array (n,).

    The compiler uses vector instructions only for plain loops from index 0: pass a slice to clear part of an array.
    """
    for i in range(out.shape[0]):
        out[i] = 0


@kernel
def copy(out: Any, source: Any) -> None:
    """Copy the first n items of an array into a contiguous array (n,); see :func:`clear`."""
    for i in range(out.shape[0]):
        out[i] = source[i]
