"""SVG as strings: elements, text of known width, and boxes laid out beside and below each other.

Colors are CSS classes (``pictures.theme``). Lengths are in units of the picture, about pixels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import Any, NamedTuple, TypeVar, cast
from xml.sax.saxutils import escape as _escape

from ginkgo_env.core.language import current_language

TEXT = 14.0
"""Size of ordinary text. No text is smaller than ``SMALL``, so that a picture is readable at a width of 400 pixels."""
SMALL, LARGE = 12.0, 20.0
PAGE = 640.0
"""The default width of a picture."""

GAP = 12.0
"""Space between the parts of a picture."""
OWN = "\x00"
"""Placeholder for the prefix of a picture's ids; no text can contain it (:func:`escape`)."""

_CAP = 0.365  # half of the height of capitals: from the middle of a line to its baseline
_LINE = 1.4  # distance of lines of text
_MONO = 0.602  # width of a monospaced character
_LEAST = 0.72  # text that does not fit is scaled down to this factor, then truncated
_UNKNOWN = 1.0  # upper bound for the width of a character that is not in the tables
_OTHERS = {"·": 0.38, "\u00d7": 0.84, "→": 0.84, "\u00a0": 0.35, "\u2013": 0.5}
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML does not allow
_REGULAR_WIDTHS = (
    "32 41 46 84 64 96 78 28 40 40 50 84 32 37 32 34 64 64 64 64 64 64 64 64 64 64 34 34 84 84 84 54 100 69 69 70 78 64"
    " 58 78 76 30 30 66 56 87 75 79 61 79 70 64 62 74 69 99 69 62 69 40 34 40 84 50 50 62 64 55 64 62 36 64 64 28 28 58 28"
    " 98 64 62 64 64 42 53 40 64 60 82 60 60 53 64 34 64 84"
)
_BOLD_WIDTHS = (
    "35 46 53 84 70 101 88 31 46 46 53 84 38 42 38 37 70 70 70 70 70 70 70 70 70 70 40 40 84 84 84 59 100 78 77 74 84 69"
    " 69 83 84 38 38 78 64 100 84 86 74 86 78 73 69 82 78 111 78 73 73 46 37 46 84 50 50 68 72 60 72 68 44 72 72 35 35 67"
    " 35 105 72 69 72 72 50 60 48 72 66 93 65 66 59 72 37 72 84"
)
_WIDTHS = {bold: [int(n) / 100 for n in table.split()] for bold, table in ((False, _REGULAR_WIDTHS), (True, _BOLD_WIDTHS))}

Points = Sequence[tuple[float, float]]
Drawing = TypeVar("Drawing", bound=Callable[..., Any])


def cached(function: Drawing) -> Drawing:
    """Cache a pure function of hashable arguments and the language, such as the drawing of a card."""

    @lru_cache(maxsize=8192, typed=True)
    def known(language: str, /, *values: Any, **keywords: Any) -> Any:
        return function(*values, **keywords)

    @wraps(function)
    def call(*values: Any, **keywords: Any) -> Any:
        try:
            return known(current_language(), *values, **keywords)
        except TypeError:  # of a value that cannot be hashed, which the function refuses
            return function(*values, **keywords)

    return cast(Drawing, call)


def escape(text: str | float) -> str:
    """Escape text for XML content and attributes; forbidden characters become replacement characters."""
    return _escape(_FORBIDDEN.sub("\ufffd", str(text)), {'"': "&quot;"})


def number(value: float) -> str:
    """Format a length with at most two decimals.

    >>> number(12.0), number(1 / 3), number(-0.001)
    ('12', '0.33', '0')
    """
    if value == int(value):
        return str(int(value))
    text = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, cls: str = "", content: str | None = None, /, **attributes: Any) -> str:
    """An element. Underscores in names of attributes become hyphens; attributes that are None are omitted."""
    given = {"class": cls or None, **attributes}
    texts = {
        key: number(value) if isinstance(value, int | float) else escape(value)
        for key, value in given.items()
        if value is not None
    }
    inside = "".join(f' {key.rstrip("_").replace("_", "-")}="{value}"' for key, value in texts.items())
    return f"<{name}{inside}/>" if content is None else f"<{name}{inside}>{content}</{name}>"


