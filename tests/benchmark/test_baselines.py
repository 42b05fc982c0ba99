"""The published baselines: as many runs as the protocol asks for, of the script's commands, within a track."""

from __future__ import annotations

import json
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from ginkgo_agents.evaluation.benchmark.tasks import all_tasks, learning_protocol

pytest.importorskip("torch")
SCRIPT: dict[str, Any] = run_path(str(Path(__file__).parents[2] / "benchmarks" / "baselines.py"))
FILES = sorted(SCRIPT["RESULTS"].glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_baseline_follows_the_protocol(path: Path) -> None:
    found, protocol = json.loads(path.read_text()), learning_protocol()
    task, command = SCRIPT["BASELINES"][path.stem]
    assert (found["task"], found["command"]) == (task, command)
    assert [run["seed"] for run in found["runs"]] == list(range(1, 1 + protocol.training_seeds))
    for run in found["runs"]:
        assert any(0.9 * track < run["decisions"] <= track for track in protocol.tracks) and run["seconds"] > 0
        assert set(run["panel"]) == set(all_tasks()[f"{task}-v1"].panel)
        log = SCRIPT["LOGS"] / f"{path.stem}-seed{run['seed']}.jsonl"
        assert json.loads(log.read_text().splitlines()[-1])["decisions"] == run["decisions"]


def test_there_are_baselines() -> None:
    assert len(FILES) >= 3 and {path.stem for path in FILES} <= SCRIPT["BASELINES"].keys()
