"""G10: known parts of hands (E30), and what a record shows to a seat. Observations and resampling have files of their own."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.core.playback import Playback

from .components import BONUS, cards
from .made_up import bidding, turn
from .table import game_of, play, start

Lines = list[dict[str, Any]]


# --- G10.3 ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "after"),
    [("cf", "c"), ("ffe", "e"), ("fffe", "fe"), ("", ""), ("fc", "c"), ("cffe", "ce")],
)
def test_e30_what_is_paid_comes_from_the_known_part_first(known: str, after: str) -> None:
    """Two of three forests are paid."""
    table = play(turn("cfffe", "", "", houses={"C2": 0}, known=[known, "", ""]), "build:F1", "bonus:city")
    assert table.player(0)["hand"] == cards("cfe") and table.player(0)["known"] == cards(after)


@pytest.mark.parametrize(("known", "after"), [("fm", "m"), ("m", "m"), ("ffm", "fm")])
def test_e30_what_is_discarded_comes_from_the_known_part_first(known: str, after: str) -> None:
    table = play(turn("cffmmd", "", "", known=[known, "", ""]), "build:done", "discard:forest")
    assert table.player(0)["hand"] == cards("cfmmd") and table.player(0)["known"] == cards(after)


def test_e30_a_joker_takes_both_cards_from_the_known_part() -> None:
    table = play(turn("fffe", "", "", known=["fff", "", ""]), "build:C2")
    assert table.player(0)["hand"] == cards("fe") and table.player(0)["known"] == cards("f")


def test_g10_3_pairs_are_known_drawn_cards_are_not() -> None:
    table = play(bidding("cc cd ff", "e", "", ""), "bid:a", "bid:b", "bid:c")
    assert table.by_seat("known") == [cards("cc"), cards("cd"), cards("ff")] and table.player(0)["hand"] == cards("cce")
    drawn = play(turn("c", "", "", deck="mfffff"), "build:C1")
    assert drawn.player(0)["known"] == [] and drawn.player(0)["hand"] == ["mountain"]


# --- G10.1, G10.2: one sentence each; more in test_observation.py ---------------------------------------------------------------


def test_g10_1_letters_are_public() -> None:
    table = start(turn("c", "", "", letters=[{"goods": 4}, {"rivers": 8}, {"quarters": 6}], card="2A"))
    for seat in range(3):
        assert [row[0] for row in table.seen(seat)["players"].tolist()] == [[4, 8, 6][(seat + k) % 3] for k in range(3)]


def test_g10_3_b_which_bonus_cards_were_left() -> None:
    """Who took one knows the set that they left; more takes of others came out of it."""
    taken = [[1, "goods"], [0, "coins"], [2, "city"], [1, "rivers"]]
    table = start(turn("c", "", "", bonus_taken=taken))
    own, left = table.seen(0)["bonus"].tolist()
    assert own == [0, 1, 0, 0, 0, 0, 0, 0] and left == [0, 0, 1, 1, 1, 1, 1, 1]
    assert [row[7:9] for row in table.seen(0)["players"].tolist()] == [[1, 0], [2, 1], [1, 1]]


def test_g10_4_counting_shuffles_is_left_to_memory() -> None:
    """A new deck is made of the discard pile, which all have seen: the observation tells its size only, whatever is in it."""
    views = [start(turn("c", "ff" if hidden else "dd", "", deck="")).seen(0) for hidden in (True, False)]
    different = [name for name in views[0] if (views[0][name] != views[1][name]).any()]
    assert different == ["discard"]  # that lies open; known cards do not tell


# --- G10.7: records as seen by a seat -------------------------------------------------------------------------------------------


def played(players: int, seed: int) -> ginkgo_env.Record:
    """A game in which every seat takes the k-th legal action."""
    game = game_of(players)
    playback = Playback(game)
    playback.start(seed)
    actions: list[int] = []
    while playback.actor is not None:
        legal = playback.mask[0].nonzero()[0]
        actions.append(int(legal[(7 * len(actions) + seed) % len(legal)]))
        playback.play(actions[-1])
    return ginkgo_env.Record.from_actions(game, seed, actions)


@pytest.fixture(scope="module")
def record() -> ginkgo_env.Record:
    return played(3, 5)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_g10_7_setup_as_seen(record: ginkgo_env.Record, seat: int) -> None:
    """The own drawn card, three goods cards, the first player; nothing of the other shuffles."""
    header, *lines = record.seen_by(seat)
    assert header["seat"] == seat and "seed" not in header and header["components"]["board"] == "own"
    goods, first = lines[0], lines[1]
    whole = {line["random"]: line["outcome"] for line in record.lines[:6]}
    assert goods == {"random": "goods", "outcome": whole["goods"][:3]}
    assert first == {"random": "first_player", "outcome": whole["first_player"]}
    draws = [line for line in lines if "draws" in line][:3]
    assert draws == [{"seat": k, "draws": whole["landscapes"][k] if k == seat else 1} for k in range(3)]
    assert {"random": "landscapes"} in lines and not any("outcome" in line for line in lines[2:])  # of later decks nothing


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_g10_7_drawn_cards_and_bonus_cards_of_others_are_only_counted(record: ginkgo_env.Record, seat: int) -> None:
    lines = record.seen_by(seat)
    for line in lines:
        for key in ("draws", "takes_bonus"):
            if key in line:
                assert (line[key] == 1) == (line["seat"] != seat)
    takes = [line["seat"] for line in lines if "takes_bonus" in line]
    assert set(takes) == {0, 1, 2} and len(takes) <= 8


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_g10_7_only_own_choices_are_told_as_choices(record: ginkgo_env.Record, seat: int) -> None:
    lines = record.seen_by(seat)
    own = [line["action"] for line in record.lines if line.get("seat") == seat and "action" in line]
    assert [line["action"] for line in lines if "action" in line] == own and len(own) > 20
    assert all(line["seat"] == seat for line in lines if "action" in line)


def asked_and_not(hand: str, *texts: str) -> Lines:
    """What seat 1 sees of seat 0's turn."""
    game = game_of(3)
    playback = Playback(game)
    playback.continue_from(game.from_position(turn(hand, "", "", known=["c", "", ""], deck="d" * 8)))
    seen: Lines = []
    for text in texts:
        before, action = playback.state(), game.parse_action(playback.states, text)
        rows = playback.play(action)
        seen += game.visible(1, before, action, playback.state(), rows).lines
    return seen


