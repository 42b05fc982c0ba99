"""Shapes that several games draw: badges of sides, panels, counters, cards face down, rows of boxes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from ginkgo_env.core.game import Game
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import OWN, PAGE, SMALL, TEXT, Box, cached, number
from ginkgo_env.pictures.theme import SEAT_HUES

INNER = PAGE - 20
"""The width inside a panel of the default width."""
TIMES = "\u00d7"

SIDE = 70.0
"""The width of the name of a row."""


# --- sides -----------------------------------------------------------------------------------------------------------------


def sign_of(game: Game, side: int) -> int:
    """The sign of a side, a number: its seat; an automaton has the last sign."""
    return side if side < game.seats else len(SEAT_HUES) - 1


def letters(game: Game) -> list[str]:
    """The letter of each side: a, b, ...; an automaton has its initial."""
    return [chr(ord("a") + side) if side < game.seats else game.automaton[:1] for side in range(game.sides)]


def badges(game: Game) -> list[str]:
    """The badge of each side, 24 by 24 units."""
    return [badge(sign_of(game, side), 12, 12, 9, letter) for side, letter in enumerate(letters(game))]


def hues(game: Game) -> list[str]:
    """The color of each side."""
    return [hue_of(sign_of(game, side)) for side in range(game.sides)]


def hue_of(sign: int) -> str:
    """The color of a sign; all signs beyond the last have its color."""
    return SEAT_HUES[min(sign, len(SEAT_HUES) - 1)]


@cached
def badge(sign: int, x: float, y: float, r: float, letter: str) -> str:
    """The shape and color of a sign around (x, y), with the side's letter."""
    hue = hue_of(sign)
    cls = f"f-{hue} s-edge"
    shapes: tuple[Callable[[], str], ...] = (
        lambda: svg.circle(x, y, r, cls, stroke_width=1.2),
        lambda: svg.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r, cls, r=0.2 * r, stroke_width=1.2),
        lambda: svg.polygon(svg.regular(4, x, y, 1.2 * r), cls, stroke_width=1.2),
        lambda: svg.polygon(svg.regular(6, x, y, 1.08 * r), cls, stroke_width=1.2),
        lambda: svg.polygon(svg.regular(5, x, y + 0.06 * r, 1.15 * r), cls, stroke_width=1.2),
        lambda: svg.polygon(svg.regular(8, x, y, 1.08 * r, turn=1 / 16), cls, stroke_width=1.2),
    )
    return shapes[min(sign, len(shapes) - 1)]() + svg.text(x, y, letter, f"on-{hue}", size=1.25 * r, anchor="middle", bold=True)


def badge_box(sign: int, letter: str, r: float = 9) -> Box:
    """A badge as a box."""
    return Box(2.4 * r, 2.4 * r, badge(sign, 1.2 * r, 1.2 * r, r, letter))


# --- frames ----------------------------------------------------------------------------------------------------------------


def panel(box: Box, width: float = PAGE, *, pad: float = 10, active: bool = False) -> Box:
    """A box on a panel of a given width; `active` adds the frame of the player to move."""
    high = box.height + 2 * pad
    cls, thick = ("f-panel s-mark", 2.5) if active else ("f-panel s-line", 1)
    return Box(width, high, svg.rect(1.25, 1.25, width - 2.5, high - 2.5, cls, r=8, stroke_width=thick) + box.at(pad, pad))


def heading(text: str, width: float = PAGE, note: str = "") -> Box:
    """A heading with a note at its right end."""
    text, size = svg.fitted_text(text, 0.6 * width if note else width, bold=True)
    room = width - svg.text_width(text, size, bold=True) - 12
    right = svg.text(width, 10, note, "dim", size=SMALL, anchor="end", fit=room) if note else ""
    return Box(width, 20, svg.text(0, 10, text, size=size, bold=True) + right)


def changed_ring(x: float, y: float, width: float, height: float, *, r: float = 8) -> str:
    """The frame around a change since the earlier state: two lines, visible on every color."""
    outer = svg.rect(x - 1, y - 1, width + 2, height + 2, "none s-mark", r=r, stroke_width=4)
    return outer + svg.rect(
        x + 0.5, y + 0.5, width - 1, height - 1, "none s-page", r=r - 1, stroke_width=1.5, stroke_dasharray="5 3"
    )


def hatched(x: float, y: float, width: float, height: float, hatch: str, *, r: float = 0) -> str:
    """A pattern over a rectangle, drawn after its fill.

    hatch : ``"hatch"``, ``"dots"`` or ``"cross"``
    """
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" rx="{number(r)}"'
    return f'<rect {place} fill="url(#{OWN}-{hatch})"/>'


def patterned(d: str, hatch: str) -> str:
    """A pattern as in :func:`hatched`, within a path."""
    return f'<path d="{d}" fill="url(#{OWN}-{hatch})"/>'


