"""Write the digests of the files of pretrained networks into the manifest."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import typer

import ginkgo_agents
from ginkgo_env.core.files import write_file

MODELS = Path(ginkgo_agents.__file__).parent / "models"
MANIFEST = "manifest.json"


def main(folder: Path = MODELS) -> None:
    """Write the digests of all files of a folder into its manifest."""
    paths = sorted(folder.rglob("*.npz"))
    digests = {path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest() for path in paths}
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    files = ",\n".join(f"  {json.dumps(name)}: {json.dumps(digest)}" for name, digest in digests.items())
    rows = ",\n".join(f"  {json.dumps(row)}" for row in manifest["agents"])
    write_file(folder / MANIFEST, f'{{\n "agents": [\n{rows}\n ],\n "files": {{\n{files}\n }}\n}}\n')


if __name__ == "__main__":
    typer.run(main)
