"""Execute the notebooks: ``python -m tests.docs.notebooks [NAME ...]`` writes them back with their outputs.

Cells with the tag ``machine`` print numbers that depend on the machine: times, speeds, and what torch has learned.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
COMPILING = "ginkgo_env: compiling kernels"


def executed(path: Path) -> Any:
    """A notebook with new outputs; the same ones each time, but for cells with the tag ``machine``."""
    notebook = nbformat.read(path, as_version=4)
    options: dict[str, Any] = {"timeout": 3600, "kernel_name": "python3", "resources": {"metadata": {"path": path.parent}}}
    env = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}  # pictures are shown in the notebook
    nbclient.NotebookClient(notebook, coalesce_streams=True, record_timing=False, **options).execute(env=env)
    notebook.metadata.language_info = {"name": "python"}  # without versions
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not str(output.get("text")).startswith(COMPILING)]
    return notebook


def texts(notebook: Any) -> list[tuple[str, str]]:
    """The source of each code cell and the text of its outputs, in which numbers of the machine are blank."""
    pairs = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            text = "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs)
            if "machine" in cell.metadata.get("tags", []):
                text = re.sub(r"\s+", " ", re.sub(r"[-+]?\d[\d,.]*", "#", text))
            pairs.append((cell.source, text))
    return pairs


if __name__ == "__main__":
    chosen = {path.stem: path for path in NOTEBOOKS}
    for name in sys.argv[1:] or chosen:
        path = chosen[name.removesuffix(".ipynb")]
        print(path.name, flush=True)
        nbformat.write(executed(path), path)
