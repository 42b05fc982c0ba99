"""What a wheel holds: packages of our own names only, as others have packages ``agents`` and ``training``."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_top_level_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = [Path(name) for name in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]]
    assert {package.name for package in packages} == {"ginkgo_env", "ginkgo_agents", "ginkgo_table", "ginkgo_training"}
    assert all((ROOT / package / "__init__.py").exists() for package in packages)
    parents = {package.parent for package in packages if package.parent != Path()}
    assert parents and not any((ROOT / parent / "__init__.py").exists() for parent in parents)
