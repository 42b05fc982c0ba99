"""Ginkgopolis as a :class:`~ginkgo_env.core.game.Game`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib.resources import files
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.specialize import specialize
from ginkgo_env.core.events import outcomes_of
from ginkgo_env.core.forms import Form, read_state
from ginkgo_env.core.game import WIDTH, Chance, Game, VisibleStep, checked_config
from ginkgo_env.core.loops import Kernels, Scalars, make_loops, round_number
from ginkgo_env.core.state import PlainRecord, States, empty_state
from ginkgo_env.core.validity import Pieces
from ginkgo_env.games.ginkgopolis import describe, narrate, notation
from ginkgo_env.games.ginkgopolis.actions import ACTIONS, EXPANSION_ACTIONS
from ginkgo_env.games.ginkgopolis.components import (
    CHARACTER_COPIES,
    CHARACTER_NAMES,
    EXPERT_NAMES,
    MODULE_NAMES,
    NAMES,
    TABLES,
    TOKEN_X,
    TOKEN_Y,
)
from ginkgo_env.games.ginkgopolis.config import MODULES, GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_HAND,
    MAX_PLAYERS,
    N_GREEN_SPACES,
    N_SOURCES,
    N_TILES,
    NEW_HANDS,
    RESOURCES,
    SOLO_HAND_SIZE,
    Ending,
    Module,
    Shuffle,
    Source,
    Stage,
)
from ginkgo_env.games.ginkgopolis.features import features, features_layout
from ginkgo_env.games.ginkgopolis.hidden_choices import answer, ask
from ginkgo_env.games.ginkgopolis.narrate import breakdown_of
from ginkgo_env.games.ginkgopolis.observe import OBSERVATION_DTYPE, observation_layout, observe
from ginkgo_env.games.ginkgopolis.playout import playout
from ginkgo_env.games.ginkgopolis.position import derive, form_of
from ginkgo_env.games.ginkgopolis.queries import CHOOSING, hide_from
from ginkgo_env.games.ginkgopolis.resample import resample
from ginkgo_env.games.ginkgopolis.rules.machine import legal, reset, step
from ginkgo_env.games.ginkgopolis.rules.scoring import score, score_version, standing
from ginkgo_env.games.ginkgopolis.state import CARD, CHARACTER, EXPERT, RECORD, TILE, State
from ginkgo_env.games.ginkgopolis.validity import Flaw, find_flaw

_SCALARS = Scalars(
    *(reset, step, legal, observe, score, standing),
    resample=resample,
    features=features,
    score_version=score_version,
    round_of=round_number,
    playout=playout,
    find_flaw=find_flaw,
    ask=ask,
    answer=answer,
)


def _make_loops(expansion: bool) -> Kernels:
    """The loops for games with any module, or without."""
    scalars = Scalars._make(scalar and specialize(scalar, EXPANSION=expansion) for scalar in _SCALARS)
    return make_loops(scalars._replace(advance=specialize(scalars.step, BLIND=True)))


KERNELS = {expansion: _make_loops(expansion) for expansion in (False, True)}
"""The loops by whether a game is played with any module (``g.expansion``): layouts differ, and what can be left out."""


class Ginkgopolis(Game):
    """Ginkgopolis for 1 to 5 players; options as in :class:`GinkgopolisConfig`."""

    name = "ginkgopolis"
    title = "Ginkgopolis"
    version = 0
    environments: ClassVar[Mapping[str, Mapping[str, Any]]] = {"Solo": {"players": 1}}
    modules = MODULES
    """The values of the option ``modules``, each with what it adds."""
    option_values: ClassVar[Mapping[str, Mapping[str, str]]] = {"modules": MODULES}
    option_notes: ClassVar[Mapping[str, str]] = {"modules": "any combination is possible; all six are listed as modules=all"}
    observation_note = "Seats are relative to the viewer (0 is oneself); cells count from the city's north-west corner."
    decisions = tuple(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    sources = tuple(source.name.lower() for source in Source if source < N_SOURCES)
    over = int(Stage.OVER)
    ending_names = tuple(ending.name.lower() for ending in Ending)
    automaton = "william"
    presenter_entry_point = "ginkgo_env.games.ginkgopolis.pictures.table:GinkgopolisPresenter"
    rules_file = "data/rules.md"
    config_fields = ("players", "solo", "advanced", "draft", "strict", "max_rounds", "expansion", "modules", "hand_size")
    state = State
    flaws = Flaw
    layout_options = ("padded",)

    def __init__(self, /, **config: Any) -> None:
        self.config = checked_config(self.name, GinkgopolisConfig, config)
        self.seats = self.config.players
        self.sides = max(2, self.seats)
        self.actions = ACTIONS
        modules, padded = bool(self.config.modules), self.config.padded
        self.observation = observation_layout(self.sides, modules=modules, padded=padded)
        if modules:
            self.decisions = tuple(stage.name.lower() for stage in Stage if stage < Stage.DEAL)
            self.sources = tuple(source.name.lower() for source in Source)
            self.actions = EXPANSION_ACTIONS
        self.observation_dtype = OBSERVATION_DTYPE
        self.features = features_layout(self.sides, modules=modules, padded=padded)
        self.kernels = KERNELS[modules]
        self.template, self.pieces = _blank_state(self.config), _pieces(self.config)

    @property
    def component_data(self) -> dict[str, Any]:
        """The tables of cards, characters, sets and tokens, and those of the expansion."""
        return TABLES

    @property
    def config_dict(self) -> dict[str, Any]:
        """The configuration as plain data."""
        return self.config.as_dict()

    @property
    def rules_values(self) -> Mapping[str, Any]:
        """The size of hands, and the most rounds."""
        return {"hand_size": self.template["hand_size"][0], "max_rounds": self.config.max_rounds}

    @classmethod
    def configurations(cls) -> list[dict[str, Any]]:
        """All numbers of players with both setups, solo at both levels, all modules, and hands of five."""
        alone = [{"players": 1, "level": level} for level in ("standard", "advanced")]
        setups = ("draft", "introductory")
        plain = [{"players": n, "setup": setup} for n in range(2, MAX_PLAYERS + 1) for setup in setups]
        modules = {"modules": MODULE_NAMES}
        experts = [{"players": n, **modules} for n in range(2, MAX_PLAYERS + 1)]
        return [*alone, *plain, *experts, {"players": 3, **modules, "hand_size": MAX_HAND}]

    @classmethod
    def layouts(cls) -> dict[str, dict[str, Any]]:
        """With modules, actions and observations have another layout, the same for all combinations."""
        return {"": {}, "with modules": {"modules": MODULE_NAMES}}

    @classmethod
    def leaderboard_configs(cls) -> list[dict[str, Any]]:
        """Solo against William at both levels, and two players."""
        return [{"players": 1, "level": "standard"}, {"players": 1, "level": "advanced"}, {"players": 2}]

    @classmethod
    def option_texts(cls, options: Mapping[str, Any]) -> dict[str, str]:
        """Values of options as short texts; all modules together are ``all``."""
        texts = super().option_texts(options)
        if "modules" in options:
            names = set(options["modules"])
            texts["modules"] = "all" if names == set(MODULES) else ",".join(name for name in MODULES if name in names)
        return texts

    @classmethod
    def module_combinations(cls) -> list[dict[str, Any]]:
        """All sets of modules, the empty one included, with 2 to 5 players."""
        sets = [tuple(m for k, m in enumerate(MODULE_NAMES) if bits >> k & 1) for bits in range(1 << len(MODULE_NAMES))]
        return [{"players": n, "modules": modules} for modules in sets for n in range(2, MAX_PLAYERS + 1)]

    @classmethod
    def mixtures(cls) -> dict[str, list[dict[str, Any]]]:
        """The non-empty sets of modules: ``training_modules``, ``held_out_modules`` and all of them.

        ``data/README.md`` says how they are split.
        """
        text = (files(__package__) / "data" / "held_out_modules.json").read_text(encoding="utf-8")
        split = {part: [{"modules": modules} for modules in json.loads(text)[part]] for part in ("training", "held_out")}
        return {f"{part}_modules": sets for part, sets in split.items()} | {"all_modules": split["training"] + split["held_out"]}

    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Whether each row was truncated by ``max_rounds`` (R8.4)."""
        states = self.checked_states(states)
        return cast(NDArray[np.bool_], (states["stage"] == Stage.OVER) & (states["ending"] == Ending.MAX_ROUNDS))

    def choice_phase(self, state: States) -> tuple[int, ...] | None:
        """A pick of the draft (R2.7), the choice of cards in a round (R3.1), or of tiles to give back (R7.1)."""
        g, stage = state[0], Stage(state["stage"][0])
        if stage in CHOOSING:
            return int(Stage.COMMIT), int(g.rounds)
        return {Stage.DRAFT: (int(stage), int(g.pick)), Stage.RETURN: (int(stage), int(g.rounds))}.get(stage)

    def breakdown(self, state: States, points: NDArray[np.int32]) -> tuple[dict[str, Any], ...]:
        """Points by source and by card, district and park."""
        return breakdown_of(self.checked_state(state), points)

    def action_text(self, state: States, action: int) -> str:
        """The notation of an action, such as ``R7+B12``."""
        return notation.action_text(state[0], action)

    def parse_action(self, state: States, text: str) -> int:
        """Parse the notation of an action."""
        return notation.parse_action(state[0], text)

    @cached_property
    def _form(self) -> Form:
        return form_of(replace(self.config, padded=False))  # positions are the same

    def position(self, state: States) -> dict[str, Any]:
        """The complete state as plain data."""
        return self._form.write(PlainRecord(self.checked_state(state)[0]), None)

    def from_position(self, position: Mapping[str, Any]) -> States:
        """The state that a position of this configuration describes."""
        return self.validated(read_state(self._form, position, self.template, derive), position)

    def chances(self, rows: Sequence[tuple[int, int, int, int]]) -> list[Chance]:
        """The random outcomes among the rows of a log (R11.4)."""
        return [_chance(Shuffle(which), items) for which, items in outcomes_of(rows)]

    def narrate(self, rows: Sequence[tuple[int, int, int, int]], names: Sequence[str]) -> list[str]:
        """The rows of a log as sentences."""
        return describe.narrate(rows, names)

    def visible(
        self, seat: int, before: States | None, action: int, after: States, rows: Sequence[tuple[int, int, int, int]]
    ) -> VisibleStep:
        """What a seat learns from a step (R10)."""
        start = None if before is None else before[0]
        return narrate.visible_step(self.checked_seat(seat), start, action, after[0], rows)

    def describe(self, state: States, seat: int | None = None, names: Sequence[str] | None = None, *, width: int = WIDTH) -> str:
        """The table as text of `width` columns."""
        return describe.describe(self.visible_state(state, seat, names), self.checked_width(width))

    def hide(self, g: PlainRecord, seat: int) -> None:
        """Hide what the declarations do not say (R10, X7.3)."""
        hide_from(g, seat)


