"""The viewer's file: template, style sheets and scripts of this folder, with a game as plain data.

With a seat, all content comes from that seat's replay: no other view, no seed, and no number that counts hidden steps.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import RecordError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import ENGLISH, Texts, current_language
from ginkgo_env.core.state import States
from ginkgo_env.pictures.picture import DEFINITIONS, Picture
from ginkgo_env.pictures.svg import OWN
from ginkgo_env.pictures.theme import page_style_sheet
from ginkgo_env.pictures.viewer.analysis import checked_analysis, in_file
from ginkgo_env.pictures.widgets import badges, hues
from ginkgo_env.records import Record, Step, replay
from ginkgo_env.records.record import is_noticed

# --- tables of parts: elements and lines that pictures and texts share are stored once ---------------------------------------


PREFIX = "gkv"
"""The prefix of ids in the viewer's pictures, which share one set of patterns."""

_ELEMENT = re.compile(r"<[^>]*>[^<]*|[^<]+")  # a tag with the text behind it; escaped text holds neither < nor >


class Parts:
    """Numbers strings in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, part: str) -> int:
        """The number of a string, a new one for a new string."""
        return self._numbers.setdefault(part, len(self._numbers))

    def elements(self, svg: str) -> list[int]:
        """The numbers of the elements of an SVG."""
        return [self.number(part) for part in _ELEMENT.findall(svg)]

    def lines(self, text: str) -> list[int]:
        """The numbers of the lines of a text."""
        return [self.number(line) for line in text.split("\n")]

    def table(self) -> list[str]:
        """All strings by number."""
        return list(self._numbers)


def body(picture: Picture) -> str:
    """The body of a picture with the viewer's ids."""
    return picture.body.replace(OWN, PREFIX)


PATTERNS = DEFINITIONS.replace(OWN, PREFIX)
"""The patterns that pictures refer to, with the viewer's ids."""


# --- steps as a viewer sees them: sentences, actions, pictures ---------------------------------------------------------------


class ViewStep(NamedTuple):
    """A step in a view."""

    step: Step
    since: States | None
    """The previous state in the same view; None if no changes are highlighted."""
    round: int | None
    """The round in which the step was taken; None in a game without rounds."""


class Steps:
    """The steps of all views, one view after another.

    Steps that a view omits are None, and the length includes them.
    """

    def __init__(self, record: Record, seats: list[int | None]) -> None:
        self.record, self.seats = record, seats

    def __len__(self) -> int:
        return len(self.seats) * (2 + sum("action" in line for line in self.record.lines))

    def __iter__(self) -> Iterator[tuple[int, ViewStep | None]]:
        for view, seat in enumerate(self.seats):
            for step in _steps(self.record, seat):
                yield view, step


def _steps(record: Record, seat: int | None) -> Iterator[ViewStep | None]:
    """The steps of a view; None for steps of which the seat learns nothing."""
    since, number = None, record.game.round_of(record.game.template)
    for step in replay(record, seat):
        last = "result" in step.entry
        if is_noticed(step, seat):
            yield ViewStep(step, None if last else since, number)
            since = step.state
        else:
            yield None
        number = record.game.round_of(step.state)


def entry_of(record: Record, seat: int | None, visible: ViewStep, number: int, elements: Parts, lines: Parts) -> dict[str, Any]:
    """A step as plain data: its number in the view, choices, sentences, picture and text."""
    step = visible.step
    picture = record.game.picture(step.state, seat, record.names, since=visible.since)
    return {
        "n": number,
        "round": visible.round,
        "choices": choices_of(step, seat, record.game.sides),
        "sentences": step.narration,
        "size": [picture.width, picture.height],
        "picture": elements.elements(body(picture)),
        "description": lines.lines(picture.description),
    }


