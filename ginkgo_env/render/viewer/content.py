"""What a viewer's file holds, as plain data.

With a seat everything is taken from that seat's replay: nothing of another view, no seed, and no number that counts hidden steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError
from ginkgo_env.drawing.shapes import badges, hues
from ginkgo_env.records import Record
from ginkgo_env.render.viewer.analysis import checked_analysis, in_file
from ginkgo_env.render.viewer.parts import Parts, patterns
from ginkgo_env.render.viewer.views import Steps, entry_of

FORMAT, VERSION = "ginkgo-viewer", 1

Wrap = Callable[[Iterable[Any]], Iterable[Any]]


def content_of(record: Record, seat: int | None, analysis: Any, wrap: Wrap) -> dict[str, Any]:
    """See :func:`ginkgo_env.render.viewer.replay_page`."""
    game = record.game
    seat = None if seat is None else integer(seat, 0, game.seats - 1, "seat", RecordError)
    checked = None if analysis is None else checked_analysis(analysis, record)
    seats: list[int | None] = [seat] if seat is not None else [None, *range(game.seats)]
    elements, lines = Parts(), Parts()
    entries: list[list[dict[str, Any]]] = [[] for _ in seats]
    shown_steps: list[int] = []  # of a seat's file: the record's numbers, which the file does not tell
    for view, shown in wrap(Steps(record, seats)):
        if shown is None:
            continue
        number = len(entries[view]) if seat is not None else shown.step.number
        shown_steps.append(shown.step.number)
        entries[view].append(entry_of(record, seats[view], shown, number, elements, lines))
    return {
        **_head(record, seat),
        "views": [{"seat": of, "entries": some} for of, some in zip(seats, entries, strict=True)],
        "elements": elements.table(),
        "lines": lines.table(),
        "analysis": None if checked is None else in_file(checked, seat, shown_steps),
    }


def _head(record: Record, seat: int | None) -> dict[str, Any]:
    game, header, result = record.game, record.header, record.result
    options: Mapping[str, str] = game.option_texts(header["config"])
    return {
        "format": FORMAT,
        "version": VERSION,
        "package": header["package"],
        "title": game.title + (f" ({game.variant})" if game.variant else ""),
        "options": [f"{name.replace('_', ' ')} {text}" for name, text in options.items()],
        "seed": str(header["seed"]) if seat is None else None,  # JavaScript has no whole numbers of 64 bits
        "names": list(record.names),
        "seats": game.seats,
        "seat": seat,
        "badges": badges(game),
        "hues": hues(game),
        "result": None if result is None else {key: result[key] for key in ("ending", "scores", "winners")},
        "patterns": patterns(),
    }
