"""``ginkgo bench``: speeds of a game on this machine, next to reference measurements of the machine.

The workloads of a group take turns. Results are medians over these turns, in processor time where a single thread works.
Machines are shared and noisy: only ratios within one run are comparable.
"""

from __future__ import annotations

import itertools
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import ginkgo_env
from ginkgo_env.core.batch import Batch, game_seeds
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import first_illegal, sample_many, sets_of
from ginkgo_env.core.rewards import chosen_reward
from ginkgo_env.envs.aec import env, raw_env
from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.vector import GinkgoVectorEnv
from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game

Workload = Callable[[], int]  # does some work and returns its number of units

GROUP = "ginkgo_env.measurements"
"""Group of entry points of other packages: functions (game name, seconds) that yield measurements."""
_TURNS = 9
_WARM_UP = 100  # steps after which the games of a batch are at different points
_SMALL, _LARGE = 1024, 16_384  # games in a batch
_SYNCED = 16  # environments in a SyncVectorEnv, whose speed hardly depends on their number
_MEMORY = 1 << 26  # bytes to copy
_SHARD, _SHARDS = 1000, 10_000  # games in a file of a data set, as ``ginkgo generate`` writes them by default


class Measurement(NamedTuple):
    """One line of the table."""

    name: str
    value: float
    unit: str
    target: str = ""
    reached: bool | None = None


def line(name: str, values: Any, unit: str, least: float | None = None, most: float | None = None) -> Measurement:
    """Return the median of some values, and whether it is at least ``least`` or at most ``most``."""
    value = float(np.median(values))
    if least is not None:
        return Measurement(name, value, unit, f">= {least:,.9g}", value >= least)
    return Measurement(name, value, unit) if most is None else Measurement(name, value, unit, f"<= {most:,.9g}", value <= most)


class Speed(NamedTuple):
    """Speeds of a workload, (turns,): units per second; units and calls per second of processor time."""

    wall: NDArray[np.float64]
    cpu: NDArray[np.float64]  # time of all threads of this process
    calls: NDArray[np.float64]


def timed(seconds: float, **works: Workload) -> dict[str, Speed]:
    """Run each workload for some seconds, in turns, so that disturbances of the machine affect all."""
    turns = np.empty((len(works), 3, _TURNS))
    for work in works.values():
        work()
    for turn, (k, work) in itertools.product(range(_TURNS), enumerate(works.values())):
        units = calls = 0
        start, used = time.perf_counter(), time.process_time()
        while not calls or time.perf_counter() - start < seconds / _TURNS:
            units, calls = units + work(), calls + 1
        elapsed, used = time.perf_counter() - start, time.process_time() - used
        turns[k, :, turn] = units / elapsed, units / used, calls / used
    return {name: Speed(*values) for name, values in zip(works, turns, strict=True)}


def counted(call: Callable[[], object], units: int) -> Workload:
    """Make a workload from a function that always does the same number of units."""

    def work() -> int:
        call()
        return units

    return work


def started(game: str, size: int, config: Mapping[str, Any], **options: Any) -> Batch:
    """Make a batch with autoreset whose games are at different points."""
    batch = Batch(make_game(game_class(game), **config), size, autoreset=True, **options)
    batch.reset(seed=0)
    for _ in range(_WARM_UP):
        batch.step(batch.sample(), check=False)
    return batch


def playing(game: str, size: int, config: Mapping[str, Any] = {}, *, observed: bool, **options: Any) -> Workload:
    """Step a batch, and optionally write the observation of the seat to move; units are decisions."""
    batch = started(game, size, config, **options)
    out = batch.observe()

    def step() -> None:
        batch.step(batch.sample(), check=False)
        if observed:
            batch.observe(out=out)

    return counted(step, size)


