"""Positions: the complete state as plain data, by tables of forms (``docs/design/text-forms.md``)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.errors import short_repr
from ginkgo_env.core.forms import (
    FLAG,
    Form,
    Forms,
    at,
    by_name,
    checked_object,
    decision,
    each_of,
    each_seat,
    entry,
    fail,
    name_set,
    number,
    object_of,
    unless_null,
)
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.ginkgopolis.components import (
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

_STEPS = list(zip(DX.tolist(), DY.tolist(), strict=True))
_COORDINATE = number(-127, 127)
_MOST_BONUS = 127  # of a field of the record

_ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]
_KINDS = [stage.name.lower() for stage in Stage if stage < Stage.DEAL]
_SPLITS = [split.name.lower() for split in Split if split < Split.DONE]
_FORMS = Forms(
    State,
    {TILE: NAMES, CARD: NAMES[:N_ALL_CARDS], CHARACTER: CHARACTER_NAMES, EXPERT: EXPERT_NAMES, Ending: _ENDINGS},
    dict.fromkeys((TILE, CARD), RANK.tolist()),
)
_EVENTS = name_set(EVENT_NAMES)


# --- players -----------------------------------------------------------------------------------------------------------------


class PlayerField(NamedTuple):
    """A field of a player in positions: its form, label in descriptions, and module, if any."""

    form: Form
    label: str = ""
    module: Module | None = None

    def write(self, g: PlainRecord, p: int) -> Any:
        """Return the value of seat p as plain data."""
        return self.form.write(g, p)

    def names(self, g: PlainRecord, p: int) -> list[str]:
        """Return the names that a description lists."""
        value = self.write(g, p)
        return value if isinstance(value, list) else [] if value is None else [str(value)]


def _commitment(expansion: bool) -> Form:
    """Return the form of a committed card with what lies on it (R3.1, X4.2, X6.4).

    An event that has been revealed is pending, and no longer on the card.
    """
    event = unless_null(lambda g, p: p != g.player, _FORMS.field("event"))
    card = _FORMS.object("card", "tile", *(("lower", ("event", event)) if expansion else ()))
    return unless_null(lambda g, p: p is not None and g.card[p] != NONE, card)


def _player_fields(expansion: bool) -> dict[str, PlayerField]:
    """Return the fields of a player by key, in the order of positions."""
    field = _FORMS.field
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


def _cell_of(document: Any, g: PlainRecord, where: str) -> list[int]:
    if not isinstance(document, list) or len(document) != 2:
        raise fail(where, f"expected [x, y], got {short_repr(document)}")
    return [_COORDINATE.read(coordinate, g, where) for coordinate in document]


def _cell(x: str, y: str) -> Form:
    """Return the form of the cell of a building or a token, which is null for a token in hand."""

    def write(g: PlainRecord, p: int | None) -> list[int] | None:
        cell = [getattr(g, x)[p], getattr(g, y)[p]]
        return None if NOWHERE in cell else cell

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        getattr(g, x)[p], getattr(g, y)[p] = (NOWHERE, NOWHERE) if document is None else _cell_of(document, g, where)

    return Form(write, read)


def _tokens() -> Form:
    cell = _cell("token_x", "token_y")
    return object_of({name: at(lambda g, i=i: i, cell) for i, name in enumerate(NAMES[N_TILES:N_CARDS])})  # type: ignore[misc]


# --- the turn under way (X7.1) -------------------------------------------------------------------------------------------------


def _zone() -> Form:
    """Return the form of the zone of the event that is pending (X4.3)."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        given = checked_object(document, {"cell", "center"}, where)
        g.zone = [*_cell_of(given["cell"], g, f"{where}.cell"), FLAG.read(given["center"], g, f"{where}.center")]

    return Form(lambda g, p: {"cell": g.zone[:2], "center": bool(g.zone[2])}, read)


def _pending(expansion: bool) -> Form:
    """Return the form of the action under way."""
    split = entry("split", by_name(_SPLITS, number(0, N_NEW_BUILDINGS)))
    turn = (
        "phase",
        "timing",
        ("event", at(lambda g: g.player, _FORMS.field("event"))),
        ("zone", unless_null(lambda g, p: g.event[g.player] != NONE, _zone())),
        ("split", unless_null(lambda g, p: g.stage == Stage.SPLIT, split)),
        "green_drawn",
        "received",
    )
    action = unless_null(lambda g, p: g.phase not in UNTESTED, _FORMS.field("action"))
    pending = _FORMS.object("player", ("action", action), "draws", *(turn if expansion else ()))
    return unless_null(lambda g, p: g.stage in RESOLVING, pending)


# --- positions as a whole ----------------------------------------------------------------------------------------------------


def form_of(config: GinkgopolisConfig) -> Form:
    """Return the form of the positions of a configuration."""
    expansion = bool(config.modules)
    building = _FORMS.object(("cell", _cell("x", "y")), ("tile", entry("top", _FORMS.value("top"))), "floors", "owner", "pawn")
    stacks = ("new_buildings", "prestige", ("green_spaces", "green_stack"))
    player = {key: field.form for key, field in _player_fields(expansion).items() if expansion or field.module is None}
    return _FORMS.object(
        ("random", "rng"),
        "seed",
        ("round", "rounds"),
        ("first_player", "first"),
        ("decision", decision(_KINDS)),
        "ending",
        "exhaustions",
        ("pending", _pending(expansion)),
        ("city", each_of(building, "n_buildings", MAX_BUILDINGS)),
        ("tokens", _tokens()),
        "buried",
        "supply",
        "removed",
        "returned",
        "deck",
        "discard",
        *(stacks if expansion else ()),
        ("players", each_seat(object_of(player))),
        constants={"format": "ginkgo-position", "version": 1, "game": "ginkgopolis", "config": config.as_dict()},
    )


def derive(g: PlainRecord) -> None:
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


def _derive_city(g: PlainRecord) -> None:
    """Fill in the buildings by their tiles, their neighbors and the corner."""
    cells = {(g.x[s], g.y[s]): s for s in range(g.n_buildings)}
    g.west, g.north = min((x for x, _ in cells), default=0), min((y for _, y in cells), default=0)
    for (x, y), s in cells.items():
        g.adjacent[s] = [cells.get((x + dx, y + dy), NONE) for dx, dy in _STEPS]
    for s in range(g.n_buildings):
        if g.top[s] not in (GREEN_SPACE, NONE):
            g.slot[g.top[s]] = s


def _derive_turn(g: PlainRecord) -> None:
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
