"""Make pages of the site from files outside ``docs``, so that links work on GitHub and on the site.

Markdown pages, notebooks and scripts in ``outside_pages`` of ``conf.py`` are documents of the site; other linked files are
displayed as text.
"""

from __future__ import annotations

import ast
import base64
import html
import json
import os
import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.project import Project

LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(#[^)]*)?(?=\))")
SCHEME = "source:"
LEXERS = {".py": "python", ".json": "json", ".jsonl": "text", ".toml": "toml", ".csv": "text", ".txt": "text", ".cff": "yaml"}
_MAX_BYTES = 300_000


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension with Sphinx."""
    app.add_config_value("outside_pages", {}, "env", dict)
    app.connect("builder-inited", add_pages)
    app.connect("source-read", read_page)
    app.connect("doctree-resolved", resolve_links)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


class Pages(Project):
    """The documents in ``docs``, and files outside that have a name on the site."""

    def __init__(self, docs: Path, suffixes: Iterable[str], outside: Mapping[str, str]) -> None:
        super().__init__(docs, suffixes)
        self.outside = {name: docs.parent / file for name, file in outside.items()}
        self.names = {file: name for name, file in self.outside.items()}

    def discover(self, exclude_paths: Iterable[str] = (), include_paths: Iterable[str] = ("**",)) -> set[str]:
        """Find all documents."""
        super().discover(exclude_paths, include_paths)
        self.docnames.update(self.outside)
        return self.docnames

    def doc2path(self, docname: str, absolute: bool) -> Any:
        """Return the file of a document. Links and pictures are relative to it."""
        return self.outside.get(docname) or super().doc2path(docname, absolute)

    def path2doc(self, filename: str | os.PathLike[str]) -> str | None:
        """Return the document of a file."""
        return self.names.get(Path(filename)) or super().path2doc(filename)


def add_pages(app: Sphinx) -> None:
    """Make documents of the files in ``outside_pages``."""
    app.project = app.env.project = Pages(Path(app.srcdir), app.config.source_suffix, app.config.outside_pages)


def read_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Convert a notebook or a script, and point links to files that are no documents to their pages."""
    assert isinstance(app.project, Pages)
    path, pages = Path(app.env.doc2path(docname)), app.project.names
    if path.suffix == ".ipynb":
        source[0] = notebook(json.loads(source[0]))
    elif path.suffix == ".py":
        source[0] = script(source[0])
    source[0] = LINK.sub(lambda link: target(Path(app.srcdir), path.parent, link, pages), source[0])


def target(docs: Path, folder: Path, link: re.Match[str], pages: Container[Path]) -> str:
    """Return the target of a link on the site; that of a file which is no document is its page."""
    path = Path(os.path.normpath(folder / link[1]))
    if path in pages or not path.exists() or docs.parent not in path.parents or docs in path.parents:
        return link[0]  # Sphinx warns of files that do not exist
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


def script(code: str) -> str:
    """Convert a script to Markdown: what its docstring says, and the code below it."""
    module = ast.parse(code)
    title, _, text = (ast.get_docstring(module) or "").partition("\n\n")
    below = "\n".join(code.splitlines()[module.body[0].end_lineno :]).strip()
    return f"# {title.removesuffix('.')}\n\n{text}\n\n````python\n{below}\n````\n"


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
