"""The presenter of The Golden City."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.state import States
from ginkgo_env.drawing.presenter import Areas, Choice, Presenter
from ginkgo_env.drawing.svg import Box
from ginkgo_env.games.golden_city.game import GoldenCity
from ginkgo_env.games.golden_city.presentation.choices import choice
from ginkgo_env.games.golden_city.presentation.table import areas, draw
from ginkgo_env.games.golden_city.presentation.words import translations_of
from ginkgo_env.games.golden_city.text.describe_players import COUNTS
from ginkgo_env.games.golden_city.text.words import say


class GoldenCityPresenter(Presenter):
    """Draws the round, the island, players and piles."""

    game: GoldenCity

    def __init__(self, game: GoldenCity) -> None:
        super().__init__(game)
        self.translations = translations_of(game.board)

    def draw(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Box:
        """Draw the round, the island, players and piles."""
        return draw(state[0], self.game.board, seat, names, None if since is None else since[0])

    def draw_areas(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Areas:
        """The island; the viewer's cards; the players; the round and the piles."""
        return areas(state[0], self.game.board, seat, names, None if since is None else since[0])

    def choice(self, state: States, action: int) -> Choice:
        """A pair, a site or cards."""
        return choice(self.game.checked_state(state)[0], self.game.board, action)

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """What a player has, as everybody counts it (G10.1); letters are points."""
        return {say(name): count(Fields(state[0]), seat) for name, count in COUNTS.items() if name != "letters"}
