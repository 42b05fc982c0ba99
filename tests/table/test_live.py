"""Games with people and agents: turns, logs, what a view may know, going on after a restart."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env import Batch, make_game
from ginkgo_env.core.errors import BatchError, ConfigError, IllegalActionError, RecordError
from ginkgo_env.core.game import OBSERVER, Game
from ginkgo_env.pictures.viewer.page import body
from ginkgo_table import LiveGame, NotYourTurnError, SeatAssignment
from ginkgo_table.hints import preview_at
from ginkgo_table.view import chosen_options, moment_of, view_of

from ..tiers import by_tier

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("ginkgopolis", {"players": 3}),
    ("golden_city", {"players": 3}),
    ("my_city", {"players": 3}),
]


def two_people(game: Game) -> list[SeatAssignment]:
    return [
        SeatAssignment("Ann"),
        SeatAssignment("Bob"),
        *(SeatAssignment(f"bot {seat}", "random") for seat in range(2, game.seats)),
    ]


def played(live: LiveGame, most: int = 10_000, seed: int = 0) -> Iterator[LiveGame]:
    """The game after each decision, people choosing at random."""
    chance = random.Random(seed)
    for _ in range(most):
        if live.is_over:
            return
        if not live.advance():
            actor = live.actor
            assert actor is not None
            live.act(actor, chance.choice(live.legal()))
        yield live


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[2:]))
def test_a_game_goes_to_its_end_and_can_be_replayed(chosen: tuple[str, dict[str, Any]]) -> None:
    name, options = chosen
    game = ginkgo_env.make_game(name, **options)
    live = LiveGame(game, 5, two_people(game))
    steps = sum(1 for _ in played(live))
    assert steps == len(live.actions) and live.is_over and live.legal() == []
    record = live.record()
    list(ginkgo_env.replay(record))
    for view in live.views:
        seen = view_of(live, view)
        assert seen["result"] == {key: record.result[key] for key in ("ending", "scores", "winners")}  # type: ignore[index]
        assert seen["decision"] is None and seen["actor"] is None
        assert [one["total"] for one in seen["scores"]] == seen["result"]["scores"]
        assert all(sum(source["points"] for source in one["sources"]) == one["total"] for one in seen["scores"])
        json.dumps(seen)


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[:1]))
def test_a_view_tells_nothing_that_its_seat_cannot_know(chosen: tuple[str, dict[str, Any]]) -> None:
    """What is dealt anew for a seat changes no byte of its view; the views of other seats do change."""
    name, options = chosen
    game = ginkgo_env.make_game(name, **options)
    live = LiveGame(game, 11, two_people(game))
    changed = 0
    for k, _ in enumerate(played(live)):
        if k % 9 or live.is_over:
            continue
        for view in live.views:
            known, others = view_of(live, view), {other: view_of(live, other) for other in live.views if other != view}
            kept = live.state
            batch = Batch(game, 1)
            batch.set_states([0], kept)
            batch.resample(view, seed=k)
            live._playback.continue_from(batch.state(0))
            assert view_of(live, view) == known
            changed += any(view_of(live, other) != before for other, before in others.items())
            live._playback.continue_from(kept)
    assert changed or not game.has_hidden_information


@pytest.mark.full
def test_the_log_of_a_seat_is_that_of_the_replay_as_it_sees_it() -> None:
    game = ginkgo_env.make_game("ginkgopolis", players=3)
    live = LiveGame(game, 3, two_people(game))
    for _ in played(live):
        pass
    for view in (0, 1):
        said = [sentence for told in live.history(view) for sentence in told.sentences]
        replayed = [
            sentence
            for step in ginkgo_env.replay(live.record(), view)
            if "result" not in step.entry
            for sentence in step.narration
        ]
        assert said == replayed
        hidden = [told for told in live.history(view) if any(seat != view and action is None for seat, action in told.choices)]
        assert hidden  # others have chosen, and what is not told


def test_a_game_goes_on_where_it_was_after_a_restart() -> None:
    game = ginkgo_env.make_game("ginkgopolis", players=3)
    live = LiveGame(game, 8, two_people(game))
    for _ in played(live, 40):
        pass
    again = LiveGame(ginkgo_env.make_game("ginkgopolis", players=3), 8, live.seats, live.actions)
    for view in live.views:
        assert view_of(again, view) == view_of(live, view)
    for _ in zip(played(live, seed=2), played(again, seed=2), strict=True):
        pass
    assert live.actions == again.actions and live.is_over  # agents play alike too


def test_alone_against_william() -> None:
    live = LiveGame(ginkgo_env.make_game("ginkgopolis", players=1), 1, [SeatAssignment("Ann")])
    for _ in played(live):
        pass
    assert view_of(live, 0)["names"] == ["Ann", "William"]


@pytest.mark.full
def test_a_game_of_another_package_is_played_by_its_notation(trial_game: str) -> None:
    """It has no choices, labels and drawing of its own."""
    live = LiveGame(ginkgo_env.make_game(trial_game), 4, [SeatAssignment("Ann"), SeatAssignment("Bob")])
    for _ in played(live):
        seen = [view_of(live, view) for view in live.views]
        actions = [action for one in seen if one["decision"] for action in one["decision"]["actions"]]
        assert all(action["picks"] == [["action", action["text"]]] for action in actions)
    assert live.is_over


AT_ONCE: list[tuple[str, dict[str, Any]]] = [
    ("my_city", {"players": 3}),
    ("ginkgopolis", {"players": 3}),
    ("ginkgopolis", {"players": 4, "modules": ["experts", "events", "keep_card"], "strict": True}),
    ("golden_city", {"players": 3}),
]


@pytest.mark.parametrize("chosen", by_tier(AT_ONCE, AT_ONCE[:1]))
def test_people_choose_at_the_same_time_and_nobody_learns_who_has(chosen: tuple[str, dict[str, Any]]) -> None:
    """Whoever chooses first, the game is that of its record; a choice that has no effect yet changes no view but the own one."""
    game = ginkgo_env.make_game(chosen[0], **chosen[1])
    chance, people = random.Random(3), two_people(game)
    views = [0, 1, OBSERVER]
    live = LiveGame(game, 7, people, pending={}, views=views)
    together = decisions = forced = 0
    while not live.is_over:
        if live.advance():
            continue
        deciding, played = live.deciding, len(live.actions)
        seat = chance.choice(deciding)
        decision = live.decision(seat)
        assert decision is not None and (live.is_simultaneous or deciding == [live.actor])
        looked_at = decisions % 3 == 0 or len(decision.legal) == 1
        before = {view: view_of(live, view) for view in views if view != seat and looked_at}
        if len(decision.legal) == 1:
            assert game.name == "golden_city" and before[1 - seat]["actor"] == seat  # others see a seat that decides
            assert preview_at(live.asked_game, decision.state, decision.legal[0])["sources"]
            forced += 1
        live.act(seat, chance.choice(decision.legal))
        decisions += len(decision.legal) > 1
        if live.is_simultaneous and len(live.actions) == played and live.pending.get(seat):
            together += looked_at
            assert not looked_at or view_of(live, seat)["pending"]
            assert {view: view_of(live, view) for view in before} == before
            assert all(view["actor"] is None for view in before.values())
    agents = sum(step.actor is not None and step.actor > 1 for step in ginkgo_env.replay(live.record()))
    assert decisions == len(live.actions) - agents  # every choice took effect as it was made
    assert LiveGame(game, 7, people, live.actions).state.tobytes() == live.state.tobytes()
    assert (together > 2) != (game.name == "golden_city") and (forced > 0) == (game.name == "golden_city")


def test_a_choice_without_effect_is_taken_back() -> None:
    game = ginkgo_env.make_game("my_city", players=2)
    live = LiveGame(game, 1, two_people(game), pending={})
    first, again = [view_of(live, view) for view in live.views], live.decision(1)
    assert again is not None and live.deciding == [0, 1] and not live.withdraw(1)
    live.act(1, again.legal[0])
    with pytest.raises(NotYourTurnError, match="others have to choose"):
        live.act(1, again.legal[0])
    assert live.deciding == [0] and live.withdraw(1) and [view_of(live, view) for view in live.views] == first


@pytest.mark.full
def test_agents_alone_are_watched_with_everything_open() -> None:
    game = ginkgo_env.make_game("golden_city", players=3)
    live = LiveGame(game, 1, [SeatAssignment(f"bot {seat}", "random") for seat in range(3)])
    assert live.views == (None,) and live.is_agent_turn
    while live.advance():
        assert view_of(live, None)["decision"] is None
    assert live.is_over and not live.is_agent_turn


def test_what_is_refused_changes_nothing() -> None:
    game = ginkgo_env.make_game("ginkgopolis", players=3)
    live = LiveGame(game, 8, two_people(game))
    actor = live.actor
    assert actor is not None
    before = [view_of(live, view) for view in live.views]
    illegal = next(action for action in range(game.actions.size) if action not in live.legal())
    for error, seat, action in (
        (NotYourTurnError, 1 - actor, live.legal()[0]),
        (NotYourTurnError, 2, live.legal()[0]),
        (IllegalActionError, actor, illegal),
        (IllegalActionError, actor, -1),
        (IllegalActionError, actor, 10**30),
    ):
        with pytest.raises(error):
            live.act(seat, action)
    assert [view_of(live, view) for view in live.views] == before and live.actions == []


@pytest.mark.parametrize(
    ("error", "seed", "seats"),
    [
        (ConfigError, 0, [SeatAssignment("Ann")]),
        (ConfigError, 0, [SeatAssignment("Ann"), SeatAssignment("b", "nobody")]),
        (ConfigError, 0, [SeatAssignment("Ann"), SeatAssignment("b", "builder")]),
        (RecordError, 0, [SeatAssignment("Ann\n"), SeatAssignment("b")]),
        (RecordError, 0, [SeatAssignment(""), SeatAssignment("b")]),
        (BatchError, -1, [SeatAssignment("Ann"), SeatAssignment("b")]),
    ],
)
def test_bad_games_are_refused(error: type[Exception], seed: int, seats: list[SeatAssignment]) -> None:
    with pytest.raises(error):
        LiveGame(ginkgo_env.make_game("ginkgopolis", players=2), seed, seats)


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ({}, {"players": "2"}),
        ({"players": 3, "modules": ["events", "keep_card"]}, {"players": "3", "modules": "events,keep_card"}),
        ({"players": 1, "level": "advanced"}, {"players": "1", "level": "advanced"}),
    ],
)
def test_the_heading_has_the_options_that_somebody_chose(options: dict[str, Any], chosen: dict[str, str]) -> None:
    assert chosen_options(make_game("ginkgopolis", **options)) == chosen


@pytest.mark.parametrize("chosen", by_tier(GAMES, GAMES[:1]))
def test_earlier_moments_are_as_a_seat_knew_them(chosen: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is the position after its entry of the log; what is dealt anew for the seat changes no byte of it."""
    name, options = chosen
    game = ginkgo_env.make_game(name, **options)
    live = LiveGame(game, 11, two_people(game))
    states = [live.state, *(live.state for _ in played(live))]
    dealt, differ = Batch(game, 1), 0

    def dealt_anew(played: int) -> Any:
        dealt.set_states([0], states[played])
        if played < len(states) - 1:
            dealt.resample(view, seed=played)
        return dealt.state(0).copy()

    for view in live.views:
        entries = live.history(view)
        assert [one.played for one in entries] == sorted({one.played for one in entries})
        for number in range(1, len(entries), 7):
            before, after = states[entries[number - 1].played], states[entries[number].played]
            shown, picture = moment_of(live, view, number), game.picture(after, view, live.names, since=before)
            assert shown["description"] == picture.description and shown["picture"]["body"] == body(picture)
            with monkeypatch.context() as changed:
                changed.setattr(live, "state_after", dealt_anew)
                assert moment_of(live, view, number) == shown
            differ += dealt_anew(entries[number].played).tobytes() != after.tobytes()
    assert differ or not game.has_hidden_information
