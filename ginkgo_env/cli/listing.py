"""The table of ``ginkgo games``."""

from __future__ import annotations

import numpy as np
from rich.table import Table

from ginkgo_env.core.game import Game
from ginkgo_env.registry import GAMES, game_class, make_game


def games_table() -> Table:
    """A row for each configuration of each game."""
    table = Table(title="Games")
    for heading in ("game", "configuration"):
        table.add_column(heading)
    for heading in ("actions", "observation", "state"):
        table.add_column(heading, justify="right")
    for name in GAMES:
        for config in game_class(name).configurations():
            options = " ".join(f"{key}={value}" for key, value in config.items())
            table.add_row(f"{name}-v{game_class(name).version}", options, *_sizes(make_game(name, **config)))
        table.add_section()
    table.caption = "actions: number of ids; observation: numbers; state: bytes of one game"
    return table


def _sizes(game: Game) -> tuple[str, str, str]:
    observation = f"{game.observation.size} {np.dtype(game.observation_dtype).name}"
    return str(game.actions.size), observation, f"{game.template.dtype.itemsize} B"
