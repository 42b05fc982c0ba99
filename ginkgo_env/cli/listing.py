"""The tables of ``ginkgo games``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rich.table import Table

from ginkgo_env.core.game import Game
from ginkgo_env.registry import GAMES, game_class, make_game


def games_tables() -> Iterator[Table]:
    """For each game its configurations, and its modules if it has any."""
    for name in GAMES:
        yield configurations_table(name)
        if game_class(name).modules:
            yield modules_table(name)


def configurations_table(name: str) -> Table:
    """A row for each configuration of a game."""
    cls = game_class(name)
    table = Table(title=f"{name}-v{cls.version}")
    table.add_column("configuration")
    for heading in ("actions", "observation", "state"):
        table.add_column(heading, justify="right", no_wrap=True)
    for config in cls.configurations():
        options = " ".join(f"{key}={text}" for key, text in cls.option_texts(config).items())
        table.add_row(options, *_sizes(make_game(name, **config)))
    table.caption = "actions: number of ids; observation: numbers; state: bytes of one game"
    return table


def modules_table(name: str) -> Table:
    """A row for each module of a game."""
    table = Table("module", "what it brings", title=f"Modules of {name}")
    table.columns[0].no_wrap = True
    for module, text in game_class(name).modules.items():
        table.add_row(module, text)
    table.caption = "any of them go together; modules=all stands for all of them"
    return table


def _sizes(game: Game) -> tuple[str, str, str]:
    observation = f"{game.observation.size} {np.dtype(game.observation_dtype).name}"
    return str(game.actions.size), observation, f"{game.template.dtype.itemsize} B"
