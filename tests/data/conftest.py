"""Small data sets that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from ginkgo_agents.datasets import GenerationJob, generate
from ginkgo_env.datasets import Dataset, load

OTHER = "ginkgo_agents.base:RandomAgent"
"""A second agent: it draws other numbers than ``random``, as it has another name."""
GAMES: list[tuple[str, dict[str, Any], str]] = [
    ("ginkgopolis", {"players": 2}, "outcome"),
    ("golden_city", {"players": 3}, "score"),
    ("my_city", {"players": 1}, "score"),
]
"""Games with configurations and kinds of reward."""

Make = Callable[..., Dataset]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """``made(game, config, **settings)``: a data set, generated once."""
    folders: dict[str, Path] = {}

    def make(game: str, config: dict[str, Any], **settings: Any) -> Dataset:
        settings = {"games": 5, "shard_games": 2, "agents": ("random", OTHER), **settings}
        key = repr((game, config, settings))
        if key not in folders:
            folders[key] = tmp_path_factory.mktemp("data")
            generate(GenerationJob(game, config=config, **settings), folders[key])
        return load(folders[key])

    return make