def playing_aec(environment: Any) -> Workload:
    """Play a game through PettingZoo's AEC interface; units are decisions."""
    uniform = random.Random(0).random

    def work() -> int:
        decisions = 0
        environment.reset()
        for _ in environment.agent_iter():
            observation, _, termination, truncation, _ = environment.last()
            over = termination or truncation
            legal = observation["action_mask"].nonzero()[0]
            environment.step(None if over else legal[int(uniform() * legal.size)])
            decisions += not over
        return decisions

    environment.reset(seed=0)
    return work


def learning(envs: Any, learners: Sequence[Learner]) -> Workload:
    """Step a vector of environments; units are the decisions of all seats."""
    masks = envs.reset(seed=0)[1]["action_mask"]
    keys, actions = np.arange(len(masks), dtype=np.uint64), np.empty(len(masks), np.int64)

    def work() -> int:
        nonlocal masks
        before = sum(learner.decisions for learner in learners)
        sample_many(0, len(masks), sets_of(masks), keys, actions)
        masks = envs.step(actions)[4]["action_mask"]
        return sum(learner.decisions for learner in learners) - before

    for _ in range(_WARM_UP):
        work()
    return work


def writing(game: Game, folder: Path) -> Workload:
    """Write a data set with observations and masks, on a second thread; units are decisions."""
    from ginkgo_env.datasets.metadata import STEPS, DatasetInfo
    from ginkgo_env.datasets.play import random_policy
    from ginkgo_env.datasets.shards import ShardWriter

    options: dict[str, Any] = {"agents": ["uniform"], "seatings": [[0] * game.seats], "identities": {}, "seed": 0}
    options |= {"games": _SHARDS * _SHARD, "shard_games": _SHARD, "reward": chosen_reward(None, game.sides)}
    writer = ShardWriter(game, DatasetInfo.of(game, content=STEPS, wide=["observation", "mask"], **options), folder)
    shards = itertools.count()

    def work() -> int:
        decisions = sum(writer.make(shard, game_seeds(shard, _SHARD), random_policy) for shard in itertools.islice(shards, 4))
        writer.finish()
        return decisions

    return work


def _references(game: str, seconds: float) -> Iterator[Measurement]:
    source, target = np.zeros(_MEMORY, np.uint8), np.ones(_MEMORY, np.uint8)
    legal, actions = np.ones((1, 1), np.uint64), np.zeros(1, np.int64)
    copy, call = counted(lambda: np.copyto(target, source), _MEMORY), counted(lambda: first_illegal(legal, actions), 1)
    copied, called = timed(seconds, copy=copy, call=call).values()
    yield line("reference: memcpy", copied.wall / 1e9, "GB/s")
    yield line("reference: empty kernel call", 1e9 / called.cpu, "ns")


def _decisions(game: str, seconds: float) -> Iterator[Measurement]:
    cls = game_class(game)
    seats = make_game(cls, **cls.speed_config).seats
    players = f"{seats} players" if seats > 1 else "1 player"
    for text, observed, target in (("mask", False, 1_500_000), ("mask and observation", True, 1_000_000)):
        works = {str(size): playing(game, size, cls.speed_config, observed=observed) for size in (_SMALL, _LARGE)}
        if game != DEFAULT_GAME:
            works["default"] = playing(DEFAULT_GAME, _SMALL, observed=observed)
        small, large, *default = timed(seconds, **works).values()
        yield line(f"{players}, batch {_SMALL:,}, {text}", small.cpu, "decisions/s", target)
        yield line(f"batch {_LARGE:,} against {_SMALL:,}, {text}", large.cpu / small.cpu, "ratio", 0.85)
        for other in default:
            ratio, least = small.cpu / other.cpu, cls.speed_targets.get("observation" if observed else "mask")
            yield line(f"{players}: decisions against {DEFAULT_GAME}, {text}", ratio, "ratio", least)
    if game_class(game)().sides > 1:
        speeds = timed(seconds, **{name: playing(game, _SMALL, observed=True, reward=name) for name in ("win", "score")})
        ratio = speeds["win"].cpu / speeds["score"].cpu
        yield line("mask and observation: cost of reward score against win", ratio, "ratio", most=1.5)
    for config in cls.configurations():
        name = ", ".join(f"{key} {text}" for key, text in cls.option_texts(config).items())
        (speed,) = timed(seconds, batch=playing(game, _SMALL, config, observed=True)).values()
        yield line(f"mask and observation: {name}", speed.cpu, "decisions/s")
    one, two = timed(seconds, **{str(n): playing(game, _LARGE, observed=True, threads=n) for n in (1, 2)}).values()
    yield line(f"two threads against one (median of {_TURNS} pairs)", two.wall / one.wall, "ratio", 1.6)


