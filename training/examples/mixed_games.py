"""One policy for many configurations, evaluated on sets of modules that it has never seen.

A game of a mixture draws its configuration from its own seed, so that one batch plays all of them. The same from this folder:

    ginkgo train ppo --set mixture=training_modules --minutes 10 --out runs/modules
    ginkgo evaluate runs/modules/agent.npz --set mixture=held_out_modules --against greedy
    ginkgo train ppo --set padded=true --set 'mixture=[{"players": 2}, {"players": 3}]' --out runs/players
    ginkgo evaluate runs/players/agent.npz --set players=5 --against greedy

The second policy trains with two and three players and plays with five: ``padded`` gives observations the layout of five seats.
Run as a script, this file trains for a moment and prints win rates on both parts of the sets.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import ginkgo_env
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_training import runs
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.settings import PpoSettings, settings_of


def main(arguments: Sequence[str] | None = None) -> dict[str, float]:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path("run"))
    parser.add_argument("--rollouts", type=int, default=5)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--evaluate-games", type=int, default=200)
    options = parser.parse_args(arguments)
    names = "training", "held_out"
    parts = {name: ginkgo_env.make_game("ginkgopolis", players=2, mixture=f"{name}_modules") for name in names}
    trainer = PpoTrainer(parts["training"], settings_of(PpoSettings, {"games": options.games}), seed=0)
    sets, present = len(trainer.game.config.mixture), len(set(trainer.batch.configurations))
    print(f"training on {sets} sets of modules, {present} of them in the first {options.games} games")
    budget = runs.Budget(rollouts=options.rollouts)
    path = runs.train(trainer, budget, options.out, against=["random"], games=options.evaluate_games)
    rates = {}
    for part, game in parts.items():
        result = evaluate(str(path), game, ["random"], options.evaluate_games, seed=1)["random"]
        low, high = (100 * bound for bound in result["win"][1:])
        rates[part] = result["win"][0]
        print(f"{part}: wins {100 * rates[part]:.0f} % of {result['games']} games against random ({low:.0f} to {high:.0f})")
    return rates


if __name__ == "__main__":
    main()
