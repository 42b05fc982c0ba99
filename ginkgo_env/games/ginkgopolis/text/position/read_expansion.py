"""Reading what The Experts adds to a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MOST_RECEIVED,
    N_GREEN_SPACES,
    N_NEW_BUILDINGS,
    Phase,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import EVENT_NAMES, EXPERT_NAMES, IDS
from ginkgo_env.games.ginkgopolis.text.notation import card_ids
from ginkgo_env.games.ginkgopolis.text.position.data import cell, choice, fail, fields_of, flag, listed, named, number, put
from ginkgo_env.games.ginkgopolis.text.position.write import SPLITS, UNTESTED

_NEW_BUILDINGS = {name: i for name, i in IDS.items() if FIRST_NEW_BUILDING <= i < FIRST_PRESTIGE}
_PRESTIGE = {name: i for name, i in IDS.items() if FIRST_PRESTIGE <= i < GREEN_SPACE}
_EXPERTS = {name: i for i, name in enumerate(EXPERT_NAMES)}
_EVENTS = {name: i for i, name in enumerate(EVENT_NAMES)}
_PHASES = {phase.name.lower(): phase for phase in Phase}
_TIMINGS = {timing.name.lower(): timing for timing in Timing}


def read_stacks(g: State, data: Mapping[str, Any]) -> None:
    """The stacks of value II and III, and of green spaces (X1 to X3)."""
    stack = listed(data["new_buildings"], _NEW_BUILDINGS, "new_buildings")
    g.n_new_buildings = len(stack)
    g.new_buildings[: len(stack)] = stack[::-1]
    put(g.prestige, listed(data["prestige"], _PRESTIGE, "prestige"))
    g.green_stack = number(data["green_spaces"], 0, N_GREEN_SPACES, "green_spaces")


def read_turn(g: State, pending: Mapping[str, Any]) -> None:
    """Where the turn of the player whose action it is stands (X7.1)."""
    g.phase = choice(pending["phase"], _PHASES, "pending.phase")
    if (pending["action"] is None) != (g.phase in UNTESTED):
        raise fail("pending.action", "it is null until R5.7 has been tested, then it is known")
    if pending["timing"] is not None:
        g.timing = choice(pending["timing"], _TIMINGS, "pending.timing")
    if pending["event"] is not None:
        g.event[g.player] = choice(pending["event"], _EVENTS, "pending.event")
    _read_zone(g, pending["event"], pending["zone"])
    if (pending["split"] is not None) != (g.stage == Stage.SPLIT):
        raise fail("pending.split", "it is there exactly while it is asked")
    if g.stage == Stage.SPLIT:
        split = fields_of(pending["split"], set(SPLITS), "pending.split")
        g.split[:] = [number(split[key], 0, N_NEW_BUILDINGS, f"pending.split.{key}") for key in SPLITS]
    g.green_drawn = flag(pending["green_drawn"], "pending.green_drawn")
    g.received = number(pending["received"], 0, MOST_RECEIVED, "pending.received")
    g.is_split = g.stage == Stage.RETURN
    if g.stage == Stage.PAY:
        g.payer = (int(g.actor) - int(g.player) - 1) % int(g.players)


def _read_zone(g: State, event: Any, zone: Any) -> None:
    if (event is None) != (zone is None):
        raise fail("pending.zone", "there is one exactly while an event is on")
    if zone is not None:
        fields = fields_of(zone, {"cell", "center"}, "pending.zone")
        g.zone[:2] = cell(fields["cell"], 127, "pending.zone.cell")
        g.zone[2] = flag(fields["center"], "pending.zone.center")


def read_more_of_player(g: State, p: int, fields: Mapping[str, Any], where: str) -> None:
    """Expert, events and kept card."""
    if fields["expert"] is not None:
        g.expert[p] = named(fields["expert"], _EXPERTS, f"{where}.expert")
    put(g.packet_experts[p], listed(fields["packet_experts"], _EXPERTS, f"{where}.packet_experts"))
    for key in ("events", "events_played"):
        g[key][p] = sum(1 << kind for kind in listed(fields[key], _EVENTS, f"{where}.{key}"))
    if fields["kept"] is not None:
        g.kept[p] = named(fields["kept"], card_ids(g), f"{where}.kept")


def read_event(g: State, p: int, event: Any, where: str) -> None:
    """The event tile on a card that has not been shown yet."""
    if event is not None:
        if p == g.player:
            raise fail(where, "it has been shown, so it is pending")
        g.event[p] = named(event, _EVENTS, where)
