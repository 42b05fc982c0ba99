"""What Python calls: thin loops over the rows start..stop of a batch. Rows do not feel each other."""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.jit import entry
from ginkgo_env.core.masks import ENDED, RESET, RUNNING, TRUNCATED
from ginkgo_env.core.memory import prefetch
from ginkgo_env.core.rng import successor
from ginkgo_env.games.ginkgopolis.constants import Ending, Stage
from ginkgo_env.games.ginkgopolis.rules.machine import legal_one, run_on, step_one
from ginkgo_env.games.ginkgopolis.rules.scoring import score_cards, score_each_district, score_each_park, score_one
from ginkgo_env.games.ginkgopolis.rules.setup import reset_one


@entry
def play_many(
    start: int,
    stop: int,
    states: Any,
    actions: Any,
    seeds: Any,
    masks: Any,
    done: Any,
    final: Any,
    template: Any,
    autoreset: bool,
    log: Any,
) -> None:
    """Play actions (B,) int64. NO_ACTION leaves its row alone, RESET sets it up from its seed (B,) uint64.

    done (B,) int8 tells which games ended by this step, and how; their scores by source go to final (B, P, S) int32.
    With autoreset the next game, whose seed follows from the last one's, then stands in the row, and the mask is that game's.
    """
    for i in range(start, stop):
        prefetch(states, i + 1)
        g = states[i]
        done[i] = RUNNING
        seed = seeds[i]
        fresh = actions[i] == RESET
        if actions[i] >= 0:
            step_one(g, actions[i], masks[i], log)
            if g.stage == Stage.OVER:
                done[i] = TRUNCATED if g.ending == Ending.MAX_ROUNDS else ENDED
                score_one(g, final[i])
                seed = successor(g.seed)
                fresh = autoreset
        if fresh:
            states[i] = template[0]
            reset_one(g, seed, log)
            run_on(g, masks[i], log)


@entry
def legal_many(start: int, stop: int, states: Any, masks: Any) -> None:
    """Write masks (B, A) int8 anew from the states."""
    for i in range(start, stop):
        legal_one(states[i], masks[i])


@entry
def score_many(start: int, stop: int, states: Any, out: Any) -> None:
    """Write scores by source into out (B, P, S) int32."""
    for i in range(start, stop):
        score_one(states[i], out[i])


@entry
def breakdown_one(states: Any, cards: Any, districts: Any, parks: Any) -> tuple[int, int]:
    """Points of the first game by card, by district and by park.

    cards (P, ids) int32 gets the points of each endgame card in front of a player, -1 where there is none; districts (n, P) int32
    those of each district, parks (n, P) int32 those of each park (X3.4), in the order of their first tiles. Returns how many
    districts and how many parks there are.
    """
    g = states[0]
    score_cards(g, cards)
    return score_each_district(g, districts), score_each_park(g, parks)
