"""Players in positions: a table of fields that are written, read, bounded and named in descriptions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail, fields_of, name_or_null, named, number
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MOST_A_ROUND,
    MOST_POINTS,
    N_CARDS,
    N_CHARACTERS,
    N_TILES,
    NEW_HANDS,
    NONE,
    RESOURCES,
    Module,
)
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_IDS, EVENT_NAMES, EXPERT_NAMES, HAS_CARD, IDS, NAMES
from ginkgo_env.games.ginkgopolis.text.notation import card_ids, members, names_at, names_in, tile_ids
from ginkgo_env.games.ginkgopolis.text.position.values import in_order, set_of
from ginkgo_env.games.ginkgopolis.text.reading import PILES, characters, tiles_in, with_module

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
