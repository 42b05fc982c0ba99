"""Code on the pages runs: the Python blocks of a page one after the other, in one namespace; commands are read by their parsers.

A block below the line ``<!-- full -->`` trains or needs torch: it is left to the longer runs.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

import ginkgo_agents
from ginkgo_agents import registry
from ginkgo_env.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
MODELS = Path(ginkgo_agents.__file__).parent / "models"
PAGES = sorted(
    str(page.relative_to(ROOT))
    for folder in (".", "docs", "training", "agents")
    for page in (ROOT / folder).glob("*.md" if folder == "." else "**/*.md")
)


def blocks(page: str) -> list[tuple[bool, str]]:
    """The Python code on a page: whether it is for the longer runs, and the code. Excerpts of files are left out."""
    text = (ROOT / page).read_text()
    found = re.findall(r"^(?:<!-- (full|excerpt) -->\n)?```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(mark == "full", code) for mark, code in found if mark != "excerpt"]


WITH_CODE = [page for page in PAGES if any(not full for full, _ in blocks(page))]
WITH_MORE = [page for page in PAGES if any(full for full, _ in blocks(page))]


def run(page: str, codes: list[str]) -> None:
    """Run code in the working directory, where the agents that it names by their paths are laid before."""
    for path in re.findall(r'"(runs/[\w/]+\.npz)"', "".join(codes)):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(MODELS / ("ginkgopolis_2p_ppo.npz" if "PpoAgent" in codes[0] else "ginkgopolis_2p.npz"), path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for code in codes:
        exec(compile(code, page, "exec", dont_inherit=True), names)


@pytest.fixture(autouse=True)
def _aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages write and the agents that they register do not stay."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_AGENTS", dict(registry._AGENTS))


@pytest.mark.parametrize("page", WITH_CODE)
def test_python_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(page, [code for full, code in blocks(page) if not full])


@pytest.mark.full
@pytest.mark.parametrize("page", WITH_MORE)
def test_python_runs_with_what_takes_longer(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    for package in {"docs/openspiel.md": ["pyspiel"], "docs/language_models.md": ["textarena", "openenv"]}.get(page, []):
        pytest.importorskip(package)
    run(page, [code for _, code in blocks(page)])


def test_pages_have_code() -> None:
    """Else the search for it would be wrong."""
    assert {"README.md", *(f"docs/{name}.md" for name in ("getting_started", "howto/agent", "concepts"))} <= {*WITH_CODE}
    assert "docs/environments.md" in WITH_MORE and "docs/training.md" in WITH_MORE


def commands(page: str) -> Iterator[list[str]]:
    """The words of each ``ginkgo`` command in the shell blocks of a page."""
    for block in re.findall(r"^```(?:bash)?\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL):
        for line in re.split(r"\n|&&", block.replace("\\\n", " ")):
            if re.match(r"\s*(\.venv/bin/)?ginkgo\s", line):
                yield shlex.split(line, comments=True)[1:]


def parse(words: list[str]) -> None:
    """Read a command line as ``ginkgo`` would. Raises for commands and options that do not exist."""
    command: Any = typer.main.get_command(app)
    context = command.make_context("ginkgo", list(words))
    while isinstance(command, TyperGroup):
        name, command, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        context = command.make_context(name, rest, parent=context)
        command = context.command  # a lazy command is loaded by now


COMMANDS = [(page, words) for page in PAGES for words in commands(page)]


@pytest.mark.parametrize(("page", "words"), COMMANDS, ids=[f"{page}-{' '.join(words)}" for page, words in COMMANDS])
def test_command_exists(page: str, words: list[str]) -> None:
    parse(words)


@pytest.mark.parametrize(
    "words", [["leaderboards"], ["leaderboard", "--agent", "greedy"], ["train", "lookahead", "--minutes", "x"]]
)
def test_a_wrong_command_is_found(words: list[str]) -> None:
    with pytest.raises(Exception, match=r"No such|Input should be"):
        parse(words)
