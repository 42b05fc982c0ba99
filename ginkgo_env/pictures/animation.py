"""Animations of recorded games: one file that plays the whole game."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from ginkgo_env.core.checks import check_memory, integer
from ginkgo_env.core.errors import BatchError, RecordError, short_repr
from ginkgo_env.pictures.export import PIXELS, image, pixel_bytes
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.svg import OWN, number
from ginkgo_env.pictures.theme import THEMES, Theme
from ginkgo_env.records import Record
from ginkgo_env.records.record import pictures

# --- animated SVG: several pictures in turn, with common groups stored once --------------------------------------------------


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
    return replace(end, body=f"<defs>{shared.definitions}</defs>{''.join(bodies)}", description="").svg(theme)


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


# --- recorded games ----------------------------------------------------------------------------------------------------------


Form = Literal["svg", "gif", "webp"]
FORMS: tuple[Form, ...] = get_args(Form)
_LAST = 4  # duration of the end, as a multiple of that of a step


def animation(
    record: Record,
    seat: int | None = None,
    *,
    form: Form = "svg",
    seconds: float = 1.0,
    width: int = PIXELS,
    theme: Theme = "light",
    wrap: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> bytes:
    """A recorded game as a looping animation, the bytes of a file.

    Parameters
    ----------
    seat : the viewer; None: all information visible
    form : ``"svg"``, or ``"gif"`` and ``"webp"``, which need resvg
    seconds : duration of each step; the end is shown longer
    width : in pixels; SVG has its own width
    theme : ``"light"``, ``"dark"``, or for SVG ``"auto"``
    wrap : wraps the iterable of frames, such as a progress bar

    Raises BatchError for bad arguments, RecordError as ``replay`` does, MissingPackageError if resvg is not installed.

    >>> from ginkgo_env import make_game
    >>> record = Record.from_actions(make_game("my_city"), seed=7, actions=[])
    >>> animation(record)[:4]
    b'<svg'
    """
    if not isinstance(form, str) or form not in FORMS:
        raise BatchError(f"invalid form {short_repr(form)}; expected one of {', '.join(FORMS)}")
    if not isinstance(seconds, int | float) or not 0.02 <= seconds <= 60:
        raise BatchError(f"invalid seconds {short_repr(seconds)}; expected 0.02 to 60")
    if not isinstance(theme, str) or theme not in THEMES:
        raise BatchError(f"invalid theme {short_repr(theme)}; expected one of {', '.join(THEMES)}")
    if not callable(wrap):
        raise BatchError(f"invalid wrap {short_repr(wrap)}; expected a function")
    if not isinstance(record, Record):
        raise RecordError(f"invalid record {short_repr(record)}; expected a Record")
    if form == "svg":
        return animated(same_size(list(wrap(pictures(record, seat)))), seconds, _LAST, theme).encode()
    frames = same_size(list(pictures(record, seat)))
    drawn = len(frames) * pixel_bytes(frames[0], integer(width, 1, None, "width"))
    check_memory(drawn, f"width {short_repr(width)} for {len(frames)} pictures", "an animation")
    images = [image(frame, width, theme=theme) for frame in wrap(frames)]
    return _file(images, form, seconds)


def same_size(frames: Sequence[Picture]) -> list[Picture]:
    """Pictures with empty space added below and at the right, so that all have the same size."""
    width, height = max(frame.width for frame in frames), max(frame.height for frame in frames)
    return [frame.enlarged(width, height) for frame in frames]


def _file(images: list[Any], form: str, seconds: float) -> bytes:
    times = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * seconds * _LAST)]
    out = io.BytesIO()
    first, *rest = [image.quantize(128) for image in images] if form == "gif" else images
    more: dict[str, Any] = {"optimize": True} if form == "gif" else {"lossless": True, "method": 2}
    first.save(out, form.upper(), save_all=True, append_images=rest, duration=times, loop=0, **more)
    return out.getvalue()
