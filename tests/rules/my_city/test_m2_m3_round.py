"""M2: setup. M3: a round."""

from __future__ import annotations

from pathlib import Path

import pytest

from .positions import PLAYERS, game_of, made_up, singles, table, table_from_seed

# --- M2 ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_m2_1_counters_and_empty_boards(players: int) -> None:
    found = table("Y1", players=players)
    assert found.counters == [10] * players and found.scores == [-68] * players and found.actor == 0
    for name, start in (("placed", []), ("passed", []), ("gold", False), ("ended", None), ("choice", None)):
        assert found.by_seat(name) == [start] * players
    assert found.position["gold_round"] is None and [found.cells(seat) for seat in range(players)] == [set()] * players


def test_m2_2_m11_8_the_deck_is_shuffled_by_the_seed() -> None:
    decks = []
    for seed in (7, 7, 8):
        position = table_from_seed(seed, 2).position
        decks.append(position["revealed"] + position["deck"])
        assert sorted(decks[-1]) == sorted(game_of().buildings.cards)
    assert decks[0] == decks[1] != decks[2]


@pytest.mark.parametrize("players", [0, 5])
def test_m2_3_one_to_four_players(players: int) -> None:
    with pytest.raises(ValueError):
        table("Y1", players=players)


# --- M3 ------------------------------------------------------------------------------------------------------------------------


def test_m3_1_a_card_is_turned_up_for_all() -> None:
    found = table("Y5", "B2", players=2)
    assert found.current == "Y5" and len(found.revealed) == 1
    found.play("pass")
    assert found.current == "Y5" and len(found.revealed) == 1  # until all have chosen
    found.play("pass")
    assert found.current == "B2" and len(found.revealed) == 2


def test_m3_2_three_things_to_choose_from() -> None:
    assert table("Y4").legal[-2:] == ["pass", "end"] and len(table("Y4").legal) == 19 + 2


def test_m3_3_choices_have_no_effect_before_all_have_chosen() -> None:
    found = table("Y1", "R1", players=3)
    start = found.position
    found.play("e1E")
    assert (found.actor, found.scores, found.counters, found.current) == (1, [-68] * 3, [10] * 3, "Y1")
    found.play("pass")
    assert found.actor == 2 and found.counters == [10] * 3 and found.by_seat("choice") == ["e1E", "pass", None]
    now = found.position | {"decision": start["decision"]}
    now["players"] = [player | {"choice": None} for player in now["players"]]
    assert now == start  # nothing else has changed
    found.play("end")
    assert (found.counters, found.ended, found.actor, found.current) == ([10, 9, 10], [None, None, 1], 0, "R1")
    assert found.scores == [-68 + 1 + 2, -69, -68] and found.by_seat("choice") == [None] * 3


def test_m3_2_who_has_ended_is_not_asked_again() -> None:
    found = table("Y1", "R1", players=3).play("pass", "end", "pass")
    assert found.actor == 0 and found.play("pass").actor == 2 and found.play("pass").actor == 0


def test_m3_5_rounds_are_numbered_without_the_blocking_card() -> None:
    found = table("Y1", "X", "R1", "B1").play("pass")
    assert (found.current, found.round, len(found.revealed)) == ("B1", 2, 4)


@pytest.mark.parametrize(
    ("first", "last", "rounds"), [((), ("X",), 9), ((), ("X", "Y5"), 8), (("X",), (), 8), (("Y3", "X"), (), 8)]
)
def test_m3_5_the_blocked_building_has_no_round(
    first: tuple[str, ...], last: tuple[str, ...], rounds: int, tmp_path: Path
) -> None:
    """As many rounds as buildings if the blocking card is the very last card, else one less."""
    found = table(*first, last=last, game=made_up(tmp_path, "..", "ab", *singles(9)))
    while found.actor is not None:
        found.play("pass")
    assert (found.round, len(found.revealed), found.ending, found.counters) == (rounds, 10, "cards", [10 - rounds])
