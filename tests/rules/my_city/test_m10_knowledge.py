"""M10: what a player may know (M14.25)."""

from __future__ import annotations

from pathlib import Path

from .positions import made_up, singles, table


def test_m10_1_m10_3_m14_25_others_choices_and_the_order_of_the_deck_do_not_show() -> None:
    """As in all states (``hidden.py``)."""
    tables = [table(*cards, players=3).play(choice) for cards, choice in ((("Y1", "R1"), "e1E"), (("Y1", "B1"), "pass"))]
    for seat in (1, 2):
        one, other = (found.seen(seat) for found in tables)
        assert one == other


def test_m10_2_the_own_choice_is_seen_by_its_seat_alone() -> None:
    found = table("Y1", players=3).play("e1E", "pass")
    seen = [found.seen(seat)["chosen"] for seat in range(3)]
    assert [one.index(1) for one in seen] == [121 + 4, 484, 486] and all(sum(one) == 1 for one in seen)
    assert table("Y1", players=3).seen(2) == found.seen(2)


def test_m10_2_a_forced_end_is_a_choice(tmp_path: Path) -> None:
    """Others cannot see that a seat before them has to end; the seat can."""
    game = made_up(tmp_path, "....", "aabb", *singles(4), "C1 church ##", players=2)
    found = table("Y1", "Y2", "C1", players=2, game=game).play("b1N", "b1N", "c1N", "a1N")
    assert found.actor == 1 and found.by_seat("choice") == ["end", None]
    assert found.seen(0)["chosen"] == [0] * 17 + [1, 0] and found.seen(1)["chosen"][-1] == 1
    assert found.seen(1)["players"][1][1] == 0