def _chance(which: Shuffle, items: list[int]) -> Chance:
    name = which.name.lower()
    if which == Shuffle.FIRST_PLAYER:
        return Chance(name, items[0])
    if which == Shuffle.RANDOM_EXPERT:
        return Chance(name, EXPERT_NAMES[items[0]])
    if which == Shuffle.SETS:
        return Chance(name, items)
    table = {Shuffle.CHARACTERS: CHARACTER_NAMES, Shuffle.EXPERTS: EXPERT_NAMES}.get(which, NAMES)
    return Chance(name, [table[i] for i in items])


def _pieces(config: GinkgopolisConfig) -> Pieces:
    """How many tiles, cards, characters and experts of each id there are in a configuration, at most (R1, X)."""
    tiles = np.arange(TILE.n) < N_TILES
    stacks = ("new_buildings", FIRST_NEW_BUILDING, FIRST_PRESTIGE), ("prestige", FIRST_PRESTIGE, GREEN_SPACE)
    for module, first, stop in stacks:
        tiles[first:stop] = module in config.modules
    copies = tiles.astype(np.int64)
    copies[GREEN_SPACE] = N_GREEN_SPACES * ("green_spaces" in config.modules)
    each_once = {things: [1] * things.n for things in (CARD, EXPERT)}
    return {TILE: copies, CHARACTER: CHARACTER_COPIES, **each_once}


def _blank_state(config: GinkgopolisConfig) -> States:
    """The record that every game of a configuration starts from, before setup, shape (1,)."""
    states = empty_state(State, RECORD)
    g = states[0]
    solo = config.players == 1
    g["players"] = 2 if solo else config.players
    g["solo"], g["advanced"] = solo, config.level == "advanced"
    g["draft"], g["strict"] = config.setup == "draft" and not solo, config.strict
    g["max_rounds"] = config.max_rounds
    sides = int(g["players"])
    g["supply_resources"][:sides] = RESOURCES[config.players]
    g["new_hands"][:sides] = 0 if solo else NEW_HANDS
    g["token_x"], g["token_y"] = TOKEN_X, TOKEN_Y
    g["hand_size"] = SOLO_HAND_SIZE if solo else config.hand_size
    g["expansion"] = bool(config.modules)
    g["modules"] = [module.name.lower() in config.modules for module in Module]
    return states
