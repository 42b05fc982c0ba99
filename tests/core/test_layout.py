"""Named blocks of a flat vector, by which kernels write: no literal offset, no arithmetic across enums."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ginkgo_env
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.layout import Block, Layout, Observation, field_names

LAYOUT = Layout([Block("a", (2, 3), "first"), Block("b", (1,), "second", low=-1, high=7), Block("c", (4,), "third", high=255)])


def test_blocks_lie_one_after_the_other() -> None:
    assert [(b.name, b.start, b.stop, b.size) for b in LAYOUT.values()] == [("a", 0, 6, 6), ("b", 6, 7, 1), ("c", 7, 11, 4)]
    assert LAYOUT.size == 11 and LAYOUT.offsets.tolist() == [0, 6, 7, 11] and len(LAYOUT) == 3
    assert LAYOUT["b"].slice == slice(6, 7)


class Gap(IntEnum):
    FIRST, THIRD = 0, 2


class Alias(IntEnum):
    FIRST, SAME = 0, 0


def test_enums_of_fields_are_numbered_without_gaps() -> None:
    for fields in (Gap, Alias):
        with pytest.raises(ValueError, match=f"members of {fields.__name__} must be 0, 1, 2"):
            field_names(fields)


def test_views_are_no_copies() -> None:
    batch = np.arange(22, dtype=np.int64).reshape(2, 11)
    view = LAYOUT.view(batch, "a")
    assert view.shape == (2, 2, 3) and view[1, 1, 2] == 16
    view[0, 0, 0] = 99
    assert batch[0, 0] == 99
    assert Observation(LAYOUT, batch)["c"].tolist() == [[7, 8, 9, 10], [18, 19, 20, 21]]
    assert list(Observation(LAYOUT, batch[0])) == ["a", "b", "c"] and len(Observation(LAYOUT, batch)) == 3


def test_bounds() -> None:
    low, high = LAYOUT.bounds(np.int16)
    assert low.tolist() == [0] * 6 + [-1] + [0] * 4 and high.tolist() == [1] * 6 + [7] + [255] * 4
    assert low.dtype == high.dtype == np.int16


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple), min_size=1, max_size=6))
def test_places_and_indices(shapes: list[tuple[int, ...]]) -> None:
    layout = Layout([Block(f"block {i}", shape, "") for i, shape in enumerate(shapes)])
    for index in range(layout.size):
        block, place = layout.locate(index)
        assert layout.index(block.name, *place) == index
        assert layout.view(np.arange(layout.size), block.name)[place] == index


@pytest.mark.parametrize("index", [-1, 11, 10**9])
def test_no_place_outside(index: int) -> None:
    with pytest.raises(BatchError):
        LAYOUT.locate(index)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="two are named"):
        Layout([Block("a", (1,), ""), Block("a", (2,), "")])
    with pytest.raises(ValueError, match="11"):
        Observation(LAYOUT, np.zeros(10))
    with pytest.raises(KeyError):
        LAYOUT["d"]
    assert "a[2, 3]" in repr(LAYOUT)


# --- kernels write by names of fields ----------------------------------------------------------------------------------------


GAMES = Path(ginkgo_env.__file__).parent / "games"
NAMES = ("ginkgopolis", "golden_city", "my_city")
OUT, OFFSETS = "out", ("at", "offsets")


def parse(folder: Path, *patterns: str) -> dict[str, ast.Module]:
    files = sorted(file for pattern in patterns for file in folder.glob(pattern))
    assert len(files) >= len(patterns), folder
    return {f"{file.relative_to(GAMES)}": ast.parse(file.read_text(encoding="utf-8")) for file in files}


def terms(node: ast.expr, *, factors: bool) -> Iterator[ast.expr]:
    """What is added up in an index, or also multiplied and chosen from; not what is inside other subscripts and calls."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult if factors else ast.Add | ast.Sub):
        yield from terms(node.left, factors=factors)
        yield from terms(node.right, factors=factors)
    elif isinstance(node, ast.UnaryOp):
        yield from terms(node.operand, factors=factors)
    elif isinstance(node, ast.IfExp):
        yield from terms(node.body, factors=factors)
        yield from terms(node.orelse, factors=factors)
    else:
        yield node


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def has_literal(node: ast.expr) -> bool:
    return any(is_literal(term) for term in terms(node, factors=True))


def assignments(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """Names and what is assigned to them, tuples element by element if both sides are tuples."""
    for statement in body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Assign):
                continue
            for target in node.targets:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                paired = isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(names)
                values = node.value.elts if paired and len(names) > 1 else [node.value] * len(names)  # type: ignore[attr-defined]
                yield from ((name.id, value) for name, value in zip(names, values, strict=True) if isinstance(name, ast.Name))


def literal_constants(trees: dict[str, ast.Module]) -> set[str]:
    """Constants of modules that are made of literals, such as ``_LEAD, _CARDS = 1, 28`` and ``_LAST = _LEAD + 2``."""
    found = {}
    for tree in trees.values():
        for name, value in assignments([node for node in tree.body if isinstance(node, ast.Assign)]):
            found[name] = any(has_literal(part) for part in parts_of(value))
    return {name for name, literal in found.items() if literal}


