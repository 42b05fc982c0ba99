"""The page on data sets: its tables are those of the schema, its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginkgo_agents.generate import Order, generate
from ginkgo_env.data.about import VERSION
from ginkgo_env.data.schema import GAME_COLUMNS, REPLAY_COLUMNS, STEP_COLUMNS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("columns", [STEP_COLUMNS, REPLAY_COLUMNS, GAME_COLUMNS], ids=["steps", "replay", "games"])
def test_tables_are_those_of_the_schema(columns: tuple[tuple[str, str, str], ...]) -> None:
    rows = "".join(f"| `{name}` | {kind} | {meaning} |\n" for name, kind, meaning in columns)
    assert f"| column | type | meaning |\n|---|---|---|\n{rows}\n" in PAGE
    assert f"## Schema, version {VERSION}\n" in PAGE


@pytest.mark.parametrize("number", [0, 1, pytest.param(2, marks=pytest.mark.full)])
def test_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """On a small data set in place of the strong one."""
    monkeypatch.chdir(tmp_path)
    generate(Order("ginkgopolis", ("random",), games=4), tmp_path / "strong")
    exec(compile(EXAMPLES[number].replace("EPOCHS = 5", "EPOCHS = 1"), "docs/data.md", "exec"), {})
    assert capsys.readouterr().out


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 3
