"""The sources of an analysis: a record or a position, from a file, a text or an object."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from ginkgo_agents.analysis.results import FORMAT as ANALYSIS_FORMAT
from ginkgo_agents.analysis.results import AnalysisError
from ginkgo_env.core.errors import shown
from ginkgo_env.core.files import read_some
from ginkgo_env.core.game import Game, States
from ginkgo_env.records import Record, replay
from ginkgo_env.records.format import FORMAT as RECORD_FORMAT
from ginkgo_env.records.record import VIEW_FORMAT
from ginkgo_env.registry import position_game

_MOST_BYTES = 1 << 25
_EXPECTED = "expected a game record (JSON lines) or a position (JSON)"


class DecisionPoint(NamedTuple):
    """A decision to analyse."""

    state: States
    """Before the decision, shape (1,)."""
    step: int | None
    taken: str | None
    """The action taken, in notation."""


class Source(NamedTuple):
    """A checked record or position."""

    game: Game
    names: tuple[str, ...]
    points: tuple[DecisionPoint, ...]
    last: States
    """The last state of a record; a position's own."""
    record: Record | None


def source_of(source: object, game: Game | None = None, files: Mapping[str, str] | None = None) -> Source:
    """Read and check a Record, the plain data of a position, or the path or text of a file of either.

    game : the game to use for a position that does not hold its whole configuration, such as the folder of a board
    files : paths of the game's files that replace those of a source that is read, such as ``board``

    Raises AnalysisError for any other source, RecordError or PositionError for an invalid record or position.
    """
    if isinstance(source, Record):
        return _of_record(source)
    if isinstance(source, Mapping):
        return _of_data(source, game, files or {})
    if isinstance(source, str | os.PathLike):
        return _of_text(_text(source), game, files or {})
    raise AnalysisError(f"source must be a Record, a position, or the path of either, got {shown(source)}")


def _text(source: str | os.PathLike[str]) -> str:
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source
    data = read_some(source, _MOST_BYTES, AnalysisError)
    if len(data) > _MOST_BYTES:
        raise AnalysisError(f"the file is larger than {_MOST_BYTES} bytes; {_EXPECTED}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise AnalysisError(f"the file is not UTF-8 text; {_EXPECTED}") from None


def _of_text(text: str, game: Game | None, files: Mapping[str, str]) -> Source:
    head = _object(text.lstrip().partition("\n")[0])
    if head is not None and head.get("format") == RECORD_FORMAT:
        return _of_record(Record.read(text, **files))
    whole = head if head is not None and head.get("format") == VIEW_FORMAT else _object(text)
    if whole is None:
        raise AnalysisError(f"the file holds no JSON object; {_EXPECTED}")
    return _of_data(whole, game, files)


def _object(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _of_data(data: Mapping[str, Any], game: Game | None, files: Mapping[str, str]) -> Source:
    kind = data.get("format")
    if kind == VIEW_FORMAT:
        raise AnalysisError("a record of what one seat saw cannot be replayed; expected the whole record")
    if kind == ANALYSIS_FORMAT:
        raise AnalysisError("the source is an analysis; expected the record or position that was analyzed")
    if kind == RECORD_FORMAT:
        raise AnalysisError("the source is the first line of a record; expected a Record, or its whole text")
    if not isinstance(data.get("game"), str) or not isinstance(data.get("config"), Mapping):
        raise AnalysisError(f"the source names no game; {_EXPECTED}")
    reader = game if game is not None else position_game(data, **files)
    state = reader.from_position(data)
    if reader.actor(state)[0] < 0:
        raise AnalysisError("the game is over in this position")
    return Source(reader, tuple(reader.side_names), (DecisionPoint(state, None, None),), state, None)


def _of_record(record: Record) -> Source:
    """Replay the whole record, which checks it before any analysis."""
    steps = list(replay(record))
    decisions = ((before.state, step) for before, step in pairwise(steps) if step.action is not None)
    points = tuple(DecisionPoint(state, step.number, step.action) for state, step in decisions)
    if not points:
        raise AnalysisError("there is no decision in this record")
    return Source(record.game, tuple(record.names), points, steps[-1].state, record)
