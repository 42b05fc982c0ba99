"""The options of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ginkgo_env.core.errors import ConfigError, short_repr
from three_cards.components import DECKS

DECK_TEXTS = {"kuhn": "one card of each rank, bets of one chip", "pairs": "two of each, bets of two chips: there can be ties"}
CARDS_TEXTS = {
    "closed": "everybody sees the own card only",
    "open": "all cards lie open: nothing is hidden",
    "sorted": "open, and dealt from the lowest up: no chance either",
}


@dataclass(frozen=True)
class Config:
    """A configuration.

    players : 2, or 1 against the dealer, who calls every bet
    deck : which deck, and how high antes and bets are
    cards : how they are dealt
    """

    players: int = 2
    deck: str = "kuhn"
    cards: Literal["closed", "open", "sorted"] = "closed"

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in (1, 2):
            raise ConfigError(f"players must be 1 or 2, got {short_repr(self.players)}")
        if not isinstance(self.deck, str) or self.deck not in DECKS:
            raise ConfigError(f"deck must be one of {', '.join(DECKS)}, got {short_repr(self.deck)}")
        if not isinstance(self.cards, str) or self.cards not in CARDS_TEXTS:
            raise ConfigError(f"cards must be one of {', '.join(CARDS_TEXTS)}, got {short_repr(self.cards)}")
