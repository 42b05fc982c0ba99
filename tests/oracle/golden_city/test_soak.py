"""A million decisions of kernels and oracle side by side (``soak.py``)."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.exhaustive
def test_soak() -> None:
    command = [sys.executable, str(Path(__file__).with_name("soak.py")), "--decisions", "1000000", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "no difference" in done.stdout, done.stdout + done.stderr
