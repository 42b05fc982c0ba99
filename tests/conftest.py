"""What tests of several folders share: the trial game; and how a run with several workers begins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ginkgo_agents import registry
from ginkgo_env.core import engine
from ginkgo_env.core.batch import _PREPARED
from ginkgo_env.core.compile.jit import JIT_DISABLED

from . import time_limit
from .tiers import tier

SHARES = ["rules-modules", "golden_city"], ["rules", "greedy", "my_city"]  # of what is compiled: about as long

TIMEOUTS = {"full": 600, "exhaustive": 3600}  # seconds for a test, on a slow machine
if JIT_DISABLED:
    TIMEOUTS["always"] = 600

# The same examples each time, however slow the machine is.
settings.register_profile("tests", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")

COMPILING = pytest.StashKey[list[subprocess.Popen[bytes]]]()
TIERS = pytest.StashKey[Counter[str]]()

TRIAL = Path(__file__).parent / "trial_game"


def with_metadata(folder: Path, name: str, *points: str) -> Path:
    """A folder with the metadata of a package that is not installed: entry points of the group ``ginkgo_env.games``."""
    found = folder / f"{name}-0.dist-info"
    found.mkdir(parents=True)
    (found / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    (found / "entry_points.txt").write_text("\n".join(["[ginkgo_env.games]", *points, ""]))
    return folder


@pytest.fixture
def trial_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the trial game, which is there while the test runs, in processes that it starts as well."""
    folder = with_metadata(tmp_path / "trial_metadata", "three_cards", "three_cards = three_cards.game:ThreeCards")
    monkeypatch.syspath_prepend(str(TRIAL))
    monkeypatch.syspath_prepend(str(folder))
    path = [str(TRIAL), str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    yield "three_cards"


@pytest.fixture(autouse=True)
def threads_share_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches use threads as well, so that tests see what they do."""
    monkeypatch.setattr(engine, "ROWS_EACH", 1)


@pytest.fixture(autouse=True)
def agents_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it: pages and lists of all agents would show it."""
    monkeypatch.setattr(registry, "_AGENTS", dict(registry._AGENTS))


def pytest_configure(config: pytest.Config) -> None:
    """Limit the time of tests; with ``-n``, compile the kernels once, while the workers start and collect (``compiling.py``)."""
    config.pluginmanager.register(time_limit)
    worker = hasattr(config, "workerinput")
    if not worker and config.getoption("numprocesses", None) and not config.getoption("collectonly"):
        script = [sys.executable, str(Path(__file__).with_name("compiling.py"))]
        config.stash[COMPILING] = [subprocess.Popen([*script, *share]) for share in SHARES]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """Tests are given out when all workers have collected them: not before the kernels are compiled."""
    for process in node.config.stash.get(COMPILING, []):
        process.wait()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave no process behind when interrupted."""
    for process in config.stash.get(COMPILING, []):
        if process.poll() is None:
            process.terminate()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse modules that play when they are imported: each worker would compile kernels, before any test begins."""
    before = len(_PREPARED)
    report = yield
    if len(_PREPARED) > before:
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid} plays when it is imported; expected tests or fixtures to do so"
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Count before some are deselected, and give long tests more time than ``pyproject.toml`` does."""
    config.stash[TIERS] = Counter(tier(item) for item in items)
    for item in items:
        if tier(item) in TIMEOUTS and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(TIMEOUTS[tier(item)]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """``pytest --collect-only -q`` says how many tests there are of each tier."""
    if config.getoption("collectonly"):
        terminalreporter.write_line(", ".join(f"{name}: {n} tests" for name, n in sorted(config.stash[TIERS].items())))
