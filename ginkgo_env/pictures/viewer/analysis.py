"""Analyses of records (``ginkgo analyze --json``) for the viewer."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

from msgspec import Meta, Struct, field, to_builtins

from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.files import read_some
from ginkgo_env.core.strict_json import JsonError, convert, parse
from ginkgo_env.records import Record

FORMAT, VERSION = "ginkgo-analysis", 1
_MOST_BYTES = 1 << 25

Data = dict[str, Any]
_Number = Annotated[float, Meta(ge=-1e300, le=1e300)] | None
_Count = Annotated[int, Meta(ge=0)]


class _Loss(Struct):
    loss: _Number = None
    loss_low: _Number = None
    loss_high: _Number = None


class _Value(_Loss):
    value: _Number = None
    low: _Number = None
    high: _Number = None


class _Option(_Value, kw_only=True):
    action: str


class _Decision(_Value, kw_only=True):
    step: int
    seat: int
    taken: str
    legal: _Count | None = None
    actions: list[_Option]


class _Player(_Loss, kw_only=True):
    seat: _Count
    decisions: _Count | None = None
    best: _Count | None = None
    worst: list[int] = field(default_factory=list)


class _Analysis(Struct):
    """The parts of an analysis that the viewer shows; others are ignored."""

    game: str
    config: dict[str, Any]
    record: dict[str, Any] | None
    decisions: list[_Decision]
    summary: list[_Player] = field(default_factory=list)
    unit: str = "win"
    meaning: str = ""
    agent: str = ""
    complete: bool = True
    end: list[_Number] | None = None


def read_analysis(path: Path) -> Data:
    """Read an analysis from a file.

    Raises GinkgoError if the file cannot be read, is too large or holds something else.
    """
    data = read_some(path, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        _fail(f"the file is larger than {_MOST_BYTES} bytes")
    try:
        return convert(parse(data), Data)
    except JsonError as error:
        _fail(f"expected the file that ginkgo analyze --json writes: {error}")


def checked_analysis(given: Any, record: Record) -> Data:
    """Check an analysis and return the parts that the viewer shows, as plain data.

    given : plain data, or an object with a method ``to_dict``; unknown keys are ignored.
    Raises GinkgoError if it does not have the form of an analysis or does not belong to this record.
    """
    if not isinstance(given, Mapping) and hasattr(given, "to_dict"):
        given = given.to_dict()
    if not isinstance(given, Mapping):
        _fail(f"expected an object, got {short_repr(given)}")
    if not isinstance(name := given.get("format"), str) or name != FORMAT:
        _fail(f"expected format {FORMAT!r}, got {short_repr(name)}")
    if type(version := given.get("version")) is not int or version != VERSION:
        _fail(f"unknown format version {short_repr(version)}; expected {VERSION}")
    try:
        analysis = convert(dict(given), _Analysis)
    except JsonError as error:
        _fail(str(error))
    _require_same_record(analysis, record)
    steps = {decision.step for decision in analysis.decisions}
    for player in analysis.summary:
        player.worst = [step for step in player.worst if step in steps]
    analysis.decisions.sort(key=lambda decision: decision.step)
    analysis.unit = "score" if analysis.unit == "score" else "win"
    analysis.end = analysis.end and analysis.end[: record.game.seats]
    data: Data = to_builtins(analysis)
    return {key: value for key, value in data.items() if key not in ("game", "config", "record")}


def in_file(checked: Data, seat: int | None, shown_steps: Sequence[int]) -> Data:
    """Return an analysis for a page: with a seat only that seat's, with the steps of its page.

    shown_steps : in the file of a seat, the steps of the record that it shows, in order. A decision stands at the first of
        them in which its action can be seen: where all choose at once, that is when all have chosen.
    """
    if seat is None:
        return checked
    decisions = [
        {**decision, "step": bisect_left(shown_steps, decision["step"])}
        for decision in checked["decisions"]
        if decision["seat"] == seat
    ]
    players = [
        {**player, "worst": [bisect_left(shown_steps, step) for step in player["worst"]]}
        for player in checked["summary"]
        if player["seat"] == seat
    ]
    return {**checked, "decisions": decisions, "summary": players}


def _require_same_record(analysis: _Analysis, record: Record) -> None:
    if analysis.game != record.header["game"]:
        _fail(f"it is of the game {short_repr(analysis.game)}, the record of {short_repr(record.header['game'])}")
    if analysis.config != record.header["config"]:
        _fail("it is of a game with other options than the record's")
    if analysis.record is None:
        _fail("it is of a position; the viewer shows analyses of records")
    actions = [line for line in record.lines if "action" in line]
    for decision in analysis.decisions:
        taken = {"seat": decision.seat, "action": decision.taken}
        if not 1 <= decision.step <= len(actions) or actions[decision.step - 1] != taken:
            _fail(f"the decision of step {decision.step} is not in the record: repeat ginkgo analyze")
    expected = {"seed": record.header["seed"], "steps": len(actions), "result": record.result}
    if any(key in analysis.record and analysis.record[key] != value for key, value in expected.items()):
        _fail("it is of another record of this game: repeat ginkgo analyze")
    for player in analysis.summary:
        if player.seat >= record.game.seats:
            _fail(f"there is no seat {player.seat}")


def _fail(problem: str) -> NoReturn:
    raise GinkgoError(f"analysis: {problem}")
