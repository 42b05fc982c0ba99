"""R10, X7.3, X7.4 in words: games that differ only in what a seat must not know are told and described to it alike.

Pairs of states are made by hand, by writing into the record; the code that deals hidden things anew takes no part.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.log import new_log, read_log
from ginkgo_env.core.loops import PlayMode
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.ginkgopolis.constants import FIRST_PRESTIGE, GREEN_SPACE, N_EVENTS, NONE, Expert, Log, Stage
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.games.ginkgopolis.tables import MODULE_NAMES
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


def test_pairs_of_events_are_secret() -> None:
    """X4.1 without experts: who keeps which pair; the number of event tiles is public."""
    game = game_of(1)
    table = Playback(game)
    table.start(5)
    while table.states["stage"][0] != Stage.EVENTS:
        table.play(int(np.flatnonzero(table.mask[0])[0]))
    for _ in range(3):
        state, actor = table.state(), int(table.states["actor"][0])
        views: dict[int, list[Any]] = {seat: [] for seat in range(3)}
        pairs = legal(game, state)
        assert len(pairs) == 6
        for action in pairs:
            after, rows = played(game, state, action)
            for seat in range(3):
                views[seat].append((game.visible(seat, state, action, after, rows), game.describe(after, seat)))
        assert len({str(view) for view in views[actor]}) == 6
        for seat in others(state):
            assert all(view == views[seat][0] for view in views[seat])
            assert views[seat][0][0].lines[0] == {"seat": actor, "chooses": True}
        rows_of = [line.split() for line in game.describe(state, 0).split("\n") if line[3:].startswith("player_")]
        assert [row[8] for row in rows_of] == ["4" if seat >= actor else "2" for seat in range(3)]
        table.play(pairs[2])


def test_picks_of_experts_are_secret() -> None:
    """X6: in the draft a character and an expert look alike, and all are revealed together."""
    game, compared = game_of(0), 0
    for state in states_of(0):
        if state["stage"][0] != Stage.DRAFT:
            continue
        alike: dict[int, list[tuple[int, States, Rows]]] = {}
        for action in legal(game, state):
            after, rows = played(game, state, action)
            if after["stage"][0] == Stage.DRAFT and after["pick"][0] == state["pick"][0]:  # else other packets have come
                alike.setdefault(int(after["actor"][0]), []).append((action, after, rows))
        for results, seat in itertools.product(alike.values(), others(state)):
            views = [(game.visible(seat, state, action, *result), game.describe(result[0], seat)) for action, *result in results]
            assert all(view == views[0] for view in views)
            compared += len(views) - 1
    assert compared > 20


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
        found = [row for row in rows if row[0] == Log.OUTCOME and row[1] == 9]
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


# --- what lies hidden (X7.4): the same step in two games -------------------------------------------------------------------

Swap = Callable[[Any, int, random.Random], bool]


def put(words: Any, i: int) -> None:
    words[i >> 6] |= np.uint64(1 << (i & 63))


def take(words: Any, i: int) -> None:
    words[i >> 6] &= np.uint64(2**64 - 1 - (1 << (i & 63)))


def hidden_seats(g: Any, seat: int) -> list[int]:
    """Other seats with a card out that is not revealed."""
    return [q for q in range(3) if q != seat and g.card[q] != NONE and g.player != q]


def unknown(g: Any, q: int) -> list[int]:
    """Tiles behind q's screen that nobody else knows, green spaces aside."""
    return [tile for tile in members(g.tiles[q]) if tile not in members(g.known_tiles[q]) and tile != GREEN_SPACE]


def order_of_new_buildings(g: Any, seat: int, rng: random.Random) -> bool:
    n = int(g.n_new_buildings)
    stack = g.new_buildings[:n].tolist()
    rng.shuffle(stack)
    g.new_buildings[:n] = stack
    return n > 1


def new_building_behind_a_screen(g: Any, seat: int, rng: random.Random) -> bool:
    """Which tile of value II lies behind a screen: its place in the stack changes with it."""
    found = [(q, t) for q in range(3) if q != seat for t in unknown(g, q) if 72 <= t < FIRST_PRESTIGE]
    if not found or not g.n_new_buildings:
        return False
    q, tile = rng.choice(found)
    k = rng.randrange(int(g.n_new_buildings))
    take(g.tiles[q], tile)
    put(g.tiles[q], int(g.new_buildings[k]))
    g.new_buildings[k] = tile
    return True


def event_on_a_card(g: Any, seat: int, rng: random.Random) -> bool:
    """Another of the same player's events."""
    found = []
    for q in hidden_seats(g, seat):
        if g.event[q] != NONE:
            found += [(q, kind) for kind in range(N_EVENTS) if g.events[q] >> kind & 1]
    if not found:
        return False
    q, kind = rng.choice(found)
    g.events[q] ^= 1 << kind | 1 << g.event[q]
    g.event[q] = kind
    return True


def event_behind_a_screen(g: Any, seat: int, rng: random.Random) -> bool:
    """Without experts nobody knows which events the others have, but for those that went back."""
    found = [q for q in range(3) if q != seat and g.events[q] and g.expert[q] == NONE]
    if not found:
        return False
    q = rng.choice(found)
    known = int(g.events[q] & g.events_known[q])
    n = int(g.events[q] & ~known).bit_count()
    free = [kind for kind in range(N_EVENTS) if g.event[q] != kind and not (g.events_played[q] | known) >> kind & 1]
    g.events[q] = known | sum(1 << kind for kind in rng.sample(free, n))
    return 0 < n < len(free)


