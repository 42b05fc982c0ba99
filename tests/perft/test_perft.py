"""The game tree has as many leaves as ``data/*.json`` say (see ``perft.py``)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from .perft import CASES, DATA, GINKGOPOLIS, GOLDEN_CITY, count, read


@pytest.mark.parametrize("name", CASES)
def test_leaves(name: str) -> None:
    wanted = read(name)
    found = count(wanted["position"], CASES[name][-1])
    different = [
        f"  {action}: {found['below'].get(action)}, not {wanted['below'].get(action)}"
        for action in {**wanted["below"], **found["below"]}
        if found["below"].get(action) != wanted["below"].get(action)
    ]
    assert not different, f"{name}: leaves below {len(different)} actions have changed:\n" + "\n".join(different[:30])
    assert found["leaves"] == wanted["leaves"]


def kinds(names: Iterable[str]) -> set[str]:
    return {read(name)["position"]["decision"]["kind"] for name in names}


def test_every_kind_of_decision_is_counted() -> None:
    """But for boxing goods cards in The Golden City, which random games hardly meet."""
    assert {path.stem for path in DATA.glob("*.json")} == set(CASES)
    assert kinds(GINKGOPOLIS) == {"draft", "commit", "take", "token", "return"}
    assert kinds(GOLDEN_CITY) == {"bid", "build", "pay", "goods", "bonus", "discard"}
