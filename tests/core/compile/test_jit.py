"""Compiled kernels: never stale, never in the way."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from numba.core import codegen

import ginkgo_env
from ginkgo_env.core.compile import cache, jit
from ginkgo_env.core.compile.jit import cached_files
from ginkgo_env.registry import DEFAULT_GAME, game_class

compiled = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a small script with an entry in it."""
    script = folder / "small.py"
    script.write_text(SMALL.format(path=[p for p in sys.path if p]))
    env = {name: value for name, value in os.environ.items() if name not in ("GINKGO_CACHE_DIR", "NUMBA_CACHE_DIR")}
    return subprocess.run(
        [sys.executable, str(script)], env={**env, **environment}, capture_output=True, text=True, timeout=300, check=False
    )


SMALL = """
import sys
sys.path[:0] = {path!r}
import numpy as np
from ginkgo_env.core import rng
from ginkgo_env.core.compile import jit
@jit.entry
def f(x):
    return x + 1
states = np.zeros(1, [("rng", np.uint64)])
print(jit.is_cached(f), f(1))
"""


@pytest.mark.full
@pytest.mark.parametrize("place", ["a file", "below a file", "read-only"])
def test_without_a_writable_folder_everything_works_uncached(tmp_path: Path, place: str) -> None:
    blocked = tmp_path / "blocked"
    if place == "read-only":
        blocked.mkdir()
        blocked.chmod(0o500)
        if os.access(blocked, os.W_OK):
            pytest.skip("this user may write everywhere")
    else:
        blocked.write_text("not a folder")
    root = blocked / "deeper" if place == "below a file" else blocked
    done = run(tmp_path, GINKGO_CACHE_DIR=str(root), NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "2"]


@pytest.mark.full
def test_home_that_cannot_be_written(tmp_path: Path) -> None:
    nowhere = tmp_path / "home"
    nowhere.write_text("not a folder")
    done = run(tmp_path, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere), NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "2"]


@pytest.mark.full
def test_a_given_folder_is_used(tmp_path: Path) -> None:
    done = run(tmp_path, GINKGO_CACHE_DIR=str(tmp_path / "here"), NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "2"]
    (file,) = (tmp_path / "here").iterdir()
    assert file.name.startswith("__main__.f-") and file.suffix == ".bin"


@pytest.mark.full
def test_without_jit_there_is_no_cache(tmp_path: Path) -> None:
    done = run(tmp_path, GINKGO_CACHE_DIR=str(tmp_path / "here"), NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "2"] and not (tmp_path / "here").exists()


@compiled
def test_kernels_are_loaded_as_parts_of_entries_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an entry calls must not be found in memory already, unoptimized."""
    loaded: list[str] = []
    add_module = codegen.JitEngine.add_module

    def recorded(engine: Any, module: Any) -> Any:
        loaded.append(module.name)
        return add_module(engine, module)

    monkeypatch.setattr(codegen.JitEngine, "add_module", recorded)

    @jit.kernel
    def innermost(x: int) -> int:
        return x * x

    @jit.kernel
    def inner(x: int) -> int:
        return innermost(x) + 1

    def outer(x: int) -> int:
        return inner(x) + innermost(x)

    assert jit.entry(outer)(3) == 19
    assert [name for name in ("outer", "inner", "innermost") if any(name in module for module in loaded)] == ["outer"]


@compiled
def test_kernels_cannot_call_entries() -> None:
    @jit.entry
    def inner(x: int) -> int:
        return x + 1

    @jit.entry
    def outer(x: int) -> int:
        return inner(x)

    assert inner(1) == 2
    with pytest.raises(Exception, match="inner is an entry, called from Python only"):
        outer(1)


def test_numba_is_left_as_it_was() -> None:
    methods = [(owner, name) for owner, name, _ in jit._PATCHES]
    assert len(methods) == 5, "this version of Numba is not supported: entries are slow in the process that compiles them"
    before = [getattr(owner, name) for owner, name in methods]
    with pytest.raises(ZeroDivisionError), jit._for_linking_only(), jit._for_linking_only():
        assert not any(getattr(owner, name) in before for owner, name in methods)
        raise ZeroDivisionError
    assert [getattr(owner, name) for owner, name in methods] == before


@pytest.mark.parametrize(("version", "known"), [("0.67.1", 0), ("0.68.0", 5), ("0.68.1", 5), ("0.69.0rc1", 0), ("1.0", 0)])
def test_only_the_supported_version_is_patched(monkeypatch: pytest.MonkeyPatch, version: str, known: int) -> None:
    monkeypatch.setattr(jit.numba, "__version__", version)
    assert len(jit._patches()) == known


KERNELS_FROM_PYTHON = """
import sys
sys.path[:0] = {path!r}
import numpy as np
from ginkgo_env.core.compile import jit
from ginkgo_env.core.rng import mix
@jit.entry
def f(x):
    return mix(x)
