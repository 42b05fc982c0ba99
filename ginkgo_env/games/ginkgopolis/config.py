"""Configuration of a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal, TypedDict

from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE, MAX_HAND, MAX_PLAYERS, MAX_ROUNDS

ALL = "all"  # in place of the names of all modules

MODULES: dict[str, str] = {
    "new_buildings": "tiles 21 to 23 with endgame cards, for two rights each (X1)",
    "prestige": "tiles 24 and 25, without cards, for three rights each (X2)",
    "green_spaces": "parks, which pay and count for districts beside them (X3)",
    "events": "two event tiles for each player, played with cards (X4)",
    "keep_card": "a card kept each round; also hands of five (X5)",
    "experts": "an expert with a power for each player (X6)",
}
"""The modules of The Experts in the order of the rules, with what each adds."""


class GinkgopolisOptions(TypedDict, total=False):
    """The options of :class:`GinkgopolisConfig`, for type checkers."""

    players: int
    setup: Literal["draft", "introductory"]
    level: Literal["standard", "advanced"]
    strict: bool
    max_rounds: int
    modules: Iterable[str]
    hand_size: int
    padded: bool


@dataclass(frozen=True)
class GinkgopolisConfig:
    """A configuration of Ginkgopolis.

    players : 2 to 5, or 1 for the game against William (R9)
    setup : how players get their characters (R2.7): ``"draft"`` or ``"introductory"`` (requires players >= 2)
    level : William's level (R9.4): ``"standard"`` or ``"advanced"`` (requires players=1)
    strict : whether the mask excludes a card with a tile that could not be paid at the moment of the choice (R3.3)
    max_rounds : the game is truncated after this many rounds (R8.4)
    modules : names of modules of The Experts (X1 to X6), in any order, or ``"all"``; kept as a tuple in the order of the rules
    hand_size : cards in a hand; 5 is the variant of the module ``keep_card`` for 2 to 4 players (X5)
    padded : whether observations and features have the layout of five seats, the same for all numbers of players; those of absent
        seats are 0
    """

    players: int = 2
    setup: Literal["draft", "introductory"] = "draft"
    level: Literal["standard", "advanced"] = "standard"
    strict: bool = False
    max_rounds: int = 200
    modules: Iterable[str] = ()
    hand_size: int = HAND_SIZE
    padded: bool = False

    def __post_init__(self) -> None:
        if type(self.players) is not int or not 1 <= self.players <= MAX_PLAYERS:
            raise ConfigError(f"players must be between 1 and {MAX_PLAYERS}, got {short_repr(self.players)}")
        if not isinstance(self.setup, str) or self.setup not in ("draft", "introductory"):
            raise ConfigError(f"setup must be 'draft' or 'introductory', got {short_repr(self.setup)}")
        if not isinstance(self.level, str) or self.level not in ("standard", "advanced"):
            raise ConfigError(f"level must be 'standard' or 'advanced', got {short_repr(self.level)}")
        if self.players == 1 and self.setup != "draft":
            raise ConfigError("setup='introductory' requires players >= 2: a solo game has no characters (R9.1)")
        if self.players > 1 and self.level != "standard":
            raise ConfigError("level='advanced' requires players=1: it is a level of William (R9.4)")
        if type(self.strict) is not bool:
            raise ConfigError(f"strict must be True or False, got {short_repr(self.strict)}")
        if type(self.padded) is not bool:
            raise ConfigError(f"padded must be True or False, got {short_repr(self.padded)}")
        if type(self.max_rounds) is not int or not 1 <= self.max_rounds <= MAX_ROUNDS:
            raise ConfigError(f"max_rounds must be between 1 and {MAX_ROUNDS}, got {short_repr(self.max_rounds)}")
        object.__setattr__(self, "modules", _modules(self.modules))
        self._check_modules()

    def _check_modules(self) -> None:
        if self.modules and self.players == 1:
            raise ConfigError("modules require players >= 2: The Experts cannot be played alone against William")
        if "experts" in self.modules and self.setup != "draft":
            raise ConfigError("the module 'experts' requires setup='draft', as experts are drafted with the characters (X6)")
        if type(self.hand_size) is not int or self.hand_size not in (HAND_SIZE, MAX_HAND):
            raise ConfigError(f"hand_size must be {HAND_SIZE} or {MAX_HAND}, got {short_repr(self.hand_size)}")
        if self.hand_size == MAX_HAND and "keep_card" not in self.modules:
            raise ConfigError("hand_size=5 requires the module 'keep_card' (X5)")
        if self.hand_size == MAX_HAND and self.players == MAX_PLAYERS:
            raise ConfigError(f"hand_size=5 requires players <= 4, got {self.players} (X5)")

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain data.

        It has ``modules`` and ``hand_size`` only with modules, and ``padded`` only if it is set.
        """
        data = asdict(self)
        data["modules"] = list(self.modules)
        if not self.modules:
            del data["modules"], data["hand_size"]
        if not self.padded:
            del data["padded"]
        return data


def _modules(names: Any) -> tuple[str, ...]:
    """Return modules in the order of the rules. Raises ConfigError."""
    known = ", ".join(MODULE_NAMES)
    if isinstance(names, str) and names == ALL:
        return tuple(MODULE_NAMES)
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ConfigError(f"modules must be a set or list of names ({known}), got {short_repr(names)}")
    try:
        chosen = list(islice(names, len(MODULE_NAMES) + 1))
    except TypeError:
        raise ConfigError(f"modules must be a set or list of names ({known}), got {short_repr(names)}") from None
    for name in chosen:
        if not isinstance(name, str) or name not in MODULE_NAMES:
            raise ConfigError(f"unknown module {short_repr(name)}; expected one of: {known}")
        if chosen.count(name) > 1:
            raise ConfigError(f"duplicate module {name!r}")
    return tuple(name for name in MODULE_NAMES if name in chosen)
