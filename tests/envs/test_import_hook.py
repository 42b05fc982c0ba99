"""Functions that wait for an import."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ginkgo_env.envs.registration import when_imported


def test_a_function_waits_until_a_module_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, seen = "awaited_by_a_test", list[object]()
    monkeypatch.syspath_prepend(str(tmp_path))
    when_imported(name, lambda: seen.append(sys.modules[name].VALUE))
    when_imported(name, lambda: seen.append("twice"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)
    (tmp_path / f"{name}.py").write_text("VALUE = 3\n")
    importlib.invalidate_caches()
    assert find_spec(name) is not None and not seen  # code that only asks whether the module exists
    module = importlib.import_module(name)
    assert sorted(map(str, seen)) == ["3", "twice"]
    importlib.reload(module)
    assert len(seen) == 2
    when_imported(name, lambda: seen.append("now"))
    assert seen[-1] == "now"
    del sys.modules[name]
    assert not [finder for finder in sys.meta_path if getattr(finder, "_module", None) == name]