def refused():
    try:
        mix(np.uint64(1))
    except TypeError as error:
        return str(error)
before = refused()
print(int(f(np.uint64(1))), before == refused() == "mix is a kernel, called from compiled code only: call it from an entry")
"""


@compiled
def test_a_kernel_called_from_python_is_refused(tmp_path: Path) -> None:
    """Before and after it was compiled for an entry; in a process of its own, which it would kill."""
    script = tmp_path / "script.py"
    script.write_text(KERNELS_FROM_PYTHON.format(path=[p for p in sys.path if p]))
    environment = {**os.environ, "GINKGO_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0 and done.stdout.split() == [str(0x5692161D100B05E5), "True"], done.stderr


@pytest.mark.parametrize("name", ginkgo_env.GAMES)
def test_what_is_compiled_for_one_configuration_serves_all(name: str) -> None:
    configurations = game_class(name).configurations() + ([{"max_rounds": 3}] if name == DEFAULT_GAME else [])
    assert len({ginkgo_env.make_game(name, **options).template.dtype for options in configurations}) == 1


# --- two games whose loops one function makes ------------------------------------------------------------------------------

MAKER = """
from ginkgo_env.core.compile.jit import entry, keep
def loops(step, score, numbers=(1, 2)):
    keep(step), keep(score)
    @entry
    def play_many(x):
        return step(x) * numbers[1] + score(x)
    @entry
    def score_many(x):
        return score(x)
    return play_many, score_many
"""
GAME = """
from maker import loops
from {name}.rules import score, step
play_many, score_many = loops(step, score)
"""
RULES = """
import numpy as np
from ginkgo_env.core.compile.jit import kernel
from {name}.deep import deep, known
from {name}.tables import ADDED
@kernel
def step(x):
    small = np.int8(x)
    return deep(x) + ADDED if known(small, small) else 0
@kernel
def score(x):
    return 0 * x
"""
TABLES = """
from pathlib import Path
ADDED = int(Path(__file__).with_name("data").joinpath("added.csv").read_text())
"""
DEEP = """
from ginkgo_env.core.compile.jit import kernel
@kernel
def deep(x):
    return x * {factor}
@kernel
def known(x, y):
    return x in (-1, y)  # for numbers of one width only
"""
MAIN = """
import importlib, sys
sys.path[:0] = {path!r}
from ginkgo_env.core.compile.cache import reachable_kernels
for version in sys.argv[1:]:
    import numba
    numba.__version__ = version
for name in ("chess", "go"):
    game = importlib.import_module(name)
    results = [loop(1) for loop in (game.play_many, game.score_many)]
    kernels = reachable_kernels(game.play_many)
    compiled = [f.py_func.__name__ for f in (game.play_many, game.score_many, *kernels) if f.stats.cache_misses]
    print(name, results[0], *compiled)
