"""Change single lines of rules, observe, resample and validity at random, and see whether the tests notice.

    python tests/mutations.py --count 60 --seed 1 --out mutations.jsonl

Each change is made in a copy of the tree; this one stays as it is. The file gets a line for each change; changes that it
has are not tried again, so an interrupted run goes on. Kernels run as plain Python first, which notices most changes in
seconds; what survives takes minutes, as its kernels are compiled.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("rules/*.py", "observe.py", "resample.py", "validity.py")
OTHERS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Add: "-",
    ast.Sub: "+",
    ast.And: "or",
    ast.Or: "and",
}
"""What replaces an operator."""
TESTS = ("hostile/test_states.py", "perft", "golden", "{game}", "contract", "oracle", "rules/{game}")
"""What kernels are tested by, the quickest first."""


class Mutation(NamedTuple):
    """A replacement in one line of a file."""

    file: str
    line: int
    start: int
    stop: int
    text: str


def mutations_of(path: Path) -> Iterator[Mutation]:
    """All replacements in a file: another operator, or a constant that is larger by one."""
    source, file = path.read_text("utf-8"), path.relative_to(ROOT).as_posix()
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.lineno == node.end_lineno:
            yield Mutation(file, node.lineno, node.col_offset, node.end_col_offset or 0, str(node.value + 1))
        for left, operator, right in operators_of(node):
            if type(operator) in OTHERS and left.end_lineno == right.lineno:
                between = lines[right.lineno - 1][left.end_col_offset or 0 : right.col_offset]
                new = f" {OTHERS[type(operator)]} " + "(" * between.count("(")
                if ")" not in between:
                    yield Mutation(file, right.lineno, left.end_col_offset or 0, right.col_offset, new)


def operators_of(node: ast.AST) -> Iterator[tuple[Any, ast.AST, Any]]:
    """The operators of a node, each with the operands beside it."""
    if isinstance(node, ast.Compare):
        yield from zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
    elif isinstance(node, ast.BinOp):
        yield node.left, node.op, node.right
    elif isinstance(node, ast.BoolOp):
        yield from ((left, node.op, right) for left, right in zip(node.values, node.values[1:], strict=False))


def outcome(game: str, tree: Path) -> tuple[bool, str]:
    """Whether the tests of a game pass in a copy of the tree, and the last line that pytest prints."""
    paths = os.pathsep.join(str(tree / part) for part in ("", "agents", "table", "training"))
    plain = ["tests/nojit", f"tests/rules/{game}"]
    compiled = ["-n", "logical", *(f"tests/{name.format(game=game)}" for name in TESTS)]
    last = ""
    for disable_jit, arguments in (("1", plain), ("0", compiled)):
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:randomly", *arguments]
        environment = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": disable_jit}
        done = subprocess.run(command, check=False, cwd=tree, env=environment, capture_output=True, text=True)
        last = (done.stdout.strip().splitlines() or [""])[-1]
        if done.returncode != 0:
            return False, last
    return True, last


def outcome_with(mutation: Mutation, tree: Path) -> tuple[bool, str]:
    """The outcome with a mutation, which is undone afterwards."""
    path = tree / mutation.file
    before = path.read_text("utf-8")
    lines = before.splitlines(keepends=True)
    line = lines[mutation.line - 1]
    lines[mutation.line - 1] = line[: mutation.start] + mutation.text + line[mutation.stop :]
    path.write_text("".join(lines), "utf-8")
    try:
        return outcome(game_of(mutation), tree)
    finally:
        path.write_text(before, "utf-8")


def game_of(mutation: Mutation) -> str:
    """The name of the game whose file is changed."""
    return mutation.file.split("/")[2]


def main(
    out: Annotated[Path, typer.Option(help="file of results, JSON lines")],
    count: Annotated[int, typer.Option(help="number of changes")] = 60,
    seed: Annotated[int, typer.Option(help="random seed of the choice")] = 1,
) -> None:
    """Try changes and print how many were noticed."""
    paths = sorted(path for part in PARTS for path in (ROOT / "ginkgo_env" / "games").glob(f"*/{part}"))
    found = sorted(mutation for path in paths for mutation in mutations_of(path))
    chosen = random.Random(seed).sample(found, count)
    print(f"seed {seed}: {count} of {len(found)} changes")
    done = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    with tempfile.TemporaryDirectory() as folder, out.open("a") as results:
        shutil.copytree(
            ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache"), dirs_exist_ok=True
        )
        for game in sorted({*map(game_of, chosen[len(done) :])}):
            passed, last = outcome(game, Path(folder))
            if not passed:
                sys.exit(f"the tests of {game} fail without a change: {last}")
        for mutation in chosen[len(done) :]:
            passed, last = outcome_with(mutation, Path(folder))
            done.append({**mutation._asdict(), "noticed": not passed, "last": last})
            results.write(json.dumps(done[-1]) + "\n")
            results.flush()
            print(json.dumps(done[-1]), flush=True)
    print(f"{sum(one['noticed'] for one in done)} of {len(done)} noticed")


if __name__ == "__main__":
    typer.run(main)
