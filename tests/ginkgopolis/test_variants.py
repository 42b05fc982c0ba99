"""Kernels of the base game and with modules live side by side in one process."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from ginkgo_agents.agents.ginkgopolis.lookahead import LOOK_AHEAD
from ginkgo_env import Batch, make_game
from ginkgo_env.core.compile.jit import JIT_DISABLED, called
from ginkgo_env.core.compile.progress import _compiled as compiled_before
from ginkgo_env.games.ginkgopolis.kernels import KERNELS


def reached(entries: list[Any]) -> set[Any]:
    """Entries and all kernels that they call."""
    found, ahead = set(), entries
    while ahead:
        function = ahead.pop()
        if function not in found:
            found.add(function)
            ahead.extend(called(function.py_func))
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_no_two_functions_have_one_name() -> None:
    """Of one name their machine code, kept by two processes, would be taken for the same by a third."""
    functions = reached([*KERNELS[False], *KERNELS[True], *LOOK_AHEAD.values()])
    names = Counter((function.py_func.__module__, function.py_func.__qualname__) for function in functions)
    assert len(names) > 100
    assert [name for name, n in names.items() if n > 1] == []


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_what_was_kept_is_found_by_its_name() -> None:
    for modules in ([], ["events"]):
        loop: Any = Batch(make_game("ginkgopolis", modules=modules), 1).game.kernels.play
        assert compiled_before(SimpleNamespace(py_func=loop.py_func, kept_in=loop.kept_in, signatures=()))
