"""Pictures in pixels, drawn by resvg with the fonts of this package: the same pixels everywhere."""

from __future__ import annotations

import io
import re
from functools import cache
from importlib.resources import as_file, files
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import check_memory, integer
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.drawing.picture import Picture
from ginkgo_env.drawing.theme import Theme, without_classes

PIXELS = 800
"""The default width in pixels."""
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
_MOST = 20_000
_PIXEL = 4 + 4 + 3 + 3  # bytes of a pixel: drawn, as PNG at the most, as image and as array
_UNDRAWN = re.compile(
    "[^\n -~\u00a0-\u017f\u0218-\u021b\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u2010-\u2023\u2026"
    "\u2039\u203a\u20ac\u2122\u2190-\u2193\u2212\u2260\u2264\u2265\u25a0\u25cf\u2605\ufffd]"
)
"""Characters that the fonts lack. resvg would omit them silently, so they are replaced."""
_MISSING = 'pictures in pixels require resvg: pip install "ginkgo-env[pictures]"; SVG works without it'


def require_resvg() -> Any:
    """Import resvg. Raises ConfigError if it is not installed."""
    try:
        import resvg_py
    except ImportError:
        raise ConfigError(_MISSING) from None
    return resvg_py


@cache
def _fonts() -> list[str]:
    """Paths of the fonts. Without them resvg would omit all text silently."""
    folder = files(__package__) / "fonts"
    paths = []
    for name in FONTS:
        with as_file(folder / name) as path:
            if not path.is_file():
                raise ConfigError(f"the font {name} is missing from this installation")
            paths.append(str(path))
    return paths


def pixel_bytes(picture: Picture, width: int) -> int:
    """The bytes of memory in which a picture of `width` pixels is drawn, compressed and read again."""
    return int(width * max(1.0, width * picture.height / picture.width)) * _PIXEL


def png(picture: Picture, width: int = PIXELS, *, theme: Theme = "light") -> bytes:
    """A picture as a PNG file of `width` pixels. In theme ``"auto"`` it is light.

    Raises ConfigError if resvg is not installed, BatchError for another width or theme.
    """
    resvg, pixels = require_resvg(), integer(width, 1, _MOST, "width")
    check_memory(pixel_bytes(picture, pixels), f"width {pixels}", "a picture")
    ground = "light" if theme == "auto" else theme
    svg = _UNDRAWN.sub("\ufffd", without_classes(picture.svg(theme), ground))
    options = {"skip_system_fonts": True, "font_files": _fonts(), "sans_serif_family": "DejaVu Sans"}
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=pixels, **options))


def rgb_array(picture: Picture, width: int = PIXELS, *, theme: Theme = "light") -> NDArray[np.uint8]:
    """A picture as an array (height, width, 3) uint8. Arguments and errors as for :func:`png`."""
    return np.array(image(picture, width, theme=theme), np.uint8)


def frame_array(picture: Picture, size: tuple[float, float], width: int = PIXELS) -> NDArray[np.uint8]:
    """A picture in a frame: an array whose shape depends only on `size` and `width`, as videos need.

    size : width and height of the frame, in the units of the picture
    width : width of the array (height, width, 3) in pixels

    A larger picture is scaled down. It starts at the top of the frame, in the middle, on the color of the page. Width and height
    in pixels are rounded up to even numbers. Errors as for :func:`png`.
    """
    columns, rows = _even(width), _even(width * size[1] / size[0])
    scale = min(columns / max(size[0], picture.width), rows / max(size[1], picture.height))
    drawn = rgb_array(picture, max(1, int(scale * picture.width)))[:rows]
    frame = np.full((rows, columns, 3), drawn[0, 0], np.uint8)
    left = (columns - drawn.shape[1]) // 2
    frame[: drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return frame


def _even(length: float) -> int:
    return 2 * ceil(length / 2)


def image(picture: Picture, width: int = PIXELS, *, theme: Theme = "light") -> Any:
    """A picture as an RGB image of Pillow. Arguments and errors as for :func:`png`."""
    from PIL import Image

    with Image.open(io.BytesIO(png(picture, width, theme=theme))) as picture_file:
        return picture_file.convert("RGB")
