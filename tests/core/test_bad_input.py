"""Odd values at every public entry: a typed error with one short printable sentence, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import Batch, BatchError, ConfigError, Game, GinkgoError, Record, RecordError, make_game, replay
from ginkgo_env.core.game import MAX_WIDTH, MIN_WIDTH
from ginkgo_env.core.playback import Playback
from ginkgo_env.registry import OWN_GAMES
from ginkgo_env.testing import fresh

_PLAIN = [None, True, False, -1, 0, 1, -5, 99, 1.5, 1j, "x", "", b"x", (), [], [1], [[1]], {}, {"x": 1}, {1}, range(3)]
_HUGE = [10**30, 10**5000, -(10**30), 2**63, 2**64, "x" * 5000, [[[[1], 2], 3], None]]
_OTHER = [object(), int, len, (i for i in [1]), "\x1b]0;owned\x07\r\n\x9b2J\u202e", "\ud800", np.nan]
_NUMPY = [np.array(0), np.array([1, 2]), np.zeros((2, 2)), np.array("x"), np.float64("nan"), np.True_, np.int64(7)]
ODD: list[Any] = [*_PLAIN, *_HUGE, *_OTHER, *_NUMPY, np.datetime64("NaT")]


def well_said(error: GinkgoError) -> None:
    """One line that fits on a screen and does no harm there, and that was written short instead of being cut."""
    text = str(error)
    assert text and text.isprintable(), repr(text)
    assert len(text) < 250, text


def only_typed_errors(work: Callable[[], Any]) -> bool:
    """Whether work gives a result; anything but a well said GinkgoError fails the test."""
    try:
        work()
    except GinkgoError as error:
        well_said(error)
        return False
    return True


def game_and_batch() -> tuple[Game, Batch]:
    batch = fresh(make_game(players=2, max_rounds=2), 3, 1)
    return batch.game, batch


def everything(batch: Batch) -> list[bytes]:
    names = ("states", "mask", "done", "truncated", "rewards", "totals", "_words", "_seeds", "_sets")
    return [getattr(batch, name).tobytes() for name in names]


# --- batches ---------------------------------------------------------------------------------------------------------------

CALLS: dict[str, Callable[[Batch, Any], Any]] = {
    "reset seed": lambda b, v: b.reset(v),
    "reset seeds": lambda b, v: b.reset([0, v, 1]),
    "reset rows": lambda b, v: b.reset(1, rows=v),
    "step": lambda b, v: b.step(v),
    "step a row": lambda b, v: b.step([v, -1, -1]),
    "observe": lambda b, v: b.observe(v),
    "observe seats": lambda b, v: b.observe([0, v, 1]),
    "observe out": lambda b, v: b.observe(out=v),
    "outcome": lambda b, v: b.outcome(v),
    "state": lambda b, v: b.state(v),
    "set_position row": lambda b, v: b.set_position(v, b.position(0)),
    "set_position": lambda b, v: b.set_position(0, v),
    "set_states rows": lambda b, v: b.set_states(v, b.state(0).copy()),
    "set_states": lambda b, v: b.set_states([0], v),
    "copy_rows source": lambda b, v: b.copy_rows(v, [0], [1]),
    "copy_rows source rows": lambda b, v: b.copy_rows(b, v, [1]),
    "copy_rows rows": lambda b, v: b.copy_rows(b, [0], v),
    "resample": lambda b, v: b.resample(v, seed=1),
    "resample seed": lambda b, v: b.resample(0, seed=v),
}


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_a_batch(call: str) -> None:
    _, batch = game_and_batch()
    for value in ODD:
        before = everything(batch)
        accepted = only_typed_errors(lambda value=value: CALLS[call](batch, value))
        assert accepted or everything(batch) == before, f"{call} refused {type(value).__name__}, but changed something"


def test_whether_to_average_is_true_or_false() -> None:
    _, batch = game_and_batch()
    for value in (np.zeros(2, bool), 1, None, "yes"):
        with pytest.raises(BatchError, match="invalid average"):
            batch.afterstates(1, average=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["game", "size", "autoreset", "threads", "reward"])
def test_options_of_a_batch(option: str) -> None:
    game = make_game(players=2)
    for value in ODD:
        only_typed_errors(lambda value=value: Batch(**({"game": game, "size": 2} | {option: value})).close())


@pytest.mark.parametrize("size", [10**30, 2**40, 2**63, 2**64])
def test_what_no_memory_holds(size: int) -> None:
    with pytest.raises(BatchError, match="GiB of memory"):
        Batch(make_game(players=2), size)


def test_allocation_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Batch, "_allocate", fail)
    with pytest.raises(BatchError, match=r"invalid size 1000: .* takes 1 GiB"):
        Batch(make_game(players=2), 1000)


def test_seeds_of_any_integer_type_are_equal() -> None:
    game, batch = game_and_batch()
    wanted = fresh(game, 3, 7).states.tobytes()
    for seed in (np.array(7), np.int8(7), np.uint64(7)):
        batch.reset(seed)
        assert batch.states.tobytes() == wanted
    batch.reset(np.array([7, 8, 9], np.uint8))
    other = Batch(game, 3)
    other.reset([7, 8, 9])
    assert batch.states.tobytes() == other.states.tobytes()


def test_read_only_output_is_refused() -> None:
    game, batch = game_and_batch()
    out = np.empty((3, game.observation.size), game.observation_dtype)
    out.flags.writeable = False
    with pytest.raises(BatchError, match="writable"):
        batch.observe(out=out)


# --- games -----------------------------------------------------------------------------------------------------------------

GAME_CALLS: dict[str, Callable[[Game, Any, Any], Any]] = {
    "illegal_action state": lambda g, s, v: g.illegal_action(v, 5),
    "illegal_action": lambda g, s, v: g.illegal_action(s, v),
    "outcome": lambda g, s, v: g.outcome(v),
    "action_text": lambda g, s, v: g.action_text(s, v),
    "parse_action": lambda g, s, v: g.parse_action(s, v),
    "position": lambda g, s, v: g.position(v),
    "from_position": lambda g, s, v: g.from_position(v),
    "describe state": lambda g, s, v: g.describe(v),
    "describe seat": lambda g, s, v: g.describe(s, v),
    "describe names": lambda g, s, v: g.describe(s, 0, v),
    "describe width": lambda g, s, v: g.describe(s, width=v),
    "visible seat": lambda g, s, v: g.visible(v, None, -1, s, []),
    "actor": lambda g, s, v: g.actor(v),
    "kind": lambda g, s, v: g.kind(v),
    "truncated": lambda g, s, v: g.truncated(v),
}


@pytest.mark.parametrize("name", OWN_GAMES)
def test_widths_of_texts(name: str) -> None:
    game = make_game(name)
    for width in (MIN_WIDTH - 1, MAX_WIDTH + 1):
        with pytest.raises(BatchError, match=f"invalid width {width}; expected {MIN_WIDTH}..{MAX_WIDTH}"):
            game.describe(game.initial_state(1), width=width)


@pytest.mark.parametrize("config", [{"players": 3}, {"players": 2, "modules": ["events", "experts"]}], ids=str)
@pytest.mark.parametrize("call", GAME_CALLS)
def test_calls_of_a_game(call: str, config: dict[str, Any]) -> None:
    game = make_game(**config)
    batch = fresh(game, 1, 1)
    for value in ODD:
        only_typed_errors(lambda value=value: GAME_CALLS[call](game, batch.state(0), value))
    if call.endswith("state"):
        for value in (batch.states[:0], np.repeat(batch.states, 2), np.zeros(1, [("rng", np.uint64)]).view(np.recarray)):
            assert not only_typed_errors(lambda value=value: GAME_CALLS[call](game, None, value))


def test_names_of_games() -> None:
    for value in ODD:
        assert not only_typed_errors(lambda value=value: make_game(value))
        assert not only_typed_errors(lambda value=value: ginkgo_env.env(value))


@pytest.mark.parametrize("option", ["players", "setup", "level", "strict", "max_rounds", "modules", "hand_size"])
def test_options_of_games(option: str) -> None:
    for value in ODD:
        only_typed_errors(lambda value=value: make_game(**{option: value}))
        only_typed_errors(
            lambda value=value: make_game(players=3, modules=["keep_card"], **{option: value} if "l" not in option else {})
        )


def test_options_that_do_not_exist() -> None:
    for name in ("x", "", "long " * 500, "\x1b]0;owned\x07", "self"):
        with pytest.raises(ConfigError, match="option") as caught:
            make_game(**{name: 1})
        well_said(caught.value)
    with pytest.raises(ConfigError) as caught:
        make_game(**{f"option_{i}": i for i in range(500)})
    well_said(caught.value)


def test_modules_without_end_and_twice() -> None:
    def endless() -> Iterator[str]:
        while True:
            yield "events"

    with pytest.raises(ConfigError, match="duplicate") as caught:
        make_game(modules=endless())
    well_said(caught.value)


def test_positions_of_another_configuration() -> None:
    position = make_game(players=2).position(fresh(make_game(players=2), 1, 1).state(0))
    with pytest.raises(ginkgo_env.PositionError, match=r"config\.players: expected 3, got 2") as caught:
        make_game(players=3).from_position(position)
    well_said(caught.value)
    with pytest.raises(ginkgo_env.PositionError) as caught:
        make_game(players=5, modules=["events", "keep_card"], max_rounds=7, strict=True).from_position(position)
    well_said(caught.value)


@pytest.mark.parametrize(
    "config", [{"players": 2}, {"players": 4, "modules": ginkgo_env.registry.game_class("ginkgopolis").modules}]
)
def test_every_field_of_a_position(config: dict[str, Any]) -> None:
    """Each field of a position with each odd value, and left out: refused in one short sentence or accepted."""
    game = make_game(**config)
    batch = fresh(game, 1, 1)
    for _ in range(25):
        batch.step(batch.sample())
    position = batch.position(0)
    places = list(_places(position))
    for k, path in enumerate(places):
        *head, last = path
        inner = position
        for step in head:
            inner = inner[step]
        kept = inner[last]
        for value in ODD[k % 3 :: 3]:
            inner[last] = value
            only_typed_errors(lambda: game.from_position(position))
        inner[last] = kept
    assert game.position(game.from_position(position)) == position


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to everything inside of plain data; of lists only the first entry."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, inner in items:
        yield from _places(inner, (*path, key))


@pytest.mark.parametrize(
    "config", [{"players": 2}, {"players": 4, "modules": ginkgo_env.registry.game_class("ginkgopolis").modules}]
)
def test_texts_of_actions(config: dict[str, Any]) -> None:
    """At every kind of decision, texts that name nothing."""
    game = make_game(**config)
    batch, kinds = fresh(game, 1, 1), set()
    while not batch.over.all():
        if int(batch.kind[0]) not in kinds:
            kinds.add(int(batch.kind[0]))
            verbs = [name.replace("_", "-") for name in game.actions]
            for text in (
                "?",
                *verbs,
                *(f"{verb}:" for verb in verbs),
                *(f"{verb}:{'?' * 20}" for verb in verbs),
                "R7+",
                "+",
                ":",
            ):
                only_typed_errors(lambda text=text: game.parse_action(batch.state(0), text))
            for action in range(game.actions.size):
                well_said(game.illegal_action(batch.state(0), action))
        batch.step(batch.sample())
    well_said(game.illegal_action(batch.state(0), 0))


# --- playback and records --------------------------------------------------------------------------------------------------


def lines() -> list[dict[str, Any]]:
    record = Record.from_actions(make_game(players=2), 3, [])
    return [record.header, *record.lines]


RECORD_CALLS: dict[str, Callable[[Any], Any]] = {
    "Record": Record,
    "Record of a line": lambda v: Record([v]),
    "from_actions game": lambda v: Record.from_actions(v, 3, []),
    "from_actions seed": lambda v: Record.from_actions(make_game(), v, []),
    "from_actions": lambda v: Record.from_actions(make_game(), 3, v),
    "from_actions action": lambda v: Record.from_actions(make_game(), 3, [v]),
    "from_actions players": lambda v: Record.from_actions(make_game(), 3, [], v),
    "from_actions name": lambda v: Record.from_actions(make_game(), 3, [], ["ann", v]),
    "read": Record.read,
    "seen_by": lambda v: Record(lines()).seen_by(v),
    "replay": lambda v: list(replay(v)),
    "replay seat": lambda v: list(replay(Record(lines()), v)),
    "playback": Playback,
    "start": lambda v: Playback(make_game()).start(v),
    "continue_from": lambda v: Playback(make_game()).continue_from(v),
}


@pytest.mark.parametrize("call", RECORD_CALLS)
def test_calls_of_records(call: str) -> None:
    for value in ODD:
        only_typed_errors(lambda value=value: RECORD_CALLS[call](value))


def test_writing_to_odd_places(tmp_path: Path) -> None:
    record = Record(lines())
    for value in (None, 1.5, [], object(), b"\xff", "a\0b", tmp_path, tmp_path / "no" / "such" / "folder", "x" * 5000):
        if isinstance(value, bytes):
            continue  # a file name like any other
        with pytest.raises(RecordError) as caught:
            record.write(value)  # type: ignore[arg-type]
        well_said(caught.value)


def test_every_field_of_a_record() -> None:
    """Each field with each odd value, replaced and beside it as a key: refused in one short sentence or accepted."""
    given = lines()
    for k, path in enumerate(_places(given)):
        if len(path) < 2:
            continue
        *head, last = path
        inner: Any = given
        for step in head:
            inner = inner[step]
        kept = inner[last]
        for value in ODD[k % 3 :: 3]:
            inner[last] = value
            only_typed_errors(lambda: list(replay(Record(given))))
            only_typed_errors(lambda: Record(given).dumps())
            inner[last] = kept
            if isinstance(inner, dict) and isinstance(value, str | int):
                inner[value] = 1
                only_typed_errors(lambda: list(replay(Record(given))))
                inner.pop(value, None)
                inner[last] = kept
    assert list(replay(Record(given)))


def test_playback_refuses_illegal_actions() -> None:
    playback = Playback(make_game(players=2))
    playback.start(3)
    before = playback.states.tobytes()
    for value in ODD:
        if not only_typed_errors(lambda value=value: playback.play(value)):
            assert playback.states.tobytes() == before
