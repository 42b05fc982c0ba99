"""A test that exceeds its limit is reported by name, with the results of the others; compiling does not count."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ginkgo_env.core.compile.jit import JIT_DISABLED

pytestmark = pytest.mark.full

TESTS = """
import time
import numpy as np
from numba.core import event
from ginkgo_env.core.compile.jit import entry

@entry
def spin(values):
    while values[0] == 0:
        values[1] += 1

spin(np.ones(2, np.int64))

def test_before(): pass

def test_asleep():
    time.sleep(600)

def test_compiles():
    data = {"dispatcher": None}
    with event.trigger_event("numba:compile", data), event.trigger_event("numba:compile", data):
        time.sleep(4)

def test_endless():
    print("before the kernel")
    spin(np.zeros(2, np.int64))

def test_after(): pass
"""


def run(folder: Path, root: Path, *options: str) -> str:
    """Output of pytest in a folder with these tests, with a limit of 3 seconds."""
    (folder / "test_spin.py").write_text(TESTS)
    settings = ["-c", str(root / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:cacheprovider", "-p", "tests.time_limit"]
    command = [sys.executable, "-m", "pytest", *settings, "--timeout", "3", *options, "test_spin.py"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def root(pytestconfig: pytest.Config) -> Path:
    return pytestconfig.rootpath


def test_only_a_test_that_sleeps_fails(tmp_path: Path, root: Path) -> None:
    report = run(tmp_path, root, "-k", "not endless")
    assert "FAILED test_spin.py::test_asleep - Failed: Timeout (>3.0s)" in report
    assert "time.sleep(600)" in report and "1 failed, 3 passed" in report


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_an_endless_kernel_ends_the_process_after_its_report(tmp_path: Path, root: Path) -> None:
    report = run(tmp_path, root, "-p", "no:randomly")
    assert all(f"FAILED test_spin.py::test_{name} - " in report for name in ("asleep", "endless"))
    assert "in test_endless\n    spin(np.zeros(2, np.int64))" in report and "before the kernel" in report
    assert "1 tests did not run" in report and "2 failed, 2 passed" in report


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_an_endless_kernel_ends_its_worker_alone(tmp_path: Path, root: Path) -> None:
    report = run(tmp_path, root, "-n", "2")
    assert "crashed while running 'test_spin.py::test_endless'" in report
    assert "FAILED test_spin.py::test_asleep - Failed: Timeout (>3.0s)" in report and "2 failed, 3 passed" in report
