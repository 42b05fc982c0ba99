"""The place of compiled kernels: never stale, never in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba.core import codegen

import ginkgo_env
from ginkgo_env.core import jit
from ginkgo_env.core.batch import prepare
from ginkgo_env.registry import game_class

PACKAGE = Path(ginkgo_env.__file__).parent


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the sources that kernels come from."""
    for folder in ("core", "games"):
        shutil.copytree(PACKAGE / folder, tmp_path / "package" / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "package"


def test_the_digest_is_that_of_the_sources(package: Path) -> None:
    assert jit.source_digest(package) == jit.source_digest() == jit.source_digest()


@pytest.mark.parametrize(
    "changed",
    [
        "games/ginkgopolis/rules/effects.py",
        "games/ginkgopolis/data/cards.csv",
        "core/rng.py",
        "core/bits.py",
        "games/ginkgopolis/tables.py",
    ],
)
def test_a_change_in_any_callee_or_table_moves_the_cache(package: Path, changed: str) -> None:
    before = jit.source_digest(package)
    path = package / changed
    path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))
    assert jit.source_digest(package) != before


def test_a_new_kernel_file_moves_the_cache(package: Path) -> None:
    before = jit.source_digest(package)
    (package / "games" / "ginkgopolis" / "more.py").write_text("X = 1\n")
    assert jit.source_digest(package) != before


def test_what_is_no_source_does_not(package: Path) -> None:
    before = jit.source_digest(package)
    (package / "games" / "__pycache__").mkdir(exist_ok=True)
    (package / "games" / "__pycache__" / "state.cpython-311.pyc").write_bytes(b"old")
    (package / "games" / "ginkgopolis" / "notes.txt").write_text("no source")
    assert jit.source_digest(package) == before


def test_old_caches_are_forgotten(tmp_path: Path) -> None:
    for k in range(9):
        (tmp_path / f"kernels-{k}").mkdir()
        os.utime(tmp_path / f"kernels-{k}", (k, k))
    jit._forget_old_caches(tmp_path, keep=tmp_path / "kernels-0")
    left = {path.name for path in tmp_path.iterdir()}
    assert "kernels-0" in left and "kernels-8" in left and len(left) == 1 + jit._KEPT_CACHES


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
from ginkgo_env.core import jit, rng
@jit.entry
def f(x):
    return x + 1
states = np.zeros(1, [("rng", np.uint64)])
print(jit.CACHE, f(1))
"""


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
    assert done.stdout.split() == ["None", "2"]


def test_home_that_cannot_be_written(tmp_path: Path) -> None:
    nowhere = tmp_path / "home"
    nowhere.write_text("not a folder")
    done = run(tmp_path, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere), NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["None", "2"]


def test_a_given_folder_is_used_and_named_by_the_sources(tmp_path: Path) -> None:
    done = run(tmp_path, GINKGO_CACHE_DIR=str(tmp_path / "here"), NUMBA_DISABLE_JIT="0")
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.split()[0])
    assert folder.parent == tmp_path / "here" and folder.name.startswith("kernels-")


def test_without_jit_there_is_no_cache(tmp_path: Path) -> None:
    done = run(tmp_path, GINKGO_CACHE_DIR=str(tmp_path / "here"), NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["None", "2"] and not (tmp_path / "here").exists()


def test_kernels_are_loaded_as_parts_of_entries_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an entry calls must not be found in memory already, unoptimized."""
    if jit.JIT_DISABLED:
        pytest.skip("nothing is compiled")
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

    monkeypatch.setattr(jit, "CACHE", None)
    assert jit.entry(outer)(3) == 19
    assert [name for name in ("outer", "inner", "innermost") if any(name in module for module in loaded)] == ["outer"]


def test_kernels_cannot_call_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    if jit.JIT_DISABLED:
        pytest.skip("nothing is compiled")
    monkeypatch.setattr(jit, "CACHE", None)

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
    methods = [(owner, name) for owner, names in jit._skipped() for name in names]
    assert len(methods) == 4, "Numba looks different: entries are slow in the process that compiles them"
    before = [getattr(owner, name) for owner, name in methods]
    with pytest.raises(ZeroDivisionError), jit._for_linking_only(), jit._for_linking_only():
        assert not any(getattr(owner, name) in before for owner, name in methods)
        raise ZeroDivisionError
    assert [getattr(owner, name) for owner, name in methods] == before


def test_compiling_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(jit, "JIT_DISABLED", False)
    monkeypatch.setattr(jit, "CACHE", tmp_path)
    jit._marker.cache_clear()
    try:
        for _ in range(2):
            with jit.announced("chess", 12):
                pass
        assert capsys.readouterr().err.count("compiling the rules of chess (once, about 12 s)") == 1
        monkeypatch.setattr(jit, "CACHE", None)
        jit._marker.cache_clear()
        with jit.announced("go", 12):
            pass
        assert "in each process" in capsys.readouterr().err
    finally:
        jit._marker.cache_clear()


def test_machine_code_has_a_name_for_each_dtype_of_records() -> None:
    configurations = [
        (name, options) for name in ginkgo_env.GAMES for options in game_class(name).configurations() + [{"max_rounds": 3}]
    ]
    games = [ginkgo_env.make_game(name, **options) for name, options in configurations]
    names = {(game.compiled_as, game.template.dtype) for game in games}
    assert len(names) == len({name for name, _ in names}) == len({dtype for _, dtype in names})


def test_kernels_for_modules_are_announced_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jit, "JIT_DISABLED", False)
    monkeypatch.setattr(jit, "CACHE", tmp_path)
    monkeypatch.setattr(jit, "_told", set())
    jit._marker.cache_clear()
    try:
        for modules in ((), ("events",), (), ("prestige", "experts")):
            prepare(ginkgo_env.make_game("ginkgopolis", modules=modules))
        said = [line for line in capsys.readouterr().err.splitlines() if "compiling" in line]
        assert len(said) == 2
        assert "the rules of ginkgopolis (once" in said[0] and "the rules of ginkgopolis with modules (once" in said[1]
        assert {path.name for path in tmp_path.iterdir()} == {"ginkgopolis.compiled", "ginkgopolis-with-modules.compiled"}
    finally:
        jit._marker.cache_clear()
