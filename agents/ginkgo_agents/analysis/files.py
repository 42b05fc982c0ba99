"""The files of an analysis."""

from __future__ import annotations

from pathlib import Path

from ginkgo_agents.analysis.results import AnalysisResults
from ginkgo_env.core.files import check_targets, written


def check_files(source: Path, json_file: Path | None, picture: Path | None) -> None:
    """Raise GinkgoError if the files cannot be written, or one would replace the source or another."""
    if picture is not None:
        from ginkgo_agents.analysis.picture import check_picture

        check_picture(picture)
    check_targets([path for path in (json_file, picture) if path is not None], [source])


def write_files(analysis: AnalysisResults, json_file: Path | None, picture: Path | None) -> None:
    """Write the JSON and the picture. Raises GinkgoError if that is impossible."""
    if json_file is not None:
        with written(json_file) as beside:
            beside.write_text(analysis.to_json(), encoding="utf-8", newline="\n")
    if picture is not None:
        from ginkgo_agents.analysis.picture import write_picture

        with written(picture) as beside:
            write_picture(analysis, beside)
