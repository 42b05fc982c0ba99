"""The site: docstrings become fields, links that leave ``docs`` lead to pages, and all of it is built without a warning."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("furo")
pytest.importorskip("myst_parser")

ROOT = Path(__file__).resolve().parents[2]
NAMED = {"contributing": "CONTRIBUTING.md"}


@pytest.fixture(autouse=True)
def _extensions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))


def test_docstrings_become_fields() -> None:
    from house_docstrings import as_fields

    text = (
        "What it does.\n\nParameters\n----------\nsize, more : how many\n    of them\n**config : the rest\n\nIt raises : nothing."
    )
    assert [line for line in as_fields(text.splitlines(), ()) if line] == [
        *("What it does.", "It raises : nothing."),
        *(":param size: how many of them", ":param more: how many of them", ":param \\*\\*config: the rest"),
    ]
    assert [line for line in as_fields(["seed : a number", "word : a word"], ["seed"]) if line] == [
        "word : a word",
        ":param seed: a number",
    ]
    section = ["Attributes (reused)", "----------", "mask : legal"]
    assert [line for line in as_fields(section, ()) if line] == ["*Attributes: reused.*", ":ivar mask: legal"]


@pytest.mark.parametrize(
    ("docname", "link", "leads"),
    [
        ("environments", "](../CONTRIBUTING.md#check)", "](contributing.md#check)"),
        ("games/boards", "](../../CONTRIBUTING.md)", "](../contributing.md)"),
        ("environments", "](../ginkgo_env/registry.py)", "](source:ginkgo_env/registry.py)"),
        ("environments", "](concepts.md#seeds)", "](concepts.md#seeds)"),
        ("environments", "](../no_such_file.py)", "](../no_such_file.py)"),
        ("contributing", "](docs/glossary.md)", "](glossary.md)"),
    ],
)
def test_links_lead_to_pages(docname: str, link: str, leads: str) -> None:
    from outside_pages import LINK, target

    app: Any = SimpleNamespace(srcdir=str(ROOT / "docs"))
    folder = (ROOT / NAMED.get(docname, f"docs/{docname}.md")).parent
    homes = {ROOT / file: ROOT / "docs" / f"{name}.md" for name, file in NAMED.items()}
    assert LINK.sub(lambda found: target(app, docname, folder, found, homes), link) == leads


def test_notebooks_become_pages() -> None:
    from outside_pages import notebook

    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["print(1)"], "outputs": [{"text": ["1\n"]}, {"data": {"image/png": "AB=="}}]},
    ]
    text = notebook({"cells": cells})
    assert text.startswith("# Title\n\n```python\nprint(1)\n```\n\n````text\n1\n````") and "base64,AB==" in text


@pytest.mark.full
def test_the_site_is_built_without_warnings_and_needs_no_network(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "docs", str(tmp_path / "site")]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        text = page.read_text()
        assert 'src="http' not in text and 'rel="stylesheet" href="http' not in text, page
    assert (tmp_path / "site" / "source" / "ginkgo_env" / "core" / "rewards.py.html").exists()
