"""Positions: the complete state as plain data, and back (``docs/design/text-forms.md``).

Reading is strict. A position with missing, unknown or impossible values is refused with an error that names the place. Whether
the values go together is checked afterwards, in the record (``validity``). A position that is accepted is written again exactly
as it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ginkgo_env.core import validation
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import States
from ginkgo_env.core.state import Fields
from ginkgo_env.core.validation import (
    choice,
    drawn_from,
    fail,
    fields_of,
    flag,
    listed,
    name_or_null,
    named,
    number,
    or_null,
    pile_of,
    same,
    word,
)
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_BUILDINGS,
    MOST_A_ROUND,
    MOST_DRAWS,
    MOST_POINTS,
    MOST_RECEIVED,
    N_CARDS,
    N_CHARACTERS,
    N_GREEN_SPACES,
    N_LETTERS,
    N_NEW_BUILDINGS,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    NOWHERE,
    RESOURCES,
    WORDS,
    Action,
    Ending,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.notation import card_ids, members, names_at, names_in, tile_ids
from ginkgo_env.games.ginkgopolis.queries import CHOOSING, PILES, RESOLVING, UNTESTED, characters, tiles_in, with_module
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_IDS,
    DX,
    DY,
    EVENT_NAMES,
    EXPERT_NAMES,
    HAS_CARD,
    IDS,
    NAMES,
    RANK,
)
from ginkgo_env.games.ginkgopolis.validity import FARTHEST

# --- values of this game, besides those of core.validation -------------------------------------------------------------------


_RANK = RANK.tolist()


def in_order(
    value: Any, table: Mapping[str, int], where: str, several: Container[int] = (), rank: Sequence[int] = _RANK
) -> list[int]:
    """Return the ids of a list of names in a fixed order: that of tiles and cards (R11.1), or `rank`."""
    return validation.in_order(value, table, where, several, rank)


def cell(value: Any, far: int, where: str) -> tuple[int, int]:
    """Return a cell at most `far` away from the top left cell of the start square in each direction."""
    if not isinstance(value, list) or len(value) != 2:
        raise fail(where, f"expected [x, y], got {shown(value)}")
    return number(value[0], -far, far, where), number(value[1], -far, far, where)


def set_of(ids: Sequence[int], words: int = WORDS) -> list[int]:
    """Return a set as in the record: words of 64 bits."""
    bits = [0] * words
    for i in ids:
        bits[i >> 6] |= 1 << (i & 63)
    return bits


# --- the city: buildings, green spaces and tokens ----------------------------------------------------------------------------


_Cells = dict[tuple[int, int], int]
_STEPS = list(zip(DX.tolist(), DY.tolist(), strict=True))
_LETTERS = NAMES[N_TILES : N_TILES + N_LETTERS]
_BUILDING = {"cell", "tile", "floors", "owner", "pawn"}


def write_city(g: Fields) -> dict[str, Any]:
    """Return buildings in order of arrival, and tokens, as plain data."""
    return {"city": [_write_building(g, s) for s in range(g.n_buildings)], "tokens": _write_tokens(g)}


def read_city(g: Fields, data: Mapping[str, Any]) -> None:
    """Read buildings and tokens into the record. Raises PositionError."""
    city = data["city"]
    if not isinstance(city, list) or not 1 <= len(city) <= MAX_BUILDINGS:
        raise fail("city", f"expected a list of 1 to {MAX_BUILDINGS} buildings, got {shown(city)}")
    far = FARTHEST - ((MAX_BUILDINGS if g.expansion else N_TILES) - len(city))
    cells: _Cells = {}
    for s, building in enumerate(city):
        _read_building(g, s, building, cells, far)
    g.n_buildings = len(city)
    g.west, g.north = min(x for x, _ in cells), min(y for _, y in cells)
    for (x, y), s in cells.items():
        g.adjacent[s] = [cells.get((x + dx, y + dy), NONE) for dx, dy in _STEPS]
    _read_tokens(g, data["tokens"], far + 1)


def _write_building(g: Fields, s: int) -> dict[str, Any]:
    return {
        "cell": [g.x[s], g.y[s]],
        "tile": NAMES[g.top[s]],
        "floors": g.floors[s],
        "owner": or_null(g.owner[s]),
        "pawn": bool(g.pawn[s]),
    }


def _read_building(g: Fields, s: int, building: Any, cells: _Cells, far: int) -> None:
    where = f"city[{s}]"
    fields = fields_of(building, _BUILDING, where)
    g.x[s], g.y[s] = place = cell(fields["cell"], far, f"{where}.cell")
    cells[place] = s
    g.top[s] = named(fields["tile"], tile_ids(g), f"{where}.tile")
    g.floors[s] = number(fields["floors"], 1, N_TILES, f"{where}.floors")
    owner = fields["owner"]
    g.owner[s] = NOBODY if owner is None else number(owner, 0, g.players - 1, f"{where}.owner")
    g.pawn[s] = flag(fields["pawn"], f"{where}.pawn")
    if g.top[s] != GREEN_SPACE:
        g.slot[g.top[s]] = s


def _write_tokens(g: Fields) -> dict[str, list[int] | None]:
    cells = zip(_LETTERS, g.token_x, g.token_y, strict=True)
    return {letter: None if x == NOWHERE else [x, y] for letter, x, y in cells}


def _read_tokens(g: Fields, tokens: Any, far: int) -> None:
    fields = fields_of(tokens, set(_LETTERS), "tokens")
    for i, letter in enumerate(_LETTERS):
        place = fields[letter]
        g.token_x[i], g.token_y[i] = (NOWHERE, NOWHERE) if place is None else cell(place, far, f"tokens.{letter}")


# --- players: a table of fields that are written, read, bounded and named in descriptions ------------------------------------


_Ids = Mapping[str, int]

BASE_TILES: _Ids = {name: i for name, i in IDS.items() if i < N_TILES}
BUILDING_CARDS: _Ids = {name: i for name, i in IDS.items() if HAS_CARD[i] and not N_TILES <= i < N_CARDS}
EVENTS: _Ids = {name: i for i, name in enumerate(EVENT_NAMES)}
EXPERTS: _Ids = {name: i for i, name in enumerate(EXPERT_NAMES)}


def building_cards(g: Fields) -> _Ids:
    """Return the building cards of the game; they name the tiles that can be built on."""
    return BUILDING_CARDS if g.expansion else BASE_TILES


# --- kinds of fields -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """A field: key in positions, name in the record, label in descriptions, and module, if any."""

    key: str
    place: str
    label: str = ""
    module: Module | None = None

    def write(self, g: Fields, p: int) -> Any:
        """Return the value of seat p as plain data."""
        return self._to_data(getattr(g, self.place)[p])

    def read(self, g: Fields, p: int, value: Any, where: str) -> None:
        """Read the value of seat p from plain data into the record. Raises PositionError."""
        getattr(g, self.place)[p] = self._from_data(g, value, where)

    def _to_data(self, value: Any) -> Any:
        return value

    def _from_data(self, g: Fields, value: Any, where: str) -> Any:
        raise NotImplementedError

    def names(self, g: Fields, p: int) -> list[str]:
        """Return the names that a description lists."""
        value = self.write(g, p)
        return value if isinstance(value, list) else [] if value is None else [str(value)]


@dataclass(frozen=True, kw_only=True)
class Number(Field):
    """A number from 0 to `most(g)`."""

    most: Callable[[Fields], int]

    def _from_data(self, g: Fields, value: Any, where: str) -> int:
        return number(value, 0, self.most(g), where)


@dataclass(frozen=True)
class Characters(Field):
    """Characters, which may be equal."""

    def _to_data(self, value: Any) -> list[str]:
        return characters(value)

    def _from_data(self, g: Fields, value: Any, where: str) -> list[int]:
        kinds = range(N_CHARACTERS)
        numbers = in_order(value, CHARACTER_IDS, where, kinds, rank=kinds)
        return [numbers.count(kind) for kind in kinds]


@dataclass(frozen=True, kw_only=True)
class Cards(Field):
    """A set of cards."""

    ids: Callable[[Fields], _Ids] = card_ids

    def _to_data(self, value: Any) -> list[str]:
        return names_in(value)

    def _from_data(self, g: Fields, value: Any, where: str) -> list[int]:
        return set_of(in_order(value, self.ids(g), where))


@dataclass(frozen=True)
class Tiles(Field):
    """A set of tiles; green spaces are equal (X3)."""

    def write(self, g: Fields, p: int) -> list[str]:
        """Return names in order."""
        return tiles_in(g, self.place, p)

    def read(self, g: Fields, p: int, value: Any, where: str) -> None:
        """Read names in order."""
        tiles = in_order(value, tile_ids(g), where, (GREEN_SPACE,))
        getattr(g, self.place)[p] = set_of(tiles)
        getattr(g, PILES[self.place])[p] = tiles.count(GREEN_SPACE)


@dataclass(frozen=True)
class Events(Field):
    """Event tiles, held as bits."""

    def _to_data(self, value: Any) -> list[str]:
        return names_at(value, EVENT_NAMES)

    def _from_data(self, g: Fields, value: Any, where: str) -> int:
        return set_of(in_order(value, EVENTS, where, rank=range(len(EVENTS))), 1)[0]


@dataclass(frozen=True)
class Experts(Field):
    """Experts, held as a set of one word."""

    def _to_data(self, value: Any) -> list[str]:
        return [EXPERT_NAMES[expert] for expert in members(value)]

    def _from_data(self, g: Fields, value: Any, where: str) -> list[int]:
        return set_of(in_order(value, EXPERTS, where, rank=range(len(EXPERTS))), 1)


@dataclass(frozen=True, kw_only=True)
class OptionalName(Field):
    """One card, tile, event or expert, or null."""

    ids: Callable[[Fields], _Ids]
    all_names: Sequence[str] = tuple(NAMES)

    def _to_data(self, value: Any) -> str | None:
        return name_or_null(value, self.all_names)

    def _from_data(self, g: Fields, value: Any, where: str) -> int:
        return NONE if value is None else named(value, self.ids(g), where)


@dataclass(frozen=True, kw_only=True)
class EventOnCard(OptionalName):
    """The event tile on a card not revealed yet; afterwards the event is pending."""

    def write(self, g: Fields, p: int) -> Any:
        """Return a name or null."""
        return None if p == g.player else super().write(g, p)

    def read(self, g: Fields, p: int, value: Any, where: str) -> None:
        """Read a name or null."""
        if p != g.player:
            super().read(g, p, value, where)
        elif value is not None:
            raise fail(where, "expected null, as the event has been revealed and is pending")


@dataclass(frozen=True)
class Commitment(Field):
    """A committed card with what lies on it, or null."""

    def write(self, g: Fields, p: int) -> dict[str, Any] | None:
        """Return an object or null."""
        return None if getattr(g, self.place)[p] == NONE else write_all(ON_CARD, g, p)

    def read(self, g: Fields, p: int, value: Any, where: str) -> None:
        """Read an object or null."""
        if value is None:
            return
        read_all(ON_CARD, g, p, value, where)
        if value["card"] is None:
            raise fail(f"{where}.card", "expected a card, got null")


# --- the tables ------------------------------------------------------------------------------------------------------------


def _most_points(g: Fields) -> int:
    """Return a bound of SP by this round, so that positions played from here can be read again."""
    return min(MOST_POINTS, MOST_A_ROUND * (1 + g.rounds))


def _all_resources(g: Fields) -> int:
    return RESOURCES[1 if g.solo else g.players]


ON_CARD: tuple[Field, ...] = (
    OptionalName("card", "card", ids=card_ids),
    OptionalName("tile", "tile", ids=tile_ids),
    OptionalName("lower", "lower", module=Module.EXPERTS, ids=tile_ids),
    EventOnCard("event", "event", module=Module.EVENTS, ids=lambda g: EVENTS, all_names=EVENT_NAMES),
)
"""Fields of a commitment (R3.1, X4.2, X6.4)."""

PLAYER: tuple[Field, ...] = (
    Number("points", "points", "SP", most=_most_points),
    Number("resources", "resources", "resources", most=_all_resources),
    Number("supply", "supply_resources", "supply", most=_all_resources),
    Number("new_hands", "new_hands", "New Hands", most=lambda g: 0 if g.solo else NEW_HANDS),
    Characters("characters", "characters"),
    Characters("packet", "packet", "packet"),
    Cards("hand", "hand", "cards"),
    Commitment("commitment", "card"),
    Tiles("tiles", "tiles", "tiles"),
    Tiles("returning", "aside", "giving back"),
    Tiles("known_tiles", "known_tiles", "tiles"),
    Cards("tableau", "tableau", ids=building_cards),
    Cards("passed", "passed"),
    OptionalName("expert", "expert", module=Module.EXPERTS, ids=lambda g: EXPERTS, all_names=EXPERT_NAMES),
    Experts("packet_experts", "packet_experts", "packet", Module.EXPERTS),
    Events("events", "events", "events", Module.EVENTS),
    Events("events_played", "events_played", "events played", Module.EVENTS),
    OptionalName("kept", "kept", "kept", Module.KEEP_CARD, ids=card_ids),
    Tiles("lower_tiles", "lower_tiles", "hidden tiles in the city", Module.EXPERTS),
    Events("known_events", "events_known", "events", Module.EVENTS),
)
"""All fields of a player, in the order of positions; those of modules exist with any module."""

FIELD: Mapping[str, Field] = {field.key: field for field in PLAYER}


def _fields_of_game(table: tuple[Field, ...], g: Fields) -> tuple[Field, ...]:
    return table if g.expansion else tuple(field for field in table if field.module is None)


def write_all(table: tuple[Field, ...], g: Fields, p: int) -> dict[str, Any]:
    """Return the fields of a table as an object."""
    return {field.key: field.write(g, p) for field in _fields_of_game(table, g)}


def read_all(table: tuple[Field, ...], g: Fields, p: int, value: Any, where: str) -> None:
    """Read the fields of a table from an object into the record. Raises PositionError."""
    present = _fields_of_game(table, g)
    given = fields_of(value, {field.key for field in present}, where)
    for field in present:
        value = given[field.key]
        empty = value is None or (isinstance(value, list) and not value)
        if field.module is not None and not empty and not with_module(g, field.module):
            raise fail(f"{where}.{field.key}", f"requires the module {field.module.name.lower()}")
        field.read(g, p, value, f"{where}.{field.key}")


# --- the turn under way: player, action, tiles still to be drawn, event (X7.1) -----------------------------------------------


_ACTIONS = {action.name.lower(): int(action) for action in Action}
_PHASES = {phase.name.lower(): int(phase) for phase in Phase}
_TIMINGS = {timing.name.lower(): int(timing) for timing in Timing}
_SPLITS = [split.name.lower() for split in Split if split < Split.DONE]
_PENDING_KEYS = {"player", "action", "draws"}
_TURN_KEYS = {"phase", "timing", "event", "zone", "split", "green_drawn", "received"}


def write_pending(g: Fields) -> dict[str, Any] | None:
    """Return the action being resolved as plain data, or None."""
    if g.stage not in RESOLVING:
        return None
    pending = {"player": g.player, "action": list(_ACTIONS)[g.action], "draws": g.draws}
    return pending | _write_turn(g) if g.expansion else pending


def read_pending(g: Fields, pending: Any) -> None:
    """Read the action being resolved into the record. Raises PositionError."""
    if g.stage not in RESOLVING:
        if pending is not None:
            raise fail("pending", "expected null, as no action is under way")
        return
    fields = fields_of(pending, _PENDING_KEYS | _TURN_KEYS if g.expansion else _PENDING_KEYS, "pending")
    g.player = number(fields["player"], 0, g.players - 1, "pending.player")
    g.draws = number(fields["draws"], 0, MOST_DRAWS, "pending.draws")
    if g.expansion:
        _read_turn(g, fields)
    if fields["action"] is not None or not g.expansion:
        g.action = choice(fields["action"], _ACTIONS, "pending.action")
    if g.stage == Stage.RETURN:
        if g.solo:
            raise fail("decision.kind", "no tiles are returned in a solo game (R9.5)")
        g.returner = (g.actor - g.first) % g.players
    if not g.solo:
        g.cursor = (g.player - g.first) % g.players


def _write_turn(g: Fields) -> dict[str, Any]:
    """Return the fields that modules add."""
    event = g.event[g.player]
    x, y, center = g.zone
    return {
        **({"action": None} if g.phase in UNTESTED else {}),
        "phase": list(_PHASES)[g.phase],
        "timing": name_or_null(g.timing, list(_TIMINGS)),
        "event": name_or_null(event, EVENT_NAMES),
        "zone": None if event == NONE else {"cell": [x, y], "center": bool(center)},
        "split": dict(zip(_SPLITS, g.split, strict=True)) if g.stage == Stage.SPLIT else None,
        "green_drawn": bool(g.green_drawn),
        "received": g.received,
    }


def _read_turn(g: Fields, pending: Any) -> None:
    """Read the fields that modules add."""
    g.phase = choice(pending["phase"], _PHASES, "pending.phase")
    if (pending["action"] is None) != (g.phase in UNTESTED):
        raise fail("pending.action", "expected null if and only if R5.7 has not been tested yet")
    if pending["timing"] is not None:
        g.timing = choice(pending["timing"], _TIMINGS, "pending.timing")
    if pending["event"] is not None:
        g.event[g.player] = choice(pending["event"], EVENTS, "pending.event")
    _read_zone(g, pending["event"], pending["zone"])
    if (pending["split"] is not None) != (g.stage == Stage.SPLIT):
        raise fail("pending.split", "expected an object if and only if the decision is a split")
    if g.stage == Stage.SPLIT:
        split = fields_of(pending["split"], set(_SPLITS), "pending.split")
        g.split = [number(split[key], 0, N_NEW_BUILDINGS, f"pending.split.{key}") for key in _SPLITS]
    g.green_drawn = flag(pending["green_drawn"], "pending.green_drawn")
    g.received = number(pending["received"], 0, MOST_RECEIVED, "pending.received")
    g.is_split = int(g.stage == Stage.RETURN)
    if g.stage == Stage.PAY:
        g.payer = (g.actor - g.player - 1) % g.players


def _read_zone(g: Fields, event: Any, zone: Any) -> None:
    if (event is None) != (zone is None):
        raise fail("pending.zone", "expected an object if and only if an event is pending")
    if zone is not None:
        fields = fields_of(zone, {"cell", "center"}, "pending.zone")
        x, y = cell(fields["cell"], 127, "pending.zone.cell")
        g.zone = [x, y, flag(fields["center"], "pending.zone.center")]


# --- positions as a whole ----------------------------------------------------------------------------------------------------


_HEAD = {"format": "ginkgo-position", "version": 1, "game": "ginkgopolis"}
_KEYS = {
    *(*_HEAD, "config", "random", "seed", "round", "first_player", "decision", "ending", "exhaustions", "pending"),
    *("city", "tokens", "buried", "supply", "removed", "returned", "deck", "discard", "players"),
}
_STACK_KEYS = {"new_buildings", "prestige", "green_spaces"}  # with modules
_CONFIG_KEYS = {"modules", "hand_size"}  # with modules

_KINDS = {stage.name.lower(): int(stage) for stage in Stage if stage < Stage.DEAL}
_KIND_OF = {stage: kind for kind, stage in _KINDS.items()}
_ENDINGS: dict[str | None, int] = {e.name.lower() if e else None: int(e) for e in Ending}
_ENDING_OF = {ending: name for name, ending in _ENDINGS.items()}
_NEW_BUILDINGS = {name: i for name, i in IDS.items() if FIRST_NEW_BUILDING <= i < FIRST_PRESTIGE}
_PRESTIGE = {name: i for name, i in IDS.items() if FIRST_PRESTIGE <= i < GREEN_SPACE}
_NEEDS = {
    Stage.EVENTS: {Module.EVENTS},
    Stage.LOWER: {Module.EXPERTS},
    Stage.EVENT: {Module.EVENTS},
    Stage.KEEP: {Module.KEEP_CARD},
    Stage.TIMING: {Module.EVENTS},
    Stage.SPLIT: {Module.NEW_BUILDINGS, Module.PRESTIGE, Module.GREEN_SPACES},
    Stage.PAY: {Module.EVENTS},
}
"""The modules that bring a decision, any of which is enough."""


def write_position(record: State, config: GinkgopolisConfig) -> dict[str, Any]:
    """Return a record as plain data."""
    g = Fields(record)
    return {
        **_HEAD,
        "config": config.as_dict(),
        **_write_status(g),
        **write_city(g),
        **_write_piles(g),
        "players": [write_all(PLAYER, g, p) for p in range(g.players)],
    }


def read_config(position: Any) -> GinkgopolisConfig:
    """Return the configuration of a position. Raises PositionError."""
    if not isinstance(position, Mapping):
        raise fail("the whole", f"expected an object, got {shown(position)}")
    given, keys = position.get("config"), set(asdict(GinkgopolisConfig())) - {"padded"}
    with_modules = isinstance(given, Mapping) and "modules" in given
    fields = fields_of(given, keys if with_modules else keys - _CONFIG_KEYS, "config")
    if with_modules and (not isinstance(fields["modules"], list) or not fields["modules"]):
        raise fail("config.modules", "expected a list of at least one name; without modules, omit modules and hand_size")
    try:
        config = GinkgopolisConfig(**fields)
    except (ConfigError, TypeError) as error:
        raise fail("config", str(error)) from None
    if with_modules and list(config.modules) != fields["modules"]:
        raise fail("config.modules", f"expected in order: {', '.join(config.modules)}")
    return config


def read_position(position: Any, template: States) -> States:
    """Return a record of shape (1,), which may not be sound, from plain data. Raises PositionError.

    template : the blank record of the configuration
    """
    g = Fields(template[0])
    data = fields_of(position, _KEYS | _STACK_KEYS if g.expansion else _KEYS, "the whole")
    for key, expected in _HEAD.items():
        same(data[key], expected, key)
    _read_status(g, data)
    read_city(g, data)
    _read_piles(g, data)
    players = data["players"]
    if not isinstance(players, list) or len(players) != g.players:
        raise fail("players", f"expected a list of {g.players} players")
    for p, player in enumerate(players):
        read_all(PLAYER, g, p, player, f"players[{p}]")
    _derive(g)
    states: States = template.copy().view(np.recarray)
    g.store(states[0])
    return states


# --- status ----------------------------------------------------------------------------------------------------------------


def _write_status(g: Fields) -> dict[str, Any]:
    return {
        "random": f"0x{g.rng:016x}",
        "seed": f"0x{g.seed:016x}",
        "round": g.rounds,
        "first_player": or_null(g.first),
        "decision": {"kind": _KIND_OF[g.stage], "actor": or_null(g.actor)},
        "ending": _ENDING_OF[g.ending],
        "exhaustions": g.exhaustions,
        "pending": write_pending(g),
    }


def _read_status(g: Fields, data: Mapping[str, Any]) -> None:
    seats = 1 if g.solo else g.players
    g.rng, g.seed = word(data["random"], "random"), word(data["seed"], "seed")
    g.rounds = number(data["round"], 0, g.max_rounds, "round")
    first = data["first_player"]
    g.first = NOBODY if first is None else number(first, 0, seats - 1, "first_player")
    decision = fields_of(data["decision"], {"kind", "actor"}, "decision")
    g.stage = choice(decision["kind"], _kinds(g), "decision.kind")
    if g.stage == Stage.OVER:
        if decision["actor"] is not None:
            raise fail("decision.actor", "expected null, as the game is over")
        g.actor = NOBODY
    else:
        g.actor = number(decision["actor"], 0, seats - 1, "decision.actor")
    setup = g.stage in (Stage.DRAFT, Stage.EVENTS)
    if setup != (g.first == NOBODY) or setup != (g.rounds == 0):
        raise fail("first_player", "expected null and round 0 if and only if the game is in setup")
    g.ending = choice(data["ending"], _ENDINGS, "ending")
    g.exhaustions = number(data["exhaustions"], 0, 2, "exhaustions")
    if g.stage == Stage.OVER and g.ending == Ending.NONE:
        raise fail("ending", "expected an ending, as the game is over")
    if g.stage in CHOOSING:
        g.cursor = (g.actor - g.first) % g.players
    read_pending(g, data["pending"])


def _kinds(g: Fields) -> dict[str, int]:
    """Return the decisions that occur in this configuration."""
    modules = {module for module in Module if g.modules[module]}
    kinds = {name: stage for name, stage in _KINDS.items() if stage not in _NEEDS or _NEEDS[Stage(stage)] & modules}
    if not g.draft:
        del kinds["draft"]
    if Module.EXPERTS in modules:  # they bring their events (X4.1)
        kinds.pop("events", None)
    return kinds


# --- piles -----------------------------------------------------------------------------------------------------------------


def _write_piles(g: Fields) -> dict[str, Any]:
    piles = {
        "buried": names_in(g.buried),
        "supply": drawn_from(g.supply, g.supply_size, NAMES),
        "removed": names_in(g.removed),
        "returned": names_in(g.returned),
        "deck": drawn_from(g.deck, g.deck_size, NAMES),
        "discard": names_in(g.discard),
    }
    if g.expansion:
        piles["new_buildings"] = drawn_from(g.new_buildings, g.n_new_buildings, NAMES)
        piles["prestige"] = names_in(g.prestige)
        piles["green_spaces"] = g.green_stack
    return piles


def _read_piles(g: Fields, data: Mapping[str, Any]) -> None:
    supply, deck = listed(data["supply"], BASE_TILES, "supply"), listed(data["deck"], card_ids(g), "deck")
    g.supply, g.supply_size = pile_of(supply, len(g.supply)), len(supply)
    g.deck, g.deck_size = pile_of(deck, len(g.deck)), len(deck)
    g.buried = set_of(in_order(data["buried"], building_cards(g), "buried"))
    g.removed = set_of(in_order(data["removed"], BASE_TILES, "removed"))
    g.returned = set_of(in_order(data["returned"], BASE_TILES, "returned"))
    g.discard = set_of(in_order(data["discard"], card_ids(g), "discard"))
    if g.expansion:
        stack = listed(data["new_buildings"], _NEW_BUILDINGS, "new_buildings")
        g.new_buildings, g.n_new_buildings = pile_of(stack, len(g.new_buildings)), len(stack)
        g.prestige = set_of(in_order(data["prestige"], _PRESTIGE, "prestige"))
        g.green_stack = number(data["green_spaces"], 0, N_GREEN_SPACES, "green_spaces")


# --- derived fields -----------------------------------------------------------------------------------------------------


def _derive(g: Fields) -> None:
    """Set the fields that follow from others."""
    if g.stage == Stage.TOKEN:
        g.building = g.n_buildings - 1
    if g.stage == Stage.DRAFT:
        g.pick = sum(g.characters[g.actor]) + (g.expert[g.actor] != NONE)
        return
    for p in range(1 if g.solo else g.players):
        bonus = np.zeros_like(g.bonus[p])
        np.add.at(bonus, CHARACTER_ACTION, np.array(g.characters[p])[:N_CHARACTERS, None] * CHARACTER_GAIN)
        for card in members(g.tableau[p]):
            if CARD_ACTION[card] != NONE:
                bonus[CARD_ACTION[card]] += CARD_GAIN[card]
        g.bonus[p] = bonus.tolist()
