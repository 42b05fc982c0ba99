"""The rules of the games as pages, with an anchor for each paragraph: ``rules/ginkgopolis#R8.2``."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from markdown_it import MarkdownIt

_PARAGRAPH = re.compile(r"<p><strong>([A-Z]\d+(?:\.\d+)+)\b")
_HEADING = re.compile(r"<h([23])>([A-Z]\d+(?:\.\d+)*)\b")
_ELSEWHERE = re.compile(r'<a href="(?!#)[^"]*">(.*?)</a>', re.DOTALL)  # links to pages that the server does not have
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="../assets/lobby.css">
</head>
<body class="rules"><main>{body}</main></body>
</html>
"""


@cache
def rules_page(name: str) -> bytes | None:
    """Return the rules of a game as HTML; None for a game of another package."""
    file = _folder() / f"{name}.md"
    if not re.fullmatch(r"\w+", name) or not file.is_file():
        return None
    text = file.read_text(encoding="utf-8")
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    body = _ELSEWHERE.sub(r"\1", body)
    body = _PARAGRAPH.sub(r'<p id="\1"><strong>\1', body)
    body = _HEADING.sub(r'<h\1 id="\2">\2', body)
    return _PAGE.format(title=text.partition("\n")[0].removeprefix("# "), body=body).encode()


def _folder() -> Traversable:
    """The folder of the rules: in an installed package, or ``docs/rules`` beside the sources."""
    installed = files("ginkgo_table") / "rules"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "docs" / "rules"
