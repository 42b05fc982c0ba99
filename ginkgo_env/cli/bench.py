"""``ginkgo bench``: how fast games run on this machine, next to reference measurements of the machine itself.

Each rate is the median of several slices of time. Machines are shared and noisy, so only ratios within one run count.
"""

from __future__ import annotations

import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.masks import first_illegal
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game

_SLICES = 9
_PAIRS = 5
_SMALL, _LARGE = 1024, 16_384
_MEMORY = 1 << 26  # bytes of the memcpy reference


@dataclass(frozen=True)
class Measure:
    """One line of the table."""

    name: str
    value: float
    unit: str
    target: str = ""
    reached: bool | None = None


def _at_least(name: str, value: float, unit: str, target: float) -> Measure:
    return Measure(name, value, unit, f">= {target:,g}", value >= target)


def _at_most(name: str, value: float, unit: str, target: float) -> Measure:
    return Measure(name, value, unit, f"<= {target:,g}", value <= target)


def _rate(work: Callable[[], int], seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    """Units of work a second: the median over slices."""
    rates = []
    work()
    for _ in range(_SLICES):
        start, done = clock(), 0
        while clock() - start < seconds / _SLICES:
            done += work()
        rates.append(done / (clock() - start))
    return median(rates)


def _pairs(one: Callable[[], int], other: Callable[[], int], seconds: float) -> list[tuple[float, float]]:
    """Rates of two kinds of work that take turns, by the processor time of this thread: disturbances affect both alike."""
    part, clock = seconds / _PAIRS, time.thread_time
    return [(_rate(one, part, clock), _rate(other, part, clock)) for _ in range(_PAIRS)]


def _playing(
    game: str, size: int, *, observed: bool, threads: int = 1, reward: RewardName | None = None, **config: Any
) -> Callable[[], int]:
    """Work for :func:`_rate`: uniform legal play with mask, optionally with the actor's observation written each step."""
    batch = Batch(make_game(game, **config), size, autoreset=True, threads=threads, reward=reward)
    batch.reset(seed=0)
    out = batch.observe()
    for _ in range(100):  # so that rows stand at different points of their games
        batch.step(batch.sample(), check=False)

    def work() -> int:
        batch.step(batch.sample(), check=False)
        if observed:
            batch.observe(out=out)
        return size

    return work


def _references(seconds: float) -> Iterator[Measure]:
    source, target = np.zeros(_MEMORY, np.uint8), np.ones(_MEMORY, np.uint8)

    def copy() -> int:
        target[:] = source
        return _MEMORY

    masks, actions = np.ones((1, 1), np.int8), np.zeros(1, np.int64)

    def call() -> int:
        first_illegal(masks, actions)
        return 1

    yield Measure("reference: memcpy", _rate(copy, seconds) / 1e9, "GB/s")
    yield Measure("reference: empty kernel call", 1e9 / _rate(call, seconds), "ns")


def _who(game: str) -> str:
    """The players of the configuration that is held to targets."""
    seats = make_game(game, **game_class(game).speed_config).seats
    return f"{seats} players" if seats > 1 else "1 player"


def _speeds(game: str, seconds: float) -> Iterator[Measure]:
    who, config = _who(game), game_class(game).speed_config
    masked = _rate(_playing(game, _SMALL, observed=False, **config), seconds)
    seen = _rate(_playing(game, _SMALL, observed=True, **config), seconds)
    yield _at_least(f"{who}, batch {_SMALL:,}, mask", masked, "decisions/s", 1_500_000)
    yield _at_least(f"{who}, batch {_SMALL:,}, mask and observation", seen, "decisions/s", 1_000_000)
    large = _rate(_playing(game, _LARGE, observed=False, **config), seconds)
    large_seen = _rate(_playing(game, _LARGE, observed=True, **config), seconds)
    yield _at_least(f"batch {_LARGE:,} against {_SMALL:,}, mask", large / masked, "ratio", 0.85)
    yield _at_least(f"batch {_LARGE:,} against {_SMALL:,}, mask and observation", large_seen / seen, "ratio", 0.85)
    if make_game(game).sides > 1:
        win = _playing(game, _SMALL, observed=True, reward="win")
        ratios = [fast / slow for fast, slow in _pairs(win, _playing(game, _SMALL, observed=True, reward="score"), 2 * seconds)]
        yield _at_most("mask and observation: cost of reward score against win", median(ratios), "ratio", 1.5)
    for config in game_class(game).configurations():
        name = ", ".join(f"{key} {text}" for key, text in game_class(game).option_texts(config).items())
        yield Measure(
            f"mask and observation: {name}", _rate(_playing(game, _SMALL, observed=True, **config), seconds), "decisions/s"
        )


def _lookahead(game: str, seconds: float) -> Iterator[Measure]:
    """Afterstates with features, to the end of the round, resampling included; next to stepping in the same turns."""
    batch = Batch(make_game(game), _SMALL // 4, autoreset=True)
    batch.reset(seed=0)
    for _ in range(100):
        batch.step(batch.sample(), check=False)
    worlds, seeds = 2, itertools.count()

    def leaves() -> int:
        return worlds * len(batch.afterstates(worlds, seed=next(seeds), average=True).actions)

    def features() -> int:
        batch.features()
        return batch.size

    stepping = _playing(game, _SMALL, observed=False)
    pairs = _pairs(leaves, stepping, 2 * seconds)
    yield Measure("features of a game", 1e9 / _rate(features, seconds, time.thread_time), "ns")
    yield Measure("afterstates with features", median(leaf for leaf, _ in pairs), "leaves/s")
    yield _at_least("afterstates against decisions with mask", median(leaf / step for leaf, step in pairs), "ratio", 0.25)


def _beside(game: str, seconds: float) -> Iterator[Measure]:
    """Another game beside the default one in its own configuration, in turns."""
    if game == DEFAULT_GAME:
        return
    for name, observed in (("mask", False), ("mask and observation", True)):
        own = _playing(game, _SMALL, observed=observed, **game_class(game).speed_config)
        pairs = _pairs(own, _playing(DEFAULT_GAME, _SMALL, observed=observed), 2 * seconds)
        target = game_class(game).speed_targets.get("observation" if observed else "mask")
        ratio = median(fast / slow for fast, slow in pairs)
        yield _held(_at_least, f"{_who(game)}: decisions against {DEFAULT_GAME}, {name}", ratio, "ratio", target)


def _held(check: Callable[..., Measure], name: str, value: float, unit: str, target: float | None) -> Measure:
    """A measure with a target, if there is one."""
    return Measure(name, value, unit) if target is None else check(name, value, unit, target)


def _threads(game: str, seconds: float) -> Iterator[Measure]:
    one, two = (_playing(game, _LARGE, observed=True, threads=n) for n in (1, 2))
    ratios = []
    for _ in range(_PAIRS):
        alone = _rate(one, seconds / _PAIRS)
        ratios.append(_rate(two, seconds / _PAIRS) / alone)
    yield _at_least(f"two threads against one (median of {_PAIRS} pairs)", median(ratios), "ratio", 1.6)


def _rows(game: str, seconds: float) -> Iterator[Measure]:
    batch = Batch(make_game(game), _SMALL)
    other = Batch(batch.game, _SMALL)
    rows = np.arange(_SMALL)
    for _ in range(40):
        batch.step(batch.sample(), check=False)

    def counted(work: Callable[[], Any]) -> Callable[[], int]:
        def once() -> int:
            work()
            return _SMALL

        return once

    most = game_class(game).speed_targets.get("state", 2048)
    yield _at_most("state of a game", batch.states.dtype.itemsize, "bytes", most)
    for name, config in _others(game):
        yield Measure(f"state of a game {name}", make_game(game, **config).template.dtype.itemsize, "bytes")
    yield _at_most("copying a game", 1e9 / _rate(counted(lambda: other.copy_rows(batch, rows, rows)), seconds), "ns", 1000)
    yield Measure("scoring a game", 1e9 / _rate(counted(batch.scores), seconds), "ns")
    yield Measure("resampling a game", 1e9 / _rate(counted(lambda: other.resample(seed=1)), seconds), "ns")


def _others(game: str) -> list[tuple[str, dict[str, Any]]]:
    """Configurations whose layouts differ from the default's, by name of the layout."""
    return list(game_class(game).layouts().items())[1:]


def _front_ends(game: str, seconds: float) -> Iterator[Measure]:
    from ginkgo_env.envs.measure import measure_all

    speeds = measure_all(game, seconds=3 * seconds)
    yield _at_least("PettingZoo raw_env", speeds["raw_env"], "decisions/s", 60_000)
    yield _at_least("PettingZoo env()", speeds["env"], "decisions/s", 25_000)
    yield Measure("reference: empty AEC environment, same wrappers", speeds["empty"], "decisions/s")
    yield from _learners(game, 3 * seconds)


def _learners(game: str, seconds: float) -> Iterator[Measure]:
    """One learner in each game, with random opponents."""
    from ginkgo_env.envs.measure_learner import measure_learners

    speeds = measure_learners(game, size=_SMALL, seconds=seconds)
    names = {"vector": "VectorEnv", "reused": "VectorEnv with copy=False", "sb3": "Stable-Baselines3 VecEnv"}
    yield Measure("Gymnasium Env", speeds["env"].steps, "learner steps/s")
    yield Measure("reference: SyncVectorEnv of it", speeds["sync"].steps, "learner steps/s")
    for key, name in names.items():
        if key in speeds:
            speed = speeds[key]
            yield Measure(f"{name}, {_SMALL:,} games", speed.steps, "learner steps/s")
            yield _at_least(f"{name} against SyncVectorEnv", speed.steps / speeds["sync"].steps, "ratio", 10)
            share = speed.decisions / speeds["batch"].decisions
            yield _at_least(f"{name}, all decisions, against the batch", share, "ratio", 0.6)


def _data(game: str, seconds: float) -> Iterator[Measure]:
    """Making a data set of uniform play, next to the batch in turns: one thread plays and another one writes."""
    if find_spec("pyarrow") is None:
        return
    from ginkgo_env.data.measure import making

    with tempfile.TemporaryDirectory() as folder:
        make, playing = making(make_game(game), Path(folder)), _playing(game, _SMALL, observed=True)
        make()  # memory is used for the first time
        made = [_both_clocks(make, seconds / _PAIRS, playing) for _ in range(_PAIRS)]
    yield Measure("data set with observations", median(rate for rate, _, _ in made), "decisions/s")
    yield _at_least("data set against the batch, mask and observation", median(ratio for _, ratio, _ in made), "ratio", 0.2)
    yield Measure("the same by processor time, both threads together", median(ratio for _, _, ratio in made), "ratio")


def _both_clocks(one: Callable[[], int], seconds: float, other: Callable[[], int]) -> tuple[float, float, float]:
    """The rate of one work, and its ratio to the other's: by the clock, and by the processor time of this process."""
    found = []
    for work in (one, other):
        clock, used, done = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - clock < seconds:
            done += work()
        found.append((done / (time.perf_counter() - clock), done / (time.process_time() - used)))
    (rate, used_rate), (other_rate, other_used_rate) = found
    return rate, rate / other_rate, used_rate / other_used_rate


_STARTS = """
import json, sys, time
start = time.perf_counter(); import ginkgo_env; ginkgo_env.Batch; imported = time.perf_counter()
game = ginkgo_env.make_game(sys.argv[1], **json.loads(sys.argv[2]))
batch = ginkgo_env.Batch(game, 1); batch.reset(seed=0); reset = time.perf_counter()
batch.step(batch.sample()); batch.observe(); batch.scores(); batch.outcome(0); batch.resample(seed=0); used = time.perf_counter()
print(imported - start, reset - imported, used - start)
"""


def _start(game: str, cache: str | None, config: Mapping[str, Any] | None = None) -> list[float]:
    """Seconds of a fresh process: import, first reset, everything used once."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    if cache is not None:
        environment["GINKGO_CACHE_DIR"] = cache
    command = [sys.executable, "-c", _STARTS, game, json.dumps(dict(config or {}))]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return [float(number) for number in done.stdout.split()]


def _starts(game: str, cold: bool) -> Iterator[Measure]:
    warm = [_start(game, None) for _ in range(4)][1:]  # the first fills the caches of kernels and byte code
    yield _at_most("import ginkgo_env, and Batch from it", min(times[0] for times in warm), "s", 0.5)
    yield _at_most("first reset, warm cache", min(times[1] for times in warm), "s", 1)
    if cold:
        with tempfile.TemporaryDirectory() as folder:
            own = _start(game, folder)[2]
            yield _at_most("cold: import, compile and use everything", own, "s", 30)
            for name, config in _others(game):
                yield Measure(f"the same {name}, after that", _start(game, folder, config)[2], "s")
        if game != DEFAULT_GAME:
            with tempfile.TemporaryDirectory() as folder:
                ratio, target = own / _start(DEFAULT_GAME, folder)[2], game_class(game).speed_targets.get("cold")
            yield _held(_at_most, f"cold: against {DEFAULT_GAME}", ratio, "ratio", target)


def measure(game: str = DEFAULT_GAME, seconds: float = 1.0, cold: bool = True) -> Iterator[list[Measure]]:
    """All measurements, group by group."""
    yield list(_references(seconds))
    yield list(_speeds(game, seconds))
    yield list(_beside(game, seconds))
    yield list(_threads(game, seconds * 2))
    yield list(_rows(game, seconds))
    yield list(_lookahead(game, seconds))
    yield list(_front_ends(game, seconds))
    yield list(_data(game, seconds))
    yield list(_starts(game, cold))


_GROUPS = 9


def _table(measures: list[Measure]) -> Table:
    table = Table("what", "measured", "", "target", "", title="ginkgo bench")
    for column in (1, 3):
        table.columns[column].justify = "right"
    for m in measures:
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
    measures: list[Measure] = []
    quiet = Console(stderr=True)
    try:
        for group in track(measure(game, seconds, cold), "measuring", _GROUPS, console=quiet, transient=True):
            measures += group
    except KeyboardInterrupt:
        quiet.print("interrupted; measured so far:")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    if as_json:
        print(
            json.dumps(
                {"version": ginkgo_env.__version__, "machine": machine, "measures": [asdict(m) for m in measures]}, indent=2
            )
        )
        return
    Console().print(_table(measures))
    Console().print(machine)
