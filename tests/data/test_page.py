"""The tables of ``docs/data.md`` equal the schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.datasets.metadata import VERSION
from ginkgo_env.datasets.shards import GAME_COLUMNS, REPLAY_COLUMNS, STEP_COLUMNS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text()


@pytest.mark.parametrize("columns", [STEP_COLUMNS, REPLAY_COLUMNS, GAME_COLUMNS], ids=["steps", "replay", "games"])
def test_tables_equal_the_schema(columns: tuple[tuple[str, str, str], ...]) -> None:
    rows = "".join(f"| `{name}` | {kind} | {meaning} |\n" for name, kind, meaning in columns)
    assert f"| column | type | meaning |\n|---|---|---|\n{rows}\n" in PAGE
    assert f"## Schema, version {VERSION}\n" in PAGE
