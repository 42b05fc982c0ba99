"""Convert the files of pretrained networks, and write their digests into the manifest.

A header that holds digests of whole layouts gets the names and shapes of their blocks instead, if the game still has these
layouts. Arrays stay as they are, byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import typer

import ginkgo_agents
from ginkgo_agents.agents.array_files import packed, unpacked
from ginkgo_agents.agents.checkpoints import Layouts, blocks_of, digest_of
from ginkgo_env.core.files import written
from ginkgo_env.registry import game_class, make_game

MODELS = Path(ginkgo_agents.__file__).parent / "agents" / "models"
MANIFEST = "manifest.json"


def converted(data: bytes) -> bytes:
    """The bytes of a file with blocks for digests of layouts. Raises ValueError if a layout has changed."""
    header, arrays = unpacked(data)
    layouts: dict[str, Any] = header["layouts"]
    game = make_game(game_class(header["game"]), **header["config"])
    for name, digest in layouts.items():
        if isinstance(digest, str) and digest != digest_of(getattr(game, name)):
            raise ValueError(f"the {name} of {header['game']} have changed since the training")
    named = {name: value for name, value in layouts.items() if not isinstance(value, str)}
    blocks = blocks_of(game, [name for name in Layouts._fields if name in layouts and name not in named])
    return packed(header | {"layouts": blocks | named}, arrays)


def main(folder: Path = MODELS) -> None:
    """Convert all files of a folder, and write their digests into its manifest."""
    digests = {}
    for path in sorted(folder.rglob("*.npz")):
        before = path.read_bytes()
        after = converted(before)
        if after != before:
            with written(path) as temporary:
                temporary.write_bytes(after)
        digests[path.relative_to(folder).as_posix()] = hashlib.sha256(after).hexdigest()
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    files = ",\n".join(f"  {json.dumps(name)}: {json.dumps(digest)}" for name, digest in digests.items())
    rows = ",\n".join(f"  {json.dumps(row)}" for row in manifest["agents"])
    with written(folder / MANIFEST) as temporary:
        temporary.write_text(f'{{\n "agents": [\n{rows}\n ],\n "files": {{\n{files}\n }}\n}}\n', "utf-8")


if __name__ == "__main__":
    typer.run(main)
