"""Play positions on to their end, and say which of them break: run in a process of its own with ``GINKGO_BOUNDSCHECK=1``.

Reads a JSON list of [name, position] from stdin; prints a JSON list of [index, name, what went wrong].
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import numpy as np

import ginkgo_env

LONGEST = 3_000
GREEN_SPACE = 87
COUNTS = ("green", "green_aside", "green_known", "green_lower", "green_stack", "n_new_buildings", "split", "received", "payer")


def members(words: Any) -> list[int]:
    return [64 * w + i for w, word in enumerate(words) for i in range(64) if int(word) >> i & 1]


def with_module(g: Any, module: int) -> bool:
    return bool(g.expansion and g.modules[module])


def miscounted(g: Any) -> str | None:
    """Whether a tile or card is lost or there twice, or a number is off."""
    n = int(g.n_buildings)
    tiles = [int(t) for t in (*g.top[:n], *g.supply, *g.tile, *g.lower, *g.new_buildings) if t >= 0]
    piles = (g.buried, g.removed, g.prestige, *g.tiles, *g.aside, *g.lower_tiles)
    tiles += [t for words in piles for t in members(words) if t != GREEN_SPACE]
    greens = tiles.count(GREEN_SPACE) + int(g.green_stack) + sum(map(int, (*g.green, *g.green_aside, *g.green_lower)))
    box = [*range(60), *(range(72, 81) if with_module(g, 0) else ()), *(range(81, 87) if with_module(g, 1) else ())]
    tiles = [t for t in tiles if t != GREEN_SPACE]
    if sorted(tiles) != box or greens != (9 if with_module(g, 2) else 0):
        return f"tiles in {Counter(tiles).most_common(1)} places, {set(box) - set(tiles)} lost, {greens} green spaces"
    cards = [int(c) for c in (*g.deck, *g.card, *g.kept) if c >= 0]
    cards += [c for words in (g.discard, *g.hand, *g.tableau) for c in members(words)]
    wanted = [int(g.top[s]) for s in range(n) if not g.pawn[s] and g.top[s] < 81] + members(g.buried) + list(range(60, 72))
    if sorted(cards) != sorted(wanted):
        return f"cards lost: {set(wanted) - set(cards)}, too many: {[c for c, k in Counter(cards).items() if k > 1]}"
    if max(len(members(words)) for words in g.hand) > (g.hand_size if g.expansion else 4):
        return "a hand of too many cards"
    if g.expansion and any((np.ravel(g[name]) < 0).any() for name in COUNTS):
        return "a number of the expansion below zero"
    if min(*g.resources, *g.supply_resources, *g.points, g.supply_size, g.deck_size, g.draws) < 0:
        return "a number below zero"
    if g.n_buildings and (min(g.x[:n]) != g.west or min(g.y[:n]) != g.north or max(g.x[:n]) > 120 or max(g.y[:n]) > 120):
        return "the city has left the map"
    return None


def trouble(batch: ginkgo_env.Batch, position: Any, seed: int) -> str | None:
    """What goes wrong when a position is played on; None if nothing does."""
    try:
        batch.set_position(0, position)
        if batch.actor[0] >= 0 and not batch.mask[0].any():
            return "no legal action at the start"
        batch._words[:] = seed
        for step in range(LONGEST):
            for seat in range(batch.game.seats):
                batch.observe(seat)
            if problem := miscounted(batch.states[0]):
                return f"step {step}: {problem}"
            if step % 7 == 0:
                again = batch.game.from_position(batch.position(0))
                if again.tobytes() != batch.states.tobytes():
                    return f"step {step}: the position does not give its state back"
                dealt = ginkgo_env.Batch(batch.game, 1) if not hasattr(batch, "other") else batch.other
                batch.other = dealt  # type: ignore[attr-defined]
                dealt.set_states([0], batch.states)
                dealt.resample(step % batch.game.seats, seed=step)
                if problem := miscounted(dealt.states[0]):
                    return f"step {step}: resampled: {problem}"
            if batch.over[0]:
                batch.game.outcome(batch.state(0))
                return None
            if not batch.mask[0].any():
                return f"step {step}: no legal action"
            batch.step(batch.sample())
        return f"not over after {LONGEST} decisions"
    except Exception as error:  # whatever it is, it is a finding
        return f"{type(error).__name__}: {str(error)[:150]}"


def main() -> None:
    batches: dict[str, ginkgo_env.Batch] = {}
    found = []
    for i, (name, position) in enumerate(json.load(sys.stdin)):
        key = json.dumps(position["config"])
        if key not in batches:
            batches[key] = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", **position["config"]), 1)
        problem = trouble(batches[key], position, seed=i)
        if problem:
            found.append([i, name, problem])
    print(json.dumps(found))


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
