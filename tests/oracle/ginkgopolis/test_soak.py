"""A million decisions of kernels and oracle side by side (``soak.py``), of the base game and with modules."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [[], ["--modules"]], ids=["base", "modules"])
def test_soak(options: list[str]) -> None:
    command = [sys.executable, str(Path(__file__).with_name("soak.py")), "--decisions", "1000000", "--jobs", "1", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "no difference" in done.stdout, done.stdout + done.stderr
