"""Animated SVG: several pictures in turn, with common groups stored once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ginkgo_env.drawing.picture import Picture, document
from ginkgo_env.drawing.svg import OWN, number
from ginkgo_env.drawing.theme import Theme

_SHORT = 150  # length up to which a group is repeated instead of referenced
_TAG = re.compile(r"(<g(?: [^>]*)?>|</g>)")


def animated(frames: Sequence[Picture], seconds: float, last: float, theme: Theme = "auto") -> str:
    """An SVG that shows pictures of the same size in a loop.

    Parameters
    ----------
    seconds : duration of each picture
    last : duration of the last picture, as a multiple of `seconds`
    """
    total = seconds * (len(frames) - 1 + last)
    shared = _Shared([frame.body for frame in frames])
    bodies = []
    for k, body in enumerate(shared.bodies):
        start, stop = k * seconds / total, (k + 1) * seconds / total
        times = {"0": "none", f"{start:.6f}": "inline"} if k else {"0": "inline"}
        if k < len(frames) - 1:
            times[f"{stop:.6f}"] = "none"
        values = f'values="{";".join(times.values())}" keyTimes="{";".join(times)}"'
        clock = f'<animate attributeName="display" {values} dur="{number(total)}s" calcMode="discrete" repeatCount="indefinite"/>'
        bodies.append(f'<g display="{"none" if k else "inline"}">{clock}{body}</g>')
    end = frames[-1]
    return document(end.width, end.height, end.title, "", f"<defs>{shared.definitions}</defs>{''.join(bodies)}", theme, None)


class _Group:
    """A group in a picture: its attributes and its content.

    Groups that differ only in their attributes, such as their position, have the same `text`, set when all parts are known.
    """

    def __init__(self, opening: str) -> None:
        self.place, self.parts, self.text = opening[2:-1], list[str | _Group](), ""


class _Shared:
    """Bodies in which groups that occur repeatedly are references to definitions."""

    def __init__(self, bodies: Sequence[str]) -> None:
        self._counts = Counter[str]()
        groups = [self._read(body) for body in bodies]
        self._ids: dict[str, str] = {}
        self.definitions = ""
        self.bodies = ["".join(map(self._written, group.parts)) for group in groups]

    def _read(self, body: str) -> _Group:
        """Parse the groups of a body; attributes and texts have no angle brackets (``svg.escape``)."""
        open_groups = [_Group("<g>")]
        for part in _TAG.split(body):
            if part == "</g>":
                group = open_groups.pop()
                group.text = "".join(p if isinstance(p, str) else f"<g{p.place}>{p.text}</g>" for p in group.parts)
                self._counts[group.text] += len(group.text) > _SHORT
                open_groups[-1].parts.append(group)
            elif part.startswith(("<g>", "<g ")):
                open_groups.append(_Group(part))
            elif part:
                open_groups[-1].parts.append(part)
        return open_groups[0]

    def _written(self, part: str | _Group) -> str:
        if isinstance(part, str):
            return part
        if self._counts[part.text] <= 1:
            return f"<g{part.place}>{''.join(map(self._written, part.parts))}</g>"
        if part.text not in self._ids:
            inside = "".join(map(self._written, part.parts))
            self._ids[part.text] = f"{OWN}-{len(self._ids)}"
            self.definitions += f'<g id="{self._ids[part.text]}">{inside}</g>'
        return f'<use href="#{self._ids[part.text]}"{part.place}/>'
