"""A table at which the oracle plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from ginkgo_env.games.my_city.game import MyCity

from ...oracle.my_city.compare import with_files
from ...oracle.my_city.perft import sequences
from ...oracle.my_city.scoring import empty_by_row
from ..oracle_play import OraclePlay, without_words
from .positions import Json, Table


class OracleTable(OraclePlay, Table):
    """A game being played by the oracle, on the files of a game's configuration."""

    def __init__(self, game: MyCity) -> None:
        self.game = game
        self.config = game.config_dict
        self.oracle_of = with_files(self.config)
        self.draw_from(0, 0)

    def reset(self, seed: int) -> Self:
        self.draw_from(seed, seed)
        self.oracle = self.oracle_of(self.config, self.draw)
        return self

    def open(self, deck: Sequence[str]) -> Self:
        self.oracle = self.oracle_of(self.config, lambda name, items: list(deck))
        return self

    def set_position(self, position: Json) -> Self:
        self.draw_from(position["random"], position["seed"])
        self.oracle = self.oracle_of.from_position(without_words(position), self.draw)
        return self

    @property
    def empty_by_row(self) -> list[list[int]]:
        return [empty_by_row(self.oracle.table, seat) for seat in self.oracle.table.seats]

    def leaves(self, depth: int) -> int:
        return sequences(self.oracle, depth)
