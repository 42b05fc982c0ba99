"""That no edge case of M14 lacks a test."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_edge_case_has_a_test() -> None:
    files = [*HERE.glob("test_*.py"), *(HERE.parent / "rules" / "my_city").glob("test_*.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert {int(number) for number in re.findall(r"def test_(?:\w+_)?m14_(\d\d)_", text)} == set(range(1, 29))
