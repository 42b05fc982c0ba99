"""Animations of recorded games: one file that plays the whole game."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, get_args

from ginkgo_env.core.checks import check_memory, integer
from ginkgo_env.core.errors import BatchError, RecordError, shown
from ginkgo_env.drawing.animation import animated
from ginkgo_env.drawing.picture import Picture
from ginkgo_env.drawing.theme import THEMES, Theme
from ginkgo_env.records import Record
from ginkgo_env.records.pictures import pictures
from ginkgo_env.render.pixels import PIXELS, image, pixel_bytes

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

    Raises BatchError for bad arguments, RecordError as ``replay`` does, ConfigError if resvg is not installed.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise BatchError(f"invalid form {shown(form)}; expected one of {', '.join(FORMS)}")
    if not isinstance(seconds, int | float) or not 0.02 <= seconds <= 60:
        raise BatchError(f"invalid seconds {shown(seconds)}; expected 0.02 to 60")
    if not isinstance(theme, str) or theme not in THEMES:
        raise BatchError(f"invalid theme {shown(theme)}; expected one of {', '.join(THEMES)}")
    if not callable(wrap):
        raise BatchError(f"invalid wrap {shown(wrap)}; expected a function")
    if not isinstance(record, Record):
        raise RecordError(f"invalid record {shown(record)}; expected a Record")
    if form == "svg":
        return animated(same_size(list(wrap(pictures(record, seat)))), seconds, _LAST, theme).encode()
    frames = same_size(list(pictures(record, seat)))
    drawn = len(frames) * pixel_bytes(frames[0], integer(width, 1, None, "width"))
    check_memory(drawn, f"width {shown(width)} for {len(frames)} pictures", "an animation")
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