def parts_of(node: ast.expr) -> list[ast.expr]:
    """The elements of a tuple, the arguments of ``range``, else the expression itself."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return node.args
    return node.elts if isinstance(node, ast.Tuple) else [node]


def base(node: ast.expr) -> str | None:
    """The name of an array that is indexed or passed on, whole or as a slice."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def written(functions: dict[str, ast.FunctionDef]) -> dict[str, set[str]]:
    """For each function the names of vectors that are written: ``out``, its slices, and parameters that get either."""
    vectors = {name: {OUT} & {arg.arg for arg in function.args.args} for name, function in functions.items()}
    while True:
        before = {name: set(names) for name, names in vectors.items()}
        for name, function in functions.items():
            slices = [(n, v) for n, v in assignments(function.body) if isinstance(v, ast.Subscript | ast.Name)]
            vectors[name] |= {n for n, v in slices if base(v) in vectors[name] and is_slice(v)}
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in functions:
                    called = functions[call.func.id]
                    given = zip(called.args.args, call.args, strict=False)
                    vectors[called.name] |= {p.arg for p, a in given if is_slice(a) and base(a) in vectors[name]}
        if vectors == before:
            return vectors


def is_slice(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))


def indices(node: ast.Subscript) -> list[ast.expr]:
    parts = node.slice
    return [part for part in (parts.lower, parts.upper) if part] if isinstance(parts, ast.Slice) else [parts]


def offsets_of(function: ast.FunctionDef, vectors: set[str]) -> Iterator[ast.expr]:
    """Expressions of a kernel that are places in a written vector."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and base(node.value) in vectors:
            yield from indices(node)
        elif isinstance(node, ast.Call) and any(is_slice(arg) and base(arg) in vectors for arg in node.args):
            yield from (arg for arg in node.args if isinstance(arg, ast.BinOp))
    for _, value in assignments(function.body):
        if any(isinstance(n, ast.Subscript) and base(n) in OFFSETS for n in terms(value, factors=True)):
            yield value


def literal_offsets(trees: dict[str, ast.Module]) -> list[str]:
    constants = literal_constants(trees)
    places = [(file, node) for file, tree in trees.items() for node in tree.body if isinstance(node, ast.FunctionDef)]
    vectors = written({function.name: function for _, function in places})
    return [
        f"{file}:{index.lineno}: {ast.unparse(index)}"
        for file, function in places
        for index in offsets_of(function, vectors[function.name])
        if has_literal(index) or any(isinstance(t, ast.Name) and t.id in constants for t in terms(index, factors=False))
    ]


def enums_of(trees: dict[str, ast.Module]) -> set[str]:
    """Names of enums, written as classes or as calls such as ``Field = IntEnum("Field", ...)``."""
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    kinds = [(node.name, base) for node in classes for base in node.bases]
    kinds += [(n, v.func) for tree in trees.values() for n, v in assignments(tree.body) if isinstance(v, ast.Call)]
    return {name for name, kind in kinds if isinstance(kind, ast.Name) and kind.id in ("IntEnum", "IntFlag")}


def mixed_enums(trees: dict[str, ast.Module]) -> list[str]:
    """Sums and differences of members of two enums."""
    enums, found = enums_of(trees), []
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
                members = [term for term in terms(node, factors=False) if isinstance(term, ast.Attribute)]
                if len({ast.unparse(term.value) for term in members} & enums) > 1:
                    found.append(f"{file}:{node.lineno}: {ast.unparse(node)}")
    return found


@pytest.mark.parametrize("game", NAMES)
def test_no_literal_offset(game: str) -> None:
    assert literal_offsets(parse(GAMES / game, "observe.py", "features.py")) == []


@pytest.mark.full
@pytest.mark.parametrize("game", NAMES)
def test_no_arithmetic_across_enums(game: str) -> None:
    assert mixed_enums(parse(GAMES / game, "**/*.py")) == []


@pytest.mark.parametrize(
    "line",
    [
        "out[2] = g.players",
        "out[start + 1] = 0",
        "out[k + 2 * N] = 0",
        "row = at[ObsBlock.TURN] + 3",
        "row = out[at[ObsBlock.TURN] :]; row[1] = 0",
        "out[_LEAD] = 0",
        "out[start + _LAST] = 0",
        "write_cards(g, out, start + 3)",
        "write_more(g, out[start:])",
    ],
)
def test_literal_offsets_are_detected(line: str) -> None:
    constants = "_TOTAL, _LEAD = 0, 1\n_LAST = _LEAD + 2\n"
    more = "def write_more(g, side):\n    side[1] = 0\n" if "more" in line else ""
    assert literal_offsets({"x.py": ast.parse(f"{constants}{more}def write(g, start, out, at):\n    {line}\n")})


def test_named_offsets_are_accepted() -> None:
    lines = "side = out[at[Block.SIDES] + k * _WIDTH :]\n    side[Field.LEAD + color] = g.pairs[i, 1] + 1\n    out[i] = x[2]"
    assert literal_offsets({"x.py": ast.parse(f"_WIDTH = len(Field)\ndef write(g, k, out, at):\n    {lines}\n")}) == []


def test_arithmetic_across_enums_is_detected() -> None:
    enums = "class A(IntEnum):\n    X = 0\nclass B(IntEnum):\n    Y = 0\n"
    assert mixed_enums({"x.py": ast.parse(f"{enums}z = what - A.X + B.Y\n")}) and not mixed_enums({"x.py": ast.parse(enums)})