def titled(text: str, body: str) -> str:
    """A part of a picture with a tooltip."""
    return tag("g", "", tag("title", "", escape(text)) + body)


def named(part: str, body: str) -> str:
    """A part of a picture that people can click; see :class:`~ginkgo_env.pictures.presenter.Choice`."""
    return tag("g", "", body, data_part=part)


def placed(name: str, body: str) -> str:
    """A part of a picture that texts call by a name; pages point at it where a sentence names it."""
    return tag("g", "", body, data_place=name)


# --- shapes ----------------------------------------------------------------------------------------------------------------


@cached
def rect(x: float, y: float, width: float, height: float, cls: str = "", *, r: float = 0, **attributes: Any) -> str:
    """A rectangle with its top left corner at (x, y) and corners of radius r."""
    return tag("rect", cls, x=x, y=y, width=width, height=height, rx=r or None, **attributes)


@cached
def circle(x: float, y: float, r: float, cls: str = "", **attributes: Any) -> str:
    """A circle around (x, y)."""
    return tag("circle", cls, cx=x, cy=y, r=r, **attributes)


def polygon(points: Points, cls: str = "", **attributes: Any) -> str:
    """A closed shape."""
    return tag("polygon", cls, points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **attributes)


def line(x1: float, y1: float, x2: float, y2: float, cls: str = "s-line", **attributes: Any) -> str:
    """A straight line; its class is a stroke, ``s-...``."""
    return tag("line", cls, x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def path(d: str, cls: str = "", **attributes: Any) -> str:
    """A path with the commands `d`."""
    return tag("path", cls, d=d, **attributes)


def regular(n: int, x: float, y: float, r: float, *, turn: float = 0.0) -> list[tuple[float, float]]:
    """The n corners of a regular polygon around (x, y), the first one at the top; `turn` in full turns."""
    angles = [2 * math.pi * (k / n + turn - 0.25) for k in range(n)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]


def star(x: float, y: float, r: float, *, rays: int = 5, inner: float = 0.45) -> list[tuple[float, float]]:
    """The corners of a star around (x, y)."""
    outside, inside = regular(rays, x, y, r), regular(rays, x, y, r * inner, turn=0.5 / rays)
    return [corner for pair in zip(outside, inside, strict=True) for corner in pair]


# --- text ------------------------------------------------------------------------------------------------------------------


@cached
def text_width(text: str, size: float = TEXT, *, bold: bool = False, mono: bool = False) -> float:
    """The width of text in DejaVu Sans; other sans-serif fonts are narrower."""
    if mono:
        return size * _MONO * len(text)
    widths = _WIDTHS[bold]
    return size * sum(widths[ord(c) - 32] if " " <= c <= "~" else _OTHERS.get(c, _UNKNOWN) for c in text)


@cached
def text(
    x: float,
    y: float,
    string: str | float,
    cls: str = "ink",
    *,
    size: float = TEXT,
    anchor: str = "start",
    bold: bool = False,
    mono: bool = False,
    fit: float | None = None,
) -> str:
    """A line of text, vertically centered at y.

    Parameters
    ----------
    anchor : ``"start"``, ``"middle"`` or ``"end"``: the part of the text that is at x
    fit : the available width: wider text is scaled down, then truncated
    """
    shown = str(string)
    if fit is not None:
        shown, size = fitted_text(shown, fit, size, bold=bold, mono=mono)
    classes = " ".join(filter(None, (cls, "b" if bold else "", "m" if mono else "")))
    attributes = {"x": x, "y": y + _CAP * size, "font_size": size, "text_anchor": None if anchor == "start" else anchor}
    return tag("text", classes, escape(shown), **attributes)


def fitted_text(text: str, room: float, size: float = TEXT, *, bold: bool = False, mono: bool = False) -> tuple[str, float]:
    """The text, truncated if need be, and a size at which it is at most `room` wide."""
    width = text_width(text, size, bold=bold, mono=mono)
    if width <= room:
        return text, size
    least = size * _LEAST
    if width * _LEAST <= room:
        return text, room / width * size
    while text and text_width(text + "…", least, bold=bold, mono=mono) > room:
        text = text[:-1]
    return text.rstrip() + "…", least


def wrapped(text: str, room: float, size: float = TEXT, *, bold: bool = False) -> list[str]:
    """Break text between words into lines at most `room` wide; a wider word has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, bold=bold) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


# --- boxes -----------------------------------------------------------------------------------------------------------------


class Box(NamedTuple):
    """A part of a picture with its size: `body` is drawn between (0, 0) and (width, height)."""

    width: float
    height: float
    body: str = ""

    def at(self, x: float, y: float) -> str:
        """The body with its top left corner at (x, y)."""
        return self.body if not x and not y else f'<g transform="translate({number(x)} {number(y)})">{self.body}</g>'

    def named(self, part: str) -> Box:
        """The box as a part of the picture that people can click."""
        return self._replace(body=named(part, self.body))

    def padded(self, pad: float, cls: str = "", *, r: float = 0, width: float | None = None) -> Box:
        """The box with padding, on a background if `cls` is given."""
        wide, high = (self.width + 2 * pad) if width is None else width, self.height + 2 * pad
        back = rect(0, 0, wide, high, cls, r=r) if cls else ""
        return Box(wide, high, back + self.at(pad, pad))


def beside(boxes: Iterable[Box], gap: float = 8, *, align: float = 0.5) -> Box:
    """Boxes from left to right, without empty ones; `align` is 0 for the top, 1 for the bottom."""
    boxes = [box for box in boxes if box.width]
    height, x, body = max((box.height for box in boxes), default=0.0), 0.0, ""
    for box in boxes:
        body += box.at(x, align * (height - box.height))
        x += box.width + gap
    return Box(max(0.0, x - gap), height, body)


def below(boxes: Iterable[Box], gap: float = 8) -> Box:
    """Boxes from top to bottom, aligned at the left, without empty ones."""
    y, body, width = 0.0, "", 0.0
    for box in boxes:
        if box.height:
            body += box.at(0, y)
            y, width = y + box.height + gap, max(width, box.width)
    return Box(width, max(0.0, y - gap), body)


def flow(boxes: Iterable[Box], width: float, gap: float = 8, row_gap: float | None = None, *, align: float = 0.5) -> Box:
    """Boxes in rows at most `width` wide, as text in lines."""
    rows: list[list[Box]] = [[]]
    for box in (box for box in boxes if box.width):
        if rows[-1] and sum(other.width + gap for other in rows[-1]) + box.width > width:
            rows.append([])
        rows[-1].append(box)
    return below((beside(row, gap, align=align) for row in rows), gap if row_gap is None else row_gap)


@cached
def label(string: str | float, cls: str = "ink", *, size: float = TEXT, bold: bool = False, mono: bool = False) -> Box:
    """A line of text as a box."""
    width = text_width(str(string), size, bold=bold, mono=mono)
    return Box(width, size * _LINE, text(0, size * _LINE / 2, string, cls, size=size, bold=bold, mono=mono))


def paragraph(text: str, width: float, cls: str = "ink", *, size: float = TEXT, bold: bool = False) -> Box:
    """Text wrapped to a width."""
    lines = [label(line, cls, size=size, bold=bold) for line in wrapped(text, width, size, bold=bold)]
    return below(lines, 0)


def listing(lines: Sequence[str], cls: str = "ink", *, size: float = TEXT) -> Box:
    """Lines of monospaced text with their spaces."""
    boxes = [label(line.replace(" ", "\u00a0") or "\u00a0", cls, size=size, mono=True) for line in lines]
    return below(boxes, 0)
