"""``ginkgo benchmark --runs``: learning methods over their training runs."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ginkgo_agents
from ginkgo_agents.evaluation.benchmark import methods
from ginkgo_agents.evaluation.benchmark.methods import checkpoints_in, scores_of, summary_of, write_methods
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError

pytest.importorskip("rliable")
MODEL = Path(ginkgo_agents.__file__).parent / "models" / "my_city_1p.npz"
SCORES = {"low": np.array([[0.0, 10], [2, 12], [4, 14], [100, 16]]), "high": np.array([[5.0, 30], [6, 31], [7, 32], [8, 33]])}

CEILINGS = {"a": None, "b": 200.0}


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "_REPS", 100)


def ginkgo(*words: object) -> Any:
    return CliRunner().invoke(app, ["benchmark", *map(str, words)])


def report(**scores: float) -> dict[str, Any]:
    rows = [
        {"task": name, "score": {"mean": score, "low": 0, "high": 0}, "ceiling": CEILINGS.get(name)}
        for name, score in scores.items()
    ]
    return {"tasks": [*rows, {"task": "c", "unable": "it cannot"}]}


def test_scores_are_of_the_tasks_that_all_runs_have() -> None:
    tasks, scores = scores_of({"one": [report(a=1, b=2), report(b=4)], "two": [report(b=5, d=1)]})
    assert tasks == {"b": 200} and {name: own.tolist() for name, own in scores.items()} == {"one": [[2], [4]], "two": [[5]]}
    with pytest.raises(ConfigError, match="no task in common"):
        scores_of({"one": [report(a=1)], "two": [report(b=1)]})


def test_the_middle_half_of_runs_and_tasks_counts() -> None:
    summary = summary_of(CEILINGS, SCORES)
    assert summary["interquartile_means"]["low"]["mean"] == np.mean([4, 10, 12, 14]), "of 0, 2, 4, 10, 12, 14, 16 and 100"
    assert (
        summary["interquartile_means"]["high"]["low"] <= np.mean([7, 8, 30, 31]) <= summary["interquartile_means"]["high"]["high"]
    )
    better = summary["probabilities_of_improvement"]
    assert better.keys() == {"low > high"} and better["low > high"]["mean"] == 4 / 16 / 2
    assert summary["interquartile_percents"]["low"]["mean"] == np.mean([12, 14]) / 2, "of the task with a ceiling, 10 to 16"
    assert summary_of({"a": None, "b": None}, SCORES)["interquartile_percents"] == {}
    assert summary == summary_of(CEILINGS, SCORES), "the same numbers again"


def test_files_and_pictures(tmp_path: Path) -> None:
    summary, names = write_methods(CEILINGS, SCORES, tmp_path)
    assert names == ["methods.json", "profiles.png", "improvement.png"]
    assert json.loads((tmp_path / names[0]).read_text()) == summary
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in names[1:])
    assert write_methods({"a": None}, {"low": SCORES["low"][:, :1]}, tmp_path)[1] == names[:2]


@pytest.mark.full
def test_the_checkpoints_of_a_folder_are_measured(tmp_path: Path) -> None:
    (tmp_path / "method" / "seed1").mkdir(parents=True)
    shutil.copy(MODEL, tmp_path / "method" / "seed1" / "agent.npz")
    shutil.copy(MODEL, tmp_path / "method" / "seed2.npz")
    out = tmp_path / "out"
    result = ginkgo("--runs", tmp_path / "method", "--task", "my_city/solo", "--quick", "--out", out)
    assert result.exit_code == 0, result.output
    reports = [json.loads((out / "method" / seed / "benchmark.json").read_text()) for seed in ("seed1", "seed2")]
    mean = reports[0]["tasks"][0]["score"]["mean"]
    assert json.loads((out / "methods.json").read_text())["scores"] == {"method": [[mean], [mean]]}
    assert "Interquartile means over 1 tasks" in result.output


def test_a_missing_package_is_told_before_anything_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rliable", None)
    shutil.copy(MODEL, tmp_path)
    result = ginkgo("--runs", tmp_path, "--task", "my_city/solo", "--quick", "--out", tmp_path / "out")
    assert "rliable is not installed: pip install 'ginkgo-env[methods]'" in result.output
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_measured_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no checkpoint"):
        checkpoints_in(tmp_path)
    assert "--runs needs --out" in ginkgo("--runs", tmp_path).output
    same = tmp_path / "other" / tmp_path.name
    same.mkdir(parents=True)
    assert "two folders are named" in ginkgo("--runs", tmp_path, "--runs", same, "--out", tmp_path / "out").output
