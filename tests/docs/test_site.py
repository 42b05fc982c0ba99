"""The site: docstrings become fields, links that leave ``docs`` lead to pages, and all of it is built without a warning."""

from __future__ import annotations

import html
import posixpath
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import unquote

import pytest

import ginkgo_agents
import ginkgo_env

from ..axe import findings, needs_axe
from ..table.browsing import CHROMIUM, chromium

pytest.importorskip("furo")
pytest.importorskip("myst_parser")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _extensions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))


def test_docstrings_become_fields() -> None:
    from docstrings import as_fields

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
    ("page", "link", "leads"),
    [
        ("docs/environments.md", "](../CONTRIBUTING.md#check)", "](../CONTRIBUTING.md#check)"),
        ("docs/environments.md", "](../ginkgo_env/registry.py)", "](source:ginkgo_env/registry.py)"),
        ("docs/environments.md", "](concepts.md#seeds)", "](concepts.md#seeds)"),
        ("docs/environments.md", "](../no_such_file.py)", "](../no_such_file.py)"),
        ("CONTRIBUTING.md", "](docs/glossary.md)", "](docs/glossary.md)"),
        ("CONTRIBUTING.md", "](tests/golden/README.md)", "](source:tests/golden/README.md)"),
    ],
)
def test_links_lead_to_pages(page: str, link: str, leads: str) -> None:
    from outside_pages import LINK, target

    pages = {ROOT / "CONTRIBUTING.md"}
    assert LINK.sub(lambda found: target(ROOT / "docs", (ROOT / page).parent, found, pages), link) == leads


def test_files_outside_are_documents() -> None:
    from outside_pages import Pages

    project = Pages(ROOT / "docs", [".md"], {"contributing": "CONTRIBUTING.md"})
    assert {"contributing", "environments", "api/index"} <= project.discover()
    for docname, file in (("contributing", ROOT / "CONTRIBUTING.md"), ("environments", ROOT / "docs" / "environments.md")):
        assert (Path(project.doc2path(docname, absolute=True)), project.path2doc(file)) == (file, docname)


def test_notebooks_become_pages() -> None:
    from outside_pages import notebook

    cells = [
        {"cell_type": "markdown", "source": ["# Title"]},
        {"cell_type": "code", "source": ["print(1)"], "outputs": [{"text": ["1\n"]}, {"data": {"image/png": "AB=="}}]},
        {"cell_type": "code", "source": ["d"], "outputs": [{"data": {"image/svg+xml": ["<svg/>"], "text/plain": "Picture()"}}]},
        {"cell_type": "code", "source": ["t"], "outputs": [{"data": {"text/html": ["<table>"], "text/plain": "Table()"}}]},
    ]
    text = notebook({"cells": cells})
    assert "svg+xml;base64,PHN2Zy8+" in text and "{raw} html\n<table>\n" in text and "()\n````" not in text
    assert text.startswith("# Title\n\n```python\nprint(1)\n```\n\n````text\n1\n````") and "base64,AB==" in text


def test_scripts_become_pages() -> None:
    from outside_pages import script

    page = script('"""Title: more.\n\n    run it\n\nText.\n"""\n\nimport sys\n\nprint("a")\n')
    assert page == '# Title: more\n\n    run it\n\nText.\n\n````python\nimport sys\n\nprint("a")\n````\n'


def test_no_page_takes_the_place_of_one_that_sphinx_makes() -> None:
    assert {page.stem for page in (ROOT / "docs").glob("*.md")}.isdisjoint({"search", "genindex", "modindex", "py-modindex"})


def dead_links(page: Path, text: str, pages: dict[Path, str]) -> Iterator[str]:
    """Links of a page to files or headings of the site that are not there."""
    for link in {html.unescape(each) for each in re.findall(r'href="([^":]+)"', text)}:
        file, _, heading = unquote(link).partition("#")
        found = (page.parent / file.partition("?")[0]).resolve() if file else page
        if not found.exists() or (heading and f'id="{html.escape(heading)}"' not in pages.get(found, "")):
            yield f"{page.name}: {link}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-n", "-q", "docs", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.full
def test_the_site_has_no_dead_links_and_needs_no_network(site: Path) -> None:
    from sphinx.util.inventory import InventoryFile

    pages = {page: page.read_text() for page in sorted(site.rglob("*.html"))}
    assert not [page for page, text in pages.items() if re.search(r'src="http|rel="stylesheet"[^>]*href="http', text)]
    assert [link for page, text in pages.items() for link in dead_links(page, text, pages)] == []
    listed = InventoryFile.load((site / "objects.inv").open("rb"), "", posixpath.join)
    names = {name.rpartition(".")[2] for kind, objects in listed.items() if kind.startswith("py:") for name in objects}
    assert {*ginkgo_env.__all__, *ginkgo_agents.__all__} <= names
    assert (site / "source" / "ginkgo_env" / "core" / "rewards.py.html").exists()


@pytest.mark.full
@needs_axe
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_docs(site: Path, scheme: str) -> None:
    """But contrasts in highlighted code of Pygments' styles."""
    pages = ["index", "agents", "benchmark", "search_agent", "table", "api/agents", "notebooks/playing"]
    with chromium() as browser:
        page = browser.new_page(color_scheme=scheme)
        found = {}
        for name in pages:
            page.goto((site / f"{name}.html").as_uri())
            found[name] = findings(page)
    assert found == {name: [] for name in pages}


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; yields its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as server:
        Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.mark.full
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_search_matches_words_and_shows_excerpts(site: Path) -> None:
    with chromium() as browser, served(site) as url:
        page = browser.new_page()

        def results(address: str, words: str) -> list[str]:
            page.goto(f"{address}/search.html?q={words}")
            page.wait_for_selector("#search-results p:has-text('finished')")
            return [row.inner_text() for row in page.query_selector_all("ul.search li")]

        for address in (url, site.as_uri()):
            found = results(address, "act")
            assert found[0].startswith("ginkgo_agents.act ") and not [row for row in found if ".action" in row.split()[0]]
        assert results(url, "GinkgoVecEnv")[0].startswith("ginkgo_env.envs.sb3.GinkgoVecEnv ")
        results(url, "reward margin")
        page.wait_for_selector("ul.search li:first-child p.context")
        assert "margin" in page.inner_text("ul.search li:first-child p.context")
