"""Tables of parts: elements and lines that pictures and texts share are stored once."""

from __future__ import annotations

import re

from ginkgo_env.drawing.picture import DEFINITIONS, Picture
from ginkgo_env.drawing.svg import OWN

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
