"""A table at which the oracle plays."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from ginkgo_env.core.game import Game

from ...oracle.golden_city.golden_city import Oracle
from ..oracle_play import OraclePlay, without_words
from .positions import Json, Table


class OracleTable(OraclePlay, Table):
    """A game being played by the oracle, on the board of a game's configuration."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.config = game.config_dict
        self.folder = None if self.config["board"] == "own" else Path(self.config["board"])

    def reset(self, seed: int) -> Self:
        self.draw_from(seed, seed)
        self.oracle = Oracle(self.config, self.draw)
        return self

    def set_position(self, position: Json) -> Self:
        self.draw_from(position["random"], position["seed"])
        self.oracle = Oracle.from_position(without_words(position), self.draw, self.folder)
        return self

    def without_piles(self) -> Self:
        self.oracle.table.deck, self.oracle.table.discard = [], []
        return self
