"""My City, the eternal game, as a :class:`~ginkgo_env.core.game.Game`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.events import Row, outcomes_of
from ginkgo_env.core.game import WIDTH, Chance, Game, VisibleStep, checked_config
from ginkgo_env.core.generated import board_mixtures
from ginkgo_env.core.loops import Scalars, make_loops, round_number
from ginkgo_env.core.playback import Playback
from ginkgo_env.core.state import PlainRecord, States, empty_state
from ginkgo_env.games.my_city import describe, narrate, notation
from ginkgo_env.games.my_city.actions import actions_layout
from ginkgo_env.games.my_city.board import load_board
from ginkgo_env.games.my_city.buildings import load_buildings
from ginkgo_env.games.my_city.components import components_of, has_components
from ginkgo_env.games.my_city.config import OWN, MyCityConfig
from ginkgo_env.games.my_city.constants import (
    LETTERS,
    MAX_PLAYERS,
    N_MARKS,
    NONE,
    ROCK_POINTS,
    START_POINTS,
    TREE_POINTS,
    Color,
    Ending,
    Source,
    Stage,
    Terrain,
)
from ginkgo_env.games.my_city.features import features, features_layout
from ginkgo_env.games.my_city.observe import OBSERVATION_DTYPE, BoardPlane, observation_layout, observe
from ginkgo_env.games.my_city.playout import playout
from ginkgo_env.games.my_city.position import read_position, write_position
from ginkgo_env.games.my_city.queries import empty_by_row
from ginkgo_env.games.my_city.resample import answer, ask, resample
from ginkgo_env.games.my_city.rules.machine import legal, reset, step
from ginkgo_env.games.my_city.rules.scoring import score, score_version, standing
from ginkgo_env.games.my_city.state import CARD, RECORD, State
from ginkgo_env.games.my_city.validity import Flaw, find_flaw

_OWN_NOTE = "our own design: no source shows the eternal side of the printed board"


class MyCity(Game):
    """My City, the eternal game, for 1 to 4 players; options as in :class:`MyCityConfig`."""

    name = "my_city"
    title = "My City"
    version = 0
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {"Solo": {"players": 1}}
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "board": {OWN: _OWN_NOTE},
        "buildings": {OWN: "our own design where no source shows the printed shapes"},
    }
    option_notes: ClassVar[Mapping[str, str]] = {
        "board": "boards generated_0 to generated_9999 are generated; another value is a file, see docs/games/boards.md",
        "buildings": "another value is a file, see docs/games/boards.md",
    }
    speed_targets: ClassVar[Mapping[str, float]] = {"mask": 2.0, "observation": 1.5, "cold": 0.6, "state": 1024}
    speed_config: ClassVar[Mapping[str, Any]] = {"players": 1}
    observation_note = "Seats are relative to the viewer (0 is oneself); buildings are in the order of their file."
    presenter_entry_point = "ginkgo_env.games.my_city.pictures.table:MyCityPresenter"
    rules_file = "data/rules.md"
    seats_matter = False  # all players get the same cards and choose independently (M14.23)
    simultaneous = True  # M12.5
    decisions = ("build",)
    sources = tuple(source.name.lower() for source in Source)
    over = int(Stage.OVER)
    ending_names = tuple(ending.name.lower() for ending in Ending)
    config_fields = ("players", "board", "buildings")
    printed = ("board", "buildings")
    state = State
    flaws = Flaw
    kernels = make_loops(
        Scalars(
            *(reset, step, legal, observe, score, standing),
            resample=resample,
            features=features,
            score_version=score_version,
            round_of=round_number,
            playout=playout,
            find_flaw=find_flaw,
            ask=ask,
            answer=answer,
            has_components=has_components,
        )
    )

    def __init__(self, /, **config: Any) -> None:
        self.config = checked_config(self.name, MyCityConfig, config)
        self.board, self.buildings = load_board(self.config.board), load_buildings(self.config.buildings)
        self.seats = self.sides = self.config.players
        self.variant = "variant" if self.seats == 1 else ""  # M9.1
        rows, columns = self.board.rows, self.board.columns
        self.actions = actions_layout(rows, columns)
        self.observation = observation_layout(self.seats, rows, columns, len(self.buildings.list), self.actions.size)
        self.observation_dtype = OBSERVATION_DTYPE
        self.features = features_layout(self.seats, len(self.buildings.list))
        self.components = components_of(self.board, self.buildings)
        self.template = self._blank_state()
        self.pieces = {CARD: np.arange(CARD.n) < len(self.buildings.cards)}  # M1.2

    def _blank_state(self) -> States:
        """The record that every game starts from (M2), shape (1,)."""
        states = empty_state(State, RECORD)
        g = states[0]
        g["players"] = self.seats
        g["board"], g["buildings"] = int(self.board.digest, 16), int(self.buildings.digest, 16)
        g["points"][: self.seats] = START_POINTS
        cells = Counter(chain.from_iterable(self.board.terrain))
        for source, points, terrain in (
            (Source.START, START_POINTS, None),
            (Source.TREES, TREE_POINTS, Terrain.TREES),
            (Source.ROCKS, ROCK_POINTS, Terrain.ROCKS),
            (Source.EMPTY, -1, Terrain.EMPTY),
        ):
            g["sources"][: self.seats, source] = points * (1 if terrain is None else cells[LETTERS[terrain]])
        return states

    @property
    def component_data(self) -> dict[str, Any]:
        """The letters of the board's cells, and the buildings with the cells that they cover at heading N."""
        buildings = [asdict(building) | {"color": building.color.name.lower()} for building in self.buildings.list]
        return {"terrain": self.board.terrain, "banks": self.board.banks, "buildings": buildings}

    @property
    def component_ids(self) -> dict[str, str]:
        """Names and digests of board and buildings (M1.6)."""
        return {
            "board": self.board.name,
            "board_digest": self.board.digest,
            "buildings": self.buildings.name,
            "buildings_digest": self.buildings.digest,
        }

    @property
    def rules_values(self) -> Mapping[str, Any]:
        """The buildings by color with their rows, such as ``Y2 #./##``."""
        lines = []
        for color in Color:
            shapes = [f"{each.id} {each.rows}" for each in self.buildings.list if each.color == color]
            lines += [f"{color.name.lower()}: {', '.join(shapes)}"] * bool(shapes)
        return {"buildings": "\n".join(lines)}

    @classmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """2 players, 1 player, 3 and 4 players."""
        return [{"players": n} for n in (2, 1, 3, MAX_PLAYERS)]

    @classmethod
    def leaderboard_configs(cls) -> list[dict[str, Any]]:
        """1 to 4 players."""
        return sorted(cls.configurations(), key=lambda config: int(config["players"]))

    @classmethod
    def mixtures(cls) -> dict[str, list[dict[str, Any]]]:
        """Generated boards to train on, and others to evaluate on."""
        return board_mixtures()

    def result_details(self, state: States) -> dict[str, Any]:
        """Points by source, and empty land by row, which decides ties (M8.8)."""
        result = self.outcome(state)
        rows = [empty_by_row(state[0], p, self.board) for p in range(self.seats)]
        return {"breakdown": list(result.breakdown), "empty_by_row": rows}

    def action_text(self, state: States, action: int) -> str:
        """The notation of an action: ``pass``, ``end`` or a placement such as ``e1E``."""
        return notation.action_text(self.board, action)

    def parse_action(self, state: States, text: str) -> int:
        """Parse the notation of an action."""
        return notation.parse_action(self.board, text)

    def action_effects(self, state: States, actions: Sequence[int]) -> list[str]:
        """The change of the actor's points by source, and marks: ``+3: empty +3; covers vein 1``."""
        seat, batch = int(state["actor"][0]), Batch(self, len(actions))
        batch.set_states(np.arange(batch.size), np.repeat(state, batch.size).view(np.recarray), check=False)
        visible = self._count_visible(batch.observe(seat))
        batch.step(actions)
        while batch.states["choice"][0, seat] != NONE:  # what the others choose does not matter to the actor's board
            batch.step(np.full(batch.size, self.actions.size - 1))  # end
        changes = (batch.states["sources"][:, seat] - state["sources"][0, seat]).tolist()
        covered = (visible - self._count_visible(batch.observe(seat))).tolist()
        return [describe.effect_text(*change) for change in zip(changes, covered, strict=True)]

    def _count_visible(self, observations: NDArray[Any]) -> NDArray[np.int64]:
        """The viewer's visible light green cells (rows, kinds) by Terrain."""
        terrain = self.observation.view(observations, "terrain")[:, :N_MARKS]
        own = self.observation.view(observations, "boards")[:, 0, BoardPlane.UNCOVERED]
        return cast("NDArray[np.int64]", (terrain & own[:, None]).sum((2, 3)))

    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""
        return write_position(self.checked_state(state)[0], self.config, self.board, self.buildings)

    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position of this configuration describes."""
        state = read_position(position, Playback(self), self.config, self.board, self.buildings)
        return self.validated(state, position)

    def chances(self, rows: Sequence[Row]) -> list[Chance]:
        """The random outcomes among the rows of a log (M11.8)."""
        return [Chance("deck", [self.buildings.cards[card] for card in items]) for _, items in outcomes_of(rows)]

    def narrate(self, rows: Sequence[Row], names: Sequence[str]) -> list[str]:
        """The rows of a log as sentences."""
        return narrate.narrate(rows, self.board, self.buildings, names)

    def visible(self, seat: int, before: States | None, action: int, after: States, rows: Sequence[Row]) -> VisibleStep:
        """What a seat learns from a step (M10)."""
        self.checked_seat(seat)
        return narrate.visible_step(rows, self.board, self.buildings)

    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text of `width` columns."""
        return describe.describe(self.visible_state(state, seat, names), self.checked_width(width))

    def hide(self, g: PlainRecord, seat: int) -> None:
        """Hide the order of the deck, and who has chosen (M10.2, M10.3)."""
        n_cards = len(self.buildings.cards)
        g.deck[g.drawn : n_cards] = sorted(g.deck[g.drawn : n_cards])
        g.choice = [choice if p == seat else NONE for p, choice in enumerate(g.choice)]
        if g.actor != seat:
            g.actor = NONE
