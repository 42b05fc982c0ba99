"""The presenter of Ginkgopolis. German texts use the terms of the German edition: Planen, Hochbauen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.state import States
from ginkgo_env.drawing.presenter import Areas, Choice, Presenter, read_translations
from ginkgo_env.drawing.svg import Box
from ginkgo_env.games.ginkgopolis.presentation.choices import choice
from ginkgo_env.games.ginkgopolis.presentation.table import areas, draw
from ginkgo_env.games.ginkgopolis.text.describe_players import counts
from ginkgo_env.games.ginkgopolis.text.words import say


class GinkgopolisPresenter(Presenter):
    """Draws city, sides and piles; a commitment is picked as a card and a tile."""

    text_styles: Mapping[str, str] = {
        **{rf"\b{letter}[0-9]+(?=\b|\u00b7)": style for letter, style in (("R", "red"), ("B", "bright_blue"), ("Y", "yellow"))},
        r"\bGS\b": "green",
        r"^[a-zN][A-Za-z ]{3,12}:": "dim",
    }
    text_order = (r" +-?\d", "only ", " +player")
    translations = read_translations(__package__)

    def draw(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Box:
        """Draw city, sides and piles."""
        return draw(state[0], seat, names, None if since is None else since[0])

    def draw_areas(self, state: States, seat: int | None, names: Sequence[str], since: States | None) -> Areas:
        """The city; hand and tiles of the viewer; the sides; the piles."""
        return areas(state[0], seat, None if since is None else since[0])

    def choice(self, state: States, action: int) -> Choice:
        """A card and a tile for a commitment; one pick for any other action."""
        return choice(self.game.checked_state(state)[0], action)

    def counters(self, state: States, seat: int) -> Mapping[str, int]:
        """What a side has, as everybody counts it (R10.1); SP are points."""
        return {say(name): n for name, n in counts(Fields(state[0]), seat).items() if name != "SP"}
