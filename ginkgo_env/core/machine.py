"""A game as a machine that runs from decision to decision.

A game gives a table of its stages. In some of them a seat decides (:class:`Decision`); through the others the game runs on its
own. :func:`make_machine` makes the kernels ``reset``, ``step`` and ``legal`` of ``core.loops.Scalars`` from the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, cast

import numpy as np

from ginkgo_env.core import state
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.compile.specialize import substitute
from ginkgo_env.core.masks import ENDED, RUNNING

Kernel = Callable[..., Any]
_NOBODY = -1  # the actor of a game that is over
_ABOVE_ALL = 1 << 7  # stages are int8


class State(state.State, Protocol):
    """The record of a game with stages."""

    stage: int
    """The number of the stage."""


@kernel
def same(g: State, t: Any) -> int:
    """Return the seat that was set when the decision came up."""
    return int(g.actor)


class Decision(NamedTuple):
    """The kernels of a stage in which a seat decides. Each may leave out arguments that it does not need."""

    legal: Kernel
    """(g, t, mask): writes 1 for each legal action into a mask of zeros; returns how many there are."""
    play: Kernel
    """(g, t, p, action, log): plays a legal action of seat ``p``, the actor."""
    skip: Kernel | None = None
    """(g, t, log): goes on where no action is legal; given for decisions for which that happens."""
    actor: Kernel = same
    """(g, t) -> the seat that decides; by default the stages before set ``g.actor``."""


Stages = Mapping[Any, Decision | Kernel]
"""What happens in stages, by their numbers: a decision, or a kernel (g, t, log) that goes on to another stage.

Stages of the second kind have higher numbers than all decisions and than the end of the game. Those that come up most often come
first, for speed.
"""


# What the kernels below are written with: values that make_machine substitutes, and three defaults.
OVER = FIRST_RUN = 0
set_up = clear_mask = actor_at = legal_at = play_at = skip_at = run_at = cast(Any, None)


@kernel
def count_unwritten(g: State, t: Any) -> int:
    """By default every mask is written."""
    return 0


@kernel
def is_asked(g: State, t: Any) -> bool:
    """By default a decision with one legal action is taken without asking."""
    return False


@kernel
def ended(g: State, t: Any) -> int:
    """By default games end by their rules."""
    return ENDED


@kernel
def reset(g: State, t: Any, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up a blank record from a seed and run on to the first decision."""
    g.seed = seed
    g.rng = seed
    set_up(g, t, log)
    run_on(g, t, mask, log)


@kernel
def step(g: State, t: Any, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play a legal action, run on to the next decision and write its mask.

    Returns whether the game goes on, has ended, or was truncated.
    """
    play_at(g.stage, g, t, int(g.actor), action, log)
    run_on(g, t, mask, log)
    return ended(g, t) if g.stage == OVER else RUNNING


@kernel
def run_on(g: State, t: Any, mask: np.ndarray, log: np.ndarray) -> None:
    """Run on to the next decision with a choice and write its mask.

    The mask of a finished game is all zero.
    """
    while True:
        while g.stage >= FIRST_RUN:
            run_at(g.stage, g, t, log)
        g.actor = actor_at(g.stage, g, t)
        n = legal(g, t, mask)
        if n > 1 or g.stage == OVER or (n == 1 and is_asked(g, t)):
            return
        if n == 1:  # a decision with one legal action is taken without asking, one with none is passed over
            action = 0
            while mask[action] == 0:
                action += 1
            play_at(g.stage, g, t, int(g.actor), action, log)
        else:
            skip_at(g.stage, g, t, log)


@kernel
def legal(g: State, t: Any, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; return their number."""
    n: int = count_unwritten(g, t)
    if n > 1:
        return n
    clear_mask(mask)
    return int(legal_at(g.stage, g, t, mask))


def make_machine(
    home: str, over: int, stages: Stages, expansion: Stages | None = None, **kernels: Kernel
) -> tuple[Kernel, Kernel, Kernel]:
    """Return the kernels ``reset``, ``step`` and ``legal`` of a game.

    Parameters
    ----------
    home : ``__name__`` of the module that calls this, once at most. A process may load machine code that several others
        compiled, so no two kernels may share name and module
    over : the stage of a finished game
    stages : all stages but ``over``
    expansion : further stages, which are left out where a variant of the kernels (``core.compile.specialize``) sets the constant
        ``EXPANSION`` to false
    kernels : ``set_up`` (g, t, log) sets up the template's record, whose ``seed`` and ``rng`` have been set; ``clear_mask``
        (mask,) writes zeros into a mask (A,), fast if A is a constant there. If needed, ``count_unwritten`` (g, t) -> for a
        decision whose mask nothing reads (``Scalars.advance``) the number of its legal actions (the mask is written if it is not
        above 1); ``is_asked`` (g, t) -> whether a decision with one legal action is left to the seat; ``ended`` (g, t) -> ENDED
        or TRUNCATED, for a finished game
    """
    rows = [("", *row) for row in stages.items()] + [("EXPANSION", *row) for row in (expansion or {}).items()]
    runs = [row for row in rows if not isinstance(row[2], Decision)]

    def choose(kind: str, arguments: str, other: str = "None") -> Kernel:
        cases = [(flag, stage, getattr(row, kind)) for flag, stage, row in rows if isinstance(row, Decision)]
        return _switch(f"{kind}_at", home, arguments, [case for case in cases if case[2] is not None], other)

    values = {
        "OVER": int(over),
        "FIRST_RUN": min((int(stage) for _, stage, _ in runs), default=_ABOVE_ALL),
        "actor_at": choose("actor", "g, t", str(_NOBODY)),
        "legal_at": choose("legal", "g, t, mask", "0"),
        "play_at": choose("play", "g, t, p, action, log"),
        "skip_at": choose("skip", "g, t, log"),
        "run_at": _switch("run_at", home, "g, t, log", runs),
        **kernels,
    }
    mark = f"_{home}"
    return substitute(reset, values, mark), substitute(step, values, mark), substitute(legal, values, mark)


def _switch(name: str, home: str, arguments: str, cases: Iterable[tuple[str, Any, Any]], other: str = "None") -> Kernel:
    """Return a kernel ``(number, *arguments)`` that calls one of several others by a number.

    It is a series of comparisons, which the compiler turns into one jump, as kernels cannot call functions from a table. Passing
    the arguments on as a tuple would be shorter here, but counts a reference to each array in each case.

    arguments : names with commas, as in ``"g, log"``. Each case is called with those that it names; all return the same type
    cases : a flag, a number and a kernel each. The flag is the name of a constant that has to be true, or empty
    other : the expression to return for a number without a case
    """
    names: dict[str, Any] = {"__name__": home}
    lines = [f"def {name}(number, {arguments}):"]
    for flag, number, case in cases:
        code = getattr(case, "py_func", case).__code__
        passed = [argument for argument in arguments.split(", ") if argument in code.co_varnames[: code.co_argcount]]
        condition = f"{flag} and number == {int(number)}" if flag else f"number == {int(number)}"
        lines += [f"    if {condition}:", f"        return case_{int(number)}({', '.join(passed)})"]
        names |= {f"case_{int(number)}": case, flag: True}
    exec("\n".join([*lines, f"    return {other}"]), names)
    function: Kernel = names[name]
    return kernel(function)
