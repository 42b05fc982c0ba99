"""The presenter of My City."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.state import States
from ginkgo_env.drawing.presenter import Areas, Choice, Presenter, read_translations
from ginkgo_env.drawing.shapes import letters, sign_of
from ginkgo_env.drawing.svg import Box
from ginkgo_env.games.my_city.constants import Color
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.presentation.choices import choice_of
from ginkgo_env.games.my_city.presentation.table import areas, draw
from ginkgo_env.games.my_city.text.words import say

_STYLES = {Color.YELLOW: "yellow", Color.RED: "red", Color.BLUE: "bright_blue"}


class MyCityPresenter(Presenter):
    """Draws boards and cards; a placement is picked as a heading and a cell."""

    game: MyCity
    text_order = (r".*\b{name}: -?\d+ points", r".*: -?\d+ points")
    translations = read_translations(__package__)

    def __init__(self, game: MyCity) -> None:
        super().__init__(game)
        ids = {color: [building.id for building in game.buildings.list if building.color == color] for color in _STYLES}
        self.text_styles = {rf"\b({'|'.join(ids[color])})\b": style for color, style in _STYLES.items() if ids[color]}

    def draw(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Box:
        """Draw boards and cards."""
        game = self.game
        points, before = game.points(state)[0].tolist(), None if since is None else since[0]
        signs = [(sign_of(game, side), letter) for side, letter in enumerate(letters(game))]
        notes = [
            say(f"{option.capitalize()} {{value}} ({{text}})", value=repr(value), text=say(texts[value]))
            for option, texts in game.option_values.items()
            if (value := getattr(game.config, option)) in texts
        ]
        return draw(state[0], points, game.board, game.buildings, seat, names, before, signs=signs, notes=notes)

    def draw_areas(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Areas:
        """The viewer's board, or all; the current building; points; the cards to come."""
        game, before = self.game, None if since is None else since[0]
        return areas(state[0], game.points(state)[0].tolist(), game.board, game.buildings, seat, names, before)

    def choice(self, state: States, action: int) -> Choice:
        """Heading and cell of a placement, or to pass or end."""
        building = self.game.buildings.list[self.game.checked_state(state)["current"][0]]
        return choice_of(self.game.board, building, action)
