"""``ginkgo`` as the tests of agents call it."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from ginkgo_env.cli.app import app


def ginkgo(*words: object, columns: int = 100) -> Any:
    """The result of a command."""
    return CliRunner().invoke(app, [*map(str, words)], env={"COLUMNS": str(columns)})


def said(result: Any) -> str:
    """All that a command printed, in one line."""
    return " ".join(result.output.split())


def check_refused(result: Any, sentence: str) -> None:
    """Assert that a command ended with one line that holds a sentence."""
    assert (result.exit_code, sentence in said(result)) == (2, True), result.output
    assert len(result.output.strip().splitlines()) == 1
