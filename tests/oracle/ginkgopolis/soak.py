"""Compare kernels and oracle for as many decisions as asked: ``python tests/oracle/ginkgopolis/soak.py --decisions 1000000``.

Every configuration of the base game, or with ``--modules`` every combination of modules with 2 to 5 players, some of them
strict, with hands of five or introductory sets: one game of each in turn, the game's seed counting up from ``--seed``. Stops at
the first difference and prints how to see it again.

What is drawn by chance, who decides and what is legal is compared after every decision, whole positions and scores after every
fourth, what seats are shown after every eighth.
"""

import argparse
import itertools
import multiprocessing
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from ginkgo_env.registry import game_class
from tests.oracle.ginkgopolis.compare import Difference, play_match

_POSITIONS, _VIEWS = 4, 8  # whole positions and views after every so many decisions; all else after each


def _configs(modules: bool) -> list[dict[str, Any]]:
    game = game_class("ginkgopolis")
    plain = [config for config in game.configurations() if "modules" not in config]
    if not modules:
        return plain + [config | {"strict": True} for config in plain] + [config | {"max_rounds": 8} for config in plain]
    played = [config for config in game.module_combinations() if config["modules"]]
    strict = [config | {"strict": True} for config in played if len(config["modules"]) >= 4]
    five = [config | {"hand_size": 5} for config in played if "keep_card" in config["modules"] and config["players"] < 5]
    simple = [config | {"setup": "introductory"} for config in played if "experts" not in config["modules"]]
    return played + strict + five[::3] + simple[::4]


def _play(job: tuple[dict[str, Any], int]) -> tuple[int, str]:
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
    parser.add_argument("--modules", action="store_true", help="every combination of modules instead of the base game")
    options = parser.parse_args()
    configs = _configs(options.modules)
    jobs = ((config, seed) for seed in itertools.count(options.seed) for config in configs)
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
    print(f"\r{compared:,} decisions in {games:,} games over {len(configs)} configurations, no difference")
    return 0


def jobs_until(jobs: Any, decisions: int) -> Any:
    """Enough jobs for so many decisions: no game has fewer than five."""
    return itertools.islice(jobs, decisions // 5 + 1)


if __name__ == "__main__":
    sys.exit(main())
