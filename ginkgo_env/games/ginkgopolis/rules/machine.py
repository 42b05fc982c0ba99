"""The game as a machine that runs from decision to decision (R3, R8.1).

A new kind of decision or a new step of a turn is a line of :data:`STAGES`; the kernels that it names stand side by side in the
module of their part of the turn.
"""

from __future__ import annotations

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.machine import Decision, Stages, make_machine
from ginkgo_env.core.masks import ENDED, TRUNCATED
from ginkgo_env.games.ginkgopolis.actions import clear_mask
from ginkgo_env.games.ginkgopolis.constants import Ending, Stage
from ginkgo_env.games.ginkgopolis.modules import BLIND
from ginkgo_env.games.ginkgopolis.rules.events import (
    choose_timing,
    end_event,
    legal_pays,
    legal_timings,
    pay_control,
    payer,
    run_event,
)
from ginkgo_env.games.ginkgopolis.rules.resolve import (
    act,
    begin_action,
    choose_return,
    choose_take,
    choose_token,
    end_turn,
    finish_action,
    legal_returns,
    legal_takes,
    legal_tokens,
    returner,
    skip_take,
    taker,
)
from ginkgo_env.games.ginkgopolis.rules.round import (
    choose_card,
    choose_event,
    choose_kept,
    choose_lower,
    chooser,
    count_commits,
    is_free_choice,
    legal_commits,
    legal_events,
    legal_kept,
    legal_lowers,
    prepare_round,
    skip_chooser,
)
from ginkgo_env.games.ginkgopolis.rules.setup import (
    deal,
    deal_hands,
    keep_events,
    keep_pick,
    legal_event_pairs,
    legal_picks,
    next_picker,
    set_up,
)
from ginkgo_env.games.ginkgopolis.rules.solo import william_acts
from ginkgo_env.games.ginkgopolis.rules.tiles import draw_tiles, legal_splits, split_draw
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def active(g: State) -> int:
    """Return the player whose turn it is."""
    return int(g.player)


@kernel
def count_blind(g: State, t: None) -> int:
    """Count the actions of a choice whose mask lookahead does not read; 0 for any other decision."""
    return count_commits(g) if BLIND and g.stage == Stage.COMMIT and is_free_choice(g) else 0


@kernel
def ended(g: State, t: None) -> int:
    """Return whether the game has ended by the rules, or was truncated by ``max_rounds`` (R8.4)."""
    return TRUNCATED if g.ending == Ending.MAX_ROUNDS else ENDED


STAGES: Stages = {
    Stage.COMMIT: Decision(legal_commits, choose_card, skip_chooser, chooser),
    Stage.TAKE: Decision(legal_takes, choose_take, skip_take, taker),
    Stage.TOKEN: Decision(legal_tokens, choose_token, actor=taker),
    Stage.RETURN: Decision(legal_returns, choose_return, actor=returner),
    Stage.DRAFT: Decision(legal_picks, keep_pick, next_picker),
    Stage.RESOLVE: begin_action,
    Stage.DRAW: draw_tiles,
    Stage.FINISH: finish_action,
    Stage.PREPARE: prepare_round,
    Stage.WILLIAM_ACTS: william_acts,
    Stage.DEAL: deal,
    Stage.DEAL_HANDS: deal_hands,
}
"""The stages of the base game, each kind by how often it comes up."""

EXPANSION_STAGES: Stages = {
    Stage.EVENTS: Decision(legal_event_pairs, keep_events),
    Stage.LOWER: Decision(legal_lowers, choose_lower),
    Stage.EVENT: Decision(legal_events, choose_event),
    Stage.KEEP: Decision(legal_kept, choose_kept),
    Stage.TIMING: Decision(legal_timings, choose_timing, actor=active),
    Stage.SPLIT: Decision(legal_splits, split_draw, actor=active),
    Stage.PAY: Decision(legal_pays, pay_control, actor=payer),
    Stage.RUN_EVENT: run_event,
    Stage.END_EVENT: end_event,
    Stage.ACT: act,
    Stage.END_TURN: end_turn,
}
"""The stages that modules add (X7.1, X7.6)."""

reset, step, legal = make_machine(
    *(__name__, Stage.OVER, STAGES, EXPANSION_STAGES),
    set_up=set_up,
    clear_mask=clear_mask,
    count_unwritten=count_blind,
    ended=ended,
)
