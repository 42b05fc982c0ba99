"""Train the networks of ``search`` with several seeds and auxiliary targets, and measure each.

The agent ``lookahead`` is the teacher. Evaluations while training are of the policy without search; at the end policy and search
play deals that nothing was trained or chosen with. What a folder has is not made again: an interrupted run goes on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_env.core.files import write_file
from ginkgo_env.core.game import Game
from ginkgo_env.core.text import markdown_table
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.logs import LOG
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import SearchSettings, read_settings, settings_of

SETTINGS = Path(__file__).resolve().parents[1] / "training" / "settings" / "search_ginkgopolis.json"
GAMES: dict[str, dict[str, Any]] = {"two_players": {"players": 2}, "alone": {"players": 1, "level": "advanced"}}
POLICY, RESULTS = ":simulations=0", "results.json"
DEALS = 2027  # seed


def trained(game: Game, folder: Path, seed: int, auxiliary: float, minutes: float) -> str:
    """The path of the agent of a run, which is trained as far as it has not been."""
    own = {"teacher": "lookahead:version=1", "auxiliary": auxiliary}
    trainer = SearchTrainer(game, settings_of(SearchSettings, read_settings([str(SETTINGS)]) | own), seed, "cpu")
    budget, resume = runs.Budget(minutes=minutes), folder.exists()
    return str(runs.train(trainer, budget, folder, resume=resume, against=["lookahead:version=1"], games=200, every=0.4))


def wins(agent: str, game: Game, games: int) -> list[float]:
    """The share of wins against ``lookahead`` or William in percent, and the half width of its interval."""
    (result,) = evaluate(agent, game, ["lookahead:version=1"], games, DEALS).values()
    middle, low, high = result["win"]
    return [round(100 * middle, 1), round(50 * (high - low), 1)]


def main(
    out: Annotated[Path, typer.Argument(help="folder of the runs")],
    minutes: Annotated[float, typer.Option(help="of processor time for each run")] = 3.0,
    seeds: Annotated[int, typer.Option(help="number of seeds")] = 3,
    only: Annotated[str, typer.Option(help="runs with this text in their name")] = "",
    policy_games: Annotated[int, typer.Option(help="games of each policy")] = 400,
    search_games: Annotated[int, typer.Option(help="games of each search")] = 200,
) -> None:
    """Train and measure what is missing in a folder, and print a table."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / RESULTS
    results: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    for name, options in GAMES.items():
        game = make_game("ginkgopolis", **options)
        for auxiliary, seed in ((weight, seed) for weight in (0.0, 1.0) for seed in range(1, seeds + 1)):
            run = f"distilled_{name}{'_points' if auxiliary else ''}-seed{seed}"
            if run in results or only not in run:
                continue
            agent = trained(game, out / run, seed, auxiliary, minutes)
            root = ":root=lookahead" if game.seats == 1 else ""
            log = [json.loads(line)["explained"] for line in (out / run / LOG).read_text().splitlines()]
            results[run] = {"policy": wins(f"{agent}{POLICY}", game, policy_games)}
            results[run] |= {"search": wins(f"{agent}{root}", game, search_games), "explained": round(sum(log[-2:]) / 2, 3)}
            write_file(path, json.dumps(results, indent=1))
            print(run, results[run], flush=True)
    rows = [
        [run, *("{} ± {}".format(*row[what]) for what in ("policy", "search")), row["explained"]] for run, row in results.items()
    ]
    print(markdown_table(["run", "policy alone, wins in %", "search, wins in %", "variance explained"], rows))


if __name__ == "__main__":
    typer.run(main)
