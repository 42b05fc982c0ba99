"""The game as a state machine that runs from decision to decision (G3).

A new kind of decision or a new step of a round is a line of :data:`STAGES`.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.machine import Decision, Stages, make_machine
from ginkgo_env.games.golden_city.actions import clear_mask
from ginkgo_env.games.golden_city.components import Components
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


@kernel
def end_turn(g: State, t: Components, log: np.ndarray) -> None:
    """Go on to the next player's building turn, or to the end of the round (G3)."""
    g.built = 0
    g.discarded = NONE
    g.turns += 1
    # G3: in turn order, each player has one building turn in a round
    g.stage = Stage.BEGIN_TURN if g.turns < g.players else Stage.CLOSE_ROUND


@kernel
def close_round(g: State, t: Components, log: np.ndarray) -> None:
    """Score the scoring card; then the game ends, or another player becomes first (G3, G8.1)."""
    score_card(g, t, log)  # G8.1: also in the round in which the end was triggered
    if g.rounds == N_SCORING:
        trigger_end(g, Ending.CARDS, NOBODY, log)
    if g.ending != Ending.NONE:  # G8.1: the end stays triggered, and the round has been finished
        g.stage = Stage.OVER
        return
    g.first = (g.first + 1) % g.players  # G3: left out after the last round
    g.stage = Stage.OPEN_ROUND


@kernel
def is_asked(g: State, t: Components) -> bool:
    """Whether a building turn comes up although no place is offered (G10.7)."""
    return t.with_forced_decisions != 0 and g.stage == Stage.BUILD


STAGES: Stages = {
    Stage.BID: Decision(legal_bids, bid),
    Stage.BUILD: Decision(legal_builds, build, cannot_build),
    Stage.PAY: Decision(legal_payments, pay),
    Stage.DISCARD: Decision(legal_discards, discard, within_limit),
    Stage.GOODS: Decision(legal_goods, take_goods, no_goods),
    Stage.BONUS: Decision(legal_bonuses, take_bonus, no_bonus),
    Stage.BOX: Decision(legal_boxed, box),
    Stage.BEGIN_TURN: begin_turn,
    Stage.REWARD: reward,
    Stage.GO_ON_BUILDING: go_on_building,
    Stage.END_TURN: end_turn,
    Stage.TAKE_PAIRS: take_pairs,
    Stage.OPEN_ROUND: open_round,
    Stage.CLOSE_ROUND: close_round,
}
"""The stages of a round, each kind by how often it comes up."""

reset, step, legal = make_machine(__name__, Stage.OVER, STAGES, set_up=set_up, clear_mask=clear_mask, is_asked=is_asked)
