"""Soundness of the moment: whose decision it is, and the turn under way."""

from __future__ import annotations

from ginkgo_env.core.compile.bits import has
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    MOST_DRAWS,
    MOST_RECEIVED,
    N_COLORS,
    NOBODY,
    NONE,
    PLAYER,
    Action,
    Ending,
    EventTile,
    Expert,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.rules.city import building_at
from ginkgo_env.games.ginkgopolis.rules.draws import next_prestige
from ginkgo_env.games.ginkgopolis.rules.events import payer
from ginkgo_env.games.ginkgopolis.rules.flaws import Flaw
from ginkgo_env.games.ginkgopolis.rules.round import in_turn_order
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import is_letter


@kernel
def is_choosing(g: State) -> bool:
    """Whether players choose cards and what goes with them (R3.1, X7.3)."""
    return g.stage == Stage.COMMIT or g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP


@kernel
def is_setup(g: State) -> bool:
    """Whether the game is in setup (R2)."""
    return g.stage == Stage.DRAFT or g.stage == Stage.EVENTS


@kernel
def is_drawing(g: State) -> bool:
    """Whether the decision comes up during a draw (R7.1, X0.1)."""
    return g.stage == Stage.RETURN or g.stage == Stage.SPLIT


@kernel
def flaw_of_moment(g: State) -> int:
    """Return the first flaw of round, supply, decision and actor, 0 if there is none."""
    setup, solo = is_setup(g), g.solo != 0
    if (g.first == NOBODY) != setup or (g.rounds == 0) != setup or g.rounds < 0 or g.rounds > g.max_rounds:
        return Flaw.ROUND
    if (g.actor == NOBODY) != (g.stage == Stage.OVER) or (solo and (g.actor > PLAYER or g.first > PLAYER)) or not is_in_order(g):
        return Flaw.ROUND
    if g.stage == Stage.RETURN:  # R7.1, R9.5
        fits = not solo and g.supply_size == 0 and g.exhaustions == 1
    elif g.stage == Stage.OVER:
        fits = g.ending != Ending.NONE
    else:  # R7.2, R7.3, R9.5: where the supply has run out, the end is triggered
        fits = (g.exhaustions < 2 or g.supply_size == 0) and (g.supply_size > 0 or g.ending != Ending.NONE)
    if not fits:
        return Flaw.SUPPLY
    return 0 if can_come_up(g) else Flaw.CHOICE


@kernel
def is_in_order(g: State) -> bool:
    """Whether the places in turn order and the building under way are those of actor and player."""
    waiting = is_choosing(g) or is_setup(g) or g.stage == Stage.OVER
    if waiting != (g.player == NOBODY) or g.building != (g.n_buildings - 1 if g.stage == Stage.TOKEN else NONE):
        return False
    if is_choosing(g):
        in_order = g.actor == in_turn_order(g, int(g.cursor))
    elif waiting:
        in_order = g.cursor == 0
    else:
        in_order = g.solo != 0 or g.player == in_turn_order(g, int(g.cursor))
    if g.stage == Stage.RETURN:
        return in_order and g.actor == in_turn_order(g, int(g.returner)) and g.payer == 0
    if g.stage == Stage.PAY:
        return in_order and g.returner == 0 and g.payer < g.players - 1 and g.actor == payer(g)
    return in_order and g.returner == 0 and g.payer == 0 and (waiting or g.actor == (PLAYER if g.solo else g.player))


@kernel
def can_come_up(g: State) -> bool:
    """Whether the decision exists in this game, and the actor has made those before it (X7.3)."""
    stage, p = int(g.stage), int(g.actor)
    if stage == Stage.DRAFT:
        return g.draft != 0 and g.solo == 0
    if stage == Stage.EVENTS:
        return has_module(g, Module.EVENTS) and not has_module(g, Module.EXPERTS)
    if stage == Stage.LOWER:
        return g.tile[p] != NONE and g.lower[p] == NONE and g.event[p] == NONE and g.expert[p] == Expert.ARCHITECT
    if stage == Stage.EVENT:
        return g.card[p] != NONE and g.event[p] == NONE and g.events[p] != 0
    if stage == Stage.KEEP:
        return g.card[p] != NONE and has_module(g, Module.KEEP_CARD)
    if stage == Stage.SPLIT:  # with stacks to draw from (X0)
        return has_module(g, Module.NEW_BUILDINGS) or has_module(g, Module.PRESTIGE) or has_module(g, Module.GREEN_SPACES)
    return EXPANSION or stage <= Stage.OVER


