"""R10, X7.3, X7.4 in words: what is told of choices, draws and events, and to whom."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.events import new_log, read_log
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.loops import PlayMode
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.constants import Event, Expert, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.testing import at, visited

CHOOSING = (Stage.COMMIT, Stage.LOWER, Stage.EVENT, Stage.KEEP)
WITHOUT_EXPERTS = tuple(name for name in MODULE_NAMES if name != "experts")
CONFIGS: list[dict[str, Any]] = [{"players": 3, "modules": MODULE_NAMES}, {"players": 3, "modules": WITHOUT_EXPERTS}]
Rows = list[tuple[int, int, int, int]]
Told = tuple[list[dict[str, Any]], Rows]


@cache
def game_of(config: int) -> Game:
    return ginkgo_env.make_game("ginkgopolis", **CONFIGS[config])


@cache
def states_of(config: int) -> list[States]:
    """Some of every kind of decision, and choices of an architect with an event and tiles for all steps (X7.3)."""
    some = [visited(game_of(config), seed=seed, n=60, rows=6) for seed in range(3)]
    more = visited(game_of(config), seed=1, n=1000, rows=12)
    actors = np.arange(len(more)), more["actor"]
    long = (more["stage"] == Stage.COMMIT) & (more["expert"][actors] == Expert.ARCHITECT) & (more["events"][actors] > 0)
    every = np.concatenate([*some, more[long & (more["cursor"] < 2)][:6]]).view(np.recarray)
    return [every[k : k + 1] for k in range(len(every))]


def played(game: Game, state: States, action: int) -> tuple[States, Rows]:
    """The state after an action, and the log of the step."""
    batch = ginkgo_env.Batch(game, 1)
    batch.states[:] = state  # not set_states: some records are made by hand
    log = new_log()
    batch._actions[0] = action
    batch._run(game.kernels.play, batch._play_arrays, tuple(PlayMode(log=log)))
    return batch.states.copy().view(np.recarray), read_log(log)


def legal(game: Game, state: States) -> list[int]:
    return [int(a) for a in np.flatnonzero(at(game, state).mask[0])]


def others(state: States) -> list[int]:
    return [seat for seat in range(3) if seat != state["actor"][0]]


# --- choosing (X7.3) -------------------------------------------------------------------------------------------------------


def choices(game: Game, state: States, rng: random.Random) -> Iterator[tuple[str, States, list[Told]]]:
    """Some ways to choose for the actor: the path, the state where the next player chooses, what the others hear."""
    actor, cursor = state["actor"][0], state["cursor"][0]
    unchanged = [game.describe(state, seat) for seat in others(state)]
    waiting: list[tuple[str, States, list[Told]]] = [("", state, [([], []) for _ in others(state)])]
    while waiting:
        path, now, told = waiting.pop()
        options = [a for a in legal(game, now) if game.action_text(now, a) != "new-hand"]
        for action in rng.sample(options, min(3, len(options))):
            after, rows = played(game, now, action)
            heard = []
            for seat, (lines, sounds) in zip(others(state), told, strict=True):
                seen = game.visible(seat, now, action, after, rows)
                heard.append((lines + seen.lines, sounds + seen.rows))
            way = (f"{path} {game.action_text(now, action)}".strip(), after, heard)
            if after["cursor"][0] == cursor and after["stage"][0] in CHOOSING and after["actor"][0] == actor:
                waiting.append(way)
                described = [game.describe(after, seat) for seat in others(state)]
                assert described == unchanged, f"{way[0]} shows before it is complete"
                assert all(lines == [] == sounds for lines, sounds in heard), f"{way[0]} is heard before it is complete"
            else:
                yield way


@pytest.mark.parametrize("config", range(len(CONFIGS)))
def test_a_player_who_chooses_is_only_choosing(config: int) -> None:
    """Card, tiles, event and card kept, and how many steps they took: nothing shows, then all of it as one choice."""
    game, rng = game_of(config), random.Random(3)
    steps: Counter[int] = Counter()
    compared = 0
    for state in states_of(config)[::-4]:
        if state["stage"][0] != Stage.COMMIT or state["cursor"][0] == 2:
            continue  # after the last choice cards are revealed
        ways = list(choices(game, state, rng))
        steps.update(path.count(" ") + 1 for path, _, _ in ways)
        seats = others(state)
        _, first, told = ways[0]
        described = {seat: game.describe(first, seat) for seat in seats}
        for path, after, heard in ways[1:]:
            assert heard == told, path
            for seat in seats:
                same = game.describe(after, seat) == described[seat]
                assert same, f"seat {seat} can tell {path!r} from {ways[0][0]!r}"
                compared += 1
        for seat, (lines, _) in zip(seats, told, strict=True):
            assert lines[0] == {"seat": int(state["actor"][0]), "chooses": True}
            assert [line for line in lines[1:] if line.get("seat") != seat] == []
    assert compared > 50
    assert set(steps) == ({2, 3, 4} if config == 0 else {2, 3})


def test_who_has_chosen_is_told_when_the_next_player_is_asked_for_an_event_first() -> None:
    """R3.6: with one card and nothing else the card is not asked for; the event is."""
    game = game_of(1)
    state = next(s for s in states_of(1) if s["stage"][0] == Stage.KEEP and s["cursor"][0] == 0).copy().view(np.recarray)
    g, actor = state[0], int(state["actor"][0])
    following, third = (actor + 1) % 3, (actor + 2) % 3
    card = members(g.hand[following])[0]
    take(g.hand[following], card)
    g.discard |= g.hand[following]
    g.tiles[third] |= g.tiles[following]
    g.green[third] += g.green[following]
    g.hand[following] = g.tiles[following] = g.known_tiles[following] = g.passed[actor] = 0
    put(g.hand[following], card)
    g.green[following] = g.green_known[following] = g.new_hands[following] = 0
    g.events[following], g.events_known[following] = 0b11, 0
    action = legal(game, state)[0]
    after, rows = played(game, state, action)
    assert (after["stage"][0], after["actor"][0]) == (Stage.EVENT, following)
    for seat in others(state):
        assert game.visible(seat, state, action, after, rows).lines[0] == {"seat": actor, "chooses": True}


def test_the_player_sees_the_own_choice_at_every_step() -> None:
    """The same paths, told and described to who takes them, are all different."""
    game = game_of(0)
    for state in states_of(0):
        if state["stage"][0] not in CHOOSING:
            continue
        actor = int(state["actor"][0])
        told = set()
        options = legal(game, state)
        for action in options:
            after, rows = played(game, state, action)
            lines = game.visible(actor, state, action, after, rows).lines
            assert lines[0]["action"] == game.action_text(state, action)
            told.add(str(lines))
        assert len(told) == len(options)


def test_the_draft_ends_with_everything_open() -> None:
    """X6, X4.1: characters, experts and the events that these bring, and who got an expert at random."""
    game = game_of(0)
    table = Playback(game)
    random_ones = 0
    for seed in range(400):
        rng = random.Random(seed)
        table.start(seed)
        while table.states["stage"][0] == Stage.DRAFT:
            before, action = table.state(), rng.choice(np.flatnonzero(table.mask[0]).tolist())
            rows = table.play(action)
        found = [row for row in rows if row[0] == Event.OUTCOME and row[1] == 9]
        if seed > 5 and not found:
            continue
        for seat in range(3):
            lines = game.visible(seat, before, action, table.state(), rows).lines
            revealed = [line for line in lines if "expert" in line]
            experts = [Expert[line["expert"].upper()] for line in revealed]
            assert experts == table.states["expert"][0][:3].tolist()
            assert all(len(line["characters"]) == 3 and len(line["events"]) == 2 for line in revealed)
            given = [line for line in lines if line.get("random") == "random_expert"]
            assert [line["seat"] for line in given] == [row[3] for row in found]
            assert all(line["outcome"] == revealed[line["seat"]]["expert"] for line in given)
        random_ones += len(found)
    assert random_ones > 0


# --- what is told (X7.4) -----------------------------------------------------------------------------------------------------


def put(words: Any, i: int) -> None:
    words[i >> 6] |= np.uint64(1 << (i & 63))


def take(words: Any, i: int) -> None:
    words[i >> 6] &= np.uint64(2**64 - 1 - (1 << (i & 63)))


def test_draws_are_told_by_value() -> None:
    """X7.4: to the others the number, how many are new buildings, and which prestige buildings and green spaces."""
    game, kinds = game_of(0), set()
    for state in states_of(0):
        for action in legal(game, state)[:12]:
            actor = int(state["actor"][0])
            after, rows = played(game, state, action)
            draws = [row for row in rows if row[0] == Event.DRAW and row[1] == actor]
            if not draws or any(row[0] == Event.EXHAUSTED for row in rows):
                continue
            for seat in range(3):
                lines = game.visible(seat, state, action, after, rows).lines
                line = next(line for line in lines if "draws" in line and line["seat"] == actor)
                names = [ginkgo_env.games.ginkgopolis.components.NAMES[row[2]] for row in draws]
                if seat == actor:
                    assert line == {"seat": actor, "draws": names}
                    continue
                assert line["draws"] == len(draws)
                assert line.get("new_buildings", 0) == sum(row[3] == 2 for row in draws)
                open_tiles = [name for name, row in zip(names, draws, strict=True) if row[3] in (1, 3)]
                assert line.get("open", []) == open_tiles
                kinds.update(key for key in line if key not in ("seat", "draws"))
    assert kinds == {"new_buildings", "open"}


def test_open_decisions_are_told_to_all() -> None:
    """Timing, split and payment are public, with seat and action."""
    game, told = game_of(0), Counter[str]()
    for state in states_of(0):
        if state["stage"][0] in (Stage.TIMING, Stage.SPLIT, Stage.PAY):
            for action in legal(game, state):
                after, rows = played(game, state, action)
                text = game.action_text(state, action)
                for seat in range(3):
                    lines = game.visible(seat, state, action, after, rows).lines
                    assert lines[0] == {"seat": int(state["actor"][0]), "action": text}
                told[text.partition(":")[0]] += 1
    assert set(told) == {"timing", "split", "pay"}


def test_returned_tiles_of_all_values_are_shown() -> None:
    """X0.4: value II, III and green spaces as well, to everybody alike."""
    game = game_of(0)
    given = set()
    for seed in range(2):
        batch = ginkgo_env.Batch(game, 1)
        batch.reset([seed])
        actions = []
        while not batch.over.all():
            actions.append(int(batch.sample()[0]))
            batch.step([actions[-1]])
        record = ginkgo_env.Record.from_actions(game, seed, actions)
        chosen: dict[int, list[str]] = {0: [], 1: [], 2: []}
        for line in record.lines:
            verb, _, tile = line.get("action", "").partition(":")
            if verb == "return" and tile != "done":
                chosen[line["seat"]].append(tile)
        for seat in range(3):
            shown = {line["seat"]: line["returns"] for line in record.seen_by(seat) if "returns" in line}
            assert shown == {q: tiles for q, tiles in chosen.items() if tiles}
        given.update(tile[1:] for tiles in chosen.values() for tile in tiles)
    assert given & {"21", "22", "23"}
    assert "S" in given


def test_what_an_action_with_an_event_leads_to_is_told() -> None:
    """Every kind of line that only the expansion has comes up, alike for all seats."""
    game = game_of(0)
    keys = {"second_tile", "event", "takes_effect", "goes_back", "loses", "pays_control", "park", "buys"}
    met = set()
    for seed in itertools.count(75):
        batch = ginkgo_env.Batch(game, 1)
        batch.reset([seed])
        actions = []
        while not batch.over.all():
            actions.append(int(batch.sample()[0]))
            batch.step([actions[-1]])
        record = ginkgo_env.Record.from_actions(game, seed, actions)
        views = [[line for line in record.seen_by(seat) if keys & line.keys()] for seat in range(3)]
        assert views[0] == views[1] == views[2]
        met |= {key for line in views[0] for key in keys & line.keys()}
        if met == keys:
            return
        assert seed < 100, f"these never come up: {keys - met}"