def test_g10_7_forced_choices_of_others_look_like_asked_ones() -> None:
    """C2 paid with the coast card, asked or not; done said or not."""
    forced = asked_and_not("c", "build:C2")
    asked = asked_and_not("cff", "build:C2", "pay:coast", "build:done")
    assert forced == asked and {"seat": 0, "builds": "C2", "pays": ["coast"]} in forced


def test_g10_7_turns_without_an_offered_place_can_be_asked_for() -> None:
    """By the same kernels: both games play by the same machine code, and only one asks with a single legal action."""
    game = ginkgo_env.make_game("golden_city", players=3)
    fewest = {}
    for played in (game, game.unhurried):
        batch = ginkgo_env.Batch(played, 16)
        batch.reset(seed=1)
        counts = []
        while not batch.over.all():
            counts.append(batch.mask[~batch.over].sum(axis=1).min())
            batch.step(batch.sample())
        fewest[played] = min(counts)
    assert [*fewest.values()] == [2, 1]
    assert game.kernels is game.unhurried.kernels
    if not JIT_DISABLED:
        assert len(game.kernels.play.signatures) <= 1


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_g10_7_the_whole_is_plain_data_and_ends_with_the_result(record: ginkgo_env.Record, seat: int) -> None:
    lines = record.seen_by(seat)
    assert json.loads(json.dumps(lines)) == lines
    assert lines[-1] == {"result": record.result} and record.result is not None


def test_g11_7_the_result_has_scores_by_source_standings_and_bonus_cards(record: ginkgo_env.Record) -> None:
    result = copy.deepcopy(record.result)
    assert result is not None and result["ending"] == "cards"
    details = result["details"]
    assert result["scores"] == [score.pop("total") for score in details["breakdown"]]
    for seat, score in enumerate(details["breakdown"]):
        assert sum(score.values()) == result["scores"][seat] and list(score) == list(record.game.sources)
        own = [name for name, number in score.items() if name.startswith("bonus_") and number]
        assert len(own) <= len(details["bonus_cards"][seat])
    names = [name for cards in details["bonus_cards"] for name in cards]
    assert len(set(names)) == len(names) > 2 and set(names) <= set(BONUS)
    best = max(details["standings"])
    assert result["winners"] == [seat for seat, standing in enumerate(details["standings"]) if standing == best]
