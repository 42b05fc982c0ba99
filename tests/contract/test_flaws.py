"""What is refused, by the tables of all games (``flaws.py``): every flaw of a record is found and said, and no other is."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest

from ginkgo_env import BatchError, PositionError
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.registry import OWN_GAMES, game_class

from .flaws import Edit, Json, sentence_of
from .games import game_of, own


def table(name: str, part: str) -> Any:
    return own(name, "flaws", part, [])


def rows(part: str) -> list[Any]:
    """All rows of the tables of all games, for ``parametrize``."""
    found = []
    for name in OWN_GAMES:
        for i, (base, *row) in enumerate(table(name, part)):
            found.append(pytest.param(name, base, row, id=f"{name}-{i}-{base if isinstance(base, str) else base.__name__}"))
    return found


@cache
def base_of(name: str, base: Any) -> tuple[Game, Json]:
    """A game and a position: one of the valid ones by name, or one that a function makes."""
    position = (table(name, "BASES")[base] if isinstance(base, str) else base)()
    return game_of(f"{name} {json.dumps(position['config'])}"), position


def changed(position: Json, edits: list[Edit]) -> Json:
    """A copy of a position with edits."""
    found = copy.deepcopy(position)
    for edit in edits:
        edit(found)
    return found


BASES = [(name, base) for name in OWN_GAMES for base in table(name, "BASES")]


@pytest.mark.parametrize(("name", "base"), BASES)
def test_bases_are_valid(name: str, base: str) -> None:
    """They are written as they were read, and something can be done in each."""
    game, position = base_of(name, base)
    state = game.from_position(json.loads(json.dumps(position)))
    assert game.position(state) == position
    batch = Batch(game, 1)
    batch.set_states([0], state)
    assert batch.mask.any() == (not batch.over.any())


@pytest.mark.parametrize(("name", "base", "row"), rows("POSITIONS"))
def test_positions_refused(name: str, base: Any, row: Any) -> None:
    says, *edits = row
    game, position = base_of(name, base)
    with pytest.raises(PositionError) as error:
        game.from_position(changed(position, edits))
    text = str(error.value)
    assert len(text) < 300 and text.startswith(f"position: {sentence_of(says)}"), text


@pytest.mark.parametrize(("name", "base", "row"), rows("STATES"))
def test_states_refused(name: str, base: Any, row: Any) -> None:
    says, *edits = row
    game, position = base_of(name, base)
    state = game.from_position(position)
    for edit in edits:
        edit(state[0])
    assert game.find_flaw(state) == sentence_of(says)
    with pytest.raises(BatchError, match=r"^invalid states; "):
        Batch(game, 1).set_states([0], state)


@pytest.mark.parametrize(("name", "base", "edits"), rows("ACCEPTED"))
def test_what_play_cannot_reach_is_accepted_if_it_is_sound(name: str, base: Any, edits: Any) -> None:
    game, position = base_of(name, base)
    data = changed(position, edits)
    assert game.position(game.from_position(data)) == data != position


@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_flaw_has_a_row(name: str) -> None:
    found = {row[1] for part in ("POSITIONS", "STATES") for row in table(name, part) if not isinstance(row[1], str)}
    assert found == set(game_class(name).flaws or ())
