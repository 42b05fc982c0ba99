"""The game as a state machine that runs from decision to decision (G3).

A new kind of decision is a row of :data:`DECISIONS`, a new step of a round a row of :data:`STAGES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.compile.dispatch import switch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.games.golden_city.actions import clear_mask
from ginkgo_env.games.golden_city.constants import N_SCORING, NOBODY, NONE, Ending, Stage
from ginkgo_env.games.golden_city.rules.bidding import bid, legal_bids, open_round, take_pairs
from ginkgo_env.games.golden_city.rules.building import (
    begin_turn,
    build,
    cannot_build,
    discard,
    go_on_building,
    legal_builds,
    legal_discards,
    legal_payments,
    pay,
    trigger_end,
    within_limit,
)
from ginkgo_env.games.golden_city.rules.rewards import (
    box,
    legal_bonuses,
    legal_boxed,
    legal_goods,
    no_bonus,
    no_goods,
    reward,
    take_bonus,
    take_goods,
)
from ginkgo_env.games.golden_city.rules.scoring import score_card
from ginkgo_env.games.golden_city.rules.setup import set_up
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

Kernel = Callable[..., Any]


@kernel
def end_turn(g: State, t: Tables, log: np.ndarray) -> None:
    """Go on to the next player's building turn, or to the end of the round (G3)."""
    g.built = 0
    g.discarded = NONE
    g.turns += 1
    # G3: in turn order, each player has one building turn in a round
    g.stage = Stage.BEGIN_TURN if g.turns < g.players else Stage.CLOSE_ROUND


@kernel
def close_round(g: State, t: Tables, log: np.ndarray) -> None:
    """Score the scoring card; then the game ends, or another player becomes first (G3, G8.1)."""
    score_card(g, t, log)  # G8.1: also in the round in which the end was triggered
    if g.rounds == N_SCORING:
        trigger_end(g, Ending.CARDS, NOBODY, log)
    if g.ending != Ending.NONE:  # G8.1: the end stays triggered, and the round has been finished
        g.stage = Stage.OVER
        g.actor = NOBODY
        return
    g.first = (g.first + 1) % g.players  # G3: left out after the last round
    g.stage = Stage.OPEN_ROUND


@kernel
def none_legal(g: State, t: Tables, mask: np.ndarray) -> int:
    """Allow nothing: the game is over."""
    return 0


@kernel
def no_choice(g: State, t: Tables, p: int, action: int, log: np.ndarray) -> None:
    """Do nothing; never called, as no action is legal in a game that is over."""


@kernel
def no_step(g: State, t: Tables, log: np.ndarray) -> None:
    """Do nothing; never called, as a stage without a row of its own is a decision."""


class Decision(NamedTuple):
    """The kernels of one kind of decision."""

    legal: Kernel
    """(g, t, mask): writes 1 for each legal action of ``g.actor`` into a mask of zeros; returns their number."""
    play: Kernel
    """(g, t, seat, action, log): plays a legal action."""
    skip: Kernel = no_step
    """(g, t, log): continues where no action is legal; given for the kinds in which that happens."""


DECISIONS = {
    Stage.BID: Decision(legal_bids, bid),
    Stage.BUILD: Decision(legal_builds, build, cannot_build),
    Stage.PAY: Decision(legal_payments, pay),
    Stage.DISCARD: Decision(legal_discards, discard, within_limit),
    Stage.GOODS: Decision(legal_goods, take_goods, no_goods),
    Stage.BONUS: Decision(legal_bonuses, take_bonus, no_bonus),
    Stage.BOX: Decision(legal_boxed, box),
}
"""The kernels of each kind of decision; the most frequent kinds come first, for speed."""

STAGES = {
    Stage.BEGIN_TURN: begin_turn,
    Stage.REWARD: reward,
    Stage.GO_ON_BUILDING: go_on_building,
    Stage.END_TURN: end_turn,
    Stage.TAKE_PAIRS: take_pairs,
    Stage.OPEN_ROUND: open_round,
    Stage.CLOSE_ROUND: close_round,
}
"""The kernels (g, t, log) of the stages in which nobody decides."""


def _ladder(kind: str, arguments: str, other: Kernel) -> Kernel:
    """Return a kernel (stage, arguments) that calls this kernel of the stage's decision."""
    kernels = {stage: getattr(decision, kind) for stage, decision in DECISIONS.items() if getattr(decision, kind) is not other}
    return switch(f"{kind}_at", __name__, arguments, kernels, other)


legal_at = _ladder("legal", "g, t, mask", none_legal)
play_at = _ladder("play", "g, t, seat, action, log", no_choice)
skip_at = _ladder("skip", "g, t, log", no_step)
run_at = switch("run_at", __name__, "g, t, log", STAGES, no_step)


@kernel
def reset(g: State, t: Tables, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up a blank record from a seed and run on to the first decision."""
    set_up(g, t, seed, log)
    run_on(g, t, mask, log)


@kernel
def step(g: State, t: Tables, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play a legal action, run to the next decision with a choice and write its mask.

    Returns whether the game goes on; nothing is ever truncated (G8.2).
    """
    play_at(g.stage, g, t, int(g.actor), action, log)
    run_on(g, t, mask, log)
    return ENDED if g.stage == Stage.OVER else RUNNING


@kernel
def run_on(g: State, t: Tables, mask: np.ndarray, log: np.ndarray) -> None:
    """Run to the next decision with a choice and write its mask; the mask of a finished game is all zero."""
    while True:
        while g.stage > Stage.OVER:
            run_at(g.stage, g, t, log)
        n = legal(g, t, mask)
        if n > 1 or g.stage == Stage.OVER or (t.unhurried and n == 1 and g.stage == Stage.BUILD):
            return
        # Decisions: a choice with one legal action is made without asking, one with none is passed over
        if n == 1:
            action = 0
            while mask[action] == 0:
                action += 1
            play_at(g.stage, g, t, int(g.actor), action, log)
        else:
            skip_at(g.stage, g, t, log)


@kernel
def legal(g: State, t: Tables, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; return their number."""
    clear_mask(mask)
    return legal_at(g.stage, g, t, mask)
