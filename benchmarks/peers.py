"""Measure random play of the three games beside games of other packages, in one process.

All workloads run on one thread. Actions are uniformly random legal ones, and each follows an observation of the player to move.
Rates count decisions of players by processor time, over all threads. Games differ in what a decision is: a ratio says how long a
program waits for its data, not which code is better. Rows of packages that are not installed are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
import random
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from ginkgo_env import raw_env
from ginkgo_env.cli.bench import Workload, counted, playing, playing_aec, started, timed
from ginkgo_env.registry import GAMES, game_class

SIZE = 256  # games in a batch: the largest of city_of_gold
STEPS = 100  # decisions between two looks at the clock, with one game at a time
ROLLOUT = 32  # steps that a rollout buffer holds
ONE, BATCH, BUFFER = "one game", f"{SIZE} games", f"{SIZE} games into a rollout buffer"


def rollout(shape: tuple[int, ...], dtype: Any, n_actions: int, seats: int) -> list[Any]:
    """Return arrays for observations, masks, actions and rewards of ROLLOUT steps."""
    shapes = ((*shape,), dtype), ((n_actions,), np.int8), ((), np.int64), ((seats,), np.float32)
    return [np.empty((ROLLOUT, SIZE, *own), kind) for own, kind in shapes]


def filling(name: str) -> Workload:
    """Play a batch, and fill a rollout buffer with it."""
    batch = started(name, SIZE, game_class(name).speed_config)
    observations, masks, actions, rewards = rollout(
        (batch.game.observation.size,), batch.game.observation_dtype, batch.game.actions.size, batch.game.seats
    )
    steps = itertools.cycle(range(ROLLOUT))

    def step() -> None:
        i = next(steps)
        batch.observe(out=observations[i])
        masks[i], actions[i] = batch.mask, batch.sample()
        batch.step(actions[i], check=False)
        rewards[i] = batch.rewards

    return counted(step, SIZE)


def openspiel(name: str) -> Workload:
    """Play a game of OpenSpiel through its Python interface; units are decisions."""
    pyspiel, observation = importlib.import_module("pyspiel"), importlib.import_module("open_spiel.python.observation")
    game, rng = pyspiel.load_game(name), random.Random(0)
    state, observer = game.new_initial_state(), observation.make_observation(game)

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


def openspiel_bots(name: str) -> Workload:
    """Let OpenSpiel's random C++ bots play games without observations; units are decisions."""
    pyspiel = importlib.import_module("pyspiel")
    game, seeds = pyspiel.load_game(name), itertools.count()
    bots = [pyspiel.make_uniform_random_bot(player, 0) for player in range(game.num_players())]

    def work() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return sum(step.player >= 0 for step in state.full_history())

    return work


def gold(buffered: bool) -> Workload:
    """Play a vector of games of city_of_gold with its own sampler; units are decisions.

    Its observations are views of its states. With ``buffered`` they are copied into a rollout buffer.
    """
    city_of_gold = importlib.import_module("city_of_gold")
    runner = city_of_gold.vec.get_runner(SIZE)()
    runner.make_samplers(0)
    envs = runner.get_envs()
    envs.reset(0, 4, 3, city_of_gold.EASY, 100_000, False)  # seed, players, map pieces, maps, step limit, window
    arrays = envs.observations, envs.selected_action_masks, runner.get_actions(), envs.rewards
    parts = [np.ascontiguousarray(array).view(f"V{array.dtype.itemsize}") for array in arrays]  # numpy copies these at once
    buffers = [np.empty((ROLLOUT, *part.shape), part.dtype) for part in parts if buffered]
    steps = itertools.cycle(range(ROLLOUT))

    def step() -> None:
        i = next(steps)
        for buffer, part in zip(buffers, parts, strict=False):
            buffer[i] = part
        runner.sample_seq()
        runner.step_seq()

    return counted(step, SIZE)


def pgx(name: str) -> Workload:
    """Play a batch of games of Pgx on the processor, with its observations; units are decisions."""
    jax, package, more = map(importlib.import_module, ("jax", "pgx", "pgx.experimental"))
    env = package.make(name)

    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, own = jax.random.split(key)
        actions = jax.random.categorical(own, jax.numpy.log(state.legal_action_mask.astype(float)), axis=-1)
        return jax.vmap(more.auto_reset(env.step, env.init))(state, actions, jax.random.split(own, SIZE)), key

    playing, step = (
        [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), SIZE)), jax.random.PRNGKey(1)],
        jax.jit(play),
    )

    def work() -> int:
        for _ in range(ROLLOUT):
            playing[:] = step(*playing)
        playing[0].observation.block_until_ready()
        return ROLLOUT * SIZE

    return work


def envpool(name: str) -> Workload:
    """Step a vector of environments of EnvPool with one thread and fixed actions; units are decisions."""
    envs = importlib.import_module("envpool").make(name, env_type="gymnasium", num_envs=SIZE, num_threads=1)
    rng = np.random.default_rng(0)
    actions = rng.integers(envs.action_space.n, size=(ROLLOUT, SIZE))
    envs.reset()
    steps = itertools.cycle(range(ROLLOUT))
    return counted(lambda: envs.step(actions[next(steps)]), SIZE)


OTHERS: list[tuple[str, str, str, Callable[[], Workload]]] = [
    ("city_of_gold", "City of Gold", BATCH, lambda: gold(False)),
    ("city_of_gold", "City of Gold", BUFFER, lambda: gold(True)),
    ("pgx", "backgammon", BATCH, lambda: pgx("backgammon")),
    ("pgx", "sparrow mahjong", BATCH, lambda: pgx("sparrow_mahjong")),
    ("envpool", "CartPole", BATCH, lambda: envpool("CartPole-v1")),
    ("envpool", "FrozenLake", BATCH, lambda: envpool("FrozenLake-v1")),
    ("open_spiel", "Quoridor", ONE, lambda: openspiel("quoridor")),
    ("open_spiel", "Hanabi", ONE, lambda: openspiel("hanabi")),
    ("open_spiel", "Quoridor, C++ bots alone", ONE, lambda: openspiel_bots("quoridor")),
    ("open_spiel", "Hanabi, C++ bots alone", ONE, lambda: openspiel_bots("hanabi")),
]
"""Package, game, how many games at a time, and what makes the workload."""


def main(seconds: Annotated[float, typer.Option(min=0.1, help="Seconds for each line.")] = 3.0) -> None:
    """Print a table of rates and of ratios to Ginkgopolis."""
    works: dict[tuple[str, str, str], Workload] = {}
    for name in GAMES:
        works["ginkgo_env", game_class(name).title, BATCH] = playing(name, SIZE, observed=True)
        works["ginkgo_env", game_class(name).title, BUFFER] = filling(name)
        works["ginkgo_env", game_class(name).title, ONE] = playing_aec(raw_env(game_class(name)))
    for package, title, size, make in OTHERS:
        if importlib.util.find_spec(package):
            works[package, title, size] = make()

    speeds = dict(zip(works, timed(seconds, **{str(key): work for key, work in works.items()}).values(), strict=True))
    table = Table("package", "game", "at a time", "decisions/s", "against Ginkgopolis")
    for (package, title, size), speed in speeds.items():
        ratio = np.median(speed.cpu / speeds["ginkgo_env", "Ginkgopolis", size].cpu)
        table.add_row(package, title, size, f"{np.median(speed.cpu):,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    typer.run(main)
