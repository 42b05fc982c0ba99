"""The turn under way in a position: player, action, tiles still to be drawn, event (X7.1)."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import choice, fail, fields_of, flag, name_or_null, number
from ginkgo_env.games.ginkgopolis.constants import (
    MOST_DRAWS,
    MOST_RECEIVED,
    N_NEW_BUILDINGS,
    NONE,
    Action,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES
from ginkgo_env.games.ginkgopolis.text.position.player import EVENTS
from ginkgo_env.games.ginkgopolis.text.position.values import cell
from ginkgo_env.games.ginkgopolis.text.reading import RESOLVING, UNTESTED

_ACTIONS = {action.name.lower(): int(action) for action in Action}
_PHASES = {phase.name.lower(): int(phase) for phase in Phase}
_TIMINGS = {timing.name.lower(): int(timing) for timing in Timing}
_SPLITS = [split.name.lower() for split in Split if split < Split.DONE]
_KEYS = {"player", "action", "draws"}
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
    fields = fields_of(pending, _KEYS | _TURN_KEYS if g.expansion else _KEYS, "pending")
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
