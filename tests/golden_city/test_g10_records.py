"""G10.7: records as seen by a seat."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.core.playback import Playback

from ..rules.golden_city.components import BONUS
from ..rules.golden_city.positions import game_of, turn

Lines = list[dict[str, Any]]


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
    for played in (game, game.with_forced_decisions):
        batch = ginkgo_env.Batch(played, 16)
        batch.reset(seed=1)
        counts = []
        while not batch.over.all():
            counts.append(batch.mask[~batch.over].sum(axis=1).min())
            batch.step(batch.sample())
        fewest[played] = min(counts)
    assert [*fewest.values()] == [2, 1]
    assert game.kernels is game.with_forced_decisions.kernels
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
