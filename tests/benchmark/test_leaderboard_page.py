"""A learning method with three seeds is submitted by the commands of docs/leaderboard.md, at a tiny budget."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("rliable")
ROOT = Path(__file__).parents[2]
SECTION = (ROOT / "docs" / "leaderboard.md").read_text().partition("## Submit a result")[2]
TINY = {
    "--players 2 --seeds 5 --minutes 10": "--game my_city --players 1 --seeds 3 --rollouts 1 --evaluate-games 4",
    "--task ginkgopolis/duel": "--task my_city/solo --quick",
}


def test_a_stranger_submits_a_learning_method(tmp_path: Path) -> None:
    for folder in ("results", "submissions"):
        shutil.copytree(ROOT / "benchmarks" / folder, tmp_path / "benchmarks" / folder)
    (tmp_path / "docs").mkdir()
    for name in ("generate_benchmark.py", "benchmark.md", "leaderboard.md"):
        shutil.copy(ROOT / "docs" / name, tmp_path / "docs")
    commands = "\n".join(re.findall(r"^ +```bash\n(.*?)```", SECTION, re.MULTILINE | re.DOTALL))
    for given, tiny in TINY.items():
        assert given in commands
        commands = commands.replace(given, tiny)
    play, verify = commands.split("ginkgo benchmark --verify")
    (statement,) = re.findall(r"```json\n(.*?)```", SECTION, re.DOTALL)
    (generate,) = re.findall(r"`(python [\w/]+\.py)`", SECTION)

    def shell(script: str) -> str:
        variables = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euc", script], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    shell(play)
    stated = json.loads(statement) | {"name": "My method", "kind": "learning method"}
    (tmp_path / "benchmarks" / "submissions" / "my_method" / "statement.json").write_text(json.dumps(stated))
    assert "my_method: verified" in shell(f"ginkgo benchmark --verify{verify}")
    shell(generate)
    rows = (tmp_path / "docs" / "leaderboard.md").read_text().partition("`my_city/solo-v1`")[2].splitlines()
    (row,) = [row for row in rows if "(`my_method`)" in row]
    assert row.startswith("| My method (`my_method`) | learning method | reactive | 1000000 | 3 of 5 | quick | ")
    assert re.search(r"\| -?[\d.]+ \[-?[\d.]+, -?[\d.]+\] \|$", row), "the mean of three runs, with an interval over them"
