"""M12.3, M12.4: what a seat is shown, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginkgo_env.games.my_city.buildings import load_buildings

from .positions import made_up, table

NAMES = load_buildings().ids


def flat(numbers: Any) -> list[int]:
    return [number for entry in numbers for number in flat(entry)] if isinstance(numbers, list) else [numbers]


def shown(row: list[int]) -> list[str]:
    """The buildings that are marked."""
    return [name for name, here in zip(NAMES, row, strict=True) if here]


def test_m12_3_boards_and_players() -> None:
    """Y1 at e1 and e2, a church right of it, R3 blocked; the second player has passed."""
    found = table("Y1", "X", "R3", "C1", "R1", players=2).play("e1E", "pass", "f1E")
    mine, theirs = found.seen(0), found.seen(1)
    assert shown(mine["current"]) == ["C1"] and shown(mine["blocked"]) == ["R3"]
    assert mine["turn"] == [2, 24, 1] and sum(mine["left"]) == 24 and mine["left"][-1] == 0
    assert [sum(flat(heading)) for heading in mine["shape"]] == [3, 3, 0, 0]
    assert mine["shape"][1][0] == [1, 0, 0, 0, 0, 0] and mine["shape"][0][0] == [1, 1, 1, 0, 0, 0]
    assert [sum(flat(plane)) for plane in mine["terrain"]] == [78, 6, 6, 3, 2, 13, 13, 53, 11, 6]  # M1.9
    assert [sum(flat(plane)) for plane in mine["boards"][0]] == [93, 2, 0, 0, 0, 0, 1]
    assert [sum(flat(plane)) for plane in mine["boards"][1]] == [95, 0, 0, 0, 0, 0, 0]
    assert mine["players"] == [
        [10, 0, 0, 0, 10, 0, 0, 12, -12, 1, 0, 0, 0, 0, -76],
        [9, 0, 0, 0, 10, -1, 0, 12, -12, 0, 0, 0, 0, 0, -78],
    ]
    of = {name: [own[NAMES.index(name)] for own in mine["buildings"]] for name in ("Y1", "R3", "C1")}  # placed, lost
    assert of == {"Y1": [[1, 0], [0, 1]], "R3": [[0, 1], [0, 1]], "C1": [[0, 0], [0, 0]]}
    assert mine["chosen"].index(1) == 121 + 5 and theirs["chosen"].index(1) == 486
    assert theirs["boards"] == mine["boards"][::-1] and theirs["players"] == mine["players"][::-1]


def test_m12_3_who_has_ended() -> None:
    view = table("Y1", "R1", players=2).play("e1E", "e1E", "end", "f1E").seen(0)
    assert [row[1] for row in view["players"]] == [1, 0]
    assert [sum(lost) for lost in zip(*view["buildings"][0], strict=True)] == [1, 26]


def test_m12_3_while_choosing() -> None:
    found = table("C2", "X", "B1", "Y1", players=2)
    seen = found.seen(1)
    assert shown(seen["current"]) == ["C2"] and seen["turn"] == [1, 27, 1] and shown(seen["blocked"]) == []
    assert [row[:2] for row in seen["shape"][0][:3]] == [[0, 1], [0, 1], [1, 1]] and sum(flat(seen["shape"])) == 16
    seen = found.play("f1N", "end").seen(1)
    assert shown(seen["blocked"]) == ["B1"] and seen["turn"] == [2, 24, 1]
    assert [row[:4] for row in seen["players"]] == [[10, 1, 0, 0], [10, 0, 0, 0]] and sum(seen["left"]) == 24
    assert seen["buildings"][0] == [[0, 1]] * 27 and [seen["buildings"][1][b] for b in (16, 25)] == [[0, 1], [1, 0]]
    assert sum(flat(seen["boards"][1][0])) == 91 and sum(flat(seen["boards"][0][0])) == 95


def test_m12_3_when_nothing_is_current() -> None:
    seen = table("Y1").play("end").seen()
    assert shown(seen["current"]) == [] and sum(flat(seen["shape"])) == 0 and sum(seen["left"]) == 27 and seen["chosen"][-1] == 1


def test_m12_4_planes_tell_buildings_of_one_color_apart(tmp_path: Path) -> None:
    """Four cells in a row: two dominoes or one long piece differ in the planes of the same building alone."""
    pieces = ("Y1 yellow ##", "Y2 yellow ##", "Y3 yellow ####")
    start = table("Y1", game=made_up(tmp_path, ".....", "aaaab", *pieces))
    two = start.copy().play("c1N", "a1N", "pass").seen()["boards"][0]
    one = start.copy().play("pass", "pass", "a1N").seen()["boards"][0]
    assert two[:5] == one[:5] and two[5] == [[1, 0, 1, 0, 0]] and one[5] == [[1, 1, 1, 0, 0]]
    assert two[6] == one[6] == [[0] * 5]
