"""The viewer's file: template, style sheets and scripts of this folder with the data of a game."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from html import escape
from importlib.resources import files
from typing import Any

from ginkgo_env.core.errors import RecordError, shown
from ginkgo_env.drawing.theme import page_style_sheet
from ginkgo_env.records import Record
from ginkgo_env.render.viewer.content import Wrap, content_of

SHAPES = ("shapes.js", "interval.js")
"""Scripts that other pages share; they need ``game`` with the badges of its sides, ``chosenTheme()`` and ``nameTheme()``."""
SCRIPTS = ("data.js", *SHAPES, "values.js", "picture.js", "moves.js", "curve.js", "analysis.js", "controls.js", "main.js")
BASE = "base.css"
STYLES = (BASE, "page.css", "panels.css")
_DATA = re.compile(r'<script id="game" type="text/plain">([A-Za-z0-9+/=]*)</script>')
_RAW = -15  # deflate without a header, as browsers read it by "deflate-raw"


def replay_page(record: Record, seat: int | None = None, *, analysis: Any = None, wrap: Wrap = iter) -> str:
    """A recorded game as one HTML file to step through, which needs no network.

    Parameters
    ----------
    seat : the file has only what this seat may know and its own analysis; None: everything and the views of all seats
    analysis : an ``Analysis`` of this record by ``ginkgo analyze``, or its plain data
    wrap : wraps the iterable of steps, such as a progress bar

    Raises RecordError as ``replay`` does, and GinkgoError for an invalid analysis or one of another record.

    >>> import ginkgo_env
    >>> game = ginkgo_env.make_game("ginkgopolis", players=2)
    >>> record = ginkgo_env.Record.from_actions(game, seed=7, actions=[])
    >>> contents(replay_page(record, seat=1))["names"]
    ['player_0', 'player_1']
    """
    if not isinstance(record, Record):
        raise RecordError(f"invalid record {shown(record)}; expected a Record")
    content = content_of(record, seat, analysis, wrap)
    script = "(() => {\n'use strict';\n" + "\n".join(source(name) for name in SCRIPTS) + "\n})();\n"
    parts = {
        "title": escape(f"{content['title']}: {', '.join(content['names'])}"),
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'; base-uri 'none'",
        "style": "\n".join(source(name) for name in STYLES),
        "pictures": page_style_sheet(),
        "data": packed(content),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], source("template.html"))


def contents(page: str) -> dict[str, Any]:
    """Read the content of a file of :func:`replay_page`. Raises RecordError for any other text."""
    data = _DATA.search(page)
    if data is None:
        raise RecordError("not a file of the replay viewer")
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(data[1]), _RAW))
    return content


def packed(content: Any) -> str:
    """Pack plain data as text without special characters of HTML: JSON, deflated, in base 64."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")
    deflate = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    return base64.b64encode(deflate.compress(data) + deflate.flush()).decode()


def source(name: str) -> str:
    """Read a script or style sheet of this folder."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
