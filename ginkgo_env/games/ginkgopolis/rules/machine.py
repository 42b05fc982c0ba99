"""The game as a machine that runs from decision to decision (R3, R8.1).

A new kind of decision is a line of :data:`DECISIONS`, a new step of a turn a line of :data:`STAGES`; the kernels that they name
stand side by side in the module of their part of the turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.compile.dispatch import switch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import ENDED, RUNNING, TRUNCATED
from ginkgo_env.games.ginkgopolis.actions import clear_mask
from ginkgo_env.games.ginkgopolis.constants import NOBODY, Ending, Stage
from ginkgo_env.games.ginkgopolis.modules import BLIND
from ginkgo_env.games.ginkgopolis.rules.draft import keep_pick, legal_picks, next_picker
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
    choose_take,
    choose_token,
    end_turn,
    finish_action,
    legal_takes,
    legal_tokens,
    skip_take,
    taker,
)
from ginkgo_env.games.ginkgopolis.rules.returns import choose_return, legal_returns, returner
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
from ginkgo_env.games.ginkgopolis.rules.setup import deal, deal_hands, keep_events, legal_event_pairs, set_up
from ginkgo_env.games.ginkgopolis.rules.solo import william_acts
from ginkgo_env.games.ginkgopolis.rules.tiles import draw_tiles, legal_splits, split_draw
from ginkgo_env.games.ginkgopolis.state import State

Kernel = Callable[..., Any]


@kernel
def same(g: State) -> int:
    """Return the seat that was set when the decision came up."""
    return int(g.actor)


@kernel
def active(g: State) -> int:
    """Return the player whose turn it is."""
    return int(g.player)


@kernel
def nobody(g: State) -> int:
    """Return NOBODY: the game is over."""
    return NOBODY


@kernel
def none_legal(g: State, mask: np.ndarray) -> int:
    """Allow nothing in a game that is over."""
    return 0


@kernel
def no_choice(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Do nothing; never called, as a game that is over has no legal action."""


@kernel
def no_step(g: State, log: np.ndarray) -> None:
    """Do nothing; never called, as a stage without a line of its own is a decision."""


class Decision(NamedTuple):
    """The kernels of one kind of decision."""

    actor: Kernel
    """(g) -> the seat that decides."""
    legal: Kernel
    """(g, mask): writes 1 for each legal action of ``g.actor`` into a mask of zeros; returns how many there are."""
    play: Kernel
    """(g, seat, action, log): plays a legal action."""
    skip: Kernel = no_step
    """(g, log): goes on where no action is legal; set only for kinds in which that happens."""


DECISIONS = {
    Stage.COMMIT: Decision(chooser, legal_commits, choose_card, skip_chooser),
    Stage.TAKE: Decision(taker, legal_takes, choose_take, skip_take),
    Stage.TOKEN: Decision(taker, legal_tokens, choose_token),
    Stage.RETURN: Decision(returner, legal_returns, choose_return),
    Stage.DRAFT: Decision(same, legal_picks, keep_pick, next_picker),
}
"""The kinds of decision of the base game: those that come up most often first, for speed."""

EXPANSION_DECISIONS = {
    Stage.EVENTS: Decision(same, legal_event_pairs, keep_events),
    Stage.LOWER: Decision(same, legal_lowers, choose_lower),
    Stage.EVENT: Decision(same, legal_events, choose_event),
    Stage.KEEP: Decision(same, legal_kept, choose_kept),
    Stage.TIMING: Decision(active, legal_timings, choose_timing),
    Stage.SPLIT: Decision(active, legal_splits, split_draw),
    Stage.PAY: Decision(payer, legal_pays, pay_control),
}
"""The kinds of decision that modules add (X7.6)."""

STAGES = {
    Stage.RESOLVE: begin_action,
    Stage.DRAW: draw_tiles,
    Stage.FINISH: finish_action,
    Stage.PREPARE: prepare_round,
    Stage.WILLIAM_ACTS: william_acts,
    Stage.DEAL: deal,
    Stage.DEAL_HANDS: deal_hands,
}
"""The stages in which nobody decides, with kernels (g, log)."""

EXPANSION_STAGES = {
    Stage.RUN_EVENT: run_event,
    Stage.END_EVENT: end_event,
    Stage.ACT: act,
    Stage.END_TURN: end_turn,
}
"""The stages of a turn with an event (X7.1)."""


def _ladder(kind: str, arguments: str, other: Kernel) -> Kernel:
    """Make a kernel (stage, arguments) that calls one of the kernels of the stage's decision."""
    base, more = (
        {stage: getattr(decision, kind) for stage, decision in decisions.items() if getattr(decision, kind) is not other}
        for decisions in (DECISIONS, EXPANSION_DECISIONS)
    )
    return switch(f"{kind}_at", __name__, arguments, base, other, EXPANSION=more)


actor_at = _ladder("actor", "g", nobody)
legal_at = _ladder("legal", "g, mask", none_legal)
play_at = _ladder("play", "g, seat, action, log", no_choice)
skip_at = _ladder("skip", "g, log", no_step)
run_at = switch("run_at", __name__, "g, log", STAGES, no_step, EXPANSION=EXPANSION_STAGES)


@kernel
def reset(g: State, t: None, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up a blank record from a seed and run on to the first decision."""
    set_up(g, seed, log)
    run_on(g, mask, log)


@kernel
def step(g: State, t: None, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play a legal action, run on to the next decision with a choice and write its mask.

    Returns whether the game goes on, has ended, or was truncated by ``max_rounds`` (R8.4).
    """
    play_at(g.stage, g, int(g.actor), action, log)
    run_on(g, mask, log)
    if g.stage != Stage.OVER:
        return RUNNING
    return TRUNCATED if g.ending == Ending.MAX_ROUNDS else ENDED


@kernel
def run_on(g: State, mask: np.ndarray, log: np.ndarray) -> None:
    """Run on to the next decision with a choice; the mask of a finished game is all zero."""
    while True:
        while g.stage >= Stage.DEAL:
            run_at(g.stage, g, log)
        g.actor = actor_at(g.stage, g)
        n = legal(g, None, mask)
        if n > 1 or g.stage == Stage.OVER:
            return
        if n == 1:  # a decision with one legal action is made unasked
            action = 0
            while mask[action] == 0:
                action += 1
            play_at(g.stage, g, int(g.actor), action, log)
        else:
            skip_at(g.stage, g, log)


@kernel
def legal(g: State, t: None, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; return their number."""
    if BLIND and g.stage == Stage.COMMIT and is_free_choice(g):
        n = count_commits(g)
        if n > 1:
            return n  # the mask is left undefined: lookahead does not read it here
    clear_mask(mask)
    return legal_at(g.stage, g, mask)
