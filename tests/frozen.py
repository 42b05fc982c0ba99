"""Frozen ids: what tests of several games share (``ginkgopolis/test_frozen.py``, ``golden_city/test_frozen.py``)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ginkgo_env.core.layout import Layout


def blocks(layout: Layout) -> list[list[Any]]:
    return [[block.name, block.start, list(block.shape), block.low, block.high] for block in layout.values()]


def differences(old: Any, new: Any, where: str = "") -> list[str]:
    """Where two pieces of JSON differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [d for key in {**old, **new} for d in differences(old.get(key), new.get(key), f"{where}.{key}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [d for i in range(len(old)) for d in differences(old[i], new[i], f"{where}[{i}]")]
    return [] if old == new else [f"{where[1:]}: {old} -> {new}"]


def require_frozen(file: Path, now: dict[str, Any]) -> None:
    """Raise AssertionError unless ids are what the file says."""
    changes = differences(read(file), json.loads(json.dumps(now)))
    assert not changes, (
        "ids that agents and records depend on have changed. If that is meant, raise the game's version and run "
        f"'python -m tests.{file.parent.name}.test_frozen':\n  " + "\n  ".join(changes[:20])
    )


def read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def write(file: Path, now: dict[str, Any]) -> None:
    file.write_text(written(now) + "\n", encoding="utf-8", newline="\n")


def written(value: Any, indent: int = 0) -> str:
    """JSON with lists of plain things on one line."""
    pad = " " * (indent + 1)
    if isinstance(value, dict):
        return (
            "{\n" + ",\n".join(f"{pad}{json.dumps(k)}: {written(v, indent + 1)}" for k, v in value.items()) + "\n" + pad[1:] + "}"
        )
    if isinstance(value, list) and any(isinstance(item, list) and len(item) > 3 for item in value):
        return "[\n" + ",\n".join(pad + json.dumps(item) for item in value) + "\n" + pad[1:] + "]"
    return json.dumps(value)
