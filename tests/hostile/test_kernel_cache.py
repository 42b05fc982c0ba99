"""Machine code on disk under damage: it is compiled again, gives the same results, and never ends the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(bool(int(os.environ.get("NUMBA_DISABLE_JIT") or 0)), reason="nothing is compiled")

MODULE = """
import numpy as np
from ginkgo_env.core.compile.jit import entry, kernel

@kernel
def weight(x, k):
    return x * k + (x >> 1)

@entry
def total(values):
    out = 0
    for k in range(len(values)):
        out += weight(values[k], k)
    return out
"""

# Each time the module is imported anew, as a new process would: its entry finds the damaged file, or none.
SCRIPT = """
import importlib, json, pickle, random, resource, sys
from pathlib import Path
import numpy as np
from ginkgo_env.core.compile import cache, jit

what, times = sys.argv[1], int(sys.argv[2])
sys.path.insert(0, ".")
values, rng = np.arange(50), random.Random(7)

def run():
    sys.modules.pop("streets", None)
    entry = importlib.import_module("streets").total
    assert entry(values) == sum(x * k + (x >> 1) for k, x in enumerate(range(50)))
    return jit.cache_folder(entry)

if what == "full disk":
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
folder = run()
files = sorted(folder.glob("*")) if folder else []
if what in ("full disk", "no folder"):
    print(json.dumps({"files": [path.name for path in files]}))
    sys.exit()
[path] = files
whole = path.read_bytes()

class Gone:
    def __reduce__(self):
        return (importlib.import_module, ("numba.core.no_such_module",))

def foreign():
    parts = pickle.loads(cache.read(path))
    return [(), parts[:-1], (*parts, 0), None, Gone(), tuple(0 for _ in parts), {"version": "0.1"}]

def damaged(k):
    data = bytearray(whole)
    if what == "flips":
        for _ in range(rng.choice((1, 1, 3))):
            bit = rng.randrange(8 * len(data))
            data[bit // 8] ^= 1 << bit % 8
    elif what == "truncated":
        del data[rng.randrange(len(data)) if k else 0:]
    elif what == "zeroed":
        page = 512 * rng.randrange(len(data) // 512)
        data[page : page + 512] = bytes(512)
    return bytes(data)

compiled = 0
for k in range(times):
    if what == "another Numba":
        cache.write(path, pickle.dumps(foreign()[k % 7]))
    else:
        path.write_bytes(damaged(k))
    before = path.read_bytes()
    run()
    compiled += path.read_bytes() != before and cache.read(path) is not None
    assert [*folder.glob("*")] == [path]
    path.write_bytes(whole)
print(json.dumps({"compiled": compiled}))
"""


def run(folder: Path, what: str, times: int = 0, cache: Path | None = None) -> tuple[dict[str, Any], str]:
    """What the script prints on stdout and stderr; it must end well."""
    (folder / "streets.py").write_text(MODULE, encoding="utf-8")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "GINKGO_CACHE_DIR": str(cache or folder / "cache"), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "script.py", what, str(times)]
    done = subprocess.run(command, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=550)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize("times", [4, pytest.param(200, marks=pytest.mark.full)])
@pytest.mark.parametrize("damage", ["flips", "truncated", "zeroed"])
def test_damaged_files_are_compiled_again(tmp_path: Path, damage: str, times: int) -> None:
    if times > 100 and damage != "flips":
        times = 20
    told, errors = run(tmp_path, damage, times)
    assert told == {"compiled": times}
    assert "machine code on disk is damaged (total: ValueError); compiling it again" in errors


def test_files_of_another_numba_are_compiled_again(tmp_path: Path) -> None:
    told, errors = run(tmp_path, "another Numba", 7)
    assert told == {"compiled": 7} and "compiling it again" in errors


def test_a_full_disk_keeps_nothing(tmp_path: Path) -> None:
    """No file may grow beyond 1,000 bytes: neither a part of the machine code nor a temporary file stays."""
    told, errors = run(tmp_path, "full disk")
    assert told == {"files": []} and "machine code cannot be written (total: OSError)" in errors


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A file stands in its place: for root nothing is read-only."""
    (tmp_path / "cache").write_text("no folder")
    told, _ = run(tmp_path, "no folder")
    assert told == {"files": []}
