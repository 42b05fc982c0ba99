"""The digest of machine code, and the files and folders that it is in."""

from __future__ import annotations

import importlib.util
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_env.core.compile import cache
from ginkgo_env.core.compile.cache import digest
from ginkgo_env.core.compile.jit import JIT_DISABLED, cache_folder, reachable_kernels
from ginkgo_env.registry import OWN_GAMES

FILES = {
    "town/__init__.py": "from town.game import Town\n",
    "town/game.py": "from town.rules.loops import play_many\nclass Town: pass\n",
    "town/tables.py": "from pathlib import Path\nCARDS = Path(__file__).with_name('data').joinpath('cards.csv').read_text()\n",
    "town/data/cards.csv": "a,1\n",
    "town/data/README.md": "What the columns mean.\n",
    "town/README.rst": "A game.\n",
    "town/rules/__init__.py": "",
    "town/rules/loops.py": "from ..tables import CARDS\nimport json, shared.numbers as n\n",
    "village/__init__.py": "",
    "village/loops.py": "from ginkgo_env.core.compile.jit import entry\n",
    "shared/__init__.py": "",
    "shared/numbers.py": "SEVEN = 7\n",
    "hut.py": "from ginkgo_env.core.compile.jit import entry\n",
    "data/hut.csv": "1\n",
}


def forget() -> None:
    for cached in (cache._places, cache._sources, cache.digest):
        cached.cache_clear()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Two games and a package that one of them uses."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield tmp_path
    forget()


def digests_around(change: Callable[[], object], package: str = "town") -> tuple[str, str]:
    """The digest of a package before and after a change, as two processes would compute it."""
    forget()
    before = digest(frozenset({package}))
    change()
    forget()
    after = digest(frozenset({package}))
    assert before is not None and after is not None
    return before, after


@pytest.mark.parametrize(
    "name",
    [
        *("town/rules/loops.py", "town/game.py", "town/__init__.py", "town/rules/new.py", "shared/numbers.py"),
        *("town/data/cards.csv", "town/data/more/new.json", "town/rules/data/new.csv"),
    ],
)
def test_sources_and_tables_change_the_digest(tree: Path, name: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    before, after = digests_around(lambda: (tree / name).write_text(FILES.get(name, "") + "# a comma\n"))
    assert before != after


@pytest.mark.parametrize("name", ["town/data/README.md", "town/README.rst", "village/loops.py", "village/data/new.csv", "hut.py"])
def test_documents_and_other_packages_do_not(tree: Path, name: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    before, after = digests_around(lambda: (tree / name).write_text(FILES.get(name, "") + "# a comma\n"))
    assert before == after


def test_a_file_that_is_deleted_changes_the_digest(tree: Path) -> None:
    before, after = digests_around((tree / "town/tables.py").unlink)
    assert before != after


@pytest.mark.parametrize("name", ["hut.py", "data/hut.csv"])
def test_a_game_in_one_file(tree: Path, name: str) -> None:
    before, after = digests_around(lambda: (tree / name).write_text("2\n"), "hut")
    assert before != after


def test_the_sources_of_ginkgo_env_always_count(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "copy").mkdir()
    (tree / "copy/__init__.py").write_text("")
    before = digest(frozenset({"town"}))
    forget()
    monkeypatch.setattr(sys.modules["ginkgo_env"], "__path__", [str(tree / "copy")])
    assert digest(frozenset({"town"})) != before is not None


@pytest.mark.parametrize("given", [True, False])
def test_installed_packages_count_if_they_have_kernels(tree: Path, monkeypatch: pytest.MonkeyPatch, given: bool) -> None:
    installed = tree / "site-packages"
    (installed / "helper").mkdir(parents=True)
    (installed / "helper/__init__.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(installed)
    (tree / "town/game.py").write_text("import helper\n")
    packages = frozenset({"town", "helper"} if given else {"town"})
    forget()
    before = digest(packages)
    (installed / "helper/__init__.py").write_text("X = 2\n")
    forget()
    assert (digest(packages) != before) == given


def test_versions_processor_and_settings_count(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    town = frozenset({"town"})
    digests = {digest(town), digest(town, "checked"), digest(frozenset({"village"}))}
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
            forget()
            digests.add(digest(town))
    assert len(digests) == 9 and None not in digests


def test_packages_without_files_have_no_digest(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert digest(frozenset({"nowhere"})) is None
    assert digest(frozenset({"town", "sys"})) is None
    with zipfile.ZipFile(tree / "packages.zip", "w") as packages:
        packages.writestr("zipped/__init__.py", "")
    monkeypatch.syspath_prepend(tree / "packages.zip")
    assert importlib.util.find_spec("zipped") and digest(frozenset({"zipped"})) is None


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("name", OWN_GAMES)
def test_kernels_of_own_games_come_from_our_packages(name: str) -> None:
    """So that one digest holds for them, and one folder."""
    loops = ginkgo_env.make_game(name).kernels
    kernels = {kernel for loop in loops for kernel in reachable_kernels(loop.py_func)}  # type: ignore[attr-defined]
    assert {kernel.py_func.__module__.partition(".")[0] for kernel in kernels} == {"ginkgo_env"} and len(kernels) > 50
    assert len({cache_folder(loop) for loop in loops}) == 1


def test_old_folders_of_the_same_package_are_forgotten(tmp_path: Path) -> None:
    n = cache._KEPT + 4
    for k in range(n):
        for package in ("town-hall", "town"):
            folder = tmp_path / f"kernels-{package}-{k}"
            folder.mkdir()
            os.utime(folder, (k, k))
    cache.forget_old(tmp_path / "kernels-town-0")
    left = {path.name for path in tmp_path.iterdir()}
    assert {f"kernels-town-hall-{k}" for k in range(n)} < left
    assert {"kernels-town-0", f"kernels-town-{n - 1}"} < left and len(left) == n + 1 + cache._KEPT


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
