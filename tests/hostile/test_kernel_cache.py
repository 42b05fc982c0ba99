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
from ginkgo_env.core.compile.jit import entry

@entry
def total(values):
    return 3 * values[0] + values[1]
"""

# Each time the module is imported anew, as a new process would: its entry finds the damaged file, or none.
SCRIPT = """
import importlib, json, pickle, random, resource, sys
from pathlib import Path
import numpy as np
from ginkgo_env.core.compile import cache, jit

what = sys.argv[1]
sys.path.insert(0, ".")
values, rng = np.array([5, 4]), random.Random(7)

def run():
    sys.modules.pop("streets", None)
    entry = importlib.import_module("streets").total
    assert entry(values) == 19
    return cache.folder() if jit.is_cached(entry) else None

if what == "no folder":
    print(json.dumps(run() and str(run())))
    sys.exit()
folder = run()
[path] = folder.glob("*")
whole = path.read_bytes()

class Gone:
    def __reduce__(self):
        return (importlib.import_module, ("numba.core.no_such_module",))

def foreign():
    parts = pickle.loads(cache.read(path))
    return [(), parts[:-1], (*parts, 0), None, Gone(), tuple(0 for _ in parts), {"version": "0.1"}]

def damaged(what, k):
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

compiled = {}
for what, times in json.loads(what).items():
    compiled[what] = 0
    for k in range(times):
        if what == "another Numba":
            cache.write(path, pickle.dumps(foreign()[k % 7]))
        else:
            path.write_bytes(damaged(what, k))
        before = path.read_bytes()
        run()
        compiled[what] += path.read_bytes() != before and cache.read(path) is not None
        assert [*folder.glob("*")] == [path]
        path.write_bytes(whole)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
path.unlink()
run()
compiled["full disk"] = len([*folder.glob("*")])  # neither a part of the machine code nor a temporary file stays
print(json.dumps(compiled))
"""


def run(folder: Path, what: str, cache: Path) -> tuple[Any, str]:
    """What the script prints on stdout and stderr; it must end well."""
    (folder / "streets.py").write_text(MODULE, encoding="utf-8")
    (folder / "script.py").write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "GINKGO_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "script.py", what]
    done = subprocess.run(command, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=550)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


DAMAGES = {"flips": 200, "truncated": 20, "zeroed": 20, "another Numba": 7}


@pytest.mark.full
def test_damaged_files_are_compiled_again(tmp_path: Path) -> None:
    """Flips, files cut short, zeroed pages, and whole files of another Numba. On a full disk no file is written."""
    compiled, errors = run(tmp_path, json.dumps(DAMAGES), tmp_path / "cache")
    assert compiled == {**DAMAGES, "full disk": 0}
    assert "machine code on disk is damaged (total: ValueError); compiling it again" in errors
    assert "machine code cannot be written (total: OSError)" in errors


@pytest.mark.full
@pytest.mark.parametrize("place", ["a file", "a device", "read-only"])
def test_a_folder_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    """For root no folder is read-only, but one below a file or a device is, or one in /proc."""
    (tmp_path / "cache").write_text("no folder")
    cache = {"a file": tmp_path / "cache", "a device": Path("/dev/null/cache"), "read-only": Path("/proc/cache")}[place]
    assert run(tmp_path, "no folder", cache)[0] is None
