"""The pages, the files that they load from ``/assets/NAME``, and the rules of the games."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

from ginkgo_env.core.game import Game
from ginkgo_env.core.language import ENGLISH, current_language
from ginkgo_env.pictures.theme import page_style_sheet
from ginkgo_env.pictures.viewer.page import BASE, PATTERNS, SHAPES, source

PAGES = {"lobby": "./", "table": "../", "join": "../", "reading": "../", "error": "{{home}}"}
"""Each page with the relative path from its address to that of the lobby; that of ``error`` has any address."""


class Asset(NamedTuple):
    """The content of a file and its media type."""

    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        """The ETag of the content."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


Assets = Mapping[str, Asset]
"""Files by name."""


@cache
def assets() -> Assets:
    """Return for each page its HTML, a style sheet and a script, by name.

    They are made of the files in ``page/common``, in the page's folder and of the replay viewer: its colors, buttons and shapes.
    """
    script = "".join([f"const PATTERNS = {json.dumps(PATTERNS)};\n", *map(source, SHAPES), _joined("common", "js")])
    style = source(BASE) + page_style_sheet() + "\n" + _joined("common", "css")
    made = {}
    for page, home in PAGES.items():
        html = _joined("common", "html").replace("{{body}}", _joined(page, "html"))
        html = html.replace("{{page}}", page).replace("{{home}}", home)
        made[f"{page}.html"] = Asset(html.encode(), "text/html; charset=utf-8")
        made[f"{page}.css"] = Asset((style + _joined(page, "css")).encode(), "text/css; charset=utf-8")
        made[f"{page}.js"] = Asset((script + _joined(page, "js")).encode(), "text/javascript; charset=utf-8")
    return made


def _joined(folder: str, suffix: str) -> str:
    """Join the files of a folder in the order of their names."""
    found = [file for file in (files(__package__) / "page" / folder).iterdir() if file.name.endswith(f".{suffix}")]
    return "".join(file.read_text(encoding="utf-8") for file in sorted(found, key=lambda file: file.name))


# --- texts to read: how to play, and the rules with an anchor for each paragraph: ``rules/ginkgopolis#R8.2`` ------------------


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_PARAGRAPH = re.compile(r"<p><strong>([A-Z]\d+(?:\.\d+)+)\b")
_HEADING = re.compile(r"<h([23])>([A-Z]\d+(?:\.\d+)*)\b")
_ELSEWHERE = re.compile(r'<a href="(?!#)[^"]*">(.*?)</a>', re.DOTALL)  # links to pages that the server does not have
_PICTURE = re.compile(r'<img src="([^"]*)"')


def how_to_play_page(game: Game) -> bytes | None:
    """Return the page on how to play a game, in the current language; None for a game without one."""
    text = game.presenter.how_to_play()
    other = "" if rules_page(game.name) is None else "rules"
    return _page_to_read(game.name, _MARKDOWN.render(text), current_language(), other) if text else None


@cache
def rules_page(name: str) -> bytes | None:
    """Return the page of the rules of a game; None for a game of another package."""
    file = _folder() / f"{name}.md"
    if not re.fullmatch(r"\w+", name) or not file.is_file():
        return None
    body = _ELSEWHERE.sub(r"\1", _MARKDOWN.render(file.read_text(encoding="utf-8")))
    body = _PARAGRAPH.sub(r'<p id="\1"><strong>\1', body)
    body = _HEADING.sub(r'<h\1 id="\2">\2', body)
    body = body.replace("<th></th>", "<td></td>").replace("<pre>", '<pre tabindex="0">')  # for screen readers and keys
    picture = '<p><img src="board" alt="The board in the middle of a game"></p>'
    return _page_to_read(name, body.replace("</p>", f"</p>\n{picture}", 1), ENGLISH, "learn")


def _page_to_read(name: str, body: str, language: str, other: str) -> bytes:
    """Return a page with a text, and with a link to the other text on a game."""
    body = _PICTURE.sub(rf'<img src="../pictures/{name}/\1.svg?language={language}"', body)
    values = {"article": body, "language": language, "name": name}
    values |= {link: "" if link == other else " hidden" for link in ("learn", "rules")}
    page = assets()["reading.html"].content.decode()
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], page).encode()


def _folder() -> Traversable:
    """The folder of the rules: in an installed package, or ``docs/rules`` beside the sources."""
    installed = files("ginkgo_table") / "rules"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "docs" / "rules"
