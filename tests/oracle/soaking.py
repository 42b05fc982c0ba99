"""The soak: kernels and oracle side by side for as many decisions as asked, on several processes."""

import argparse
import itertools
import multiprocessing
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from .side_by_side import Difference, Json

PlayMatch = Callable[[Json, int], int]
FEWEST = 5  # decisions of a game


def options_of_a_soak(description: str | None) -> argparse.ArgumentParser:
    """The options of every soak; a game may add its own."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=2)
    return parser


def soak(play_match: PlayMatch, configs: Sequence[Json], options: argparse.Namespace) -> int:
    """One game of each configuration in turn, the game's seed counting up; stops at the first difference and prints it.

    ``play_match(config, seed)`` returns how many decisions it compared, and must be known to other processes. Returns the
    exit status: 1 if there was a difference.
    """
    compared = games = 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for decisions, difference in pool.imap(partial(_play, play_match), _jobs(configs, options), chunksize=4):
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


def _jobs(configs: Sequence[Json], options: argparse.Namespace) -> Iterator[tuple[Json, int]]:
    """Enough games for the decisions asked, and no more, since the pool takes all of them at once."""
    jobs = ((config, seed) for seed in itertools.count(options.seed) for config in configs)
    return itertools.islice(jobs, options.decisions // FEWEST + 1)


def _play(play_match: PlayMatch, job: tuple[Json, int]) -> tuple[int, str]:
    """The decisions compared, and the difference, if there was one."""
    try:
        return play_match(*job), ""
    except Difference as error:
        return 0, str(error)


def run_soak(folder: Path, *options: str) -> None:
    """For tests: a soak of a million decisions as the command of a game's folder runs it; raises AssertionError."""
    command = [sys.executable, str(folder / "soak.py"), "--decisions", "1000000", "--jobs", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "no difference" in done.stdout, done.stdout + done.stderr
