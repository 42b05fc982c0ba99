"""The long description for package indexes: README.md with links to the repository, at the tag of the version."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")


class LongDescription(MetadataHookInterface):
    """Makes relative links and pictures of the README absolute."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``readme``, which pyproject.toml declares as dynamic."""
        root = f"{metadata['urls']['Repository']}/{{}}/v{metadata['version']}"
        pages, files = root.format("blob"), root.format("raw")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        absolute = RELATIVE.sub(lambda link: f"{link[1]}[{link[2]}]({files if link[1] else pages}/{link[3]})", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute}
