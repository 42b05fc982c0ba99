"""The options of My City."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import resolved
from ginkgo_env.core.generated import generated_number
from ginkgo_env.games.my_city.constants import MAX_PLAYERS

OWN = "own"
"""The shipped board and buildings, of our own design."""


class MyCityOptions(TypedDict, total=False):
    """The options of :class:`MyCityConfig`, for type checkers."""

    players: int
    board: str
    buildings: str


@dataclass(frozen=True)
class MyCityConfig:
    """A configuration of My City, the eternal game.

    players : 1 to 4; with 1 the game is a score attack, a variant of our own (M9.1)
    board : ``"own"``, the shipped board of our own design; ``"generated_0"`` to ``"generated_9999"``, a generated board; or the
        path of a file with another board (M1.6)
    buildings : ``"own"``, the shipped buildings, in part of our own design, or the path of a file with others (M1.6)

    Raises ConfigError for other values.
    """

    players: int = 2
    board: str = OWN
    buildings: str = OWN

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", integer(self.players, 1, MAX_PLAYERS, "players", ConfigError))
        for name in ("board", "buildings"):
            if not isinstance(value := getattr(self, name), str) or not value:
                raise ConfigError(f"{name} must be {OWN!r} or the path of a file, got {short_repr(value)}")
            if value != OWN and generated_number(value) is None:
                object.__setattr__(self, name, resolved(value))
