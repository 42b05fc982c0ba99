"""The pages and the files that they load from ``/assets/NAME``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ginkgo_env.pictures.theme import page_style_sheet
from ginkgo_env.pictures.viewer.page import BASE, PATTERNS, SHAPES, source

PAGES = {"lobby": "./", "table": "../", "join": "../"}
"""Each page with the relative path from its address to that of the lobby."""


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
