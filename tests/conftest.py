"""What tests of several folders share: the trial game, as a package found through entry-point metadata."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

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
