"""The Golden City as a :class:`~ginkgo_env.core.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from textwrap import fill
from typing import Any, ClassVar

from ginkgo_env.core.events import Row, outcomes_of
from ginkgo_env.core.forms import Form, read_state
from ginkgo_env.core.game import WIDTH, Chance, Game, VisibleStep, checked_config
from ginkgo_env.core.generated import board_mixtures
from ginkgo_env.core.loops import Scalars, make_loops, round_number
from ginkgo_env.core.state import PlainRecord, States, empty_state
from ginkgo_env.games.golden_city import describe, narrate, notation
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.board import COLUMNS, DEFAULT_BOARD, Board, load_board
from ginkgo_env.games.golden_city.components import has_components
from ginkgo_env.games.golden_city.config import VARIANT_PLAYERS, GoldenCityConfig
from ginkgo_env.games.golden_city.constants import (
    COINS,
    COPIES,
    HOUSES,
    KEYS,
    START_COINS,
    Ending,
    Shuffle,
    Source,
    Stage,
)
from ginkgo_env.games.golden_city.features import features, features_layout
from ginkgo_env.games.golden_city.observe import OBSERVATION_DTYPE, observation_layout, observe
from ginkgo_env.games.golden_city.playout import playout
from ginkgo_env.games.golden_city.position import derive, form_of
from ginkgo_env.games.golden_city.queries import LANDSCAPES, bonus_of, hide_bonus_cards
from ginkgo_env.games.golden_city.resample import resample
from ginkgo_env.games.golden_city.rules.machine import legal, reset, step
from ginkgo_env.games.golden_city.rules.scoring import score, standing
from ginkgo_env.games.golden_city.state import BONUS, COIN, GOODS, KEY, LANDSCAPE, RECORD, SCORING, State
from ginkgo_env.games.golden_city.validity import Flaw, find_flaw


class GoldenCity(Game):
    """The Golden City for 2 to 4 players; options as in :class:`GoldenCityConfig`."""

    name = "golden_city"
    title = "The Golden City"
    version = 0
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "board": {DEFAULT_BOARD: "our own design: no source shows the printed places, pairs of goods and scoring cards"}
    }
    option_notes: ClassVar[Mapping[str, str]] = {
        "board": "boards generated_0 to generated_9999 are generated; another value is a folder, see docs/games/boards.md"
    }
    speed_targets: ClassVar[Mapping[str, float]] = {"mask": 1.0, "observation": 1.0, "cold": 0.6, "state": 1024}
    observation_note = "Seats are relative to the viewer (0 is oneself); places and cards are in the order of the board's files."
    presenter_entry_point = "ginkgo_env.games.golden_city.pictures.table:GoldenCityPresenter"
    rules_file = "data/rules.md"
    decisions = tuple(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    sources = tuple(source.name.lower() for source in Source)
    over = int(Stage.OVER)
    ending_names = tuple(ending.name.lower() for ending in Ending)
    config_fields = ("players", "board")
    printed = ("board",)
    state = State
    flaws = Flaw
    kernels = make_loops(
        Scalars(
            *(reset, step, legal, observe, score, standing),
            resample=resample,
            features=features,
            round_of=round_number,
            playout=playout,
            find_flaw=find_flaw,
            has_components=has_components,
        )
    )

    def __init__(self, /, **config: Any) -> None:
        self.config = checked_config(self.name, GoldenCityConfig, config)
        self.board: Board = load_board(self.config.board)
        self.seats = self.sides = self.config.players
        self.variant = "variant" if self.seats == VARIANT_PLAYERS else ""  # G2.5
        self.actions = ACTIONS
        self.observation = observation_layout(self.seats)
        self.observation_dtype = OBSERVATION_DTYPE
        self.features = features_layout(self.seats)
        self.components = self.board.components
        self.template = _blank_state(self.seats, self.board)
        each_once = {things: [1] * things.n for things in (BONUS, SCORING)}
        copies = {LANDSCAPE: [COPIES] * LANDSCAPE.n, GOODS: self.board.components[0].copies}
        self.pieces = {**copies, **each_once, COIN: [COINS], KEY: [KEYS]}  # G1

    @cached_property
    def with_forced_decisions(self) -> Game:
        """A game that asks for a building turn in which no place is offered (G10.7)."""
        game = type(self)(**self.config_dict)
        game.components = self.board.components.copy()
        game.components["with_forced_decisions"] = 1
        game.components.setflags(write=False)  # like those of a board: for others Numba would compile anew
        return game

    @property
    def component_data(self) -> dict[str, Any]:
        """The rows of the board's files (G1.6)."""
        return {file: getattr(self.board, file) for file in COLUMNS}

    @property
    def component_ids(self) -> dict[str, str]:
        """The board's name and digest (G1.6.3)."""
        return {"board": self.board.name, "board_digest": self.board.digest}

    @property
    def rules_values(self) -> Mapping[str, Any]:
        """The number of houses, and the roads: ``C2 F1 F2; ...`` for those from C2 to F1 and to F2."""
        neighbors: dict[str, list[str]] = {}
        for road in self.board.roads:
            first, second = sorted((road["place_1"], road["place_2"]), key=self.board.place_ids.index)
            neighbors.setdefault(first, []).append(second)
        roads = "; ".join(" ".join([place, *neighbors[place]]) for place in self.board.place_ids if place in neighbors)
        return {"houses": HOUSES[self.seats], "roads": fill(roads, WIDTH)}

    @classmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """3 and 4 players, and the variant for 2."""
        return [{"players": n} for n in (3, 4, VARIANT_PLAYERS)]

    @classmethod
    def mixtures(cls) -> dict[str, list[dict[str, Any]]]:
        """Generated boards to train on, and others to evaluate on."""
        return board_mixtures()

    @classmethod
    def leaderboard_configs(cls) -> list[dict[str, Any]]:
        """3 and 4 players, and the variant for 2 (G2.5)."""
        return cls.configurations()

    def result_details(self, state: States) -> dict[str, Any]:
        """Standings, points by source, and the bonus cards of each player (G11.7)."""
        result, g, names = self.outcome(state), PlainRecord(state[0]), self.board.bonus_names
        cards = [[names[card] for card in bonus_of(g, p)] for p in range(self.seats)]
        return {"standings": list(result.standings), "breakdown": list(result.breakdown), "bonus_cards": cards}

    def action_text(self, state: States, action: int) -> str:
        """The notation of an action, such as ``build:D6``."""
        return notation.action_text(state[0], self.board, action)

    def parse_action(self, state: States, text: str) -> int:
        """Parse the notation of an action."""
        return notation.parse_action(state[0], self.board, text)

    @cached_property
    def _form(self) -> Form:
        return form_of(self.board, self.config_dict)

    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""
        return self._form.write(PlainRecord(self.checked_state(state)[0]), None)

    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position of this configuration describes."""
        state = read_state(self._form, position, self.template, lambda g: derive(g, self.board))
        return self.validated(state, position)

    def chances(self, rows: Sequence[Row]) -> list[Chance]:
        """The random outcomes among the rows of a log (G11.2)."""
        return [_chance(Shuffle(which), items, self.board) for which, items in outcomes_of(rows)]

    def narrate(self, rows: Sequence[Row], names: Sequence[str]) -> list[str]:
        """The rows of a log as sentences."""
        return narrate.narrate(rows, self.board, names)

    def visible(self, seat: int, before: States | None, action: int, after: States, rows: Sequence[Row]) -> VisibleStep:
        """What a seat learns from a step (G10)."""
        start = None if before is None else before[0]
        return narrate.visible_step(self.checked_seat(seat), start, action, after[0], rows, self.board)

    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text of `width` columns."""
        return describe.describe(self.visible_state(state, seat, names), self.checked_width(width))

    def hide(self, g: PlainRecord, seat: int) -> None:
        """Hide the unknown part of hands (G10.3), and bonus cards until the end (G9.1)."""
        for p in range(g.players):
            if p != seat:
                unknown = sum(g.hand[p]) - sum(g.known[p])
                g.hand[p] = [g.known[p][0] + unknown, *g.known[p][1:]]
        if g.stage != Stage.OVER:
            hide_bonus_cards(g, seat)


def _chance(which: Shuffle, items: Sequence[int], board: Board) -> Chance:
    """A random outcome: names in order, or a seat."""
    names = {Shuffle.LANDSCAPES: LANDSCAPES, Shuffle.GOODS: board.goods_names}.get(which, board.scoring_names)
    outcome = items[0] if which == Shuffle.FIRST_PLAYER else [names[item] for item in items]
    return Chance(which.name.lower(), outcome)


def _blank_state(players: int, board: Board) -> States:
    """The record that every game starts from, before anything is shuffled (G2), shape (1,)."""
    states = empty_state(State, RECORD)
    g = states[0]
    g["players"], g["board"] = players, int(board.digest, 16)
    g["coins"][:players] = START_COINS
    g["supply"] = COINS - START_COINS * players
    g["houses_left"][:players] = HOUSES[players]
    g["key_stack"] = KEYS
    return states
