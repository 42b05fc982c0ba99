"""Play one game and print a digest of everything after each step: run with and without JIT, and compare (see test_contract)."""

from __future__ import annotations

import hashlib
import json
import sys

import ginkgo_env

PIECES = ("states", "mask", "rewards", "totals", "standings", "done")


def digest(batch: ginkgo_env.Batch) -> str:
    """Bytes of states, masks and rewards, of every seat's observation, and of the scores."""
    words = [hashlib.sha256(getattr(batch, name).tobytes()).hexdigest()[:12] for name in PIECES]
    looks = [*(batch.observe(seat) for seat in range(batch.game.seats)), batch.scores()]
    words += [hashlib.sha256(look.tobytes()).hexdigest()[:12] for look in looks]
    return " ".join(words)


def main() -> None:
    game = ginkgo_env.make_game("ginkgopolis", **json.loads(sys.argv[1]))
    batch, other = ginkgo_env.Batch(game, 1), ginkgo_env.Batch(game, 1)
    batch.reset(seed=11)
    step = 0
    while True:
        print(step, digest(batch))
        if step % 5 == 0:
            other.copy_rows(batch, [0], [0])
            other.resample(step // 5 % game.seats, seed=step)
            print(step, "resampled", hashlib.sha256(other.states.tobytes()).hexdigest(), game.outcome(other.state(0)).breakdown)
        if batch.over.all():
            return
        batch.step(batch.sample())
        step += 1


if __name__ == "__main__":
    main()
