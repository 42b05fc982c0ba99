"""Three-card poker as a :class:`~ginkgo_env.core.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import NotationError, short_repr
from ginkgo_env.core.game import WIDTH, Chance, Game, VisibleStep, checked_config
from ginkgo_env.core.loops import Scalars, make_loops
from ginkgo_env.core.state import PlainRecord, States
from three_cards import describe, narrate
from three_cards.actions import ACTION_NAMES, ACTIONS
from three_cards.components import DECKS
from three_cards.config import CARDS_TEXTS, DECK_TEXTS, Config
from three_cards.constants import Stage
from three_cards.observe import OBSERVATION, observe
from three_cards.position import read_position, write_position
from three_cards.resample import resample
from three_cards.rules.betting import legal, reset, step
from three_cards.rules.scoring import score, standing
from three_cards.state import CONFIG_FIELDS, State, blank_state

Rows = Sequence[tuple[int, int, int, int]]


class ThreeCards(Game):
    """Three-card poker; options as in :class:`~three_cards.config.Config`."""

    name, title, version = "three_cards", "Three Cards", 0
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {"deck": DECK_TEXTS, "cards": CARDS_TEXTS}
    state, config_fields = State, CONFIG_FIELDS
    decisions = ("betting",)
    over = int(Stage.OVER)
    sources = ("chips",)
    actions, observation, observation_dtype = ACTIONS, OBSERVATION, np.uint8
    kernels = make_loops(Scalars(reset, step, legal, observe, score, standing, resample))

    def __init__(self, **options: Any) -> None:
        self.config = checked_config(self.name, Config, options)
        self.seats = self.sides = self.config.players
        self.has_hidden_information = self.config.cards == "closed"
        self.has_chance = self.config.cards != "sorted"
        self.template, self.components = blank_state(self.config), DECKS[self.config.deck]

    @classmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """Both decks in all ways, and alone."""
        two = [{"deck": deck, "cards": cards} for deck in DECK_TEXTS for cards in CARDS_TEXTS]
        return [*two, *({"players": 1, "deck": deck} for deck in DECK_TEXTS)]

    @classmethod
    def leaderboard_configs(cls) -> list[dict[str, Any]]:
        """Both decks."""
        return [{"deck": deck} for deck in DECK_TEXTS]

    def kind(self, states: States) -> NDArray[np.int8]:
        """Betting, or over."""
        return cast(NDArray[np.int8], states["stage"])

    def ending(self, state: States) -> str | None:
        """Whether the cards were shown."""
        if state["stage"][0] != Stage.OVER:
            return None
        return "showdown" if state["shown"][0] else "fold"

    def action_text(self, state: States, action: int) -> str:
        """Pass or bet."""
        self.checked_state(state)
        return ACTION_NAMES[integer(action, 0, self.actions.size - 1, "action", NotationError)]

    def parse_action(self, state: States, text: str) -> int:
        """The action of that name."""
        if not isinstance(text, str) or text not in ACTION_NAMES:
            raise NotationError(f"no action {short_repr(text)}; expected {' or '.join(ACTION_NAMES)}")
        return ACTION_NAMES.index(text)

    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""
        return write_position(self.checked_state(state)[0], self.config_dict)

    def from_position(self, data: Mapping[str, Any]) -> States:
        """The state that a position describes."""
        return read_position(self, data)

    def chances(self, rows: Rows) -> list[Chance]:
        """The cards that were dealt."""
        return narrate.chances(rows)

    def narrate(self, rows: Rows, names: Sequence[str]) -> list[str]:
        """What happened, in sentences."""
        return narrate.narrate(rows, names)

    def visible(self, seat: int, before: States | None, action: int, after: States, rows: Rows) -> VisibleStep:
        """What a seat learns from a step."""
        return narrate.visible(self.checked_seat(seat), after[0], rows)

    def hide(self, g: PlainRecord, seat: int) -> None:
        """Hide others' cards, unless they lie open or have been shown."""
        if not g.open and not g.shown:
            g.hand = [rank if hand == seat else 0 for hand, rank in enumerate(g.hand)]

    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text; it is narrow."""
        return describe.describe(self.visible_state(state, seat, names))
