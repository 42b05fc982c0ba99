"""Compare what ``search`` expects of positions with what comes of them.

    python benchmarks/calibration.py --games 400
    python benchmarks/calibration.py --game ginkgopolis --set players=3

All seats are played by ``search``. It expects the mean of playouts whose first actions are drawn from the improved policy,
in worlds of their own, as in an analysis: with hidden choices of others made again and, beside it, as resampled. The temperature
of the policy that gives the actions played the highest likelihood is printed too: ``belief`` in the manifest of the networks.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, cast

import numpy as np
import typer
from numpy.typing import NDArray

import ginkgo_env
from ginkgo_agents.base import DecisionBatch, nth_keys, sample_actions
from ginkgo_agents.evaluation.options import read_configuration
from ginkgo_agents.evaluation.statistics import win_shares
from ginkgo_agents.lookahead import win_chance
from ginkgo_agents.policy import Policy
from ginkgo_agents.pretrained import PretrainedSearch
from ginkgo_agents.registry import make_agent
from ginkgo_agents.search import SearchAgent
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.text import markdown_table

GAMES = ("ginkgopolis", "golden_city", "my_city")
AHEAD, WORLDS = 3, 16
TEMPERATURES = np.geomspace(0.25, 4, 9)


class Expectations(NamedTuple):
    """What was expected in D decisions, and what came of them."""

    seats: NDArray[np.int64]
    expected: NDArray[np.float64]
    """(D, 2) chance of the deciding seat to win: hidden choices made again, and as resampled."""
    won: NDArray[np.float64]
    """(D,) its share of the win."""
    likelihoods: NDArray[np.float64]
    """(T, D) log likelihood of the action played by the policy at each of TEMPERATURES; NaN without a policy."""


def expectations(game: Game, games: int, simulations: int, seed: int) -> Expectations:
    """Play games of ``search`` against itself, and value the position at each decision."""
    agent = cast(PretrainedSearch, make_agent(f"search:simulations={simulations}", game.name))
    playouts = [agent.playouts(game, AHEAD, again=again) for again in (True, False)]
    checkpoint = cast(SearchAgent, agent.agent_for(game)).checkpoint
    policy = Policy(checkpoint, game) if checkpoint else None
    batch, random, row_of = ginkgo_env.Batch(game, games), np.random.default_rng(seed), []
    batch.reset(seed=seed)
    parts: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]] = []
    while not batch.over.all():
        rows = np.flatnonzero(~batch.over)
        turn = DecisionBatch(batch, rows, random.integers(2**64, size=len(rows), dtype=np.uint64))
        result = agent.search(turn)
        keys = nth_keys(np.repeat(turn.keys, WORLDS) ^ np.tile(np.arange(WORLDS, dtype=np.uint64) << np.uint64(32), len(turn)), 1)
        tried = sample_actions(np.repeat(result.probabilities(game.actions.size), WORLDS, axis=0), nth_keys(keys, 1))
        values = [each.values(turn, np.repeat(np.arange(len(turn)), WORLDS), tried, keys)[:, 0] for each in playouts]
        chances = [win_chance(each.reshape(-1, WORLDS).mean(axis=1), game.sides) for each in values]
        expected = np.stack(chances, axis=1, dtype=np.float64)
        row_of.append(rows)
        parts.append((turn.seats, expected, likelihoods(policy, turn, result.chosen)))
        actions = np.full(batch.size, NO_ACTION, np.int64)
        actions[rows] = result.chosen
        batch.step(actions)
    seats, expected, fits = (np.concatenate([part[k] for part in parts]) for k in range(3))
    won = win_shares(batch.standings)[np.concatenate(row_of), seats]
    return Expectations(seats, expected, won, fits.T)


def likelihoods(policy: Policy | None, turn: DecisionBatch, actions: NDArray[np.int64]) -> NDArray[np.float64]:
    """Log likelihoods (rows, T) of actions by the policy that plays the playouts."""
    if policy is None:
        return np.full((len(turn), len(TEMPERATURES)), np.nan)
    legal, logits = policy.logits(turn)
    row = np.repeat(np.arange(len(turn)), np.diff(legal.offsets))
    scaled = logits[:, None] / TEMPERATURES
    scaled -= np.maximum.reduceat(scaled, legal.offsets[:-1])[row]
    logs = scaled - np.log(np.add.reduceat(np.exp(scaled), legal.offsets[:-1]))[row]
    return np.asarray(logs[legal.actions == actions[row]])


def main(
    game: Annotated[str | None, typer.Option(help="name of a game")] = None,
    options: Annotated[list[str] | None, typer.Option("--set", help="its options, KEY=VALUE")] = None,
    games: Annotated[int, typer.Option(help="games of each kind", min=1)] = 400,
    simulations: Annotated[int, typer.Option(help="playouts for a decision", min=1)] = 64,
    seed: Annotated[int, typer.Option(help="random seed", min=0)] = 0,
) -> None:
    """Print expected and actual wins by game, seat and tenth, and the best temperature."""
    kinds = [ginkgo_env.make_game(each, players=2) for each in GAMES]
    if game is not None:
        kinds = [ginkgo_env.make_game(game, **read_configuration(game, options or []))]
    rows = []
    for kind in kinds:
        name, found = kind.name, expectations(kind, games, simulations, seed)
        for seat in range(kind.seats):
            own = found.seats == seat
            expected, won = found.expected[own], found.won[own]
            tenth = np.minimum((10 * expected[:, 0]).astype(int), 9)
            cells = [f"{100 * won[tenth == k].mean():.0f}" if (tenth == k).sum() >= 50 else "" for k in range(10)]
            brier = ((expected - won[:, None]) ** 2).mean(axis=0)
            means = [f"{100 * mean:.1f}" for mean in (won.mean(), *expected.mean(axis=0))]
            rows.append([f"{name}, seat {seat}", *means, *(f"{each:.3f}" for each in brier), *cells])
        best = found.likelihoods.mean(axis=1)
        print(f"{name}: {len(found.won):,} decisions, temperature {TEMPERATURES[best.argmax()]:.2f} fits best")
    head = ["game", "won, %", "expected", "as resampled", "Brier", "as resampled"]
    print(markdown_table([*head, *(f"{10 * k}+" for k in range(10))], rows))


if __name__ == "__main__":
    typer.run(main)
