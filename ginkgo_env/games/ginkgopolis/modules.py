"""Whether a record has modules of The Experts, and which.

There are two dtypes of records (``state``). Without modules the fields of the expansion have no length, so ``extended`` is a
constant to the compiler, and what it guards costs nothing.
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.jit import kernel, kernel_with

of_expansion = kernel_with("modules")
"""Decorator of kernels that only games with modules need."""


@kernel
def extended(g: Any) -> bool:
    """Whether the game is played with any module."""
    return g.modules.shape[0] > 0


@kernel
def has_module(g: Any, module: int) -> bool:
    """Whether the game is played with this module."""
    return g.modules.shape[0] > 0 and g.modules[module] != 0


@kernel
def is_expert(g: Any, p: int, expert: int) -> bool:
    """Whether a player has this expert (X6)."""
    return g.modules.shape[0] > 0 and g.expert[p] == expert
