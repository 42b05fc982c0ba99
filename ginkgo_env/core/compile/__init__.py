"""The only code that touches Numba and llvmlite: decorators of kernels, the cache of machine code, intrinsics."""