"""
ALL = {"play_many", "score_many", "step", "score", "deep", "known"}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Two packages, each with a game, and the module that makes their loops."""
    (tmp_path / "maker.py").write_text(MAKER)
    for name, factor in ("chess", 10), ("go", 100):
        (tmp_path / name / "data").mkdir(parents=True)
        for file, text in ("__init__", GAME), ("rules", RULES), ("tables", TABLES), ("deep", DEEP):
            (tmp_path / name / f"{file}.py").write_text(text.format(name=name, factor=factor))
        (tmp_path / name / "data" / "added.csv").write_text("5")
    (tmp_path / "main.py").write_text(MAIN.format(path=[str(tmp_path), *(p for p in sys.path if p)]))
    return tmp_path


def played(games: Path, *version: str) -> dict[str, tuple[int, set[str]]]:
    """What a new process finds, for each game: the result, and what it has compiled."""
    environment = {
        **os.environ,
        "GINKGO_CACHE_DIR": str(games / "cache"),
        "NUMBA_DISABLE_JIT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, str(games / "main.py"), *version],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    return {name: (int(result), set(compiled)) for name, result, *compiled in lines}


@pytest.mark.full
def test_loops_that_one_function_makes_for_two_games_are_kept_apart(games: Path) -> None:
    assert played(games) == {"chess": (30, ALL), "go": (210, ALL)}
    assert played(games) == {"chess": (30, set()), "go": (210, set())}


@pytest.mark.full
def test_only_what_an_edit_may_affect_is_compiled_again(games: Path) -> None:
    """The loop over scores does not call what has changed; the kernel ``score`` is there for the loop over steps, too."""
    played(games)
    (games / "go" / "deep.py").write_text(DEEP.format(factor=1000))  # a callee in another file
    assert played(games) == {"chess": (30, set()), "go": (2010, ALL - {"score_many", "score"})}
    (games / "go" / "data" / "added.csv").write_text("6")  # a table
    assert played(games) == {"chess": (30, set()), "go": (2012, ALL - {"score_many", "score"})}
    (games / "maker.py").write_text(MAKER.replace("numbers[1]", "numbers[0]"))  # loops of both
    assert played(games) == {"chess": (15, {"play_many"}), "go": (1006, {"play_many"})}
    (games / "chess" / "text.py").write_text("from chess.rules import step\n")
    (games / "chess" / "deep.py").write_text(DEEP.format(factor=10).replace("def deep", "# R1\ndef deep"))
    assert played(games) == {"chess": (15, set()), "go": (1006, set())}


@pytest.mark.full
def test_sources_that_are_edited_after_their_import(games: Path) -> None:
    """The process goes on with what it has imported; the next one must not take its machine code for that of the new sources."""
    path = games / "go" / "deep.py"
    edit = f"from pathlib import Path; Path({str(path)!r}).write_text({DEEP.format(factor=1000)!r})"
    main = games / "main.py"
    text = main.read_text()
    main.write_text(text.replace("for name in (", f"import chess, go; {edit}\nfor name in ("))
    assert played(games)["go"][0] == 210
    main.write_text(text)
    assert played(games)["go"] == (2010, ALL - {"score_many", "score"})


@pytest.mark.full
def test_several_processes_compile_at_once(games: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda _: played(games), range(3)))
    assert {found[name][0] for found in together for name in found} == {30, 210}
    assert played(games) == {"chess": (30, set()), "go": (210, set())}


@pytest.mark.full
def test_a_version_of_numba_that_nobody_has_looked_at(games: Path) -> None:
    """It says nothing about this version's inside, but all must work without the patches."""
    played(games)
    assert played(games, "0.99.0") == {"chess": (30, ALL), "go": (210, ALL)}
    assert played(games, "0.99.0") == {"chess": (30, set()), "go": (210, set())}


