"""M2: setup. M3: a round."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.my_city.constants import Log

from .playing import PLAYERS, game_of, made_up, singles, table

# --- M2 ------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_m2_1_counters_and_empty_boards(players: int) -> None:
    found = table("Y1", players=players)
    assert found.counters == [10] * players and found.scores == [-68] * players and found.actor == 0
    assert not found.g["covered"].any() and not found.g["placed"].any() and (found.g["at"] == -1).all()
    assert found.g["gold_round"] == 0 and not found.g["gold"].any() and found.ended == [0] * players


def test_m2_2_the_deck_is_shuffled() -> None:
    """Each card may come up at each place, as often."""
    batch = ginkgo_env.Batch(game_of(), 2800)
    batch.reset(seed=1)
    decks = batch.states["deck"][:, :28]
    assert (np.sort(decks, axis=1) == np.arange(28)).all() and (batch.states["deck"][:, 28:] == -1).all()
    for place in (0, 1, 13, 27):
        counts = Counter(decks[:, place].tolist())
        assert len(counts) == 28 and 60 < min(counts.values()) <= max(counts.values()) < 145  # 100 on average, deviation 10
    assert len(np.unique(decks, axis=0)) == 2800


def test_m2_2_m11_8_the_deck_is_the_only_chance() -> None:
    """It is logged at the start, in drawing order, and depends on the seed alone."""
    playback, decks = Playback(game_of(2)), []
    for seed in (7, 7, 8):
        (chance,) = game_of(2).chances(playback.start(seed))
        assert chance.name == "deck" and sorted(chance.outcome) == sorted(game_of().buildings.cards)
        ids = playback.states["deck"][0, :28].tolist()
        assert chance.outcome == [game_of().buildings.cards[card] for card in ids]
        decks.append(chance.outcome)
        while playback.actor is not None:
            rows = playback.play(int(np.flatnonzero(playback.mask[0])[0]))
            assert game_of(2).chances(rows) == []
        assert playback.states["deck"][0, :28].tolist() == ids
    assert decks[0] == decks[1] != decks[2]


@pytest.mark.parametrize("players", [0, 5, -1, 2.5, "two", None, True])
def test_m2_3_m11_11_numbers_of_players(players: Any) -> None:
    with pytest.raises(ConfigError, match="players"):
        ginkgo_env.make_game("my_city", players=players)


@pytest.mark.parametrize("option", ["board", "buildings"])
@pytest.mark.parametrize("value", ["", None, 3, ["own"]])
def test_m11_11_data_files_are_names(option: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=option):
        ginkgo_env.make_game("my_city", **{option: value})


def test_m11_11_defaults() -> None:
    game = ginkgo_env.make_game("my_city")
    assert game.seats == 2 and game.components["board"] == game.components["buildings"] == "own"


# --- M3 ------------------------------------------------------------------------------------------------------------------------


def test_m3_1_a_card_is_turned_up_for_all() -> None:
    found = table("Y5", "B2", players=2)
    assert found.current == "Y5" and found.g["drawn"] == 1
    found.play("pass")
    assert found.current == "Y5" and found.g["drawn"] == 1  # until all have chosen
    found.play("pass")
    assert found.current == "B2" and found.g["drawn"] == 2


def test_m3_2_three_things_to_choose_from() -> None:
    assert table("Y4").legal[-2:] == ["pass", "end"] and len(table("Y4").legal) == 19 + 2


def test_m3_3_choices_have_no_effect_before_all_have_chosen() -> None:
    found = table("Y1", "R1", players=3)
    start = found.g.tobytes()
    found.play("e1E")
    assert (found.actor, found.scores, found.counters, found.current) == (1, [-68] * 3, [10] * 3, "Y1")
    assert not found.g["placed"].any() and not found.g["covered"].any()
    found.play("pass")
    assert found.actor == 2 and found.counters == [10] * 3 and not found.g["passed"].any()
    now = found.state.copy()
    now["choice"], now["actor"] = -1, 0
    assert now[0].tobytes() == start  # nothing else has changed
    found.play("end")
    assert (found.counters, found.ended, found.actor, found.current) == ([10, 9, 10], [0, 0, 1], 0, "R1")
    assert found.scores == [-68 + 1 + 2, -69, -68] and (found.g["choice"] == -1).all()


def test_m3_2_who_has_ended_is_not_asked_again() -> None:
    found = table("Y1", "R1", players=3).play("pass", "end", "pass")
    assert found.actor == 0 and found.play("pass").actor == 2 and found.play("pass").actor == 0


def test_m3_4_what_takes_effect_stands_in_the_log_in_this_order() -> None:
    """Choices by seat, then gold, then the next card."""
    one = table("Y1", "R1", players=3).play("e1E", "pass", "end")
    assert [row[0] for row in one.rows[-5:]] == [Log.BUILD, Log.PASS, Log.END, Log.REVEAL, Log.ROUND]
    assert [row[1] for row in one.rows[-5:-2]] == [0, 1, 2]


def test_m3_5_rounds_are_numbered_without_the_blocking_card() -> None:
    found = table("Y1", "X", "R1", "B1").play("pass")
    assert (found.current, found.g["rounds"], found.g["drawn"]) == ("B1", 2, 4)
    assert [number for number, _, _ in found.logged(Log.ROUND)] == [1, 2]


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
    assert (found.g["rounds"], found.g["drawn"], found.ending, found.counters) == (rounds, 10, "cards", [10 - rounds])
