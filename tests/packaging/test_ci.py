"""What the scripts in ``.ci`` share: after a failed step the others run, and the end lists what failed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="needs bash")

COMMON = Path(__file__).parents[2] / ".ci" / "common.sh"


def run(script: str) -> subprocess.CompletedProcess[str]:
    command = ["bash", "-c", f'source "$1"\n{script}', "bash", str(COMMON)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_scripts_name_files_that_exist() -> None:
    root = COMMON.parents[1]
    named = re.findall(r"\btests/[\w./{},*-]+", "".join((root / ".ci" / name).read_text() for name in ("run", "full")))
    existing = run(f"shopt -s failglob && cd '{root}' && ls -d {' '.join(named)}")
    assert named and existing.returncode == 0, existing.stderr


def test_steps_after_a_failed_one_run() -> None:
    done = run("""
        broken() { false; echo "after the failure"; }
        first() { step "one" broken; step "two" echo "of the first list"; }
        second() { step "three" echo "of the second list"; step "four" broken; }
        side_by_side first second
        step "five" echo "at the end"
    """)
    assert done.returncode == 1 and "after the failure" not in done.stdout
    assert all(line in done.stdout for line in ("of the first list", "of the second list", "at the end"))
    seconds, _, failed = done.stdout.partition("=== seconds")[2].partition("=== failed")
    assert sorted(failed.split()) == ["four", "one"] and "one: FAILED" in seconds and "five" in seconds and "in all" in seconds


def test_steps_that_need_a_failed_one_do_not_run() -> None:
    done = run('step "one" false || exit\nstep "two" echo "too late"')
    assert done.returncode == 1 and "too late" not in done.stdout and "one: FAILED" in done.stdout


def test_without_a_failure_the_status_is_0() -> None:
    done = run('step "one" true')
    assert done.returncode == 0 and "=== failed" not in done.stdout and "one\n" in done.stdout