def lower_tile_on_a_card(g: Any, seat: int, rng: random.Random) -> bool:
    """Which tile lies under the upper one; while an architect chooses, also whether."""
    found = [(q, t) for q in hidden_seats(g, seat) for t in unknown(g, q) if g.lower[q] not in (NONE, GREEN_SPACE)]
    if not found:
        return False
    q, tile = rng.choice(found)
    take(g.tiles[q], tile)
    put(g.tiles[q], int(g.lower[q]))
    g.lower[q] = tile
    return True


def tiles_on_a_card_or_not(g: Any, seat: int, rng: random.Random) -> bool:
    """While players choose nobody sees how many tiles lie on a card, nor whether an event does."""
    if g.stage not in CHOOSING:
        return False
    changed = False
    for q in hidden_seats(g, seat):
        for field in ("lower", "tile"):
            if g[field][q] not in (NONE, GREEN_SPACE):
                put(g.tiles[q], int(g[field][q]))
                g[field][q] = NONE
                changed = True
        if g.event[q] != NONE:
            g.events[q] |= 1 << g.event[q]
            g.event[q] = NONE
            changed = True
    return changed


def lower_tile_in_the_city(g: Any, seat: int, rng: random.Random) -> bool:
    """A tile that an architect has covered, against one of the supply."""
    found = [(q, t) for q in range(3) if q != seat for t in members(g.lower_tiles[q]) if t < 60]
    places = [k for k in range(int(g.supply_size)) if int(g.supply[k]) not in members(g.returned)]
    if not found or not places:
        return False
    (q, tile), k = rng.choice(found), rng.choice(places)
    take(g.lower_tiles[q], tile)
    put(g.lower_tiles[q], int(g.supply[k]))
    g.supply[k] = tile
    return True


def kept_card(g: Any, seat: int, rng: random.Random) -> bool:
    """Against another card of the same hand."""
    found = [(q, card) for q in range(3) if q != seat and g.kept[q] != NONE for card in members(g.hand[q])]
    if not found:
        return False
    q, card = rng.choice(found)
    take(g.hand[q], card)
    put(g.hand[q], int(g.kept[q]))
    g.kept[q] = card
    return True


def green_spaces_set_aside(g: Any, seat: int, rng: random.Random) -> bool:
    """R7.1: how many green spaces somebody gives back."""
    found = [q for q in range(3) if q != seat and g.green[q]]
    if g.stage != Stage.RETURN or not found:
        return False
    for q in found:
        put(g.aside[q], GREEN_SPACE)
        g.green_aside[q] += 1
        g.green[q] -= 1
        if g.green[q] == 0:
            take(g.tiles[q], GREEN_SPACE)
    return True


SWAPS: list[Swap] = [
    *(order_of_new_buildings, new_building_behind_a_screen, event_on_a_card, event_behind_a_screen, lower_tile_on_a_card),
    *(tiles_on_a_card_or_not, lower_tile_in_the_city, kept_card, green_spaces_set_aside),
]
NOT_THERE = [{"event_behind_a_screen"}, {"lower_tile_on_a_card", "lower_tile_in_the_city"}]
"""By configuration: events are public with experts, and without them nobody builds with two tiles."""


@pytest.mark.full
@pytest.mark.parametrize("config", range(len(CONFIGS)))
def test_what_is_hidden_is_not_described(config: int) -> None:
    game, rng = game_of(config), random.Random(1)
    made: Counter[str] = Counter()
    for i, state in enumerate(states_of(config)[::2]):
        described = [game.describe(state, seat) for seat in range(3)]
        for seat, swap in itertools.product(range(3), SWAPS):
            other = state.copy().view(np.recarray)
            if swap(other[0], seat, rng):
                made[swap.__name__] += 1
                assert game.describe(other, seat) == described[seat], f"state {i}, seat {seat}: {swap.__name__}"
    assert set(made) == {swap.__name__ for swap in SWAPS} - NOT_THERE[config]


@pytest.mark.parametrize("config", range(len(CONFIGS)))
def test_new_buildings_are_drawn_in_secret(config: int) -> None:
    """X7.4: the order of the stack changes what the drawer is told, and nothing for the others."""
    game, rng = game_of(config), random.Random(2)
    own = 0
    for state in states_of(config):
        if state["stage"][0] != Stage.SPLIT or not state["n_new_buildings"][0]:
            continue
        actor = int(state["actor"][0])
        other = state.copy().view(np.recarray)
        order_of_new_buildings(other[0], 0, rng)
        for action in legal(game, state):
            (after, rows), (after2, rows2) = played(game, state, action), played(game, other, action)
            for seat in others(state):
                first, second = game.visible(seat, state, action, after, rows), game.visible(seat, other, action, after2, rows2)
                assert (first, game.describe(after, seat)) == (second, game.describe(after2, seat))
            told = [game.visible(actor, s, action, a, r).lines for s, a, r in ((state, after, rows), (other, after2, rows2))]
            own += told[0] != told[1]
    assert own > 0


def test_draws_are_told_by_value() -> None:
    """X7.4: to the others the number, how many are new buildings, and which prestige buildings and green spaces."""
    game, kinds = game_of(0), set()
    for state in states_of(0):
        for action in legal(game, state)[:12]:
            actor = int(state["actor"][0])
            after, rows = played(game, state, action)
            draws = [row for row in rows if row[0] == Log.DRAW and row[1] == actor]
            if not draws or any(row[0] == Log.EXHAUSTED for row in rows):
                continue
            for seat in range(3):
                lines = game.visible(seat, state, action, after, rows).lines
                line = next(line for line in lines if "draws" in line and line["seat"] == actor)
                names = [ginkgo_env.games.ginkgopolis.tables.NAMES[row[2]] for row in draws]
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