def choices_of(step: Step, seat: int | None, sides: int) -> list[tuple[int, str | None]]:
    """Seats that decided and their actions, as far as a viewer knows them.

    Simultaneous choices become known together. A seat's view takes them from the lines that the seat saw.
    """
    if seat is None:
        return [] if step.actor is None else [(step.actor, step.action)]
    choices = []
    for line in step.visible_lines:
        seat, action = line.get("seat"), line.get("action")
        if type(seat) is int and 0 <= seat < sides and (isinstance(action, str) or "chooses" in line):
            choices.append((seat, action))
    return choices


# --- content -----------------------------------------------------------------------------------------------------------------


_TEXTS = Texts(__package__)

FORMAT, VERSION = "ginkgo-viewer", 1

Wrap = Callable[[Iterable[Any]], Iterable[Any]]


def content_of(record: Record, seat: int | None, analysis: Any, wrap: Wrap) -> dict[str, Any]:
    """See :func:`ginkgo_env.pictures.viewer.replay_page`."""
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
        "texts": _TEXTS.catalog(current_language()),
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
    texts = game.presenter.texts
    values = [text] if texts.get(f"value:{name}:{text}") else text.split(",")  # such as several modules
    text = ", ".join(texts.get(f"value:{name}:{value}", value) for value in values)
    return f"{texts.label('option', name)}: {text}"


# --- the file ----------------------------------------------------------------------------------------------------------------


SHAPES = ("shapes.js", "interval.js")
"""Scripts that other pages share; they need ``game`` with the badges of its sides, ``chosenTheme()`` and ``nameTheme()``."""
SCRIPTS = ("data.js", *SHAPES, "values.js", "picture.js", "moves.js", "curve.js", "analysis.js", "controls.js", "main.js")
BASE = "base.css"
STYLES = (BASE, "page.css", "panels.css")
_DATA = re.compile(r'<script id="game" type="text/plain">([A-Za-z0-9+/=]*)</script>')
_RAW = -15  # deflate without a header, as browsers read it by "deflate-raw"


def replay_page(record: Record, seat: int | None = None, *, analysis: Any = None, wrap: Wrap = iter) -> str:
    """A recorded game as one HTML file to step through, which needs no network.

    Parameters
    ----------
    seat : the file has only what this seat may know and its own analysis; None: everything and the views of all seats
    analysis : an ``Analysis`` of this record by ``ginkgo analyze``, or its plain data
    wrap : wraps the iterable of steps, such as a progress bar

    Raises RecordError as ``replay`` does, and GinkgoError for an invalid analysis or one of another record.

    >>> import ginkgo_env
    >>> game = ginkgo_env.make_game("ginkgopolis", players=2)
    >>> record = ginkgo_env.Record.from_actions(game, seed=7, actions=[])
    >>> contents(replay_page(record, seat=1))["names"]
    ['player_0', 'player_1']
    """
    if not isinstance(record, Record):
        raise RecordError(f"invalid record {short_repr(record)}; expected a Record")
    content = content_of(record, seat, analysis, wrap)
    script = "(() => {\n'use strict';\n" + "\n".join(source(name) for name in SCRIPTS) + "\n})();\n"
    parts = {
        "title": escape(f"{content['title']}: {', '.join(content['names'])}"),
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_digest(script)}'; base-uri 'none'",
        "style": "\n".join(source(name) for name in STYLES),
        "pictures": page_style_sheet(),
        "data": packed(content),
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], source("template.html"))


def contents(page: str) -> dict[str, Any]:
    """Read the content of a file of :func:`replay_page`. Raises RecordError for any other text."""
    data = _DATA.search(page)
    if data is None:
        raise RecordError("not a file of the replay viewer")
    content: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(data[1]), _RAW))
    return content


def packed(content: Any) -> str:
    """Pack plain data as text without special characters of HTML: JSON, deflated, in base 64."""
    data = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", errors="replace")
    deflate = zlib.compressobj(9, zlib.DEFLATED, _RAW)
    return base64.b64encode(deflate.compress(data) + deflate.flush()).decode()


def source(name: str) -> str:
    """Read a script or style sheet of this folder."""
    return (files(__package__) / name).read_text(encoding="utf-8")


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
