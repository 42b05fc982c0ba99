"""The budget of a decision of an agent: known for the agents of the package, declared for others."""

from __future__ import annotations

import re

from ginkgo_agents.agents.base import WORLDS
from ginkgo_agents.agents.checkpoints import read_checkpoint
from ginkgo_agents.agents.registry import path_of, plain_name
from ginkgo_agents.agents.search import SIMULATIONS
from ginkgo_agents.evaluation.benchmark.tasks import Budget, budget_text
from ginkgo_env.core.errors import ConfigError, shown

_REACTIVE = ("random", "william", "builder", "ppo", "held_out_ppo")
_WORLDS = ("greedy", "lookahead", "held_out_lookahead")
_SEARCH = "search"


def read_budget(text: str) -> Budget:
    """Read a budget: ``reactive`` or a number of simulations. Raises ConfigError for any other text."""
    if text == "reactive":
        return "reactive"
    if not re.fullmatch(r"[1-9][0-9]{0,8}", text):
        raise ConfigError(f"invalid budget {shown(text)}; expected reactive or a number of simulations")
    return int(text)


def known_budget(name: str) -> Budget | None:
    """The budget of an agent of the package, or of a checkpoint of a kind of the package; else None.

    A playout of ``search`` is a simulation, and so is a resampled world in which ``lookahead`` or ``greedy`` tries each action.
    """
    plain, options = plain_name(name)
    path = path_of(name)
    kind = read_checkpoint(path).kind if path is not None else plain
    if kind in _REACTIVE:
        return "reactive"
    if kind in _WORLDS:
        return int(options.get("worlds", WORLDS))
    if kind == _SEARCH and not options.get("milliseconds"):
        return int(options.get("simulations", SIMULATIONS)) or "reactive"
    return None


def budget_of(name: str, declared: str | None = None) -> tuple[Budget | None, bool]:
    """The budget of an agent, and whether it is only declared.

    Raises ConfigError if ``declared`` differs from the known budget of the agent.
    """
    known, given = known_budget(name), None if declared is None else read_budget(declared)
    if known is not None and given not in (None, known):
        raise ConfigError(f"invalid budget {declared}; that of {shown(name)} is known: {budget_text(known)}")
    return (known, False) if known is not None else (given, True)
