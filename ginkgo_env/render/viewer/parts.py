"""Tables of parts: what many pictures and texts share stands in a file once."""

from __future__ import annotations

import re
from functools import cache

from ginkgo_env.drawing.picture import Picture
from ginkgo_env.drawing.svg import OWN

PREFIX = "gkv"
"""Begins the ids in the viewer's pictures. All share one set of patterns, so it is the same for all."""

_ELEMENT = re.compile(r"<[^>]*>[^<]*|[^<]+")  # a tag with the text behind it; escaped text holds neither < nor >


class Parts:
    """Strings in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, part: str) -> int:
        """The number of a string, a new one if it has none yet."""
        return self._numbers.setdefault(part, len(self._numbers))

    def elements(self, svg: str) -> list[int]:
        """SVG as numbers of its elements."""
        return [self.number(part) for part in _ELEMENT.findall(svg)]

    def lines(self, text: str) -> list[int]:
        """Text as numbers of its lines."""
        return [self.number(line) for line in text.split("\n")]

    def table(self) -> list[str]:
        """All strings by number."""
        return list(self._numbers)


def body(picture: Picture) -> str:
    """What a picture draws, with the viewer's ids."""
    return picture.body.replace(OWN, PREFIX)


@cache
def patterns() -> str:
    """The patterns that pictures refer to, with the viewer's ids: taken from a picture that asks for them."""
    svg = Picture(1, 1, OWN, "").svg("light")
    found = re.search(r"<defs>.*?</defs>", svg, re.DOTALL)
    own = re.search(r' id="(gk[0-9a-f]+)-', svg)
    return found[0].replace(own[1], PREFIX) if found and own else ""
