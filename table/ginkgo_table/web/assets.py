"""The pages and the files that they load from ``/assets/NAME``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ginkgo_env.drawing.theme import style_sheet
from ginkgo_env.render.viewer.page import BASE, SHAPES, source
from ginkgo_env.render.viewer.parts import PATTERNS

_MEDIA_TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


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
    """Return the files of the folder ``page`` and those shared with the replay viewer, by name.

    ``index.html`` and ``table.html`` are the pages; ``page.css`` has the viewer's colors, buttons and dialogs, ``pictures.css``
    the colors of pictures, and ``patterns.js`` the patterns that pictures refer to.
    """
    folder = files(__package__) / "page"
    own = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if _suffix(file.name) in _MEDIA_TYPES}
    shared = {
        "page.css": source(BASE),
        "pictures.css": style_sheet("light") + style_sheet("dark"),
        "patterns.js": f"const PATTERNS = {json.dumps(PATTERNS)};\n",
        **{name: source(name) for name in SHAPES},
    }
    return {
        name: Asset(text.encode(), f"{_MEDIA_TYPES[_suffix(name)]}; charset=utf-8") for name, text in {**own, **shared}.items()
    }


def _suffix(name: str) -> str:
    return name.rpartition(".")[2]
