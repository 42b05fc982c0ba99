"""M11.9: positions."""

from __future__ import annotations

import json
from pathlib import Path

from .positions import made_up, singles, table, table_at, three_banks

MIDROUND = json.loads((Path(__file__).parents[2] / "my_city" / "position.json").read_text(encoding="utf-8"))


def test_m11_9_the_position_of_the_rules() -> None:
    """Seat 0 has chosen, seat 1 decides."""
    found = table_at(MIDROUND)
    assert found.position == MIDROUND and found.actor == 1 and len(found.legal) == 35
    assert found.play("end").round == 3 and found.scores == [-62, -69] and sum(found.seen(0)["left"]) == 23


def test_m14_26_read_back_with_choices_pending() -> None:
    found = table("Y1", "R1", "X", "C1", "B1", players=4).play("e1E", "pass", "d1N", "end", "f1E", "e1E", "pass", "pass", "f1N")
    data = found.position
    assert found.by_seat("choice") == ["pass", "f1N", None, None] and found.ended == [None, None, None, 1]
    assert data["decision"] == {"kind": "build", "actor": 2} and data["blocked"] == "C1"
    again = table_at(data)
    assert again.position == data and again.legal == found.legal
    for seat in range(4):
        assert again.seen(seat) == found.seen(seat)


def test_m1_6_names_and_digests_of_files(tmp_path: Path) -> None:
    game = three_banks(tmp_path, 2)
    position = table("Y1", players=2, game=game).position
    assert position["config"] == {"players": 2, "board": "made_up", "buildings": "pieces"}
    assert {name: position[name] for name in ("board_digest", "buildings_digest")} == {
        name: game.component_ids[name] for name in ("board_digest", "buildings_digest")
    }


def test_m11_9_no_building_comes_up(tmp_path: Path) -> None:
    """Round 0: the only building is blocked."""
    found = table("X", "Y1", last=(), players=2, game=made_up(tmp_path, "..", "ab", *singles(1), players=2))
    assert found.actor is None and found.round == 0 and found.ending == "cards" and found.winners == (0, 1)