def row(name: str, boxes: Iterable[Box], width: float = INNER, *, gap: float = 4, side: float = SIDE) -> Box:
    """Boxes after their name, in as many lines as they need; empty without boxes."""
    boxes = [box for box in boxes if box.width]
    if not boxes:
        return Box(0, 0)
    title = svg.label(name, "dim", size=SMALL)
    side = max(side, title.width)
    return svg.beside([Box(side, title.height, title.body), svg.flow(boxes, width - side - 8, gap)], 8)


def rows(groups: Iterable[tuple[str, Sequence[Box]]], width: float = INNER) -> Box:
    """Rows of boxes by name; as many rows share a line as fit, and names at the left are aligned."""
    lines: list[list[Box]] = []
    x = math.inf
    for name, boxes in groups:
        if not any(box.width for box in boxes):
            continue
        short = row(name, boxes, width, side=0)
        if x + short.width > width:
            short, x = row(name, boxes, width), 0.0
            lines.append([])
        lines[-1].append(short)
        x += short.width + 20
    return svg.below((svg.beside(line, 20) for line in lines), 6)


# --- components --------------------------------------------------------------------------------------------------------


@cached
def backs(n: int, width: float, height: float, *, r: float = 4) -> Box:
    """Cards or tiles face down, as one back with their number; empty for 0."""
    if n <= 0:
        return Box(0, 0)
    count = svg.label(f"{TIMES}{n}", bold=True)
    back = svg.rect(0.5, 0.5, width - 1, height - 1, "f-well s-dim", r=r) + hatched(0.5, 0.5, width - 1, height - 1, "hatch", r=r)
    return Box(width + 8 + count.width, height, back + count.at(width + 4, (height - count.height) / 2))


@cached
def counter(sign: Callable[[float, float, float], str], n: int | str, name: str) -> Box:
    """A number with its sign, above a name.

    sign : draws around (x, y) with radius r, as :func:`cube` does
    """
    figure = svg.text_width(str(n), 17, bold=True)
    width = max(44.0, svg.text_width(name, SMALL), figure + 20)
    x = (width - figure - 20) / 2
    body = sign(x + 8, 12, 8) + svg.text(x + 20, 12, n, size=17, bold=True)
    return Box(width, 36, body + svg.text(width / 2, 29, name, "dim", size=SMALL, anchor="middle"))


def cube(x: float, y: float, r: float, cls: str = "f-orange") -> str:
    """A wooden cube."""
    a, b = 0.9 * r, 0.5 * r
    corners = [(x, y - r), (x + a, y - b), (x + a, y + b), (x, y + r), (x - a, y + b), (x - a, y - b)]
    left, middle, right = ((number(px), number(py)) for px, py in ((x - a, y - b), (x, y), (x + a, y - b)))
    edges = f"M{' '.join(left)}L{' '.join(middle)}L{' '.join(right)}M{' '.join(middle)}V{number(y + r)}"
    return svg.polygon(corners, f"{cls} s-edge") + svg.path(edges, "none s-edge")


def disc(x: float, y: float, r: float, cls: str = "f-yellow", *, text: str = "", on: str = "on-yellow") -> str:
    """A coin or another round token, with a letter or two."""
    inside = svg.text(x, y, text, on, size=1.2 * r, anchor="middle", bold=True, fit=1.7 * r) if text else ""
    return svg.circle(x, y, 0.95 * r, f"{cls} s-edge") + inside


def gold_star(x: float, y: float, r: float) -> str:
    """A star, for points and for winners."""
    return svg.polygon(svg.star(x, y, 1.1 * r), "f-yellow s-edge")


def card_sign(x: float, y: float, r: float, cls: str = "f-light") -> str:
    """An upright card."""
    return svg.rect(x - 0.65 * r, y - 0.95 * r, 1.3 * r, 1.9 * r, f"{cls} s-edge", r=2)


def square_sign(x: float, y: float, r: float, cls: str = "f-red") -> str:
    """A square tile."""
    return svg.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r, f"{cls} s-edge", r=2)


@cached
def card(name: str, hue: str, *, width: float = 36, height: float = 24, size: float = TEXT) -> Box:
    """A card with its name in a pale hue; wider for a long name."""
    width = max(width, svg.text_width(name, SMALL, bold=True) + 10)
    frame = svg.rect(0.75, 0.75, width - 1.5, height - 1.5, f"soft-{hue} s-{hue}", r=5, stroke_width=1.5)
    return Box(width, height, frame + svg.text(width / 2, height / 2, name, size=size, anchor="middle", bold=True, fit=width - 6))


@cached
def tile(name: str, hue: str, *, side: float = 32) -> Box:
    """A square tile with its name in a full hue."""
    inside = svg.text(side / 2, side / 2, name, f"on-{hue}", anchor="middle", bold=True, fit=side - 3)
    return Box(side, side, svg.rect(0.5, 0.5, side - 1, side - 1, f"f-{hue} s-edge", r=3) + inside)
