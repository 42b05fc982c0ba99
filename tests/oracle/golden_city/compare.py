"""Play the kernels and the oracle side by side (G11.2) and compare whole positions after every decision."""

import random

from ..side_by_side import Json, Match
from .golden_city import Oracle
from .styles import seat_styles


class GoldenCityMatch(Match):
    """A game of The Golden City played by both."""

    game, oracle = "golden_city", Oracle
    theirs: Oracle

    def compare_position(self) -> None:
        """The order of houses belongs to the position as well (G11.5)."""
        super().compare_position()
        self.expect_equal("order of houses", list(self.ours.position()["houses"]), list(self.theirs.position()["houses"]))

    def compare_scores(self) -> None:
        """Standings too, as things stand (G9.5)."""
        super().compare_scores()
        self.expect_equal("standings", list(self.ours.game.outcome(self.ours.states).standings), self.theirs.standings())


def play_match(config: Json, seed: int, *, views: int = 4, positions: int = 1) -> int:
    """Play a game with a style for each seat, chosen by the seed; return how many decisions were compared."""
    chance = random.Random(seed)
    match = GoldenCityMatch(config, seed)
    styles = seat_styles(chance, match.ours.game.seats)

    def choose(seat: int) -> str:
        return styles[seat](chance, match.theirs.legal(), match.theirs.position(), seat)

    return match.play_out(choose, views=views, positions=positions)
