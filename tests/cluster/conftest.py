"""A cluster of two workers on this machine, which find the trial game and what ``helpers`` has."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ginkgo_agents.evaluation.cluster import Cluster

from ..conftest import TRIAL, with_metadata

HELPERS = Path(__file__).with_name("helpers")
sys.path.append(str(HELPERS))


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of notes; processes that are started now find the trial game and the helpers."""
    folder = tmp_path_factory.mktemp("mortal")
    metadata = with_metadata(tmp_path_factory.mktemp("metadata"), "three_cards", "three_cards = three_cards.game:ThreeCards")
    found = [str(TRIAL), str(metadata), str(HELPERS)]
    with pytest.MonkeyPatch.context() as patch:
        for path in found:
            patch.syspath_prepend(path)
        patch.setenv("PYTHONPATH", os.pathsep.join([*found, *filter(None, [os.environ.get("PYTHONPATH")])]))
        patch.setenv("MORTAL_NOTES", str(folder))
        patch.setenv("MORTAL_SPARED", str(os.getpid()))
        yield folder


@pytest.fixture(scope="module")
def cluster(paths: Path) -> Iterator[Cluster]:
    """Two workers; starting them takes seconds."""
    pytest.importorskip("ray")
    with Cluster(workers=2) as started:
        yield started
