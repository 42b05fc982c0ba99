"""What machine code depends on, and the files that it is in."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_agents.playouts import playouts_many
from ginkgo_env.core.compile import cache
from ginkgo_env.core.compile.cache import digest, reachable_kernels
from ginkgo_env.core.compile.jit import JIT_DISABLED, is_entry
from ginkgo_env.registry import OWN_GAMES

compiled = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")

FILES = {
    "town/__init__.py": "",
    "town/loops.py": """
from ginkgo_env.core.compile.jit import entry
from town import scoring
from town.rules import step
@entry
def play(x):
    return step(x)
@entry
def score(x):
    return scoring.points(x)
""",
    "town/rules.py": """
from ginkgo_env.core.compile.jit import kernel
from town.deep import deep
from town.tables import CARDS
from town.words import eighth
import shared.numbers as n
@kernel
def step(x, more=2):
    \"\"\"Play (R1).\"\"\"
    return deep(x) + CARDS[0] + n.SEVEN + more + eighth(x)  # R2
""",
    "town/deep.py": """
from ginkgo_env.core.compile.jit import kernel
FACTORS = (2, 3)
@kernel
def deeper(x):
    return x * FACTORS[1]
def adder(n):
    @kernel
    def add(x):
        return x + n
    return add
one, two = adder(1), adder(2)
@kernel(inline=False)
def deep(x):
    return deeper(x) + 1 + two(x)
""",
    "town/words.py": """
from numba import types
from numba.extending import intrinsic
from town.emit import times
@intrinsic
def eighth(typingctx, x):
    def codegen(context, builder, signature, args):
        return times(builder, args[0], 8)
    return types.int64(types.int64), codegen
""",
    "town/emit.py": "def times(builder, value, n):\n    return builder.mul(value, value.type(n))\n",
    "town/tables.py": """
from pathlib import Path
import numpy as np
CARDS = np.array(Path(__file__).parent.joinpath("data/cards.csv").read_text().split(","), np.int64)
""",
    "town/data/cards.csv": "1,2",
    "town/scoring.py": """
from enum import IntEnum
from ginkgo_env.core.compile.jit import kernel
from town.tables import CARDS
class Source(IntEnum):
    POINTS = 0
    CARDS = 1
@kernel
def points(x):
    return x + Source.CARDS + CARDS.size
