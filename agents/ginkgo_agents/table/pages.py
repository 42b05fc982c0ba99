"""The files that pages are made of: read once at start, so that nothing else can be asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple


class File(NamedTuple):
    """A file as it is served."""

    content: bytes
    kind: str
    """Its media type."""

    @property
    def tag(self) -> str:
        """A digest of its content, for the cache of browsers."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'


Files = Mapping[str, File]
"""Files by name; ``index.html`` and ``table.html`` are the pages."""

_PLACEHOLDER = File(b"<!doctype html><title>ginkgo table</title><p>This package was built without its pages.", "text/html")


def read_files() -> Files:
    """All files of the pages."""
    try:
        made = import_module("ginkgo_agents.table.assets").assets()
    except ModuleNotFoundError:
        made = {}
    files = {name: File(*file) for name, file in made.items()}
    return {"index.html": _PLACEHOLDER, "table.html": _PLACEHOLDER, **files}
