"""The options of The Golden City."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import resolved
from ginkgo_env.core.generated import generated_number
from ginkgo_env.games.golden_city.board import DEFAULT_BOARD
from ginkgo_env.games.golden_city.constants import MAX_PLAYERS

VARIANT_PLAYERS = 2
"""Two players play a variant of our own (G2.5)."""


class GoldenCityOptions(TypedDict, total=False):
    """The options of :class:`GoldenCityConfig`, for type checkers."""

    players: int
    board: str


@dataclass(frozen=True)
class GoldenCityConfig:
    """A configuration of The Golden City.

    players : 3 or 4; 2 for a variant that is not in the rule book (G2.5)
    board : ``"own"``, the shipped board of our own design; ``"generated_0"`` to ``"generated_9999"``, a generated board; or the
        path of a folder with the files of another board (G1.6)

    Raises ConfigError for other values.
    """

    players: int = 3
    board: str = DEFAULT_BOARD

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", integer(self.players, 2, MAX_PLAYERS, "players", ConfigError))
        if not isinstance(self.board, str) or not self.board:
            raise ConfigError(f"board must be {DEFAULT_BOARD!r} or the path of a folder, got {short_repr(self.board)}")
        if self.board != DEFAULT_BOARD and generated_number(self.board) is None:
            object.__setattr__(self, "board", resolved(self.board))
