"""Public names of the packages that import them when they are first used: type checkers and the program see the same ones."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"ginkgo_env": "Batch", "ginkgo_env.datasets": "Dataset", "ginkgo_agents": "FunctionAgent"}
"""Each with one of its classes."""


@pytest.mark.parametrize("package", PACKAGES)
def test_all_public_names_can_be_imported(package: str) -> None:
    module = import_module(package)
    assert PACKAGES[package] in module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None, name
    with pytest.raises(AttributeError, match="nothing"):
        module.nothing  # noqa: B018


@pytest.mark.full
def test_type_checkers_know_the_public_names(tmp_path: Path) -> None:
    """An unknown name is an error, and a class is one: as many findings as packages, and no other."""
    lines = [line for package in PACKAGES for line in (f"import {package}", f"{package}.nothing")]
    lines += [f"variable_{k}: {package}.{name} = 1" for k, (package, name) in enumerate(PACKAGES.items())]
    (tmp_path / "snippet.py").write_text("\n".join(lines) + "\n")
    quick = ["--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent", f"--cache-dir={tmp_path / 'cache'}"]
    command = [sys.executable, "-m", "mypy", "--config-file=pyproject.toml", *quick, str(tmp_path / "snippet.py")]
    report = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    errors = re.findall(r"snippet\.py:(\d+): error: (.*)", report)
    assert len(errors) == report.count("error:") == 2 * len(PACKAGES), report
    for number, text in errors[: len(PACKAGES)]:
        assert lines[int(number) - 1].endswith(".nothing") and 'no attribute "nothing"' in text
    for (_, text), name in zip(errors[len(PACKAGES) :], PACKAGES.values(), strict=True):
        assert f'"int", variable has type "{name}"' in text
