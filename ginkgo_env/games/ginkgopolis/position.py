"""Positions: the complete state as plain data, by tables of forms (``docs/design/text-forms.md``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.errors import shown
from ginkgo_env.core.forms import (
    At,
    ByName,
    Decision,
    Each,
    EachSeat,
    Flag,
    Form,
    Forms,
    NameSet,
    Number,
    Object,
    OrNothing,
    Same,
    checked_object,
    fail,
)
from ginkgo_env.core.state import Fields
from ginkgo_env.games.ginkgopolis.config import GinkgopolisConfig
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    N_ALL_CARDS,
    N_CARDS,
    N_CHARACTERS,
    N_NEW_BUILDINGS,
    N_TILES,
    NONE,
    NOWHERE,
    Ending,
    Module,
    Split,
    Stage,
)
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.queries import CHOOSING, RESOLVING, UNTESTED
from ginkgo_env.games.ginkgopolis.state import CARD, CHARACTER, EXPERT, TILE, State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_GAIN,
    CHARACTER_NAMES,
    DX,
    DY,
    EVENT_NAMES,
    EXPERT_NAMES,
    NAMES,
    RANK,
)

_STEPS = list(zip(DX.tolist(), DY.tolist(), strict=True))
_COORDINATE = Number(-127, 127)
_MOST_BONUS = 127  # of a field of the record

_ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]
_KINDS = [stage.name.lower() for stage in Stage if stage < Stage.DEAL]
_SPLITS = [split.name.lower() for split in Split if split < Split.DONE]
_FORMS = Forms(
    State,
    {TILE: NAMES, CARD: NAMES[:N_ALL_CARDS], CHARACTER: CHARACTER_NAMES, EXPERT: EXPERT_NAMES, Ending: _ENDINGS},
    dict.fromkeys((TILE, CARD), RANK.tolist()),
)
_EVENTS = NameSet(EVENT_NAMES, alone=True)


# --- players -----------------------------------------------------------------------------------------------------------------


class PlayerField(NamedTuple):
    """A field of a player in positions: its form, label in descriptions, and module, if any."""

    form: Form
    label: str = ""
    module: Module | None = None

    def write(self, g: Fields, p: int) -> Any:
        """Return the value of seat p as plain data."""
        return self.form.write(g, p)

    def names(self, g: Fields, p: int) -> list[str]:
        """Return the names that a description lists."""
        value = self.write(g, p)
        return value if isinstance(value, list) else [] if value is None else [str(value)]


def _commitment(expansion: bool) -> Form:
    """Return the form of a committed card with what lies on it (R3.1, X4.2, X6.4).

    An event that has been revealed is pending, and no longer on the card.
    """
    event = OrNothing(lambda g, p: p != g.player, _FORMS.field("event"))
    card = _FORMS.object("card", "tile", *(("lower", ("event", event)) if expansion else ()))
    return OrNothing(lambda g, p: p is not None and g.card[p] != NONE, card)


def _player_fields(expansion: bool) -> dict[str, PlayerField]:
    """Return the fields of a player by key, in the order of positions."""
    field, entry = _FORMS.field, _FORMS.entry
    return {
        "points": PlayerField(field("points"), "SP"),
        "resources": PlayerField(field("resources"), "resources"),
        "supply": PlayerField(field("supply_resources"), "supply"),
        "new_hands": PlayerField(field("new_hands"), "New Hands"),
        "characters": PlayerField(field("characters")),
        "packet": PlayerField(field("packet"), "packet"),
        "hand": PlayerField(field("hand"), "cards"),
        "commitment": PlayerField(_commitment(expansion)),
        "tiles": PlayerField(field("tiles"), "tiles"),
        "returning": PlayerField(field("aside"), "giving back"),
        "known_tiles": PlayerField(field("known_tiles"), "tiles"),
        "tableau": PlayerField(field("tableau")),
        "passed": PlayerField(field("passed")),
        "expert": PlayerField(field("expert"), "", Module.EXPERTS),
        "packet_experts": PlayerField(field("packet_experts"), "packet", Module.EXPERTS),
        "events": PlayerField(entry("events", _EVENTS), "events", Module.EVENTS),
        "events_played": PlayerField(entry("events_played", _EVENTS), "events played", Module.EVENTS),
        "kept": PlayerField(field("kept"), "kept", Module.KEEP_CARD),
        "lower_tiles": PlayerField(field("lower_tiles"), "hidden tiles in the city", Module.EXPERTS),
        "known_events": PlayerField(entry("events_known", _EVENTS), "events", Module.EVENTS),
    }


FIELD = _player_fields(expansion=True)
"""All fields of a player by their keys; those of modules are in positions of games with any module."""


# --- the city ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell(Form):
    """The cell of a building or a token, null for a token in hand."""

    x: str
    y: str

    def write(self, g: Fields, p: int | None = None) -> list[int] | None:
        """Return the coordinates."""
        cell = [getattr(g, self.x)[p], getattr(g, self.y)[p]]
        return None if NOWHERE in cell else cell

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the coordinates."""
        x, y = (NOWHERE, NOWHERE) if data is None else cell_of(data, g, where)
        getattr(g, self.x)[p], getattr(g, self.y)[p] = x, y


