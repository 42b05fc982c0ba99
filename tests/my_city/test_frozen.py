"""Ids of actions and places of observation blocks are frozen: trained agents, records and datasets depend on them.

After a change that is meant, raise ``MyCity.version`` (the v of environment ids) and write the file anew::

    python -m pytest tests/my_city/test_frozen.py   # says what changed
    python -m tests.my_city.test_frozen             # writes frozen_ids.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env.games.my_city import features, observe
from ginkgo_env.games.my_city.constants import MAX_PLAYERS, Stage
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.queries import ENDINGS

from ..frozen import blocks, read, require_frozen, write

FILE = Path(__file__).with_name("frozen_ids.json")


def now() -> dict[str, Any]:
    """Everything that must not change unnoticed."""
    games = {str(n): MyCity(players=n) for n in range(1, MAX_PLAYERS + 1)}
    game = games["1"]
    names = [name for name in sorted(vars(observe)) if name.endswith(("_FIELDS", "_PLANES")) and name[0] not in "N_"]
    return {
        "version": MyCity.version,
        "actions": blocks(game.actions),
        "observations": {n: blocks(game.observation) for n, game in games.items()},
        "features": {n: blocks(game.features) for n, game in games.items()},
        "feature_fields": {name: list(getattr(features, name)) for name in ("GAME", "SIDES")},
        "observation_dtype": np.dtype(game.observation_dtype).name,
        "fields": {name: list(getattr(observe, name)) for name in names},
        "decisions": list(MyCity.decisions),
        "over": int(Stage.OVER),
        "sources": list(MyCity.sources),
        "endings": list(ENDINGS),
        "components": game.component_ids,
        "cards": list(game.buildings.cards),
    }


def test_ids_are_frozen() -> None:
    require_frozen(FILE, now())


def test_every_configuration_has_frozen_blocks() -> None:
    frozen = read(FILE)
    for config in MyCity.configurations():
        game = MyCity(**config)
        assert blocks(game.actions) == frozen["actions"]
        assert blocks(game.observation) == frozen["observations"][str(game.seats)]
        assert blocks(game.features) == frozen["features"][str(game.seats)]


if __name__ == "__main__":
    write(FILE, now())
