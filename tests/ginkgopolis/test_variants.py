"""Kernels of the base game and with modules live side by side in one process."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from ginkgo_agents.ginkgopolis import LOOK_AHEAD
from ginkgo_env import Batch, make_game
from ginkgo_env.core.compile.jit import JIT_DISABLED, reachable_kernels
from ginkgo_env.games.ginkgopolis.game import KERNELS


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_no_two_functions_have_one_name() -> None:
    """Of one name their machine code, kept by two processes, would be taken for the same by a third."""
    entries: list[Any] = [*KERNELS[False], *KERNELS[True], *LOOK_AHEAD.values()]
    functions = {*entries, *(kernel for entry in entries for kernel in reachable_kernels(entry))}
    names = Counter((function.py_func.__module__, function.py_func.__qualname__) for function in functions)
    assert len(names) > 100
    assert [name for name, n in names.items() if n > 1] == []


@pytest.mark.full
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("modules", [[], ["events"]], ids=str)
def test_machine_code_on_disk_is_found_by_a_new_process(modules: list[str]) -> None:
    Batch(make_game("ginkgopolis", modules=modules), 1)
    code = (
        "from ginkgo_env import make_game\n"
        "from ginkgo_env.core.compile.jit import is_compiled\n"
        f"print([is_compiled(loop) for loop in make_game('ginkgopolis', modules={modules}).kernels.rules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{[True] * 5}\n"
