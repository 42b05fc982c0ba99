"""What can be chosen before a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ginkgo_env.core.errors import ConfigError, shown

_LONGEST = 10_000


@dataclass(frozen=True)
class GinkgopolisConfig:
    """A configuration of Ginkgopolis.

    players : 2 to 5, or 1 for the game against William (R9)
    setup : how players get their characters (R2.7): ``"draft"`` or ``"introductory"``; does not matter alone
    level : William's, ``"standard"`` or ``"advanced"`` (R9.4); only alone
    strict : whether the mask hides cards with tiles that could not be paid at the moment of the choice (R3.3)
    max_rounds : the game is cut off after so many rounds (R8.4)
    """

    players: int = 2
    setup: Literal["draft", "introductory"] = "draft"
    level: Literal["standard", "advanced"] = "standard"
    strict: bool = False
    max_rounds: int = 200

    def __post_init__(self) -> None:
        if type(self.players) is not int or not 1 <= self.players <= 5:
            raise ConfigError(f"players must be a number from 1 to 5, not {shown(self.players)}")
        if self.setup not in ("draft", "introductory"):
            raise ConfigError(f"setup must be 'draft' or 'introductory', not {shown(self.setup)}")
        if self.level not in ("standard", "advanced"):
            raise ConfigError(f"level must be 'standard' or 'advanced', not {shown(self.level)}")
        if self.players == 1 and self.setup != "draft":
            raise ConfigError("alone there are no characters (R9.1), so setup='introductory' means nothing with players=1")
        if self.players > 1 and self.level != "standard":
            raise ConfigError("the level is William's (R9.4): level='advanced' needs players=1")
        if type(self.strict) is not bool:
            raise ConfigError(f"strict must be True or False, not {shown(self.strict)}")
        if type(self.max_rounds) is not int or not 1 <= self.max_rounds <= _LONGEST:
            raise ConfigError(f"max_rounds must be a number from 1 to {_LONGEST}, not {shown(self.max_rounds)}")
