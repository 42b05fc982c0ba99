"""M14.26: positions in the middle of a round. And that no edge case of M14 lacks a test."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ginkgo_env.core.errors import PositionError

from .playing import Table, table

Json = dict[str, Any]


def midround() -> Table:
    """Seats 0 and 1 have chosen, seat 2 decides; one has passed, one has ended."""
    found = table("Y1", "R1", "X", "C1", "B1", players=4).play("e1E", "pass", "d1N", "end", "f1E", "e1E", "pass")
    return found.play("pass", "f1N")


def test_m14_26_read_back_with_choices_pending() -> None:
    found = midround()
    data = found.game.position(found.state)
    assert [player["choice"] for player in data["players"]] == ["pass", "f1N", None, None]
    assert data["decision"] == {"kind": "build", "actor": 2} and data["blocked"] == "C1"
    assert [player["ended"] for player in data["players"]] == [None, None, None, 1]
    again = found.game.from_position(data)
    assert again.tobytes() == found.state.tobytes() and found.game.position(again) == data


def change(*path: Any, to: Any) -> Callable[[Json], None]:
    def edit(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return edit


TAMPERED: dict[str, Callable[[Json], None]] = {
    "points": change("players", 1, "points", to=10),
    "gold": change("players", 0, "gold", to=True),
    "the gold round": change("gold_round", to=1),
    "the round": change("round", to=2),
    "the blocked building": change("blocked", to="B1"),
    "the order of cards": change("revealed", to=["R1", "Y1", "X", "C1", "B1"]),
    "the order of buildings": lambda data: data["players"][0]["placed"].reverse(),
    "a card twice": lambda data: data["deck"].append("Y1"),
    "a building too near": change("players", 0, "placed", 1, "at", to="e1E"),
    "a building away": change("players", 0, "placed", 1, "at", to="i5N"),
    "a pass left out": change("players", 1, "passed", to=[]),
    "a choice of a later seat": change("players", 2, "choice", to="pass"),
    "a choice of who has ended": change("players", 3, "choice", to="pass"),
    "a choice left out": change("players", 0, "choice", to=None),
    "a choice that is not legal": change("players", 1, "choice", to="f3N"),
    "another actor": change("decision", "actor", to=3),
    "an end taken back": change("players", 3, "ended", to=None),
    "another end": change("players", 3, "ended", to=2),
}


@pytest.mark.parametrize("tampered", TAMPERED)
def test_m14_26_refused_when_tampered_with(tampered: str) -> None:
    found = midround()
    data = copy.deepcopy(found.game.position(found.state))
    TAMPERED[tampered](data)
    with pytest.raises(PositionError):
        found.game.from_position(data)


def test_every_edge_case_has_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert {int(number) for number in re.findall(r"def test_(?:\w+_)?m14_(\d\d)_", text)} == set(range(1, 29))