# --- the turn under way (X7.1) -------------------------------------------------------------------------------------------------


@kernel
def flaw_of_turn(g: State) -> int:
    """Return the first flaw of the turn under way, 0 if there is none."""
    if not are_draws_possible(g):
        return Flaw.DRAWS
    if g.player == NOBODY:
        idle = g.action == Action.EXPLOIT and g.phase == Phase.ACTION and g.timing == NONE and g.green_drawn == 0
        return 0 if idle else Flaw.TURN
    if not is_phase(g) or not is_action(g):
        return Flaw.TURN
    if g.event[g.player] != EventTile.EXPROPRIATION:
        return 0
    return 0 if g.zone[2] == 1 and building_at(g, int(g.zone[0]), int(g.zone[1])) != NONE else Flaw.ZONE  # X4.3


@kernel
def are_draws_possible(g: State) -> bool:
    """Whether draws, split and payments fit the decision and the stacks (X0.1, X3.1, X4.4)."""
    split = g.stage == Stage.SPLIT
    if g.draws < 0 or g.draws > (MOST_DRAWS if is_drawing(g) else 0) or (split and (g.draws == 0 or g.supply_size == 0)):
        return False
    if g.received < 0 or g.received > (MOST_RECEIVED if g.stage == Stage.PAY else 0):
        return False
    for choice in range(Split.DONE):
        n = int(g.split[choice])
        if n < 0 or (n > 0 and (not split or (choice < N_COLORS and next_prestige(g, choice, n - 1) == NONE))):
            return False
    if g.split[Split.NEW_BUILDING] > g.n_new_buildings or g.split[Split.GREEN_SPACE] > min(
        int(g.green_stack), 1 - int(g.green_drawn)
    ):
        return False
    return g.is_split == (1 if EXPANSION and g.stage == Stage.RETURN else 0)


@kernel
def is_phase(g: State) -> bool:
    """Whether the decision comes up in the phase, and the event is pending until it takes effect (X4.2)."""
    phase, timing = int(g.phase), int(g.timing)
    if (g.event[g.player] != NONE) != (phase != Phase.ACTION or timing == Timing.AFTER):
        return False
    if phase == Phase.ACTION:
        fits = is_drawing(g) or g.stage == Stage.TAKE or g.stage == Stage.TOKEN
        return fits and (timing == NONE or has_module(g, Module.EVENTS))
    if phase == Phase.TIMING:
        return g.stage == Stage.TIMING and timing == NONE
    return (is_drawing(g) or g.stage == Stage.PAY) and timing == (Timing.BEFORE if phase == Phase.BEFORE else Timing.AFTER)


@kernel
def is_action(g: State) -> bool:
    """Whether the action fits the card, which has no tile any more once R5.7 has been tested."""
    p, card = int(g.player), int(g.card[g.player])
    if (card == NONE) != (g.phase == Phase.AFTER):
        return False
    if g.phase == Phase.TIMING or g.phase == Phase.BEFORE:
        return g.action == Action.EXPLOIT
    if g.tile[p] != NONE:
        return False
    if g.stage == Stage.TAKE:
        return g.action == Action.EXPLOIT and is_letter(card) and (g.solo == 0 or p == PLAYER)
    if g.stage == Stage.TOKEN:
        return g.action == Action.URBANIZE and is_letter(card)
    if card == NONE:
        return True
    return (g.action == Action.CONSTRUCT) == has(g.buried, card) and (g.action != Action.URBANIZE or is_letter(card))
