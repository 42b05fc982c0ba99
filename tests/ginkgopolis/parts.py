"""What a picture of Ginkgopolis lets people click, and where: read from its SVG."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

from ginkgo_env.pictures.picture import Picture

_SVG = "{http://www.w3.org/2000/svg}"
_FILLED = ("f-", "soft-")


@dataclass
class Part:
    """One element that is drawn under a name."""

    name: str
    texts: list[str] = field(default_factory=list)
    areas: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Rectangles and circles that a click can hit: left, top, right, bottom."""

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """What the areas take together."""
        lefts, tops, rights, bottoms = zip(*self.areas, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


def drawn(picture: Picture) -> list[Part]:
    """The parts of a picture, in the order in which they are drawn."""
    found: list[Part] = []
    root = ElementTree.fromstring(picture.svg())
    for part, element, x, y in _elements(root, None, 0.0, 0.0, found):
        if element.tag == f"{_SVG}text":
            part.texts.append(element.text or "")
        elif area := _area(element):
            left, top, right, bottom = area
            part.areas.append((x + left, y + top, x + right, y + bottom))
    return found


def names(picture: Picture) -> set[str]:
    """The names of the parts."""
    return {part.name for part in drawn(picture)}


def _elements(
    parent: ElementTree.Element, part: Part | None, x: float, y: float, found: list[Part]
) -> Iterator[tuple[Part, ElementTree.Element, float, float]]:
    for element in parent:
        if element.tag == f"{_SVG}g":
            moved = element.get("transform", "translate(0 0)").removeprefix("translate(").removesuffix(")").split()
            inner = part
            if "data-part" in element.attrib:
                assert part is None, "a part in a part"
                found.append(inner := Part(element.attrib["data-part"]))
            yield from _elements(element, inner, x + float(moved[0]), y + float(moved[1]), found)
        elif part is not None:
            yield part, element, x, y


def _area(element: ElementTree.Element) -> tuple[float, float, float, float] | None:
    """The rectangle or circle if it catches clicks: it is filled, or said to."""
    filled = any(cls.startswith(_FILLED) for cls in element.get("class", "").split())
    if not filled and element.get("pointer-events") != "all":
        return None
    number = {key: float(element.get(key, 0)) for key in ("x", "y", "width", "height", "cx", "cy", "r")}
    if element.tag == f"{_SVG}rect":
        return number["x"], number["y"], number["x"] + number["width"], number["y"] + number["height"]
    if element.tag == f"{_SVG}circle":
        cx, cy, r = number["cx"], number["cy"], number["r"]
        return cx - r, cy - r, cx + r, cy + r
    return None
