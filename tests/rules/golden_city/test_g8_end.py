"""G8: the end of the game (E23 to E26)."""

from __future__ import annotations

import pytest

from .components import COASTS, cards
from .positions import SEVENTEEN, play, table_from_seed, turn

FULL = {name: 1 if k < 8 else 2 for k, name in enumerate(COASTS)}  # seat 0 has no site


# --- by houses -----------------------------------------------------------------------------------------------------------------


def test_e23_the_last_house_with_the_first_of_two_builds() -> None:
    """No second house. Later players still build, the card is scored, the key stays."""
    table = play(turn("ccc", "c", "", houses=SEVENTEEN, card="1A", goods=[[], ["wine+cloth"]]), "build:C12")
    assert table.decision == ("build", 1) and table.position["ending"] == "houses" and table.outcome.ending is None
    assert table.player(0)["hand"] == cards("cc") and table.player(0)["houses_left"] == 0 and table.seen(2)["status"][11] == 1
    table.play("build:C13")
    position = table.position
    assert position["decision"] == {"kind": "over", "actor": None} and position["ending"] == "houses" and position["round"] == 1
    assert table.letters("goods") == [0, 4, 0] and position["first_player"] == 0
    assert position["turn"] is None and position["scoring_card"] == "1A" and position["pairs"] == [] and table.legal == []


def test_e23_players_before_do_not_build_again() -> None:
    houses = dict.fromkeys(SEVENTEEN, 2)
    table = play(turn("c", "c", "c", seat=2, first=0, houses=houses), "build:C12")
    assert table.decision == ("over", None) and table.outcome.ending == "houses"


def test_g8_1_set_before_the_reward() -> None:
    """F1 brings a bonus card: while it is chosen the end is triggered."""
    houses = {name: seat for name, seat in SEVENTEEN.items() if name != "F7"} | {"C11": 0}
    table = play(turn("ff", "", "", houses=houses), "build:F7")
    assert table.decision == ("bonus", 0) and table.position["ending"] == "houses"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g8_1_by_all_houses(players: int) -> None:
    last = {2: 17, 3: 17, 4: 15}[players]
    houses = dict.fromkeys([*SEVENTEEN][:last], 0)
    table = play(turn("c", *[""] * (players - 1), houses=houses), "build:C12")
    assert table.decision == ("over", None) and table.outcome.ending == "houses"


def test_e24_the_last_house_in_the_last_round() -> None:
    houses = play(turn("cc", "", "", houses=SEVENTEEN, card="3D", rounds=16), "build:C12")
    assert houses.decision == ("over", None) and houses.position["ending"] == "houses"


def test_g8_1_by_cards() -> None:
    """The sixteenth card has been scored; it stays on show."""
    table = play(turn("cc", "", "", card="3D", rounds=16, houses={"C2": 0}), "build:done")
    position = table.position
    assert table.decision == ("over", None) and table.outcome.ending == "cards" and position["ending"] == "cards"
    assert position["scoring_card"] == "3D" and position["scoring_stack"] == [] and position["round"] == 16
    going = play(turn("cc", "", "", card="3D", rounds=15), "build:done")
    assert going.decision[0] == "bid" and going.position["ending"] is None and going.position["round"] == 16


# --- by being blocked ----------------------------------------------------------------------------------------------------------


def test_e25_a_blocked_player_loses_with_the_highest_score() -> None:
    """The round is finished; the others are ranked by G9.3."""
    letters = [{"goods": 16}, {}, {"goods": 2}]
    table = play(turn("ff", "cc", "mm", seat=2, houses=FULL, letters=letters, card="2A", goods=[]), "build:done")
    assert table.position["ending"] == "blocked" and table.decision == ("over", None) and table.position["round"] == 5
    outcome = table.outcome
    assert outcome.ending == "blocked" and outcome.scores == (16, 0, 2) and outcome.winners == (2,)
    assert outcome.standings[0] < outcome.standings[1] < outcome.standings[2]


def test_e25_the_round_is_finished_after_a_blocked_player() -> None:
    table = play(turn("ff", "ff", "mm", seat=2, houses=FULL), "build:done")
    assert table.position["blocked"] == [0] and table.decision == ("build", 1) and table.outcome.winners == ()
    table.play("build:F1")
    assert table.decision == ("bonus", 1)
    table.play("bonus:city")
    assert table.decision == ("over", None) and table.position["houses"]["F1"] == [1]


def test_e25_two_blocked() -> None:
    table = play(
        turn("ff", "", "mm", seat=2, houses=dict.fromkeys(COASTS, 2), letters=[{"goods": 16}, {}, {}], card="2A"), "build:done"
    )
    assert table.position["blocked"] == [0, 1] and table.outcome.winners == (2,) and table.outcome.ending == "blocked"


def test_e26_blocked_after_all_houses_were_built() -> None:
    """The first trigger in time is reported; once triggered it stays."""
    houses = dict.fromkeys(COASTS, 2) | {"D1": 2}
    table = play(turn("", "", "dd", seat=2, houses=houses), "build:D2")
    while table.decision[0] != "over":
        table.play(table.legal[0])
    assert table.position["ending"] == "houses" and table.position["blocked"] == [0, 1] and table.outcome.winners == (2,)


# --- bounds --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_g8_2_bounds(players: int) -> None:
    """Sixteen rounds, fewer than 700 decisions, at most n + 7 bids a round: whoever can displaces, and takes the last action."""
    table = table_from_seed(5, players)
    decisions = bids = 0
    while table.decision[0] != "over":
        kind, legal = table.decision[0], table.legal
        bids = bids + 1 if kind == "bid" else 0
        taken = [pair["seat"] is not None for pair in table.position["pairs"]]
        displacing = [text for text in legal if kind == "bid" and taken["abcd".index(text[-1])]]
        table.play(displacing[0] if displacing else legal[0])
        decisions += 1
        assert bids <= players + 7 and table.position["displacements"] <= 7
    assert decisions < 700 and table.position["round"] <= 16
