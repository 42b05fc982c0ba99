"""The content of a viewer's file as plain data.

With a seat, all content comes from that seat's replay: no other view, no seed, and no number that counts hidden steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import ENGLISH, Texts, current_language
from ginkgo_env.drawing.shapes import badges, hues
from ginkgo_env.records import Record
from ginkgo_env.render.viewer.analysis import checked_analysis, in_file
from ginkgo_env.render.viewer.parts import PATTERNS, Parts
from ginkgo_env.render.viewer.views import Steps, entry_of

_TEXTS = Texts(__package__)

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
    shown_steps: list[int] = []  # numbers of the record, which a seat's file does not contain
    for view, visible in wrap(Steps(record, seats)):
        if visible is None:
            continue
        number = len(entries[view]) if seat is not None else visible.step.number
        shown_steps.append(visible.step.number)
        entries[view].append(entry_of(record, seats[view], visible, number, elements, lines))
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
        "options": [_option(game, name, text) for name, text in options.items()],
        "language": current_language(),
        "texts": _TEXTS.catalogs.get(current_language(), {}),
        "seed": str(header["seed"]) if seat is None else None,  # JavaScript has no 64-bit integers
        "names": list(record.names),
        "seats": game.seats,
        "seat": seat,
        "badges": badges(game),
        "hues": hues(game),
        "result": None if result is None else {key: result[key] for key in ("ending", "scores", "winners")},
        "patterns": PATTERNS,
    }


def _option(game: Game, name: str, text: str) -> str:
    """An option with its value in the current language."""
    if current_language() == ENGLISH:
        return f"{name.replace('_', ' ')} {text}"
    texts = game.presenter.translations.get(current_language(), {})
    values = [text] if f"value:{name}:{text}" in texts else text.split(",")  # such as several modules
    words = ", ".join(texts.get(f"value:{name}:{value}", value) for value in values)
    return f"{texts.get(f'option:{name}', name.replace('_', ' '))}: {words}"
