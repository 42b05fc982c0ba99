"""Compare kernels and oracle for as many decisions as asked: ``python tests/oracle/soak.py --decisions 1000000``.

Every configuration in turn, the game's seed counting up from ``--seed``. Stops at the first difference and prints how to
see it again.
"""

import argparse
import itertools
import multiprocessing
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ginkgo_env.registry import game_class
from oracle.compare import Difference, play_match


def _configs() -> list[dict[str, Any]]:
    plain = game_class("ginkgopolis").configurations()
    return plain + [config | {"strict": True} for config in plain] + [config | {"max_rounds": 8} for config in plain]


def _play(job: tuple[dict[str, Any], int]) -> tuple[int, str]:
    config, seed = job
    try:
        return play_match(config, seed), ""
    except Difference as error:
        return 0, str(error)


def main() -> int:
    """Run the soak; the exit status is 1 if there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    jobs = ((config, seed) for seed in itertools.count(options.seed) for config in _configs())
    compared = games = 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for decisions, difference in pool.imap(_play, jobs_until(jobs, options.decisions), chunksize=4):
            if difference:
                print(f"\nafter {compared:,} decisions: {difference}")
                return 1
            compared, games = compared + decisions, games + 1
            if games % 200 == 0:
                print(f"\r{compared:,} decisions in {games:,} games, no difference", end="", flush=True)
            if compared >= options.decisions:
                break
        pool.terminate()
    print(f"\r{compared:,} decisions in {games:,} games over {len(_configs())} configurations, no difference")
    return 0


def jobs_until(jobs: Any, decisions: int) -> Any:
    """Enough jobs for so many decisions: no game has fewer than five."""
    return itertools.islice(jobs, decisions // 5 + 1)


if __name__ == "__main__":
    sys.exit(main())
