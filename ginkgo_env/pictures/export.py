"""Pictures of anything that can be drawn, in pixels, and text in the colors of a terminal.

Pixels are drawn by resvg with the fonts of this package: the same pixels everywhere.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from math import ceil
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import check_memory, integer
from ginkgo_env.core.errors import BatchError, ConfigError, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.imports import extra
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.theme import Theme, without_classes
from ginkgo_env.records import Record
from ginkgo_env.records.record import Step, picture_at
from ginkgo_env.registry import position_game

# --- pictures of positions, states, records, batches and environments --------------------------------------------------------


def draw(
    thing: Any,
    seat: int | None = None,
    *,
    game: Game | None = None,
    names: Sequence[str] | None = None,
    step: int | None = None,
    row: int = 0,
) -> Picture:
    """Draw a picture, which notebooks show and ``svg()`` returns as a document.

    Parameters
    ----------
    thing : a position (a dict), a :class:`~ginkgo_env.Record`, a :class:`~ginkgo_env.Batch`, an environment that plays one game;
        with `game` also a state (a record array of shape (1,)) or a step of ``replay``
    seat : the viewer: what this seat cannot know is face down; None: all information visible
    names : the names of the sides; a record has its own
    step : the step of a record: 0 is the setup, None the end
    row : the row of a batch

    Raises BatchError for anything else, and PositionError or RecordError for a bad position or record.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), size=1)
    >>> batch.reset(seed=7)
    >>> ginkgo_env.draw(batch, seat=0).title
    'Ginkgopolis, as player_0 sees it'
    """
    if isinstance(thing, Record):
        return picture_at(thing, step, seat)
    made, state = _table(thing, game, row)
    picture: Picture = made.picture(state, seat, names)
    return picture


def _table(thing: Any, game: Game | None, row: int) -> tuple[Game, States]:
    """The game and the state of an object that can be drawn."""
    if isinstance(thing, Batch):
        return thing.game, thing.state(row)
    if isinstance(thing, Mapping):
        made = game or position_game(thing)
        return made, made.from_position(thing)
    if isinstance(thing, Step | np.ndarray):
        if game is None:
            raise BatchError("a state needs the argument game to say which game it is of: draw(state, game=batch.game)")
        return game, thing.state if isinstance(thing, Step) else game.checked_state(cast(States, thing))
    table_of = getattr(getattr(thing, "unwrapped", thing), "_snapshot", None)
    if table_of is None:
        raise BatchError(
            f"cannot draw {short_repr(thing)}; expected a position, record, batch, environment, or a state with its game"
        )
    table: tuple[Game, States] = table_of()
    return table


# --- pixels ------------------------------------------------------------------------------------------------------------------


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


def require_resvg() -> Any:
    """Import resvg. Raises MissingPackageError if it is not installed."""
    with extra("pictures"):
        import resvg_py
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

    Raises MissingPackageError if resvg is not installed, BatchError for another width or theme.

    >>> from ginkgo_env import Batch, draw, make_game
    >>> png(draw(Batch(make_game("my_city"), 1)))[1:4]
    b'PNG'
    """
    resvg, pixels = require_resvg(), integer(width, 1, _MOST, "width")
    check_memory(pixel_bytes(picture, pixels), f"width {pixels}", "a picture")
    ground = "light" if theme == "auto" else theme
    svg = _UNDRAWN.sub("\ufffd", without_classes(picture.svg(theme), ground))
    options = {"skip_system_fonts": True, "font_files": _fonts(), "sans_serif_family": "DejaVu Sans"}
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=pixels, **options))


def rgb_array(picture: Picture, width: int = PIXELS, *, theme: Theme = "light") -> NDArray[np.uint8]:
    """A picture as an array (height, width, 3) uint8. Arguments and errors as for :func:`png`.

    >>> from ginkgo_env import Batch, draw, make_game
    >>> rgb_array(draw(Batch(make_game("my_city"), 1)), width=400).shape[1:]
    (400, 3)
    """
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
    with extra("pictures"):
        from PIL import Image

    with Image.open(io.BytesIO(png(picture, width, theme=theme))) as picture_file:
        return picture_file.convert("RGB")


# --- text in colors ----------------------------------------------------------------------------------------------------------


_FIRST_LINE = r"\A.*"  # the current decision
_WIDEST = 100_000


def colored(text: str, styles: Mapping[str, str]) -> str:
    """Add escape sequences for colors to a text, unless ``NO_COLOR`` is set in the environment.

    styles : Rich's styles by regular expression, such as ``{"R[0-9]+": "red"}``
    """
    if os.environ.get("NO_COLOR"):
        return text
    from rich.console import Console
    from rich.text import Text

    rich = Text(text)
    for pattern, style in {_FIRST_LINE: "bold", **styles}.items():
        rich.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="standard", legacy_windows=False, width=_WIDEST).print(rich, end="")
    return out.getvalue()


def wants_color() -> bool:
    """Whether standard output is a terminal with colors, and rich is installed."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and find_spec("rich") is not None
    return sys.stdout.isatty() and wanted
