"""A table at which the oracle plays."""

from __future__ import annotations

import random
from typing import Any, Self

from ...oracle.ginkgopolis.decode import decode_view
from ...oracle.ginkgopolis.expansion import MODULES
from ...oracle.ginkgopolis.ginkgopolis import PICKS, Oracle
from ..oracle_play import OraclePlay, without_words
from .positions import Json, Seen, Table

DEFAULTS = {"setup": "draft", "level": "standard", "strict": False, "max_rounds": 200}


class OracleTable(OraclePlay, Table):
    """A game being played by the oracle."""

    picks = PICKS

    def __init__(self, **config: Any) -> None:
        self.config = DEFAULTS | config
        self.chance = random.Random(0)
        self.played: list[str] = []  # since the last position that was set
        if config.get("modules"):
            modules = [name for name in MODULES if name in config["modules"]]
            self.config |= {"modules": modules, "hand_size": config.get("hand_size", 4)}

    def reset(self, seed: int) -> Self:
        self.draw_from(seed, seed)
        self.oracle = Oracle(self.config, self.draw)
        return self

    def set_position(self, position: Json) -> Self:
        self.beginning, self.played = position, []
        self.draw_from(position["random"], position["seed"])
        self.oracle = Oracle.from_position(without_words(position), self.draw)
        return self

    def copy(self) -> Self:
        """A game in the middle of an action is played again from the last position that was set."""
        return type(self)(**self.config).set_position(self.beginning).play(*self.played)

    def with_piles(self, deck_size: int, discard: str = "") -> Self:
        table = self.oracle.table
        table.deck, table.discard = table.deck[:deck_size], list(discard)
        return self

    def play(self, *texts: str) -> Self:
        self.played += texts
        return super().play(*texts)

    @property
    def legal(self) -> set[str]:
        return set(self.oracle.legal())

    @property
    def done(self) -> bool:
        return self.decision[0] == "over"

    @property
    def truncated(self) -> bool:
        return bool(self.outcome.truncated)

    def view(self, *seats: int) -> Any:
        return [self.oracle.view(seat) for seat in seats]

    def seen(self, seat: int) -> Seen:
        return Seen(decode_view(self.oracle.view(seat), len(self.oracle.table.sides)), seat)
