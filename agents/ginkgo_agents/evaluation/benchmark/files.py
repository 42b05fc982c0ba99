"""The files of a run: ``benchmark.json``, ``.md`` and ``.png``, and ``games.parquet``."""

from __future__ import annotations

import json
from pathlib import Path

from ginkgo_agents.evaluation.benchmark.games import Columns, write_parquet
from ginkgo_agents.evaluation.benchmark.picture import draw
from ginkgo_agents.evaluation.benchmark.reports import Report, all_lost, markdown
from ginkgo_env.core.files import written
from ginkgo_env.datasets.metadata import DataError

REPORT, TEXT, PICTURE, GAMES = "benchmark.json", "benchmark.md", "benchmark.png", "games.parquet"


def write_files(report: Report, games: Columns, folder: Path) -> tuple[list[str], str]:
    """Write all files, each whole or not at all; return their names, and a sentence on what is missing."""
    texts = {REPORT: json.dumps(report, indent=1) + "\n", TEXT: markdown(report)}
    for name, text in texts.items():
        with written(folder / name) as beside:
            beside.write_text(text, "utf-8", newline="\n")
    names = [*texts]
    if not all_lost(report):
        draw(report, folder / PICTURE)
        names.append(PICTURE)
    if not games["task"]:
        return names, ""
    try:
        write_parquet(games, folder / GAMES)
    except DataError:
        return names, f"; {GAMES} needs pyarrow: pip install 'ginkgo-env[data]'"
    return [*names, GAMES], ""
