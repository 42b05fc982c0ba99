"""What can be chosen before a game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE, MAX_HAND, MAX_PLAYERS
from ginkgo_env.games.ginkgopolis.tables import MODULE_NAMES

_LONGEST = 10_000

MODULES: dict[str, str] = {
    "new_buildings": "tiles 21 to 23 with endgame cards, for two rights each (X1)",
    "prestige": "tiles 24 and 25, without cards, for three rights each (X2)",
    "green_spaces": "parks, which pay and count for districts beside them (X3)",
    "events": "two event tiles for each player, played with cards (X4)",
    "keep_card": "a card kept each round; also hands of five (X5)",
    "experts": "an expert with a power for each player (X6)",
}
"""The modules of The Experts, in the order of the rules, and what each brings."""


@dataclass(frozen=True)
class GinkgopolisConfig:
    """A configuration of Ginkgopolis.

    players : 2 to 5, or 1 for the game against William (R9)
    setup : how players get their characters (R2.7): ``"draft"`` or ``"introductory"``; does not matter alone
    level : William's, ``"standard"`` or ``"advanced"`` (R9.4); only alone
    strict : whether the mask hides cards with tiles that could not be paid at the moment of the choice (R3.3)
    max_rounds : the game is cut off after so many rounds (R8.4)
    modules : any of the modules of The Experts, by name (X1 to X6); kept as a tuple in the order of the rules
    hand_size : cards in a hand; 5 is the variant of the module ``keep_card`` for 2 to 4 players (X5)
    """

    players: int = 2
    setup: Literal["draft", "introductory"] = "draft"
    level: Literal["standard", "advanced"] = "standard"
    strict: bool = False
    max_rounds: int = 200
    modules: Iterable[str] = ()
    hand_size: int = HAND_SIZE

    def __post_init__(self) -> None:
        if type(self.players) is not int or not 1 <= self.players <= MAX_PLAYERS:
            raise ConfigError(f"players must be a number from 1 to 5, not {shown(self.players)}")
        if not isinstance(self.setup, str) or self.setup not in ("draft", "introductory"):
            raise ConfigError(f"setup must be 'draft' or 'introductory', not {shown(self.setup)}")
        if not isinstance(self.level, str) or self.level not in ("standard", "advanced"):
            raise ConfigError(f"level must be 'standard' or 'advanced', not {shown(self.level)}")
        if self.players == 1 and self.setup != "draft":
            raise ConfigError("alone there are no characters (R9.1), so setup='introductory' means nothing with players=1")
        if self.players > 1 and self.level != "standard":
            raise ConfigError("the level is William's (R9.4): level='advanced' needs players=1")
        if type(self.strict) is not bool:
            raise ConfigError(f"strict must be True or False, not {shown(self.strict)}")
        if type(self.max_rounds) is not int or not 1 <= self.max_rounds <= _LONGEST:
            raise ConfigError(f"max_rounds must be a number from 1 to {_LONGEST}, not {shown(self.max_rounds)}")
        object.__setattr__(self, "modules", _modules(self.modules))
        self._check_modules()

    def _check_modules(self) -> None:
        if self.modules and self.players == 1:
            raise ConfigError("The Experts is for 2 to 5 players: alone against William there are no modules")
        if "experts" in self.modules and self.setup != "draft":
            raise ConfigError("experts are drafted together with the characters (X6): the module 'experts' needs setup='draft'")
        if type(self.hand_size) is not int or self.hand_size not in (HAND_SIZE, MAX_HAND):
            raise ConfigError(f"hand_size must be {HAND_SIZE} or {MAX_HAND}, not {shown(self.hand_size)}")
        if self.hand_size == MAX_HAND and "keep_card" not in self.modules:
            raise ConfigError("hands of five are a variant of keeping a card (X5): hand_size=5 needs the module 'keep_card'")
        if self.hand_size == MAX_HAND and self.players == MAX_PLAYERS:
            raise ConfigError("hands of five are for 2 to 4 players (X5), not for 5")

    def as_dict(self) -> dict[str, Any]:
        """Plain data. What concerns modules is left out where there are none."""
        data = asdict(self)
        data["modules"] = list(self.modules)
        if not self.modules:
            del data["modules"], data["hand_size"]
        return data


def _modules(names: Any) -> tuple[str, ...]:
    """The modules in the order of the rules. Raises ConfigError."""
    known = ", ".join(MODULE_NAMES)
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ConfigError(f"modules must be a set or list of names ({known}), not {shown(names)}")
    try:
        chosen = list(islice(names, len(MODULE_NAMES) + 1))
    except TypeError:
        raise ConfigError(f"modules must be a set or list of names ({known}), not {shown(names)}") from None
    for name in chosen:
        if not isinstance(name, str) or name not in MODULE_NAMES:
            raise ConfigError(f"there is no module {shown(name)}; there are: {known}")
        if chosen.count(name) > 1:
            raise ConfigError(f"the module {name!r} is named twice")
    return tuple(name for name in MODULE_NAMES if name in chosen)