def _states(game: str, seconds: float) -> Iterator[Measurement]:
    batch = started(game, _SMALL, {})
    other, rows = Batch(batch.game, _SMALL), np.arange(_SMALL)
    other.copy_rows(batch, rows, rows)
    calls: dict[str, Callable[[], object]] = {"copying": lambda: other.copy_rows(batch, rows, rows), "scoring": batch.scores}
    calls |= {"resampling": lambda: other.resample(seed=1), "features of": batch.features}
    speeds = timed(seconds, **{name: counted(call, _SMALL) for name, call in calls.items()})
    most = game_class(game).speed_targets.get("state", 2048)
    yield line("state of a game", batch.states.dtype.itemsize, "bytes", most=most)
    for name, speed in speeds.items():
        yield line(f"{name} a game", 1e9 / speed.cpu, "ns", most=1000 if name == "copying" else None)
    for name, config in list(game_class(game).layouts().items())[1:]:
        batch = started(game, _SMALL, config)
        yield line(f"state of a game {name}", batch.states.dtype.itemsize, "bytes")
        calls = {"scoring": batch.scores, "features of": batch.features}
        for what, speed in timed(seconds, **{what: counted(call, _SMALL) for what, call in calls.items()}).items():
            yield line(f"{what} a game {name}", 1e9 / speed.cpu, "ns")


