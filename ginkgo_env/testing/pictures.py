"""Checks of pictures: well-formed, inside their edges, and without hidden information."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np

from ginkgo_env.core.game import Game
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import text_width
from ginkgo_env.testing.play import at, each, repeated, require, visited

_SVG = "{http://www.w3.org/2000/svg}"
_ROUNDED = 0.02  # tolerance, as numbers have two decimals
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}

Extent = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def check_pictures(game: Game, *, seed: int = 0, n: int = 2) -> None:
    """Pictures of all seats are XML, use the given names, and keep within their edges."""
    if not _is_described(game):
        return
    batch = at(game, visited(game, seed=seed, n=n, finished=True))
    names = [f'<{side}> & "{"abcdefgh"[side % 8]}"' for side in range(game.sides)]
    for row in sorted({0, batch.size // 2, batch.size - 1}):
        for seat in (None, row % game.seats):
            picture = game.picture(batch.state(row), seat, names, since=batch.state(0), caption=["A <b> & c."])
            where = f"state {row}, seat {seat}"
            try:
                root = ElementTree.fromstring(picture.svg())
            except ElementTree.ParseError as error:
                raise AssertionError(f"{where}: the picture is not XML: {error}") from None
            words = " ".join(texts_in(picture))
            require(names[0] in words, f"{where}: the picture does not use the names, or changes them")
            require(root.get("viewBox") is not None, f"{where}: the picture has no viewBox")
            for what, (left, top, right, bottom) in extents(picture):
                inside = left >= -_ROUNDED and top >= -_ROUNDED and right <= picture.width + _ROUNDED
                require(inside and bottom <= picture.height + _ROUNDED, f"{where}: {what} lies outside the picture")


def check_pictures_open(game: Game, *, seed: int = 0, n: int = 2) -> None:
    """Pictures with all information visible differ where descriptions do."""
    for i, state in enumerate(each(visited(game, seed=seed, n=n)) if _is_described(game) else ()):
        batch = repeated(game, state, 1)
        batch.resample(i % game.seats, seed=1000 * seed + i)
        new = batch.state(0)
        if game.describe(state) != game.describe(new):
            differ = game.picture(state).body != game.picture(new).body
            require(differ, f"state {i}: a state with another description has the same picture with all information visible")


def _is_described(game: Game) -> bool:
    """Whether the game has descriptions; without them it has no pictures either."""
    try:
        game.describe(at(game, visited(game, seed=0, n=1)).state(0))
    except NotImplementedError:
        return False
    return True


# --- reading pictures ------------------------------------------------------------------------------------------------------


def texts_in(picture: Picture) -> list[str]:
    """All texts of a picture in order."""
    root = ElementTree.fromstring(picture.svg())
    return [(element.text or "").replace("\u00a0", " ") for element in root.iter(f"{_SVG}text")]


def extents(picture: Picture) -> Iterator[tuple[str, Extent]]:
    """Each shape and text of a picture with its extent, without the width of outlines."""
    yield from _extents(ElementTree.fromstring(picture.svg()), 0.0, 0.0)


def _extents(parent: ElementTree.Element, x: float, y: float) -> Iterator[tuple[str, Extent]]:
    for element in parent:
        name = element.tag.removeprefix(_SVG)
        if name == "g":
            moved = element.get("transform", "translate(0 0)").removeprefix("translate(").removesuffix(")").split()
            yield from _extents(element, x + float(moved[0]), y + float(moved[1]))
        elif name in _READERS:
            left, top, right, bottom = _READERS[name](element)
            yield f"{name} {element.text or ''}".strip(), (x + left, y + top, x + right, y + bottom)


def _numbers(element: ElementTree.Element, *names: str) -> list[float]:
    return [float(element.get(name, 0)) for name in names]


def _rect(element: ElementTree.Element) -> Extent:
    x, y, width, height = _numbers(element, "x", "y", "width", "height")
    return x, y, x + width, y + height


def _circle(element: ElementTree.Element) -> Extent:
    x, y, r = _numbers(element, "cx", "cy", "r")
    return x - r, y - r, x + r, y + r


def _polygon(element: ElementTree.Element) -> Extent:
    corners = np.array([pair.split(",") for pair in element.get("points", "").split()], float)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def _text(element: ElementTree.Element) -> Extent:
    x, y, size = _numbers(element, "x", "y", "font-size")
    classes = element.get("class", "").split()
    width = text_width(element.text or "", size, bold="b" in classes, mono="m" in classes)
    left = x - width * _ANCHORS[element.get("text-anchor", "start")]
    return left, y - 0.73 * size, left + width, y  # height of capitals; descenders are smaller than any margin


_READERS = {"rect": _rect, "circle": _circle, "polygon": _polygon, "text": _text}
