"""What is to be analysed: a record or a position, from a file, a text or an object."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ginkgo_agents.analysis.results import FORMAT as ANALYSIS_FORMAT
from ginkgo_agents.analysis.results import AnalysisError
from ginkgo_env.core.errors import shown
from ginkgo_env.core.files import read_some
from ginkgo_env.core.game import Game, States
from ginkgo_env.records import Record, replay
from ginkgo_env.records.format import FORMAT as RECORD_FORMAT
from ginkgo_env.records.record import VIEW_FORMAT, Step
from ginkgo_env.registry import position_game

_MOST_BYTES = 1 << 25
_EXPECTED = "expected a game record (JSON lines) or a position (JSON)"


class DecisionPoint(NamedTuple):
    """A decision that is to be analysed."""

    state: States
    """Before the decision, shape (1,)."""
    step: int | None
    taken: str | None
    """The action taken, in notation."""


class Source(NamedTuple):
    """A record or a position that has been read and checked."""

    game: Game
    names: tuple[str, ...]
    points: tuple[DecisionPoint, ...]
    last: States
    """The last state of a record; a position's own."""
    record: Record | None


def source_of(given: object, game: Game | None = None) -> Source:
    """Read and check a record or position: a Record, a position as plain data, the path of a file, or the text of one.

    game : what a position is read by, for configurations that a position does not tell, such as the folder of a board

    Raises AnalysisError for anything else, RecordError or PositionError for a broken one.
    """
    if isinstance(given, Record):
        return _of_record(given)
    if isinstance(given, Mapping):
        return _of_data(given, game)
    if isinstance(given, str | os.PathLike):
        return _of_text(_text(given), game)
    raise AnalysisError(f"invalid source {shown(given)}; expected a Record, a position, or the path of either")


def _text(given: str | os.PathLike[str]) -> str:
    if isinstance(given, str) and given.lstrip().startswith("{"):
        return given
    data = read_some(given, _MOST_BYTES, AnalysisError)
    if len(data) > _MOST_BYTES:
        raise AnalysisError(f"the file is larger than {_MOST_BYTES} bytes; {_EXPECTED}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise AnalysisError(f"the file is not UTF-8 text; {_EXPECTED}") from None


def _of_text(text: str, game: Game | None) -> Source:
    head = _object(text.lstrip().partition("\n")[0])
    if head is not None and head.get("format") == RECORD_FORMAT:
        return _of_record(Record.read(text))
    whole = head if head is not None and head.get("format") == VIEW_FORMAT else _object(text)
    if whole is None:
        raise AnalysisError(f"the file holds neither; {_EXPECTED}")
    return _of_data(whole, game)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _of_data(data: Mapping[str, Any], game: Game | None) -> Source:
    kind = data.get("format")
    if kind == VIEW_FORMAT:
        raise AnalysisError("this is what one seat saw of a game, from which it cannot be played again: give the whole record")
    if kind == ANALYSIS_FORMAT:
        raise AnalysisError("this is an analysis already: give the record or position that it is of")
    if kind == RECORD_FORMAT:
        raise AnalysisError("this is the first line of a record only: give a Record, or its whole text")
    if not isinstance(data.get("game"), str) or not isinstance(data.get("config"), Mapping):
        raise AnalysisError(f"there is no game in it; {_EXPECTED}")
    made = game if game is not None else position_game(data)
    return _of_position(made, made.from_position(data))


def _of_position(game: Game, state: States) -> Source:
    if game.actor(state)[0] < 0:
        raise AnalysisError("the game is over in this position: there is nothing to decide")
    return Source(game, tuple(game.side_names), (DecisionPoint(state, None, None),), state, None)


def _of_record(record: Record) -> Source:
    """Replays and so checks the whole record before anything is analysed."""
    steps = list(replay(record))
    points = tuple(_points(steps))
    if not points:
        raise AnalysisError("there is no decision in this record")
    return Source(record.game, tuple(record.names), points, steps[-1].state, record)


def _points(steps: list[Step]) -> Iterator[DecisionPoint]:
    for before, step in pairwise(steps):
        if step.action is not None:
            yield DecisionPoint(before.state, step.number, step.action)
