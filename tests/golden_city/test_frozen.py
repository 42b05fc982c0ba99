"""Ids of actions and places of observation blocks are frozen: trained agents, records and datasets depend on them.

After a change that is meant, raise ``GoldenCity.version`` (the v of environment ids) and write the file anew::

    python -m pytest tests/golden_city/test_frozen.py   # says what changed
    python -m tests.golden_city.test_frozen             # writes frozen_ids.json
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env.games.golden_city import observe as observation
from ginkgo_env.games.golden_city.actions import ACTIONS, SOURCES_OF_TWO
from ginkgo_env.games.golden_city.board import load_board
from ginkgo_env.games.golden_city.constants import MAX_PLAYERS, Stage
from ginkgo_env.games.golden_city.features import features_layout
from ginkgo_env.games.golden_city.game import GoldenCity
from ginkgo_env.games.golden_city.queries import ENDINGS, LANDSCAPES

from ..frozen import blocks, read, require_frozen, write

FILE = Path(__file__).with_name("frozen_ids.json")


def now() -> dict[str, Any]:
    """Everything that must not change unnoticed."""
    board = load_board()
    return {
        "version": GoldenCity.version,
        "actions": blocks(ACTIONS),
        "sources_of_two": SOURCES_OF_TWO.tolist(),
        "observations": {str(n): blocks(observation.observation_layout(n)) for n in range(2, MAX_PLAYERS + 1)},
        "features": {str(n): blocks(features_layout(n)) for n in range(2, MAX_PLAYERS + 1)},
        "observation_dtype": np.dtype(observation.OBSERVATION_DTYPE).name,
        "fields": {name: list(getattr(observation, name)) for name in sorted(vars(observation)) if name.endswith("_FIELDS")},
        "decisions": list(GoldenCity.decisions),
        "over": int(Stage.OVER),
        "sources": list(GoldenCity.sources),
        "endings": list(ENDINGS),
        "landscapes": list(LANDSCAPES),
        "board": board.digest,
        "places": list(board.place_ids),
        "goods": list(board.goods_names),
        "scoring": list(board.scoring_names),
        "bonus": list(board.bonus_names),
    }


def test_ids_are_frozen() -> None:
    require_frozen(FILE, now())


def test_every_configuration_has_frozen_blocks() -> None:
    frozen = read(FILE)
    for config in GoldenCity.configurations():
        game = GoldenCity(**config)
        assert blocks(game.actions) == frozen["actions"]
        assert blocks(game.observation) == frozen["observations"][str(game.seats)]
        assert blocks(game.features) == frozen["features"][str(game.seats)]


if __name__ == "__main__":
    write(FILE, now())
