"""Checks of the turn under way in a game with modules: phase, event, zone, draws, payments."""

from __future__ import annotations

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import fail
from ginkgo_env.games.ginkgopolis.constants import (
    MOST_COUNTED,
    N_TILES,
    NONE,
    Action,
    EventTile,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.tables import HAS_CARD, SPLIT_COST, TILE_COLOR
from ginkgo_env.games.ginkgopolis.text.notation import members
from ginkgo_env.games.ginkgopolis.text.reading import DRAWING

_DURING_EVENT = DRAWING | {Stage.PAY}
_PHASES: dict[int, tuple[frozenset[Stage], set[int]]] = {
    Phase.TIMING: (frozenset({Stage.TIMING}), {NONE}),
    Phase.BEFORE: (_DURING_EVENT, {Timing.BEFORE}),
    Phase.ACTION: (DRAWING | {Stage.TAKE, Stage.TOKEN}, {NONE, Timing.BEFORE, Timing.AFTER}),
    Phase.AFTER: (_DURING_EVENT, {Timing.AFTER}),
}
"""The decisions and timings possible in each phase."""


def check_turn(g: Fields) -> None:
    """Check that phase, event, zone, draws and payments fit together (X7.1)."""
    decisions, timings = _PHASES[g.phase]
    if g.stage not in decisions:
        raise fail("pending.phase", "inconsistent with the decision")
    if g.timing not in timings:
        raise fail("pending.timing", "inconsistent with the phase")
    if g.stage in (Stage.TIMING, Stage.SPLIT) and g.actor != g.player:
        raise fail("decision.actor", "expected the player whose action is under way")
    _check_event(g)
    if g.event[g.player] != NONE and not _is_zone(g):
        raise fail("pending.zone", "expected the building that the card names, or the token's cell")
    _check_draws(g)
    _check_payment(g)


def _check_event(g: Fields) -> None:
    """Check that an event is pending from its reveal until it has taken effect (X4.2)."""
    p, phase = g.player, g.phase
    if (g.event[p] != NONE) != (phase != Phase.ACTION or g.timing == Timing.AFTER):
        raise fail("pending.event", "an event is pending from when it is shown until it has taken effect")
    if phase in (Phase.BEFORE, Phase.AFTER) and g.event[p] != (EventTile.CONTROL if g.stage == Stage.PAY else EventTile.DESIGN):
        raise fail("pending.event", "inconsistent with the decision")
    if phase == Phase.ACTION and g.timing == Timing.BEFORE and not (g.events_known[p] or g.events_played[p]):
        raise fail("pending.timing", "an event before the action has been played or has gone back by now")


def _is_zone(g: Fields) -> bool:
    """Check that the zone lies where the card pointed when it was revealed (X4.3)."""
    x, y, center = g.zone
    newest = g.n_buildings - 1
    s = next((s for s in range(newest + 1) if (g.x[s], g.y[s]) == (x, y)), NONE)
    letter = next((N_TILES + i for i in range(len(g.token_x)) if (g.token_x[i], g.token_y[i]) == (x, y)), NONE)
    card = g.card[g.player]
    if g.action == Action.URBANIZE:
        return not center and s == newest
    if g.action == Action.CONSTRUCT:
        return bool(center and s != NONE and g.owner[s] == g.player and g.floors[s] > 1)
    there = letter if s == NONE else g.top[s]
    if center != (s != NONE) or there == NONE or not HAS_CARD[there]:
        return False
    return there == card if card != NONE else there in members(g.discard)


def _check_draws(g: Fields) -> None:
    """Check rights to draw and the split so far (X0.1, X0.2, X4.4)."""
    if g.draws and g.stage not in DRAWING:
        raise fail("pending.draws", "nothing is drawn now")
    spent = int(g.split @ SPLIT_COST)
    if g.phase in (Phase.BEFORE, Phase.AFTER) and g.draws + spent > MOST_COUNTED:
        raise fail("pending.draws", f"a design competition brings at most {MOST_COUNTED} draws")
    if g.green_drawn and not (_has_drawn(g) and g.modules[Module.GREEN_SPACES]):
        raise fail("pending.green_drawn", "nothing has been drawn in this turn")
    if g.stage == Stage.SPLIT:
        _check_split(g)


def _has_drawn(g: Fields) -> bool:
    """Whether tiles can have been drawn in this turn."""
    design = g.events_played[g.player] >> EventTile.DESIGN & 1
    return bool(g.stage == Stage.RETURN or g.phase == Phase.AFTER or (design and g.timing == Timing.BEFORE))


def _check_split(g: Fields) -> None:
    if g.supply_size == 0 or g.draws < 1:
        raise fail("pending.draws", "a split decision requires rights left and tiles in the supply")
    left = [sum(TILE_COLOR[tile] == color for tile in members(g.prestige)) for color in (Split.RED, Split.BLUE, Split.YELLOW)]
    left += [g.n_new_buildings, min(g.green_stack, 1 - g.green_drawn)]
    if any(chosen > there for chosen, there in zip(g.split, left, strict=True)):
        raise fail("pending.split", "more than the stacks hold, or more than one green space in a turn")


def _check_payment(g: Fields) -> None:
    """Check that a quality control fits who pays and what has been received (X4.4)."""
    if g.stage == Stage.PAY and g.actor == g.player:
        raise fail("decision.actor", "expected another player: the others pay")
    if g.received and (g.stage != Stage.PAY or g.payer == 0):
        raise fail("pending.received", "nobody has paid yet")
