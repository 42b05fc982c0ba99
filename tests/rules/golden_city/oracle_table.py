"""A table at which the oracle plays."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from ...oracle.golden_city.golden_city import Oracle
from ..oracle_play import OraclePlay, without_words
from .positions import Json, Table


class OracleTable(OraclePlay, Table):
    """A game being played by the oracle."""

    def __init__(self, players: int, board: str = "own") -> None:
        self.config = {"players": players, "board": board}
        self.folder = None if board == "own" else Path(board)

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

    def seen(self, seat: int) -> dict[str, Any]:
        view: dict[str, Any] = self.oracle.view(seat)
        return view
