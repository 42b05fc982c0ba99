"""A kernel that loops for ever ends its worker and is reported, and the other tests go on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ginkgo_env.core.compile.jit import JIT_DISABLED

TESTS = """
import sys
sys.path[:0] = {path!r}
import numpy as np
from ginkgo_env.core.compile.jit import entry

@entry
def spin(values):
    while values[0] == 0:
        values[1] += 1

spin(np.ones(2, np.int64))  # compiled before the clock runs

def test_endless():
    spin(np.zeros(2, np.int64))

def test_other():
    pass
"""


@pytest.mark.full
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("workers", "report"),
    [
        (0, ["Timeout", "in test_endless", "spin(np.zeros(2, np.int64))"]),
        pytest.param(1, ["crashed while running 'test_spin.py::test_endless'", "1 failed, 1 passed"], marks=pytest.mark.full),
    ],
)
def test_an_endless_kernel_is_reported(tmp_path: Path, pytestconfig: pytest.Config, workers: int, report: list[str]) -> None:
    (tmp_path / "test_spin.py").write_text(TESTS.format(path=[p for p in sys.path if p]))
    settings = ["-c", str(pytestconfig.rootpath / "pyproject.toml"), "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *settings, "-n", str(workers), "--timeout", "1", "test_spin.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    output = done.stdout + done.stderr
    assert done.returncode == 1 and all(line in output for line in report), output