@compiled
def test_code_with_a_global_that_has_changed_since_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process would take it for code with the old value."""
    (tmp_path / "rebound.py").write_text("N = 1\ndef add(x):\n    return x + N\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GINKGO_CACHE_DIR", str(tmp_path / "cache"))
    cache.folder.cache_clear()
    module = importlib.import_module("rebound")
    add = jit.entry(module.add)
    assert add(1) == 2 and len(cached_files(add)) == 1
    module.N = 2
    assert add(1.0) == 3 and len(cached_files(add)) == 1
    del sys.modules["rebound"]
    cache.folder.cache_clear()


# --- machine code in the package -------------------------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("runs", [True, False])
def test_portable_code_is_loaded_where_the_processor_runs_it(
    small: Callable[[], Any], runs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The code of this processor stands for portable code: only the name of the file counts."""
    own = file_of(small())
    monkeypatch.setattr(cache, "SHIPPED", tmp_path / "shipped")
    cache.SHIPPED.mkdir()
    monkeypatch.setattr(cache, "_features", lambda: f"{cache.PORTABLE[1]},+adx" if runs else "+sse2")
    stem, _, kinds = own.name.rsplit("-", 2)
    digest = cache.digest(sys.modules["small_module"].small, jit.kernel, jit.entry, portable=True)
    portable = cache.SHIPPED / f"{stem}-{digest}-{kinds}"
    shutil.copy(own, portable)
    monkeypatch.setenv("GINKGO_CACHE_DIR", str(tmp_path / "empty"))
    for cached in (cache.folder, cache.shipped_folder):
        cached.cache_clear()
    again = small()
    assert again(1) == 2 and bool(again.stats.cache_hits) is runs
    assert cached_files(again) == ([portable] if runs else [*(tmp_path / "empty").iterdir()])
    cache.shipped_folder.cache_clear()


# --- damage ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Any]]:
    """Makes an entry anew, as another process would find it; its machine code is on disk already."""
    (tmp_path / "small_module.py").write_text("def small(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("GINKGO_CACHE_DIR", str(tmp_path / "cache"))
    for cached in (cache.folder, jit._warn_once):
        cached.cache_clear()

    def made() -> Any:
        return jit.entry(importlib.import_module("small_module").small)

    assert made()(1) == 2 and file_of(made()).parent == tmp_path / "cache"
    yield made
    del sys.modules["small_module"]
    for cached in (cache.folder, jit._warn_once):
        cached.cache_clear()


def file_of(entry: Any) -> Path:
    """The file of machine code of an entry."""
    (path,) = cached_files(entry)
    return path


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def flip_a_bit(content: bytes) -> bytes:
    return content[: len(content) // 2] + bytes([content[len(content) // 2] ^ 1]) + content[len(content) // 2 + 1 :]


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-20]),
    "cut to half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 16),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "text": lambda path: path.write_bytes(b"this is no machine code\n"),
    "flipped bit": lambda path: path.write_bytes(flip_a_bit(path.read_bytes())),
    "another entry's": lambda path: cache.write(path, b"machine code"),
}


@compiled
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code_is_compiled_again(small: Callable[[], Any], damage: str, capsys: pytest.CaptureFixture[str]) -> None:
    DAMAGES[damage](file_of(small()))
    again = small()
    assert again(1) == 2 and again.stats.cache_misses
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and said[0].startswith("ginkgo_env: machine code on disk is damaged (small: ")
    healed = small()
    assert healed(1) == 2 and healed.stats.cache_hits and not healed.stats.cache_misses
    assert not capsys.readouterr().err


@compiled
def test_code_that_can_be_neither_read_nor_written(small: Callable[[], Any], capsys: pytest.CaptureFixture[str]) -> None:
    a_folder(file_of(small()))
    for _ in range(2):
        again = small()
        assert again(1) == 2 and again.stats.cache_misses
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all(line.startswith("ginkgo_env: ") and len(line) < 200 for line in said)


@compiled
def test_a_folder_that_vanishes(small: Callable[[], Any], capsys: pytest.CaptureFixture[str]) -> None:
    again = small()
    folder = file_of(again).parent
    shutil.rmtree(folder)
    folder.write_text("in the way")
    assert again(1) == 2
    assert "machine code cannot be written" in capsys.readouterr().err
    folder.unlink()
    cache.folder.cache_clear()
    later = small()  # the folder is made anew
    assert later(1) == 2 and later.stats.cache_misses
