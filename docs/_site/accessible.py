"""Sphinx extension: repairs of what axe-core finds in the pages of Sphinx and Furo."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

REPLACED = [
    (r'(<p class="caption" role="heading")>', r'\1 aria-level="2">'),
    (r"<pre>", '<pre tabindex="0">'),  # it scrolls, by keys too
    (r'(<div class="table-wrapper[^"]*")>', r'\1 tabindex="0">'),
    (r'(<aside class="sidebar-drawer")>', r'\1 aria-label="Pages">'),
    (r'<th class="head"><p></p></th>', '<td class="head"></td>'),
    (r"(<article [^>]*>)(?=\s*<noscript>)", r"\1<h1>Search</h1>"),
]
SIGNATURE = re.compile(r"<dl>\s*((?:<dd>(?:(?!</?d[dl]\b).)*</dd>\s*)+)</dl>", re.DOTALL)
"""The parameters of a long signature: descriptions of no term."""


def accessible(page: str) -> str:
    """Return the HTML of a page with what is missing."""
    for found, replacement in REPLACED:
        page = re.sub(found, replacement, page)
    return SIGNATURE.sub(lambda found: re.sub(r"<(/?)dd>", _as_block, f'<span class="parameters">{found[1]}</span>'), page)


def _as_block(tag: re.Match[str]) -> str:
    return "</span>" if tag[1] else '<span class="parameter">'


def _finish(app: Sphinx, error: Exception | None) -> None:
    for file in [] if error else Path(app.outdir).rglob("*.html"):
        file.write_text(accessible(file.read_text("utf-8")), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
