"""The digest of machine code: exactly the modules and tables that it is made of."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ginkgo_env
from ginkgo_env.core.compile import cache
from ginkgo_env.core.compile.cache import closure, digest, imported
from ginkgo_env.core.compile.jit import JIT_DISABLED, kept_in, modules_of
from ginkgo_env.core.compile.progress import work_of
from ginkgo_env.registry import OWN_GAMES, game_class, make_game

FILES = {
    "town/__init__.py": "from town.game import Town\n",
    "town/game.py": "from town.rules.loops import play_many\nfrom town.text import narrate\nclass Town: pass\n",
    "town/tables.py": "from pathlib import Path\nCARDS = Path(__file__).with_name('data').joinpath('cards.csv').read_text()\n",
    "town/data/cards.csv": "a,1\n",
    "town/data/README.md": "What the columns mean.\n",
    "town/rules/__init__.py": "",
    "town/rules/loops.py": "from ginkgo_env.core.compile.jit import entry\nfrom . import turn\n",
    "town/rules/turn.py": "from typing import TYPE_CHECKING\n"
    "from .city import (  # where (all) lies\n    size,\n    AREA as A,\n)\n"
    "if TYPE_CHECKING:\n    from town.text.types import Text\n\ndef lazy():\n    from town.rules import late\n",
    "town/rules/city.py": "from ..tables import CARDS\nimport shared.numbers, json\n",
    "town/rules/late.py": "LATE = 1\n",
    "town/rules/unused.py": "from town.rules import turn\n",
    "town/text/__init__.py": "",
    "town/text/narrate.py": "from town.rules.turn import lazy\n",
    "town/text/types.py": "Text = str\n",
    "village/__init__.py": "",
    "village/loops.py": "from ginkgo_env.core.compile.jit import entry\n",
    "shared/__init__.py": "",
    "shared/numbers.py": "SEVEN = 7\n",
}


def forget() -> None:
    for cached in (cache._located, cache._source, cache.closure, cache._data_in, cache._machine):
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


def digest_after(change: Callable[[], object], module: str = "town.rules.loops") -> tuple[str, str]:
    forget()
    before = digest([module])
    change()
    forget()
    after = digest([module])
    assert before is not None and after is not None
    return before, after


@pytest.mark.parametrize(
    "name",
    [
        *("town/rules/loops.py", "town/rules/turn.py", "town/rules/city.py", "town/rules/late.py", "town/rules/__init__.py"),
        *("town/tables.py", "town/data/cards.csv", "town/data/more/new.json", "town/rules/data/new.csv", "shared/numbers.py"),
    ],
)
def test_what_kernels_are_made_of_moves_the_cache(tree: Path, name: str) -> None:
    (tree / name).parent.mkdir(exist_ok=True)
    before, after = digest_after(lambda: (tree / name).write_text(FILES.get(name, "") + "# a comma\n"))
    assert before != after


@pytest.mark.parametrize(
    "name",
    [
        *("town/game.py", "town/__init__.py", "town/text/narrate.py", "town/text/types.py", "town/rules/unused.py"),
        *("town/rules/new.py", "town/data/README.md", "village/loops.py", "village/data/new.csv", "hamlet/rules/loops.py"),
    ],
)
def test_all_else_does_not(tree: Path, name: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    before, after = digest_after(lambda: (tree / name).write_text(FILES.get(name, "") + "# a comma\n"))
    assert before == after


def test_a_module_that_comes_to_be_moves_the_cache(tree: Path) -> None:
    turn = tree / "town/rules/turn.py"
    turn.write_text("try:\n    from town.rules import fast\nexcept ImportError:\n    fast = None\n")
    before, after = digest_after(lambda: (tree / "town/rules/fast.py").write_text(""))
    assert before != after


@pytest.mark.parametrize("helper", ["import json\n", "from ginkgo_env.core.compile.jit import kernel\n"])
def test_installed_packages_are_followed_if_they_use_ours(tree: Path, monkeypatch: pytest.MonkeyPatch, helper: str) -> None:
    installed = tree / "site-packages"
    (installed / "helper").mkdir(parents=True)
    (installed / "helper" / "__init__.py").write_text(helper + "from helper.deep import X\n")
    (installed / "helper" / "deep.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(installed)
    (tree / "town/rules/turn.py").write_text("import helper\n")
    before, after = digest_after(lambda: (installed / "helper/deep.py").write_text("X = 2\n"))
    assert (before != after) == ("ginkgo_env" in helper)
    before, after = digest_after(lambda: (installed / "helper/__init__.py").write_text("X = 2\n"))
    assert before != after


def test_a_game_that_is_installed_is_followed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "site-packages").mkdir()
    (tree / "town").rename(tree / "site-packages" / "town")
    monkeypatch.syspath_prepend(tree / "site-packages")
    before, after = digest_after(lambda: (tree / "site-packages/town/rules/late.py").write_text("LATE = 2\n"))
    assert before != after


def test_versions_processor_and_settings_count(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = {digest(["town.rules.loops"]), digest(["town.rules.loops"], "checked"), digest(["town.rules.turn"])}
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
            found.add(digest(["town.rules.loops"]))
    assert len(found) == 9 and None not in found


def test_what_has_no_file_has_no_digest(tree: Path) -> None:
    assert digest(["town.rules.nowhere"]) is None
    assert digest(["town.rules.loops", "sys"]) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a", {"a"}),
        ("import a.b.c, d as e", {"a", "a.b", "a.b.c", "d"}),
        ("import a.b as c", {"a.b"}),
        ("from a.b import c, d as e  # f", {"a.b", "a.b.c", "a.b.d"}),
        ("from a import (\n  b,  # (one)\n  c,\n)", {"a", "a.b", "a.c"}),
        ("from a import b, \\\n    c", {"a", "a.b", "a.c"}),
        ("from a import *", {"a", "a.*"}),
        ("from . import b", {"top.sub", "top.sub.b"}),
        ("from .a import b", {"top.sub.a", "top.sub.a.b"}),
        ("from .. import b", {"top", "top.b"}),
        ("from ..a import b", {"top.a", "top.a.b"}),
        ("x = 1; import a", {"a"}),
        ("if x: import a", {"a"}),
        ("try:\n    import a\nexcept ImportError:\n    import b", {"a", "b"}),
        ("def f():\n\tfrom a import b", {"a", "a.b"}),
        ("if TYPE_CHECKING:\n    import a\n\n    from b import c\nimport d", {"d"}),
        ("if typing.TYPE_CHECKING:  # only then\n    import a\nelse:\n    import b\nimport c", {"b", "c"}),
        ("if True:\n    if TYPE_CHECKING:\n        import a\n    import b", {"b"}),
        ("important = 1\nreimport = 2\nx = 'import y'\n# import z", set()),
    ],
)
def test_import_statements_are_read(text: str, names: set[str]) -> None:
    assert imported(text + "\n", "top.sub") == names


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize("name", ginkgo_env.GAMES)
def test_all_kernels_that_a_game_reaches_are_in_its_digest(name: str) -> None:
    forget()
    reached = set[str]()
    for entry in ginkgo_env.make_game(name).kernels:
        modules = {kernel.py_func.__module__ for kernel in work_of(entry)}
        counted = closure(frozenset(modules_of(entry.py_func)))
        assert counted is not None and modules <= counted.keys()
        assert not {module for module in counted if ".text" in module or module.endswith("compile.progress")}
        reached |= modules
    assert len(reached) > 3


def test_old_folders_of_the_same_module_are_forgotten(tmp_path: Path) -> None:
    n = cache._KEPT + 4
    for k in range(n):
        for home in ("town.rules", "town"):
            folder = tmp_path / f"kernels-{home}-{k}"
            folder.mkdir()
            os.utime(folder, (k, k))
    cache.forget_old(tmp_path / "kernels-town-0")
    left = {path.name for path in tmp_path.iterdir()}
    assert {f"kernels-town.rules-{k}" for k in range(n)} < left
    assert {"kernels-town-0", f"kernels-town-{n - 1}"} < left and len(left) == n + 1 + cache._KEPT


@pytest.mark.parametrize("name", OWN_GAMES)
def test_several_versions_of_a_game_are_kept(name: str) -> None:
    """A game has a folder for each set of modules that its loops are made of: another version must not push them out."""
    folders = {kept_in(loop) for options in game_class(name).layouts().values() for loop in make_game(name, **options).kernels}
    assert 5 * len(folders - {None}) <= cache._KEPT
