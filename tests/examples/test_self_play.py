"""Self-play against past selves: the pool has frozen copies, the oldest leaves it, and a policy repeats itself."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from ..docs.test_scripts import SELF_PLAY as TINY
from .loading import EXAMPLES, example

LIBRARIES = {"sb3_self_play": "sb3_contrib", "torchrl_self_play": "torchrl"}


def weights(past: Any) -> Any:
    return torch.nn.utils.parameters_to_vector(past.policy.parameters())


@pytest.mark.parametrize("name", LIBRARIES)
def test_pool(name: str) -> None:
    """The opponents of training raise an error for an illegal action, as does the environment."""
    pytest.importorskip(LIBRARIES[name])
    first, second = example(name).main(TINY), example(name).main(TINY)
    assert len(first["pool"]) == 3
    assert first["wins"].keys() == {"random", "greedy", "oldest past self"}
    assert all(0 <= rate.low <= rate.mean <= rate.high <= 1 for rate in first["wins"].values())
    old, new = (weights(past) for past in (first["pool"][0], first["pool"][-1]))
    assert not torch.equal(old, new)
    assert torch.equal(new, weights(second["pool"][-1])) and first["wins"] == second["wins"]


@pytest.mark.parametrize("name", LIBRARIES)
def test_it_is_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 130
