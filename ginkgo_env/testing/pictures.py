"""Promises about pictures, and about choices, which present actions as picks of their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from xml.etree import ElementTree

import numpy as np

from ginkgo_env.core.game import Game, States
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.presenter import Areas
from ginkgo_env.pictures.svg import text_width
from ginkgo_env.testing.play import at, each, repeated, require, visited

_SVG = "{http://www.w3.org/2000/svg}"
_ROUNDED = 0.02  # tolerance, as numbers have two decimals
_ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}

Extent = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def check_pictures(game: Game, *, seed: int = 0, n: int = 2) -> None:
    """Pictures of all seats are XML, use the given names, and keep within their edges."""
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
    for i, state in enumerate(each(visited(game, seed=seed, n=n))):
        batch = repeated(game, state, 1)
        batch.resample(i % game.seats, seed=1000 * seed + i)
        new = batch.state(0)
        if game.describe(state) != game.describe(new):
            differ = game.picture(state).body != game.picture(new).body
            require(differ, f"state {i}: a state with another description has the same picture with all information visible")


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


# --- choices and areas -------------------------------------------------------------------------------------------------------


_PART = re.compile(r'data-part="([^"]*)"')


def check_choices(game: Game, *, seed: int = 0, n: int = 6) -> None:
    """Legal actions differ in their picks, whose places are in the picture; nothing in them is hidden."""
    for i, state in enumerate(each(at(game, visited(game, seed=seed, n=n)).states)):
        batch, where = repeated(game, state, 1), f"state {i}"
        seat, legal = int(batch.actor[0]), np.flatnonzero(batch.mask[0]).tolist()
        choices = game.game_of(state).presenter.choices(state, legal)
        picks = {tuple(choice.picks.items()) for choice in choices}
        require(all(choice.picks for choice in choices), f"{where}: an action has no picks")
        require(len(picks) == len(choices), f"{where}: two legal actions have the same picks")
        drawn = parts_in(game, state, seat)
        for action, choice in zip(legal, choices, strict=True):
            missing = set(choice.places) - drawn
            require(not missing, f"{where}: action {action} picks {sorted(missing)}, which the picture of seat {seat} lacks")
        batch.resample(seat, seed=1000 * seed + i)
        new = batch.state(0)
        require(
            game.game_of(state).presenter.choices(new, legal) == choices,
            f"{where}: resampling changes the choices",
        )


def check_areas(game: Game, *, seed: int = 0, n: int = 6) -> None:
    """The areas of a seat have all parts of its picture."""
    for i, state in enumerate(each(at(game, visited(game, seed=seed, n=n)).states)):
        seat = int(game.actor(state)[0])
        missing = parts_in(game, state, seat) - parts_of(game.game_of(state).presenter.areas(state, seat))
        require(not missing, f"state {i}: {sorted(missing)} is in the picture of seat {seat}, but not in its areas")


def parts_in(game: Game, state: States, seat: int | None) -> set[str]:
    """The names of the parts of a seat's picture."""
    return _names(game.picture(state, seat).body)


def parts_of(areas: Areas) -> set[str]:
    """The names of the parts of a table in areas."""
    boxes = [box for rows in (areas.hand, areas.table, *areas.sides) for boxes in rows.values() for box in boxes]
    return _names(areas.board.body).union(*(_names(box.body) for box in boxes))


def _names(body: str) -> set[str]:
    return {unescape(part) for part in _PART.findall(body)}
