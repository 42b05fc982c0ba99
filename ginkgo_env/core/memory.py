"""How kernels reach into memory faster: rows fetched ahead, and arrays without counted references.

Neither changes a result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ginkgo_env.core.jit import JIT_DISABLED

_LINE = 64  # bytes of a cache line
_READ, _KEEP, _DATA = 0, 3, 1  # arguments of LLVM's prefetch

if JIT_DISABLED:

    def prefetch(array: np.ndarray, row: int) -> None:
        """Ask for a row of a C-contiguous array (n,) of records, while the row before it is processed.

        A batch is larger than the processor's caches, and a step reads a row in no order: this hides the latency.
        """

    def borrowed(array: Any) -> Any:
        """The same array, without counted references; None stays None.

        Numba counts a reference to an array at each call that it is passed to, with two locked instructions. The caller of a
        loop holds its arrays anyway.
        """
        return array

else:

    @intrinsic
    def borrowed(typingctx: Any, array: Any) -> Any:
        """The same array, without counted references; None stays None."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if not isinstance(array, types.Array):
                return args[0]
            view = context.make_array(array)(context, builder, args[0])
            view.meminfo = cgutils.get_null_value(view.meminfo.type)  # type: ignore[no-untyped-call]
            view.parent = cgutils.get_null_value(view.parent.type)  # type: ignore[no-untyped-call]
            return view._getvalue()

        return array(array), codegen

    @intrinsic
    def prefetch(typingctx: Any, array: Any, row: Any) -> Any:
        """Ask for a row of a C-contiguous array (n,) of records."""
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