def _lookahead(game: str, seconds: float) -> Iterator[Measurement]:
    batch, seeds, worlds = started(game, _SMALL // 4, {}), itertools.count(), 2

    def leaves() -> int:
        return worlds * len(batch.afterstates(worlds, seed=next(seeds), average=True).actions)

    values, steps = timed(seconds, values=leaves, steps=playing(game, _SMALL, observed=False)).values()
    yield line("afterstates with features", values.cpu, "leaves/s")
    yield line("afterstates against decisions with mask", values.cpu / steps.cpu, "ratio", 0.25)


def _environments(game: str, seconds: float) -> Iterator[Measurement]:
    cls = game_class(game)
    raw, wrapped = timed(seconds, raw=playing_aec(raw_env(cls)), wrapped=playing_aec(env(cls))).values()
    yield line("PettingZoo raw_env", raw.cpu, "decisions/s", 60_000)
    yield line("PettingZoo env()", wrapped.cpu, "decisions/s", 25_000)
    mode = AutoresetMode.SAME_STEP
    sync: Any = SyncVectorEnv([lambda: GinkgoEnv(cls)] * _SYNCED, autoreset_mode=mode)
    vector = GinkgoVectorEnv(cls, num_envs=_SMALL, autoreset_mode=mode)
    works = {"sync": learning(sync, [env.unwrapped.learner for env in sync.envs]), "vector": learning(vector, [vector.learner])}
    one, many, batch = timed(seconds, **works, batch=playing(game, _SMALL, observed=True)).values()
    yield line("reference: SyncVectorEnv", _SYNCED * one.calls, "learner steps/s")
    yield line(f"VectorEnv, {_SMALL:,} games", _SMALL * many.calls, "learner steps/s")
    yield line("VectorEnv against SyncVectorEnv", _SMALL * many.calls / (_SYNCED * one.calls), "ratio", 10)
    yield line("VectorEnv, all decisions, against the batch", many.cpu / batch.cpu, "ratio", 0.6)


def _datasets(game: str, seconds: float) -> Iterator[Measurement]:
    if find_spec("pyarrow") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        data_set, batch = writing(game_class(game)(), Path(folder)), playing(game, _SMALL, observed=True)
        data, played = timed(seconds, data_set=data_set, batch=batch).values()
    yield line("data set with observations", data.wall, "decisions/s")
    yield line("data set against the batch, mask and observation", data.wall / played.wall, "ratio", 0.2)
    yield line("the same by processor time, both threads together", data.cpu / played.cpu, "ratio")


_START = """
import json, sys, time
start = time.perf_counter(); import ginkgo_env; ginkgo_env.Batch; imported = time.perf_counter()
game = ginkgo_env.make_game(sys.argv[1], **json.loads(sys.argv[2]))
batch = ginkgo_env.Batch(game, 1); batch.reset(seed=0); reset = time.perf_counter()
batch.step(batch.sample()); batch.observe(); batch.scores(); batch.outcome(0); batch.resample(seed=0); used = time.perf_counter()
print(imported - start, reset - imported, used - start)
"""


def _start(game: str, config: Mapping[str, Any], **variables: str) -> list[float]:
    """Return the seconds of a new process to import, to reset a game, and in total until everything was used."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | variables
    command = [sys.executable, "-c", _START, game, json.dumps(config)]
    return [float(text) for text in subprocess.check_output(command, env=environment, text=True).split()]


def _starts(game: str, seconds: float) -> Iterator[Measurement]:
    imports, resets, _ = zip(*[_start(game, {}) for _ in range(4)][1:], strict=True)  # the first one fills the caches
    yield line("import ginkgo_env, and Batch from it", min(imports), "s", most=0.5)
    yield line("first reset, warm cache", min(resets), "s", most=1)


def _cold_starts(game: str, seconds: float) -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        own = _start(game, {}, GINKGO_CACHE_DIR=folder)[2]
        yield line("cold: import, compile and use everything", own, "s", most=30)
        for name, config in list(game_class(game).layouts().items())[1:]:
            yield line(f"the same {name}, after that", _start(game, config, GINKGO_CACHE_DIR=folder)[2], "s")
        if game != DEFAULT_GAME:
            ratio = own / _start(DEFAULT_GAME, {}, GINKGO_CACHE_DIR=other)[2]
            yield line(f"cold: against {DEFAULT_GAME}", ratio, "ratio", most=game_class(game).speed_targets.get("cold"))


def _others(game: str, seconds: float) -> Iterator[Measurement]:
    for point in sorted(entry_points(group=GROUP)):
        yield from point.load()(game, seconds)


_GROUPS = [_references, _decisions, _states, _lookahead, _others, _environments, _datasets, _starts, _cold_starts]


def _table(measurements: list[Measurement]) -> Table:
    table = Table("what", "measured", "", "target", "", title="ginkgo bench")
    table.columns[1].justify = table.columns[3].justify = "right"
    for m in measurements:
        mark = "" if m.reached is None else "[green]yes[/green]" if m.reached else "[red]no[/red]"
        table.add_row(m.name, f"{m.value:,.0f}" if m.value >= 100 else f"{m.value:.3g}", m.unit, m.target, mark)
    return table


def bench(
    game: Annotated[str, typer.Option(help="Name of the game (see ginkgo games).")] = DEFAULT_GAME,
    seconds: Annotated[float, typer.Option(min=0.01, help="Seconds for each measurement.")] = 1.0,
    cold: Annotated[bool, typer.Option(help="Also measure compilation, in an empty cache.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Measure how fast games run on this machine."""
    measurements, progress = list[Measurement](), Console(stderr=True)
    try:
        for group in track(_GROUPS if cold else _GROUPS[:-1], "measuring", console=progress, transient=True):
            measurements += group(game, seconds)
    except KeyboardInterrupt:
        progress.print("interrupted; measured so far:")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    if as_json:
        measures = [measurement._asdict() for measurement in measurements]
        print(json.dumps({"version": ginkgo_env.__version__, "machine": machine, "measures": measures}, indent=2))
    else:
        Console().print(_table(measurements), machine, sep="\n")
