"""Ids of actions and places of observation blocks are frozen: trained agents, records and datasets depend on them.

After a change that is meant, raise ``Ginkgopolis.version`` (the v of environment ids) and write the file anew::

    python -m pytest tests/ginkgopolis/test_frozen.py   # says what changed
    python -m tests.ginkgopolis.test_frozen             # writes frozen_ids.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env.games.ginkgopolis import observe as observation
from ginkgo_env.games.ginkgopolis.actions import ACTIONS, EXPANSION_ACTIONS
from ginkgo_env.games.ginkgopolis.components import (
    CARD_NAMES,
    CHARACTER_NAMES,
    EVENT_NAMES,
    EVENT_PAIRS,
    EXPERT_NAMES,
    MODULE_NAMES,
    NAMES,
)
from ginkgo_env.games.ginkgopolis.constants import MAX_PLAYERS, Split, Stage
from ginkgo_env.games.ginkgopolis.features import features_layout
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

from ..frozen import blocks, differences, read, require_frozen, write

FILE = Path(__file__).with_name("frozen_ids.json")


def now() -> dict[str, Any]:
    """Everything that must not change unnoticed."""
    return {
        "version": Ginkgopolis.version,
        "actions": blocks(ACTIONS),
        "observations": {str(sides): blocks(observation.observation_layout(sides)) for sides in range(2, MAX_PLAYERS + 1)},
        "features": {str(sides): blocks(features_layout(sides)) for sides in range(2, MAX_PLAYERS + 1)},
        "observation_dtype": np.dtype(observation.OBSERVATION_DTYPE).name,
        "fields": {
            name.replace("EXPANSION_", "EXPERTS_"): list(getattr(observation, name))  # the file's keys are frozen as well
            for name in sorted(vars(observation))
            if name.isupper() and isinstance(getattr(observation, name), tuple)
        },
        "decisions": list(Ginkgopolis.decisions),
        "over": int(Stage.OVER),
        "sources": list(Ginkgopolis.sources),
        "cards": list(CARD_NAMES),
        "characters": list(CHARACTER_NAMES),
        "modules": {
            "names": list(MODULE_NAMES),
            "actions": blocks(EXPANSION_ACTIONS),
            "observations": {
                str(sides): blocks(observation.observation_layout(sides, modules=True)) for sides in range(2, MAX_PLAYERS + 1)
            },
            "features": {str(sides): blocks(features_layout(sides, modules=True)) for sides in range(2, MAX_PLAYERS + 1)},
            "decisions": list(Ginkgopolis(modules=MODULE_NAMES).decisions),
            "sources": list(Ginkgopolis(modules=MODULE_NAMES).sources),
            "ids": list(NAMES),
            "experts": list(EXPERT_NAMES),
            "events": list(EVENT_NAMES),
            "event_pairs": EVENT_PAIRS.tolist(),
            "splits": [split.name.lower() for split in Split],
        },
        "padded": {
            "observation": blocks(observation.observation_layout(2, padded=True)),
            "features": blocks(features_layout(2, padded=True)),
            "observation_with_modules": blocks(observation.observation_layout(2, modules=True, padded=True)),
            "features_with_modules": blocks(features_layout(2, modules=True, padded=True)),
        },
    }


def test_ids_are_frozen() -> None:
    require_frozen(FILE, now())


def test_every_configuration_has_frozen_blocks() -> None:
    frozen = read(FILE)
    for config in Ginkgopolis.configurations():
        game = Ginkgopolis(**config)
        wanted = frozen["modules"] if "modules" in config else frozen
        assert blocks(game.actions) == wanted["actions"]
        assert blocks(game.observation) == wanted["observations"][str(game.sides)]


def test_differences_are_named() -> None:
    assert differences({"a": [1, 2], "b": 3}, {"a": [1, 5], "c": 3}) == ["a[1]: 2 -> 5", "b: 3 -> None", "c: None -> 3"]


if __name__ == "__main__":
    write(FILE, now())