""",
    "town/text.py": "from town.rules import step\nWORDS = {'step': step}\n",
    "shared/__init__.py": "",
    "shared/numbers.py": "SEVEN = 7\nEIGHT = 8\n",
}
PLAY, SCORE, BOTH = {"play"}, {"score"}, {"play", "score"}
EDITS: list[tuple[str, str, str, set[str]]] = [
    ("town/rules.py", "# R2", "# R2.1", set()),
    ("town/rules.py", "(R1)", "(R1.1)", set()),
    ("town/rules.py", "@kernel", "\n\n@kernel", set()),
    ("town/scoring.py", "x + Source.CARDS + CARDS.size", "(x +\n        Source.CARDS + CARDS.size)", set()),
    ("town/text.py", "'step'", "'a step'", set()),
    ("town/text.py", "WORDS", "from town.loops import play\nWORDS", set()),
    ("shared/numbers.py", "EIGHT = 8", "EIGHT = 9", set()),
    ("shared/numbers.py", "SEVEN = 7", "SEVEN = 7.0", PLAY),
    ("town/rules.py", "more=2", "more=3", PLAY),
    ("town/rules.py", "deep(x) +", "deep(x) -", PLAY),
    ("town/deep.py", "+ 1", "+ 2", PLAY),
    ("town/deep.py", "x * F", "x + F", PLAY),
    ("town/deep.py", "(2, 3)", "(2, 4)", PLAY),
    ("town/deep.py", "adder(2)", "adder(3)", PLAY),
    ("town/deep.py", "+ two(x)", "+ one(x)", PLAY),
    ("town/deep.py", "one, two = ", "two, one = ", PLAY),
    ("town/deep.py", "inline=False", "inline=True", PLAY),
    ("town/words.py", "args[0], 8", "args[0], 9", PLAY),
    ("town/emit.py", "builder.mul", "builder.add", PLAY),
    ("town/data/cards.csv", "1,2", "1,3", BOTH),
    ("town/tables.py", "np.int64", "np.int32", BOTH),
    ("town/scoring.py", "CARDS = 1", "CARDS = 2", SCORE),
    ("town/scoring.py", "IntEnum", "Enum", SCORE),
]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game and a package that it uses."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    forget()


def forget() -> None:
    """Let the packages be imported again, as another process would import them."""
    for name in [name for name in sys.modules if name.partition(".")[0] in ("town", "shared")]:
        del sys.modules[name]


def town_digests() -> dict[str, str]:
    forget()
    loops = importlib.import_module("town.loops")
    return {name: digest(getattr(loops, name)) for name in BOTH}


@compiled
@pytest.mark.parametrize(("file", "old", "new", "changed"), EDITS, ids=[f"{file}: {new!r}" for file, _, new, _ in EDITS])
def test_a_digest_covers_what_the_compiler_sees(tree: Path, file: str, old: str, new: str, changed: set[str]) -> None:
    before = town_digests()
    assert town_digests() == before and len(set(before.values())) == 2
    text = (tree / file).read_text()
    assert old in text
    (tree / file).write_text(text.replace(old, new))
    after = town_digests()
    assert {name for name in BOTH if before[name] != after[name]} == changed


@compiled
def test_versions_processor_and_settings_count(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = {town_digests()["play"]}
    for owner, name, value in [
        (sys.implementation, "cache_tag", "cpython-99"),
        (cache.numba, "__version__", "0.99.0"),
        (cache.llvmlite, "__version__", "0.99.0"),
        (cache.np, "__version__", "9.9"),
        (cache._CONFIG, "CPU_NAME", "generic"),
        (cache._CONFIG, "CPU_FEATURES", "+sse2"),
    ]:
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, value)
            digests.add(town_digests()["play"])
    loops = importlib.import_module("town.loops")
    digests.add(digest(loops.play, lambda options: None))
    assert len(digests) == 8


@compiled
@pytest.mark.parametrize("value", ["[object()]", "np.array([None])", "Thing", "Thing()", "functools.partial(int, 2)"])
def test_values_of_an_unknown_kind(tree: Path, value: str) -> None:
    """Whatever could be stale is not cached."""
    text = (tree / "town/scoring.py").read_text()
    value_of = f"import functools\nimport numpy as np\nclass Thing: pass\nTHING = {value}\n"
    (tree / "town/scoring.py").write_text(value_of + text.replace("x + ", "x + THING + "))
    town_digests()
    loops = importlib.import_module("town.loops")
    assert "a value of type" in str(cache.obstacle(loops.score)) and cache.obstacle(loops.play) is None


@compiled
def test_kernels_of_one_name(tree: Path) -> None:
    """Code of two processes would be confused when it is linked."""
    text = (tree / "town/deep.py").read_text()
    (tree / "town/deep.py").write_text(text.replace("+ two(x)", "+ two(x) + one(x)"))
    town_digests()
    assert cache.obstacle(importlib.import_module("town.loops").play) == "several kernels are named town.deep.adder.<locals>.add"


@compiled
@pytest.mark.parametrize("name", OWN_GAMES)
def test_machine_code_of_own_games_depends_on_the_core_and_the_game(name: str) -> None:
    for loop in ginkgo_env.make_game(name).kernels:
        homes = {kernel.py_func.__module__ for kernel in reachable_kernels(loop)}
        assert all(home.startswith(("ginkgo_env.core.", f"ginkgo_env.games.{name}.")) for home in homes) and homes
        assert cache.obstacle(loop) is None


@compiled
def test_machine_code_of_agents_is_cached() -> None:
    """That of matrix products depends on types of LLVM, which intrinsics name."""
    modules = [f"ginkgo_agents.{name}" for name in ("policy", "nets", "playouts", "search")]
    found = {value for name in modules for value in vars(importlib.import_module(name)).values() if is_entry(value)}
    found |= {ginkgo_env.make_game(name).kernels.bind(playouts_many) for name in OWN_GAMES}
    assert len(found) > 4 and {each.py_func.__name__: cache.obstacle(each) for each in found if cache.obstacle(each)} == {}


DIGESTS = """
import json, sys
from ginkgo_env.core.compile.cache import digest
from ginkgo_env.registry import OWN_GAMES, make_game
loops = {f"{name}.{loop.py_func.__name__}": digest(loop) for name in OWN_GAMES for loop in make_game(name).kernels}
print(json.dumps(loops))
"""


@compiled
@pytest.mark.full
def test_edits_of_our_own_sources(tmp_path: Path) -> None:
    package = tmp_path / "ginkgo_env"
    shutil.copytree(Path(ginkgo_env.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))

    def digests() -> dict[str, str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", DIGESTS]
        done = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def edit(file: str, pattern: str, new: str) -> set[str]:
        """The loops whose digests an edit changes."""
        path, before = package / file, digests()
        text, n = re.subn(pattern, new, path.read_text())
        assert n > 0
        path.write_text(text)
        after = digests()
        return {name for name in after if after[name] != before[name]}

    before = digests()
    for path in package.rglob("*.py"):
        path.write_text(path.read_text() + "\n\n# no kernel sees this\n_NOT_USED_BEFORE = 1\n")
    assert digests() == before

    town = edit("games/my_city/rules/scoring.py", "_ABOVE_ANY_LOSS = 1024", "_ABOVE_ANY_LOSS = 2048")
    assert "my_city.play_many" in town and "my_city.observe_many" not in town
    assert all(name.startswith("my_city.") for name in town)
    city = edit("games/ginkgopolis/rules/scoring.py", "_CARD_POINTS = 2", "_CARD_POINTS = 3")
    assert city >= {f"ginkgopolis.{name}_many" for name in ("play", "score", "features", "afterstates")}
    assert city.isdisjoint(f"ginkgopolis.{name}_many" for name in ("legal", "observe", "resample", "find_flaw"))
    assert all(name.startswith("ginkgopolis.") for name in city)
    all_games = edit("core/rng.py", r"bits \^ \(bits >> _SHIFT_3\)", "bits")
    assert all_games >= {f"{name}.{loop}_many" for name in OWN_GAMES for loop in ("play", "afterstates")}


def test_old_versions_of_an_entry_are_forgotten(tmp_path: Path) -> None:
    n = cache._KEPT + 4
    paths = [tmp_path / f"play-{k}-int64.bin" for k in range(n)]
    for k, path in enumerate(paths):
        cache.write(path, b"machine code")
        os.utime(path, (k, k))
    assert cache.read(paths[0]) is not None  # used now
    cache.keep_latest(tmp_path.glob("play-*-int64.bin"))
    assert sorted(tmp_path.iterdir()) == sorted([paths[0], *paths[5:]])


# --- files -------------------------------------------------------------------------------------------------------------------


def test_files_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "code.bin"
    assert cache.read(path) is None
    for content in (b"", b"machine code", bytes(10**5)):
        cache.write(path, content)
        assert cache.read(path) == content
    assert [file.name for file in tmp_path.iterdir()] == ["code.bin"]


def test_a_single_flipped_bit_is_found(tmp_path: Path) -> None:
    path = tmp_path / "code.bin"
    cache.write(path, b"machine code")
    written = path.read_bytes()
    for k in range(8 * len(written)):
        damaged = bytearray(written)
        damaged[k // 8] ^= 1 << k % 8
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="wrong checksum"):
            cache.read(path)


def test_a_file_that_cannot_be_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "code.bin"
    path.mkdir()
    with pytest.raises(OSError):
        cache.write(path, b"machine code")
    assert list(tmp_path.iterdir()) == [path]
