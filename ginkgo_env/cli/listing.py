"""The tables of ``ginkgo games``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from rich.table import Table
from rich.text import Text

from ginkgo_env.core.game import Game
from ginkgo_env.registry import game_class, make_game, playable_games, refused_games


def games_tables() -> Iterator[Table | Text]:
    """Yield a table of configurations and tables of named options for each game, then refused games."""
    for name in playable_games():
        yield configurations_table(name)
        for option in game_class(name).option_values:
            yield values_table(name, option)
    for sentence in refused_games():
        yield Text(sentence, style="red")


def configurations_table(name: str) -> Table:
    """Return a table with a row for each configuration of a game."""
    cls = game_class(name)
    table = Table(title=f"{name}-v{cls.version}")
    table.add_column("configuration")
    for heading in ("actions", "observation", "state"):
        table.add_column(heading, justify="right", no_wrap=True)
    for config in cls.configurations():
        game = make_game(cls, **config)
        words = [f"{key}={text}" for key, text in cls.option_texts(config).items()] + [f"({game.variant})"] * bool(game.variant)
        table.add_row(" ".join(words) or "no options", *_sizes(game))
    table.caption = "actions: number of ids; observation: numbers; state: bytes of one game"
    return table


def values_table(name: str, option: str) -> Table:
    """Return a table with a row for each value of an option of a game."""
    cls = game_class(name)
    table = Table(option, "meaning", title=f"{option.replace('_', ' ').capitalize()} of {name}")
    table.columns[0].no_wrap = True
    for value, text in cls.option_values[option].items():
        table.add_row(value, text)
    table.caption = cls.option_notes.get(option)
    return table


def _sizes(game: Game) -> tuple[str, str, str]:
    observation = f"{game.observation.size} {np.dtype(game.observation_dtype).name}"
    return str(game.actions.size), observation, f"{game.template.dtype.itemsize} B"
