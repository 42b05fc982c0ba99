"""Measure random play of the three games beside games of other packages, in one process.

All workloads run on one thread. Actions are uniformly random legal ones, and each follows an observation of the player to move.
Rates count decisions of players by processor time. Games differ in what a decision is: a ratio says how long a program waits for
its data, not which code is better.
"""

from __future__ import annotations

import random
from typing import Annotated

import city_of_gold
import numpy as np
import pyspiel
import typer
from open_spiel.python.observation import make_observation
from rich.console import Console
from rich.table import Table

from ginkgo_env import raw_env
from ginkgo_env.cli.bench import Workload, counted, playing, playing_aec, timed
from ginkgo_env.registry import GAMES, game_class

SIZE = 256  # games in a batch: the largest of city_of_gold
STEPS = 100  # decisions between two looks at the clock, with one game at a time
ONE, BATCH = "one game", f"{SIZE} games"


def openspiel(name: str) -> Workload:
    """Play a game of OpenSpiel through its Python interface; units are decisions."""
    game, rng = pyspiel.load_game(name), random.Random(0)
    state, observer = game.new_initial_state(), make_observation(game)

    def work() -> int:
        nonlocal state
        decisions = 0
        while decisions < STEPS:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                observer.set_from(state, state.current_player())
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return work


def gold(size: int) -> Workload:
    """Play a vector of games of city_of_gold with its own sampler; units are decisions."""
    runner = city_of_gold.vec.get_runner(size)()
    runner.make_samplers(0)
    runner.get_envs().reset(0, 4, 3, city_of_gold.EASY, 100_000, False)  # seed, players, map pieces, maps, step limit, window

    def step() -> None:
        runner.sample_seq()
        runner.step_seq()

    return counted(step, size)


def main(seconds: Annotated[float, typer.Option(min=0.1, help="Seconds for each line.")] = 3.0) -> None:
    """Print a table of rates and of ratios to Ginkgopolis."""
    works: dict[tuple[str, str, str], Workload] = {}
    for name in GAMES:
        works["ginkgo_env", game_class(name).title, BATCH] = playing(name, SIZE, observed=True)
        works["ginkgo_env", game_class(name).title, ONE] = playing_aec(raw_env(game_class(name)))
    works["city_of_gold", "City of Gold", BATCH] = gold(SIZE)
    works["open_spiel", "Quoridor", ONE] = openspiel("quoridor")
    works["open_spiel", "Hanabi", ONE] = openspiel("hanabi")

    speeds = dict(zip(works, timed(seconds, **{str(key): work for key, work in works.items()}).values(), strict=True))
    table = Table("package", "game", "at a time", "decisions/s", "against Ginkgopolis")
    for (package, title, size), speed in speeds.items():
        ratio = np.median(speed.cpu / speeds["ginkgo_env", "Ginkgopolis", size].cpu)
        table.add_row(package, title, size, f"{np.median(speed.cpu):,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
