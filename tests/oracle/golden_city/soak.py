"""Compare kernels and oracle for as many decisions as asked: ``python tests/oracle/golden_city/soak.py --decisions 1000000``.

2, 3 and 4 players: one game of each in turn, the game's seed counting up from ``--seed``. Stops at the first difference and
prints how to see it again.

What is drawn by chance, who decides, what is legal, whole positions and scores are compared after every decision, what seats are
shown after every eighth.
"""

import argparse
import itertools
import multiprocessing
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.oracle.golden_city.compare import Difference, play_match

_POSITIONS, _VIEWS = 1, 8  # whole positions and views after every so many decisions; all else after each
_FEWEST = 10  # decisions of a game
CONFIGS: list[dict[str, Any]] = [{"players": players} for players in (2, 3, 4)]

Job = tuple[dict[str, Any], int]


def _play(job: Job) -> tuple[int, str]:
    config, seed = job
    try:
        return play_match(config, seed, views=_VIEWS, positions=_POSITIONS), ""
    except Difference as error:
        return 0, str(error)


def main() -> int:
    """Run the soak; the exit status is 1 if there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    jobs = ((config, seed) for seed in itertools.count(options.seed) for config in CONFIGS)
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
    print(f"\r{compared:,} decisions in {games:,} games, no difference")
    return 0


def jobs_until(jobs: Iterable[Job], decisions: int) -> Iterator[Job]:
    """Enough jobs for so many decisions."""
    return itertools.islice(jobs, decisions // _FEWEST + 1)


if __name__ == "__main__":
    sys.exit(main())
