"""Make pages of the site from files outside ``docs``, so that links work on GitHub and on the site.

Markdown pages and notebooks in ``outside_pages`` of ``conf.py`` are rendered; other linked files are displayed as text.
"""

from __future__ import annotations

import base64
import html
import json
import os
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.util import logging

LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(#[^)]*)?(?=\))")
SCHEME = "source:"
LEXERS = {".py": "python", ".json": "json", ".jsonl": "text", ".toml": "toml", ".csv": "text", ".txt": "text", ".cff": "yaml"}
_MAX_BYTES = 300_000
_log = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.add_config_value("outside_pages", {}, "env", dict)
    app.connect("source-read", read_page)
    app.connect("doctree-resolved", resolve_links)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def read_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace a placeholder by the file that it stands for, and point links to pages."""
    docs = Path(app.srcdir)
    path = docs / f"{docname}.md"
    if docname in app.config.outside_pages:
        path = docs.parent / app.config.outside_pages[docname]
        app.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        source[0] = notebook(json.loads(text)) if path.suffix == ".ipynb" else text
    pages = {docs.parent / file: docs / f"{name}.md" for name, file in app.config.outside_pages.items()}
    source[0] = LINK.sub(lambda link: target(app, docname, path.parent, link, pages), source[0])


def target(app: Sphinx, docname: str, folder: Path, link: re.Match[str], pages: dict[Path, Path]) -> str:
    """Return the target of a link on the site: a page, a file under ``docs``, or the page of a file."""
    docs = Path(app.srcdir)
    path = Path(os.path.normpath(folder / link[1]))
    path = pages.get(path, path)
    if not path.exists() or docs.parent not in path.parents:
        return link[0]  # Sphinx warns
    if docs in path.parents:
        return os.path.relpath(path, (docs / docname).parent).replace(os.sep, "/") + (link[2] or "")
    return SCHEME + path.relative_to(docs.parent).as_posix()


def resolve_links(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Make links to files relative to the page, and collect the files that need a page."""
    linked = app.env.__dict__.setdefault("ginkgo_sources", set())
    for link in doctree.findall(nodes.reference):
        if link.get("refuri", "").startswith(SCHEME):
            file = link["refuri"].removeprefix(SCHEME)
            linked.add(file)
            link["refuri"] = app.builder.get_relative_uri(docname, page_of(file)) if app.builder.format == "html" else file
            link["internal"] = True
            link["classes"] = ["internal"]


def page_of(file: str) -> str:
    """Return the name of the page that shows a file."""
    return f"source/{file}"


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the pages of linked files, and of all files in linked folders."""
    root, waiting, done = Path(app.srcdir).parent, sorted(app.env.__dict__.get("ginkgo_sources", ())), set[str]()
    while waiting:
        file = waiting.pop()
        if file in done:
            continue
        done.add(file)
        path = root / file
        if path.is_dir():
            entries = [(root / file / name).relative_to(root).as_posix() for name in _names(path)]
            waiting += entries
            body = _listing(file, entries)
        else:
            body = app.builder.highlighter.highlight_block(  # type: ignore[attr-defined]
                path.read_text(encoding="utf-8"), LEXERS.get(path.suffix, "text")
            )
        yield page_of(file), {"title": file, "body": f"<h1>{html.escape(file)}</h1>{body}"}, "page.html"


def _names(folder: Path) -> list[str]:
    """List a folder: its folders, and text files of limited size."""
    return [
        path.name
        for path in sorted(folder.iterdir())
        if not path.name.startswith((".", "__pycache__"))
        and (path.is_dir() or (path.suffix in {*LEXERS, ".md"} and path.stat().st_size < _MAX_BYTES))
    ]


def _listing(folder: str, entries: list[str]) -> str:
    here = posixpath.dirname(page_of(folder))
    rows = [(posixpath.relpath(page_of(file), here) + ".html", posixpath.basename(file)) for file in entries]
    return "<ul>" + "".join(f'<li><a href="{link}">{html.escape(name)}</a></li>' for link, name in rows) + "</ul>"


def notebook(content: dict[str, Any]) -> str:
    """Convert a notebook to Markdown, with its outputs."""
    parts = []
    for cell in content["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += [_output(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


def _picture(kind: str, data: str) -> str:
    return f'<img src="data:image/{kind};base64,{data}" alt="Output of the cell above">'


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/png" in data:
        return _picture("png", "".join(data["image/png"]).replace("\n", ""))
    if "image/svg+xml" in data:
        return _picture("svg+xml", base64.b64encode("".join(data["image/svg+xml"]).encode()).decode())
    if "text/html" in data:
        return f"````{{raw}} html\n{''.join(data['text/html']).strip()}\n````"
    text = "".join(output.get("text") or data.get("text/plain", []))
    return f"````text\n{text.rstrip()}\n````" if text.strip() else ""