def cell_of(data: Any, g: Fields, where: str) -> tuple[int, int]:
    """Return a cell. Raises PositionError."""
    if not isinstance(data, list) or len(data) != 2:
        raise fail(where, f"expected [x, y], got {shown(data)}")
    return _COORDINATE.read(data[0], g, where), _COORDINATE.read(data[1], g, where)


def _at(place: int, form: Form) -> Form:
    return At(lambda g: place, form)


# --- the turn under way (X7.1) -------------------------------------------------------------------------------------------------


class Zone(Form):
    """The zone of the event that is pending (X4.3)."""

    def write(self, g: Fields, p: int | None = None) -> dict[str, Any]:
        """Return an object."""
        return {"cell": g.zone[:2], "center": bool(g.zone[2])}

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read an object."""
        given = checked_object(data, {"cell", "center"}, where)
        g.zone = [*cell_of(given["cell"], g, f"{where}.cell"), Flag().read(given["center"], g, f"{where}.center")]


def _pending(expansion: bool) -> Form:
    """Return the form of the action under way."""
    split = _FORMS.entry("split", ByName(_SPLITS, Number(0, N_NEW_BUILDINGS)))
    turn = (
        "phase",
        "timing",
        ("event", At(lambda g: g.player, _FORMS.field("event"))),
        ("zone", OrNothing(lambda g, p: g.event[g.player] != NONE, Zone())),
        ("split", OrNothing(lambda g, p: g.stage == Stage.SPLIT, split)),
        "green_drawn",
        "received",
    )
    action = OrNothing(lambda g, p: g.phase not in UNTESTED, _FORMS.field("action"))
    pending = _FORMS.object("player", ("action", action), "draws", *(turn if expansion else ()))
    return OrNothing(lambda g, p: g.stage in RESOLVING, pending)


# --- positions as a whole ----------------------------------------------------------------------------------------------------


def form_of(config: GinkgopolisConfig) -> Object:
    """Return the form of the positions of a configuration."""
    expansion = bool(config.modules)
    building = _FORMS.object(("cell", Cell("x", "y")), ("tile", _FORMS.entry("top")), "floors", "owner", "pawn")
    tokens = {name: _at(i, Cell("token_x", "token_y")) for i, name in enumerate(NAMES[N_TILES:N_CARDS])}
    stacks = ("new_buildings", "prestige", ("green_spaces", "green_stack"))
    player = {key: field.form for key, field in _player_fields(expansion).items() if expansion or field.module is None}
    return _FORMS.object(
        ("format", Same("ginkgo-position")),
        ("version", Same(1)),
        ("game", Same("ginkgopolis")),
        ("config", Same(config.as_dict())),
        ("random", "rng"),
        "seed",
        ("round", "rounds"),
        ("first_player", "first"),
        ("decision", Decision(_KINDS)),
        "ending",
        "exhaustions",
        ("pending", _pending(expansion)),
        ("city", Each(building, "n_buildings", MAX_BUILDINGS)),
        ("tokens", Object(tokens)),
        "buried",
        "supply",
        "removed",
        "returned",
        "deck",
        "discard",
        *(stacks if expansion else ()),
        ("players", EachSeat(Object(player))),
    )


def derive(g: Fields) -> None:
    """Fill in the fields that follow from others."""
    _derive_city(g)
    if g.stage in CHOOSING:
        g.cursor = (g.actor - g.first) % g.players
    if g.stage in RESOLVING:
        _derive_turn(g)
    if g.stage == Stage.DRAFT:
        g.pick = sum(g.characters[g.actor]) + (g.expert[g.actor] != NONE)
        return
    for p in range(1 if g.solo else g.players):
        bonus = np.zeros_like(g.bonus[p])
        np.add.at(bonus, CHARACTER_ACTION, np.array(g.characters[p])[:N_CHARACTERS, None] * CHARACTER_GAIN)
        for card in members(g.tableau[p]):
            if CARD_ACTION[card] != NONE:
                bonus[CARD_ACTION[card]] += CARD_GAIN[card]
        g.bonus[p] = np.minimum(bonus, _MOST_BONUS).tolist()


def _derive_city(g: Fields) -> None:
    """Fill in the buildings by their tiles, their neighbors and the corner."""
    cells = {(g.x[s], g.y[s]): s for s in range(g.n_buildings)}
    g.west, g.north = min((x for x, _ in cells), default=0), min((y for _, y in cells), default=0)
    for (x, y), s in cells.items():
        g.adjacent[s] = [cells.get((x + dx, y + dy), NONE) for dx, dy in _STEPS]
    for s in range(g.n_buildings):
        if g.top[s] not in (GREEN_SPACE, NONE):
            g.slot[g.top[s]] = s


def _derive_turn(g: Fields) -> None:
    """Fill in how far the turn under way is."""
    if not g.solo:
        g.cursor = (g.player - g.first) % g.players
    if g.stage == Stage.RETURN:
        g.returner = (g.actor - g.first) % g.players
        g.is_split = g.expansion
    if g.stage == Stage.TOKEN:
        g.building = g.n_buildings - 1
    if g.stage == Stage.PAY:
        g.payer = (g.actor - g.player - 1) % g.players
