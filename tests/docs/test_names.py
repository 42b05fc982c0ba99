"""Names and texts as a program can hold them: replaced names stay away, first lines and lines of Markdown are short."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ginkgo_env", "agents/ginkgo_agents", "table/ginkgo_table", "training/ginkgo_training")

REPLACED_MODULES = [
    *("core.announce", "core.cache", "core.jit", "core.lanes", "core.memory"),
    *("core.switch", "core.variant", "core.plain", "core.bits", "core.threads"),
    *("core.pieces", "core.moving", "core.picture", "core.svg", "core.theme"),
    *("core.choices", "core.testing", "core.testing.twins", "render.animating", "envs.aside"),
    *("envs.view", "cli.late", "cli.telling", "cli.viewing", "data.about"),
    *("data.making", "data.mixing", "data.needs", "records.form", "position.told"),
    *(
        "ginkgo_agents.arena",
        "ginkgo_agents.shipped",
        "ginkgo_agents.bradley_terry",
        "ginkgo_agents.generate_cli",
        "ginkgo_agents.table",
    ),
    *("ginkgo_agents.analysis.work", "ginkgo_agents.analysis.worlds", "ginkgo_agents.analysis.source", "web.house", "web.room"),
    *("web.offer", "web.guards", "web.bodies", "web.asking", "web.serving", "web.session"),
    *("terminal.session", "terminal.told", "terminal.keeping", "terminal.pieces"),
]
"""Modules that have another name now, each with the package it was in."""

REPLACED_NAMES = {
    "ginkgo_env/core": ["Threads", "Seen", "_LOOKED_AT", "_Forgiving"],
    "ginkgo_env/envs": ["Aside", "View", "_Asked", "_Called"],
    "ginkgo_env/cli": ["Late", "TOLD", "Telling"],
    "ginkgo_env/datasets": ["About", "Maker", "Played", "Rows"],
    "ginkgo_env/games": ["O", "F", "Told"],
    "agents/ginkgo_agents": ["Crew", "Seen", "Table", "KeptGame", "Played", "Order", "worth_a_look", "hasty", "outlook"],
    "table/ginkgo_table": [
        *("Told", "Place", "House", "Room", "Sight", "Offer", "Kept", "Served", "Welcome", "Asked"),
        *("SessionManager", "GameSession", "StoredSession", "SessionRoutes"),
    ],
    "training/ginkgo_training": ["Log", "Point", "Trains", "Collected"],
}
"""Classes, functions and constants that have another name now, by the folder that defined them."""


@cache
def tracked(*patterns: str) -> list[Path]:
    """Files of the repository, also new ones that are not committed yet."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if not found:  # an exported tree, as CI tests it
        found = [str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.rglob(pattern)]
        found = [name for name in found if not any(part.startswith(".") or part == "site" for part in Path(name).parts)]
    return [ROOT / name for name in sorted(set(found)) if (ROOT / name).is_file()]


def defined(tree: ast.AST) -> Iterator[str]:
    """Names of classes, functions, constants and attributes that a file defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def test_no_text_uses_a_replaced_module() -> None:
    # The name of a module after its package, as code or as a path; ``core.choices`` does not match ``core.choices_of``.
    names = "|".join(re.escape(name).replace(r"\.", "[./]") for name in REPLACED_MODULES)
    replaced = re.compile(
        rf"(?<![\w/])(?:ginkgo_env[./]|agents/|ginkgo_agents[./]|games[./]\w+[./]text[./])?(?:{names})(?![\w-])"
    )
    files = [*tracked("*.py"), *tracked("*.md"), *tracked("*.toml"), *tracked("*.ipynb")]
    files = [path for path in files if path.name != "CHANGELOG.md" and path != Path(__file__)]
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in replaced.finditer(line)
    ]
    assert found == []


@pytest.mark.parametrize("folder", REPLACED_NAMES)
def test_no_replaced_name_is_defined(folder: str) -> None:
    replaced = set(REPLACED_NAMES[folder])
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in defined(ast.parse(path.read_text(encoding="utf-8")))
        if name in replaced
    ]
    assert found == []


def public_docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module and of what is public in it."""

    def walk(node: ast.Module | ast.ClassDef | ast.FunctionDef, name: str) -> Iterator[tuple[str, str]]:
        yield name, ast.get_docstring(node) or ""
        for inner in node.body if not isinstance(node, ast.FunctionDef) else []:
            if isinstance(inner, ast.ClassDef | ast.FunctionDef) and not inner.name.startswith("_"):
                yield from walk(inner, f"{name}.{inner.name}")

    return walk(ast.parse(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT)))


@pytest.mark.parametrize("package", [*PACKAGES, "training/examples", "docs", "benchmarks"])
def test_first_lines_of_public_docstrings_are_short(package: str) -> None:
    docstrings = [entry for path in sorted((ROOT / package).rglob("*.py")) for entry in public_docstrings(path)]
    assert docstrings
    assert [name for name, text in docstrings if len(text.partition("\n")[0]) > 100] == []


def test_lines_of_markdown_are_short() -> None:
    pages = tracked("*.md")
    assert len(pages) > 30
    found = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)}"
        for path in pages
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 130
    ]
    assert found == []
