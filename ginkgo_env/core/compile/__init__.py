"""The only code that uses Numba and llvmlite: decorators of kernels, their cache, intrinsics.

Most of what it uses of them is not documented and may change with any of their versions. Therefore
``pyproject.toml`` allows one minor version of Numba, which is raised by hand: read this table, run all tests, compare the cold
start and the speed with those before (``ginkgo bench``), and raise ``jit._SUPPORTED_NUMBA`` together with the bound. Array
indices that are members of enums, which kernels use everywhere, need Numba 0.68.

What is used, where, and what happens when it goes or changes:

========================================================  ==========  ==========================================================
Internal                                                  Module      Without it
========================================================  ==========  ==========================================================
``JITCodeLibrary._optimize_final_module`` and             jit         patched for ``_SUPPORTED_NUMBA`` only; with another version
``_finalize_specific``, ``JITCPUCodegen._add_module``                 kernels are compiled without patches, in twice the time,
and ``set_env``, ``serialize_using_object_code`` and                  and none is kept on disk for other entries
``serialize_using_bitcode`` of ``JITCodeLibrary``
``Dispatcher.get_call_template``                          jit         kernels are compiled once for each width of integers (tests
                                                                      of the contract fail); entries can be called by kernels
``Dispatcher._insert`` and ``_compile_for_args``          jit         a kernel that is called from Python kills the process
                                                                      (``tests/core/compile/test_jit.py`` fails)
``Dispatcher._cache``, ``caching.NullCache``              jit         an error at import, or each process compiles (the same tests
                                                                      fail)
``Dispatcher.compile`` returns the compiled entry          jit         an error when a one-game environment is made
``CompileResult._reduce`` and ``_rebuild``,               jit         a warning, and each process compiles
``serialize.dumps``, ``CodeLibrary.has_dynamic_globals``
``extending.is_jitted``, ``_Intrinsic._defn``,            cache       an error when the first entry is called
``Dispatcher.py_func`` and ``targetoptions``
``compiler_lock.global_compiler_lock``                    jit         an error at import
``types.unliteral``, ``IntEnumMember``, ``Integer``       jit         an error when the first kernel is compiled
Options ``forceinline``, ``no_cpython_wrapper`` and       jit         an error at import
``no_cfunc_wrapper`` of ``njit``
``event.register``, ``Listener`` (documented)             progress    an error at import
``config.CPU_NAME``, ``CPU_FEATURES``, ``ENABLE_AVX``     cache       an error when the first entry is called
and ``OPT``
``cgutils``, ``arrayobj.populate_array``,                 intrinsics  an error when the first kernel is compiled
``context.make_array`` and the fields of its result
Arrays are freed after their last use by name             intrinsics  ``borrowed`` arrays that a kernel made itself may be freed
                                                                      too early or never; those of callers are safe
``llvm.prefetch.p0``                                      intrinsics  an error when the first batch is compiled
Typed pointers: ``as_pointer``, ``gep`` and ``bitcast``   intrinsics  **no guard**: addresses may be computed for elements of
                                                          simd, dense another size; tests of these modules fail or crash
``llvm.fmuladd`` of vectors                               dense       an error when the first network is compiled
Inline assembly (``builder.asm``)                         intrinsics  **no guard**: ``after`` may become transparent to the
                                                                      compiler; results stay, short loops become slower
========================================================  ==========  ==========================================================
"""
