"""Play the kernels and the oracle side by side (M11.8) and compare whole positions after every decision."""

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..side_by_side import Chance, Json, Match
from .my_city import Oracle
from .styles import seat_styles

COMPONENTS, OWN = ("board", "buildings"), "own"


class MyCityMatch(Match):
    """A game of My City played by both. Positions have names where the configuration may have files (M1.6)."""

    game = "my_city"
    theirs: Oracle

    def __init__(self, config: Json, seed: int) -> None:
        self.files = {"board": OWN, "buildings": OWN} | config
        self.oracle = with_files(self.files)
        super().__init__(config, seed)

    def compare_scores(self) -> None:
        """Who stands before whom too, as things stand (M8.8)."""
        super().compare_scores()
        ours, theirs = self.ours.game.outcome(self.ours.states).standings, self.theirs.standings()
        self.expect_equal("standings", places(ours), places(theirs))


def with_files(files: Json) -> type[Oracle]:
    """The oracle with these files, whatever names the positions have for them."""

    class WithFiles(Oracle):
        def __init__(self, config: Json, chance: Chance) -> None:
            super().__init__(files, chance)

        @classmethod
        def from_position(cls, position: Json, chance: Chance, config: Json | None = None) -> Oracle:
            return super().from_position(position, chance, files)

        def position(self) -> Json:
            return super().position() | {f"{name}_digest": digest(files[name]) for name in COMPONENTS if files[name] != OWN}

    return WithFiles


def digest(file: str) -> str:
    """M1.6."""
    return hashlib.sha256(Path(file).read_text(encoding="utf-8").encode()).hexdigest()[:16]


def places(standings: Sequence[Any]) -> list[int]:
    """How many different standings each one is better than."""
    return [sorted(set(standings)).index(standing) for standing in standings]


def play_match(config: Json, seed: int, *, views: int = 4, positions: int = 1) -> int:
    """Play a game with a style for each seat, chosen by the seed; return how many decisions were compared."""
    chance = random.Random(seed)
    match = MyCityMatch(config, seed)
    styles = seat_styles(chance, match.ours.game.seats)

    def choose(seat: int) -> str:
        return styles[seat](chance, match.theirs.legal(), match.theirs.position() | {"config": match.files}, seat)

    return match.play_out(choose, views=views, positions=positions)
