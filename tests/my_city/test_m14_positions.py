"""M14.26: positions in the middle of a round (what is refused: ``flaws.py``). And that no edge case of M14 lacks a test."""

from __future__ import annotations

import re
from pathlib import Path

from .flaws import four
from .played import accepted


def test_m14_26_read_back_with_choices_pending() -> None:
    data = four()
    assert [player["choice"] for player in data["players"]] == ["pass", "f1N", None, None]
    assert data["decision"] == {"kind": "build", "actor": 2} and data["blocked"] == "C1"
    assert [player["ended"] for player in data["players"]] == [None, None, None, 1]
    assert accepted(data).position(0) == data


def test_every_edge_case_has_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert {int(number) for number in re.findall(r"def test_(?:\w+_)?m14_(\d\d)_", text)} == set(range(1, 29))
