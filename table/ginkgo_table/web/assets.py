"""The files that the pages are made of, read once: what a server can give as ``/assets/NAME``, and the pages themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ginkgo_env.drawing.theme import style_sheet
from ginkgo_env.render.viewer.page import BASE, SHAPES, source
from ginkgo_env.render.viewer.parts import patterns

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


class Asset(NamedTuple):
    """What a server gives for a name."""

    content: bytes
    media_type: str

    @property
    def tag(self) -> str:
        """A digest of its content, for the cache of browsers."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


Assets = Mapping[str, Asset]
"""By name."""


@cache
def assets() -> Assets:
    """By name the files of the folder ``page``, and what they share with the replay viewer.

    ``index.html`` and ``table.html`` are the pages; ``page.css`` has the viewer's colors, buttons and dialogs, ``pictures.css``
    the colors in pictures, ``patterns.js`` the patterns that pictures refer to.
    """
    folder = files(__package__) / "page"
    own = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if _kind(file.name) in _KINDS}
    shared = {
        "page.css": source(BASE),
        "pictures.css": style_sheet("light") + style_sheet("dark"),
        "patterns.js": f"const PATTERNS = {json.dumps(patterns())};\n",
        **{name: source(name) for name in SHAPES},
    }
    return {name: Asset(text.encode(), f"{_KINDS[_kind(name)]}; charset=utf-8") for name, text in {**own, **shared}.items()}


def _kind(name: str) -> str:
    return name.rpartition(".")[2]
