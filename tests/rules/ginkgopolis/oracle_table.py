"""A table at which the oracle plays."""

from __future__ import annotations

import random
from typing import Any, Self

from ...oracle.ginkgopolis.decode import decode_view
from ...oracle.ginkgopolis.expansion import MODULES
from ...oracle.ginkgopolis.ginkgopolis import PICKS, Oracle
from .positions import Json, Seen, Table, Words

DEFAULTS = {"setup": "draft", "level": "standard", "strict": False, "max_rounds": 200}


class Outcome:
    """The scores as the oracle counts them, in the words of ``ginkgo_env.Outcome``."""

    def __init__(self, oracle: Oracle) -> None:
        self.breakdown = tuple(oracle.scores())
        self.scores = tuple(score["total"] for score in self.breakdown)
        over = oracle.decision()[0] == "over"
        self.winners = tuple(oracle.winners()) if over else ()
        self.ending = oracle.position()["ending"] if over else None
        self.truncated = self.ending == "max_rounds"


class OracleTable(Table):
    """A game being played by the oracle, which draws its random outcomes from the words of the seed (R11.4)."""

    def __init__(self, **config: Any) -> None:
        self.config = DEFAULTS | config
        self.chance = random.Random(0)
        self.played: list[str] = []  # since the last position that was set
        if config.get("modules"):
            modules = [name for name in MODULES if name in config["modules"]]
            self.config |= {"modules": modules, "hand_size": config.get("hand_size", 4)}

    def _chance(self, name: str, items: list[Any]) -> Any:
        return items[self.words.below(len(items))] if name in PICKS else self.words.shuffled(items)

    def reset(self, seed: int) -> Self:
        self.seed, self.words = f"0x{seed:016x}", Words(seed)
        self.oracle = Oracle(self.config, self._chance)
        return self

    def set_position(self, position: Json) -> Self:
        self.beginning, self.played = position, []
        self.seed, self.words = position["seed"], Words(position["random"])
        rest = {key: value for key, value in position.items() if key not in ("seed", "random")}
        self.oracle = Oracle.from_position(rest, self._chance)
        return self

    def copy(self) -> Self:
        """A game in the middle of an action is played again from the last position that was set."""
        return type(self)(**self.config).set_position(self.beginning).play(*self.played)

    def with_piles(self, deck_size: int, discard: str = "") -> Self:
        table = self.oracle.table
        table.deck, table.discard = table.deck[:deck_size], list(discard)
        return self

    def play(self, *texts: str) -> Self:
        for text in texts:
            self.oracle.apply(text)
            self.played.append(text)
        return self

    @property
    def position(self) -> Json:
        return self.oracle.position() | {"seed": self.seed, "random": f"0x{self.words.state:016x}"}

    @property
    def legal(self) -> set[str]:
        return set(self.oracle.legal())

    @property
    def done(self) -> bool:
        return self.decision[0] == "over"

    @property
    def truncated(self) -> bool:
        return self.outcome.truncated

    @property
    def outcome(self) -> Any:
        return Outcome(self.oracle)

    def view(self, *seats: int) -> Any:
        return [self.oracle.view(seat) for seat in seats]

    def seen(self, seat: int) -> Seen:
        return Seen(decode_view(self.oracle.view(seat), len(self.oracle.table.sides)), seat)
