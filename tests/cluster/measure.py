"""What work on a cluster costs: ``python tests/cluster/measure.py`` prints the numbers of ``docs/scaling.md``.

With ``--quick`` little is played, and the numbers mean nothing.

Wall time says little where others use the machine too; so processor seconds are printed as well, of this process, of the
workers and of Ray's own processes. Linux only (they are read from /proc). Kernels are compiled before anything is measured.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_agents.evaluation.matches import MatchConfig, MatchPlayer, chunks_of, local_runner
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.registry import make_game
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.settings import LookaheadSettings
from ginkgo_training.shards import ShardedTrainer, collect

TICKS = os.sysconf("SC_CLK_TCK")
TABLES = {
    "random, william": (MatchConfig("ginkgopolis", ("random", "william"), {"players": 2}), 10_000),
    "lookahead, greedy": (MatchConfig("ginkgopolis", ("lookahead", "greedy"), {"players": 2}), 500),
}
SETTINGS = LookaheadSettings(shards=4)
ROLLOUTS = 4


def processor_seconds() -> Counter[str]:
    """Of this process and all that it started, by what they are."""
    parents, used, names = {}, {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                names[int(folder.name)] = (folder / "cmdline").read_text()
            except OSError:
                continue
            parents[int(folder.name)], used[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    found = Counter[str]()
    for process, name in names.items():
        above = process
        while above != os.getpid() and above in parents:
            above = parents[above]
        if above == os.getpid():
            kind = "here" if process == above else "workers" if name.startswith("ray::") else "Ray"
            found[kind] += used[process]
    return found


@contextmanager
def measured(what: str, units: int = 0, unit: str = "") -> Iterator[None]:
    before, start = processor_seconds(), time.perf_counter()
    yield
    wall, after = time.perf_counter() - start, processor_seconds()
    parts = {name: after[name] - before[name] for name in ("here", "workers", "Ray")}
    rate = f"  {units / wall:8,.0f} {unit}/s, {units / max(1e-9, sum(parts.values())):8,.0f} a processor second" if units else ""
    print(f"{what:48}{wall:7.1f} s" + "".join(f"{parts[name]:7.1f} {name}" for name in parts) + rate, flush=True)


def repeated(function: Callable[[], Any], times: int = 20) -> float:
    start = time.process_time()
    for _ in range(times):
        function()
    return 1000 * (time.process_time() - start) / times


def first_task(k: int) -> int:
    """Imports and kernels, as the first chunk finds them."""
    table = next(iter(TABLES.values()))[0]
    MatchPlayer(table, KernelThreads()).play(next(chunks_of(table, 1, 0)))
    return os.getpid()


def sizes(share: float) -> None:
    """Of what goes to workers and comes back."""
    for name, (table, _) in TABLES.items():
        chunk = next(chunks_of(table, max(1, int(125 * share)), 0))
        match = MatchPlayer(table, KernelThreads())
        start = time.process_time()
        played = match.play(chunk)
        spent = time.process_time() - start
        there, back = (len(pickle.dumps(value, protocol=5)) for value in (chunk, played))
        text = f"{repeated(lambda one=table: MatchPlayer(one, KernelThreads())):.1f} ms to make the agents"
        print(f"a chunk of {name}: {spent:.2f} s; {there:,} bytes there, {back:,} back; {text}")
    trainer = ShardedTrainer(make_game("ginkgopolis", players=2), SETTINGS, 0)
    weights, shard = trainer._learned(), trainer._shard(0)
    found = collect(LookaheadTrainer, trainer.game, SETTINGS, weights, shard)
    learned, games = sum(array.nbytes for array in weights.values()), len(pickle.dumps(shard, protocol=5))
    back = sum(array.nbytes for steps in found.steps.values() for array in steps)
    copied = repeated(lambda: pickle.loads(pickle.dumps(found, protocol=5)), 5)
    there = f"{learned:,} bytes of weights and {games:,} of games there"
    print(f"a shard's rollout: {found.seconds:.2f} s; {there}, {back:,} back")
    print(f"pickled and read in one process: {copied:.0f} ms")


def train(cluster: Cluster | None, name: str) -> None:
    trainer = ShardedTrainer(make_game("ginkgopolis", players=2), SETTINGS, 0, cluster)
    trainer.rollout()
    decisions = SETTINGS.games * SETTINGS.n_steps
    seen = []
    with measured(f"{name}: {ROLLOUTS} rollouts", ROLLOUTS * decisions, "decisions"):
        for _ in range(ROLLOUTS):
            seen = [trainer.rollout()]
    with measured(f"{name}: learning from one of them", decisions, "decisions"):
        trainer.learn(seen[0])


def main(quick: bool = False) -> None:
    """Print the table."""
    share = 0.01 if quick else 1.0
    first_task(0)
    sizes(share)
    for workers in (0, 2) if quick else (0, 1, 2):
        name = f"{workers} workers" if workers else "this process"
        with measured(f"{name}: start of the cluster"):
            cluster: Any = Cluster(workers=workers) if workers else nullcontext()
        with cluster as started:
            if started is not None:
                for order in ("first", "second"):
                    with measured(f"{name}: the {order} task of each"):
                        list(started.starmap(first_task, zip(range(2 * workers), strict=True)))
            for title, (table, all_games) in TABLES.items():
                games = max(2, int(share * all_games))
                with measured(f"{name}: {title}", games, "games"):
                    for _ in (started.play if started is not None else local_runner())(chunks_of(table, games // 2, 1), None):
                        pass
            train(started, name)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.modules["measure"] = sys.modules["__main__"]
    first_task.__module__ = "measure"  # by which workers find it
    main("--quick" in sys.argv[1:])
