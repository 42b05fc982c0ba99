"""The state of the environments of a learner as arrays, to store it and to continue from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.envs.learner import Learner

_BATCH, _LEARNER, _DECISIONS = "batch/", "learner/", "decisions"


def snapshot(learner: Learner) -> dict[str, NDArray[Any]]:
    """Return copies of the arrays that change while ``learner`` plays: games, seats, random numbers.

    Games include hidden fields. Opponents are not included, as they keep no memory.
    """
    found = {name: _plain(array).copy() for name, array in _arrays(learner).items()}
    return found | {_DECISIONS: np.array(learner.decisions)}


def restore(learner: Learner, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set the state of ``learner`` to a snapshot of a learner with the same game, options and size.

    Raises ConfigError, and changes nothing, if the arrays do not fit or a state has a flaw.
    """
    own = _arrays(learner)
    wrong = [
        name
        for name, array in own.items()
        if name not in arrays or (arrays[name].shape, arrays[name].dtype) != (_plain(array).shape, _plain(array).dtype)
    ]
    if wrong or _DECISIONS not in arrays:
        raise ConfigError(f"invalid snapshot; it does not fit these environments in {', '.join(wrong) or _DECISIONS}")
    batch = learner.batch
    if flaw := batch.game.flaw_of(np.array(arrays[f"{_BATCH}_blobs"]).view(batch.states.dtype).reshape(-1).view(np.recarray)):
        raise ConfigError(f"invalid snapshot; {flaw}")
    for name, array in own.items():
        _plain(array)[:] = arrays[name]
    batch.run(batch.game.kernels.legal, batch.mask)
    learner.decisions = int(arrays[_DECISIONS])


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of records as bytes, (rows, n)."""
    return array.view(np.uint8).reshape(len(array), array.itemsize) if array.dtype.kind == "V" else array


def _arrays(learner: Learner) -> dict[str, NDArray[Any]]:
    """Return the arrays of a learner and of its batch by name."""
    batch = learner.batch.__getstate__()
    found = {f"{_BATCH}{name}": value for name, value in batch.items()}
    found |= {f"{_LEARNER}{name}": value for name, value in vars(learner).items()}
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}
