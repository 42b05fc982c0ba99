"""What a seat cannot know shows nowhere, by the tables of all games (``hidden.py``); and what it must know does."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback, Rows
from ginkgo_env.core.state import EVERYBODY, Field, Held, fields_of, members
from ginkgo_env.registry import OWN_GAMES
from ginkgo_env.testing import at, visited
from ginkgo_env.testing.hidden import require_same_view
from ginkgo_env.testing.play import STREAM_FIELDS, each

from ..tiers import by_tier
from .games import as_case, game_of, id_of, own
from .hidden import Place, flip

TRIES = 20  # exchanges for each state and seat


def cases() -> list[Any]:
    """The configurations of the tables, of each game the last one always."""
    configs = {name: [as_case(name, config) for config in own(name, "hidden", "CONFIGS", [])] for name in OWN_GAMES}
    return by_tier([case for found in configs.values() for case in found], [found[-1] for found in configs.values() if found])


def changed(state: States) -> States:
    """A copy with other random keys."""
    copy = state.copy().view(np.recarray)
    for name in STREAM_FIELDS:
        copy[name] ^= np.uint64(2**63 + 12345)
    return copy


def exchanged(game: Game, state: States, seat: int, rng: random.Random) -> tuple[States, set[str]]:
    """A valid state in which hidden things have changed places, one pair after the other; and the names of these places."""
    things, found, names = own(game.name, "hidden", "hidden_things", None), changed(state), set()
    for _ in range(TRIES):
        other, by_kind = found.copy().view(np.recarray), defaultdict[Any, list[Place]](list)
        for place in things(other[0], seat):
            by_kind[place.kind].append(place)
        kinds = [places for places in by_kind.values() if len({place.thing for place in places}) > 1]
        if not kinds:
            break
        one, two = rng.sample(rng.choice(kinds), 2)
        if one.thing != two.thing:
            one.replace(two.thing)
            two.replace(one.thing)
            if not game.find_flaw(other):
                found, names = other, names | {one.name, two.name}
    return found, names


@pytest.mark.parametrize("case", cases(), ids=id_of)
def test_what_is_hidden_shows_nowhere(case: str) -> None:
    game, rng, met = game_of(case), random.Random(5), set()
    changes, missing = own(game.name, "hidden", "CHANGES", {}), own(game.name, "hidden", "missing", lambda config: set())
    for i, state in enumerate(each(visited(game, seed=1, n=20, rows=6))):
        for seat in range(game.seats):
            old = at(game, state)
            other, names = exchanged(game, state, seat, rng)
            require_same_view(game, old, at(game, other), seat, f"state {i}: exchanges of {sorted(names)}")
            met |= names
            for name, change in changes.items():
                other = changed(state)
                if change(other[0], seat, rng) and not game.find_flaw(other):
                    require_same_view(game, old, at(game, other), seat, f"state {i}: {name}")
                    met.add(name)
    wanted = own(game.name, "hidden", "PLACES", set()) | set(changes)
    assert met == wanted - missing(json.loads(case.partition(" ")[2]))


# --- what must be known ------------------------------------------------------------------------------------------------------


def another(game: Game, field: Field, state: States, name: str, seat: int | None, rng: random.Random) -> States:
    """A copy in which an entry of a field, or of what a seat has of it, is another number, or a set has a member less."""
    copy = state.copy()
    entries = copy[name] if seat is None else copy[name][:, seat]
    if seat is None and field.used:
        entries = entries[:, : int(state[field.used][0])]
    place = tuple(rng.randrange(length) for length in entries.shape)
    if field.held is Held.SET:
        words, pieces = entries[place[:-1]], game.pieces.get(field.things, [])
        single = [i for i in members(int.from_bytes(words.tobytes(), "little")) if i >= len(pieces) or pieces[i] == 1]
        if single:
            flip(words, rng.choice(single))
    elif entries[place] != field.empty or field.empty == 0:
        entries[place] += 1 if field.limit or entries[place] < field.high else -1
    return copy


@pytest.mark.parametrize("case", cases(), ids=id_of)
def test_what_is_known_does_show(case: str) -> None:
    """A public field shows to everybody, a seat's own to that seat: another value changes the observation."""
    game, rng, met = game_of(case), random.Random(3), set()
    assert game.state is not None
    fields, shown = fields_of(game.state), own(game.name, "hidden", "SHOWN", set())
    for state in each(visited(game, seed=2, n=24)):
        for name, seat in product(sorted(shown), range(game.seats)):
            batch = at(game, state)
            before = batch.observe(seat).copy()
            other = another(game, fields[name], state, name, None if fields[name].seen_by is EVERYBODY else seat, rng)
            if other.tobytes() != state.tobytes():
                batch.states[:] = other  # not set_states: such records need not make sense
                assert (batch.observe(seat) != before).any(), f"{name} does not show to seat {seat}"
                met.add(name)
    assert len(met) > len(shown) // 2


# --- what is told ------------------------------------------------------------------------------------------------------------


def played(game: Game, state: States, action: int) -> tuple[States, Rows]:
    """The state after an action, and the log of the step."""
    playback = Playback(game)
    playback.continue_from(state)
    rows = playback.play(action)
    return playback.state(), rows


@pytest.mark.parametrize("case", cases(), ids=id_of)
def test_which_secret_choice_was_made_is_not_told(case: str) -> None:
    """As long as choices are secret, those that lead to what a seat cannot tell apart are told and described alike to it."""
    game, rng, compared = game_of(case), random.Random(7), 0
    secret = {game.decisions.index(kind) for kind in own(game.name, "hidden", "SECRET", set()) & set(game.decisions)}

    def is_secret(state: States) -> bool:
        return int(game.kind(state)[0]) in secret

    for i, state in enumerate(each(visited(game, seed=3, n=60, rows=6))):
        actor, legal = int(game.actor(state)[0]), game.legal_actions(state).tolist() if is_secret(state) else []
        results = [(action, *played(game, state, action)) for action in rng.sample(legal, min(len(legal), 8))]
        results = [each for each in results if is_secret(each[1]) and each[1]["rounds"] == state["rounds"]]
        for seat in {*range(game.seats)} - {actor}:
            alike = defaultdict[Any, list[Any]](list)
            for action, after, rows in results:
                seen = game.observe(after, seat).tobytes(), int(game.actor(after)[0])
                told = game.visible(seat, state, action, after, rows), game.describe(after, seat)
                alike[seen].append((game.action_text(state, action), told))
            for (first, told), *rest in alike.values():
                for text, other in rest:
                    assert other == told, f"state {i}: seat {seat} can tell {text} from {first}"
                    compared += 1
    assert compared > 10 or game.seats == 1 or not secret
