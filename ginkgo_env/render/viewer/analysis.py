"""Analyses of records (``ginkgo analyze --json``) for the viewer: reading, checking that one is of this record, choosing."""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_env.core.files import read_some
from ginkgo_env.records import Record

FORMAT, VERSION = "ginkgo-analysis", 1
_MOST_BYTES = 1 << 25
_VALUE, _LOSS = ("value", "low", "high"), ("loss", "loss_low", "loss_high")

Data = dict[str, Any]


def read_analysis(path: Path) -> Data:
    """The analysis in a file. Raises GinkgoError for a file that cannot be read or holds something else."""
    data = read_some(path, _MOST_BYTES)
    if len(data) > _MOST_BYTES:
        _fail(f"the file is larger than {_MOST_BYTES} bytes")
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        _fail("expected the file that ginkgo analyze --json writes")
    return _object(found, "the file")


def checked_analysis(given: Any, record: Record) -> Data:
    """The parts of an analysis that the viewer shows. Raises GinkgoError unless it has its form and is of this record.

    given : plain data, or an object that gives it by ``to_dict``. Keys that are not known are left out.
    """
    if not isinstance(given, Mapping) and hasattr(given, "to_dict"):
        given = given.to_dict()
    data = _object(given, "analysis")
    if data.get("format") != FORMAT:
        _fail(f"expected format {FORMAT!r}, not {shown(data.get('format'))}")
    if data.get("version") != VERSION:
        _fail(f"unknown format version {shown(data.get('version'))}; expected {VERSION}")
    _require_same_game(data, record)
    actions = [line for line in record.lines if "action" in line]
    decisions = [_decision(one, actions) for one in _list(data.get("decisions"), "decisions")]
    _require_same_record(data, record, len(actions))
    return {
        "unit": "score" if data.get("unit") == "score" else "win",
        "meaning": _text(data.get("meaning", ""), "meaning"),
        "agent": _text(data.get("agent", ""), "agent"),
        "complete": data.get("complete") is not False,
        "end": _end(data.get("end"), record.game.seats),
        "summary": [
            _player(one, record.game.seats, {one["step"] for one in decisions})
            for one in _list(data.get("summary", []), "summary")
        ],
        "decisions": sorted(decisions, key=lambda one: int(one["step"])),
    }


def in_file(checked: Data, seat: int | None, shown_steps: Sequence[int]) -> Data:
    """An analysis as it stands in a file: with a seat only that seat's, and its steps as the file counts them.

    shown_steps : of a seat's file, the steps of the record that it shows, in order. A decision stands at the first of them in
        which its action can be seen: where all choose at once, that is when all have chosen.
    """
    if seat is None:
        return checked
    mine = [one for one in checked["decisions"] if one["seat"] == seat]
    renamed = [{**one, "step": bisect_left(shown_steps, one["step"])} for one in mine]
    players = [
        {**one, "worst": [bisect_left(shown_steps, step) for step in one["worst"]]}
        for one in checked["summary"]
        if one["seat"] == seat
    ]
    return {**checked, "decisions": renamed, "summary": players}


# --- is it of this record? -------------------------------------------------------------------------------------------------


def _require_same_game(data: Data, record: Record) -> None:
    if data.get("game") != record.header["game"]:
        _fail(f"it is of the game {shown(data.get('game'))}, the record of {shown(record.header['game'])}")
    if data.get("config") != record.header["config"]:
        _fail("it is of a game with other options than the record's")
    if data.get("record") is None:
        _fail("it is of a position; the viewer shows analyses of records")


def _require_same_record(data: Data, record: Record, steps: int) -> None:
    of = _object(data["record"], "record")
    wanted = {"seed": record.header["seed"], "steps": steps, "result": record.result}
    if any(key in of and of[key] != value for key, value in wanted.items()):
        _fail("it is of another record of this game: make it anew with ginkgo analyze")


def _decision(given: Any, actions: list[Data]) -> Data:
    data = _object(given, "a decision")
    step, seat, taken = data.get("step"), data.get("seat"), data.get("taken")
    if type(step) is not int or not 1 <= step <= len(actions) or actions[step - 1] != {"seat": seat, "action": taken}:
        _fail(f"the decision of step {shown(step)} is not in the record: make it anew with ginkgo analyze")
    options = [_option(one) for one in _list(data.get("actions"), "actions")]
    numbers = {key: _number(data.get(key), key) for key in (*_VALUE, *_LOSS)}
    return {
        "step": step,
        "seat": seat,
        "taken": taken,
        "legal": _count(data.get("legal"), "legal"),
        **numbers,
        "actions": options,
    }


# --- pieces ----------------------------------------------------------------------------------------------------------------


def _option(given: Any) -> Data:
    data = _object(given, "an action")
    return {"action": _text(data.get("action"), "action"), **{key: _number(data.get(key), key) for key in (*_VALUE, *_LOSS)}}


def _player(given: Any, seats: int, steps: Collection[int]) -> Data:
    data = _object(given, "summary")
    seat = _count(data.get("seat"), "seat")
    if seat is None or seat >= seats:
        _fail(f"there is no seat {shown(data.get('seat'))}")
    worst = [step for step in _list(data.get("worst", []), "worst") if type(step) is int and step in steps]
    counts = {key: _count(data.get(key), key) for key in ("decisions", "best")}
    return {"seat": seat, **counts, **{key: _number(data.get(key), key) for key in _LOSS}, "worst": worst}


def _end(given: Any, seats: int) -> list[float | None] | None:
    return None if given is None else [_number(value, "end") for value in _list(given, "end")[:seats]]


def _object(given: Any, where: str) -> Data:
    if not isinstance(given, Mapping):
        _fail(f"{where}: expected an object, not {shown(given)}")
    return dict(given)


def _list(given: Any, where: str) -> list[Any]:
    if not isinstance(given, list):
        _fail(f"{where}: expected a list, not {shown(given)}")
    return given


def _text(given: Any, where: str) -> str:
    if not isinstance(given, str):
        _fail(f"{where}: expected text, not {shown(given)}")
    return given


def _count(given: Any, where: str) -> int | None:
    if given is not None and (type(given) is not int or given < 0):
        _fail(f"{where}: expected a number, not {shown(given)}")
    return given


def _number(given: Any, where: str) -> float | None:
    """A number; None for an open end."""
    try:
        if given is None or (isinstance(given, int | float) and not isinstance(given, bool) and math.isfinite(given)):
            return None if given is None else float(given)
    except OverflowError:
        pass
    _fail(f"{where}: expected a number, not {shown(given)}")


def _fail(problem: str) -> NoReturn:
    raise GinkgoError(f"analysis: {problem}")
