"""Bad text: a typed error with a sentence, nothing else. What a reader accepts is written as it was, and can be played on."""

from __future__ import annotations

import copy
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ginkgo_env
from ginkgo_env import GinkgoError, NotationError, Record

from ..junk import NESTED, Path, at, is_refused, paths, replaced
from .played import MIDROUND, PLAYERS, game, record_of, steps

Json = dict[str, Any]

FEW = settings(derandomize=True, deadline=None, max_examples=60)
JUNK: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 3, 5, 27, 127, 128, 255, -128, 32_768, 2**63, -(2**63), 2**64, 10**30, 10**5000),
    *(0.0, 1.0, 2.0, float("nan"), float("inf"), "", " ", "0", "X", "Y1", "y1", "C1", "e1", "e1E", "pass", "end", "build"),
    *("over", "ended", "cards", "own", "\ud800", "\x00", "\u0661", "x" * 100_000, "0x" + "f" * 16, NESTED),
    *([], {}, [[]], [None], ["Y1"], ["Y2", "Y2"], ["Y1"] * 200, ["X"], [0], [{}], [{"building": "Y2", "at": "e1E"}]),
    *({"a": 1}, {1: 2}, {None: None}, {"building": "Y1", "at": "e1E"}, {"building": [], "at": {}}, (0, 1), {"Y1"}, b"Y1"),
]


@cache
def positions(players: int) -> list[Json]:
    """Positions of a few moments of two games, with their ends."""
    found = [game(players).position(step.after) for seed in (1, 2) for step in steps(players, seed)[:: 5 * players]]
    found += [game(players).position(steps(players, seed)[-1].after) for seed in (1, 2)]
    return found + ([MIDROUND] if players == 2 else [])


# --- positions --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_missing_and_foreign_keys_are_refused(players: int) -> None:
    for data in positions(players)[-4:]:
        assert not is_refused(game(players), data)
        for path in paths(data):
            home = at(data, path)
            if isinstance(home, dict):
                for key in home:
                    less = {name: value for name, value in home.items() if name != key}
                    assert is_refused(game(players), replaced(data, path, less)), (path, key)
                assert is_refused(game(players), replaced(data, path, home | {"more": 1})), path
                assert is_refused(game(players), replaced(data, path, home | {7: 1})), path
            elif isinstance(home, list):
                assert is_refused(game(players), replaced(data, path, [*home, "nothing"])), path
                assert not home or is_refused(game(players), replaced(data, path, [*home, home[0]])), path
                assert not home or is_refused(game(players), replaced(data, path, home[:-1])), path


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["Y1", "X", "e1E", "end"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def lists(value: Any, path: Path = ()) -> list[Path]:
    """The lists with at least two entries."""
    found = [path] if isinstance(value, list) and len(value) > 1 else []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found + [more for key, entry in entries for more in lists(entry, (*path, key))]


def test_lists_in_another_order_are_refused_or_kept() -> None:
    """The deck may have any order; cards turned up only where the buildings could be built in that order as well."""
    rng = random.Random(3)
    kept: set[Any] = set()
    refused: set[Any] = set()
    for step in steps(3)[::2]:
        data = game(3).position(step.after)
        for path in lists(data):
            entries = list(at(data, path))
            i = rng.randrange(len(entries) - 1)
            entries[i], entries[i + 1] = entries[i + 1], entries[i]
            changed = replaced(data, path, entries)
            if changed != data:
                (refused if is_refused(game(3), changed) else kept).add(path[-1])
    assert "deck" in kept and refused >= {"revealed", "placed", "passed"}
    assert not kept & {"placed", "passed"}


# --- actions and records ------------------------------------------------------------------------------------------------------


@FEW
@given(text=st.text(max_size=6) | st.from_regex(r"[a-q][0-9]{1,2}[NESWX]", fullmatch=True) | JSON)
def test_text_of_actions(text: Any) -> None:
    table, state = game(2), steps(2)[0].after
    try:
        action = table.parse_action(state, text)
    except NotationError as error:
        assert 10 < len(str(error)) < 300
        return
    assert table.action_text(state, action) == text


def test_records_with_junk_are_refused() -> None:
    """Every change of a line is told with its number."""
    record = record_of(3)
    rng = random.Random(5)
    lines = [record.header, *record.lines]
    for _ in range(60):
        line = rng.randrange(len(lines))
        path = rng.choice(list(paths(lines[line])))
        value = rng.choice(JUNK)
        changed = copy.deepcopy(lines)
        changed[line] = replaced(lines[line], path, value)
        if changed == lines or path[:1] in (("package",), ("players",)):
            continue
        try:
            for _step in ginkgo_env.replay(Record(changed)):
                pass
        except GinkgoError as error:
            assert 10 < len(str(error)) < 300
        else:
            assert at(changed[line], path) == at(lines[line], path), (line, path, value)
