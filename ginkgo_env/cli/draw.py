"""The command ``ginkgo draw``: pictures of positions and recorded games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from ginkgo_env.cli.options import Files
from ginkgo_env.cli.output import with_bar
from ginkgo_env.core.errors import ConfigError, GinkgoError, short_repr
from ginkgo_env.core.files import check_targets, read_some, write_file
from ginkgo_env.core.text import pairs_of
from ginkgo_env.pictures.animation import animation
from ginkgo_env.pictures.export import draw, png
from ginkgo_env.pictures.theme import THEMES, Theme
from ginkgo_env.records import Record
from ginkgo_env.registry import position_game

_ANIMATED = {".gif": "gif", ".webp": "webp"}
_KINDS = (".svg", ".png", *_ANIMATED)
_LARGEST = 64 * 2**20  # largest size of a file to read, in bytes


def command(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines) or a position (JSON).", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(help="The file to write: .svg or .png for a picture, .gif or .webp for the whole game.", show_default=False),
    ],
    seat: Annotated[int | None, typer.Option(help="Show only what this seat knows.", show_default=False)] = None,
    step: Annotated[
        int | None, typer.Option(min=0, help="Step of a record; 0 is the setup. Default: the end.", show_default=False)
    ] = None,
    moving: Annotated[bool, typer.Option("--moving", help="Animate the whole game in an SVG.")] = False,
    seconds: Annotated[float, typer.Option(help="Duration of each step in an animation.")] = 1.0,
    theme: Annotated[
        str, typer.Option(help=f"{', '.join(THEMES)}; auto follows the browser, and is light in pixel images.")
    ] = "auto",
    width: Annotated[int, typer.Option(min=1, help="Width in pixels; SVG scales.")] = 800,
    files: Files = None,
) -> None:
    """Draw a position, a step of a recorded game, or the whole game as an animation."""
    kind, colors = out.suffix.lower(), cast(Theme, theme)  # checked when drawing
    if kind not in _KINDS:
        raise ConfigError(f"out must end in {', '.join(_KINDS)}, got {short_repr(out.name)}")
    check_targets([out], [file])
    paths = dict(pairs_of(files or []))
    source = _read(file, paths)
    if kind in _ANIMATED or moving:
        if not isinstance(source, Record) or kind == ".png" or step is not None:
            raise ConfigError("an animation needs a record, an --out file ending in .svg, .gif or .webp, and no --step")
        form: Any = _ANIMATED.get(kind, "svg")
        data = animation(source, seat, form=form, seconds=seconds, width=width, theme=colors, wrap=with_bar)
    else:
        if step is not None and not isinstance(source, Record):
            raise ConfigError("--step needs a record, got a position")
        game = None if isinstance(source, Record) else position_game(source, **paths)
        picture = draw(source, seat, step=step, game=game)
        data = png(picture, width, theme=colors) if kind == ".png" else picture.svg(colors).encode()
    write_file(out, data)
    typer.echo(f"wrote {out}")


def _read(file: Path, paths: Mapping[str, str]) -> Any:
    """Read a position or a record; ``paths`` replace the paths of the game's files. Raises GinkgoError."""
    data = read_some(file, _LARGEST)
    if len(data) > _LARGEST:
        raise GinkgoError(f"{short_repr(str(file))} is larger than {_LARGEST} bytes")
    try:
        content = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):  # several lines, or malformed JSON, which Record reports by line
        return Record.read(file, **paths)
    form = content.get("format") if isinstance(content, dict) else None
    if form == "ginkgo-leaderboard":
        hint = "draw one of its games, in its folder records; its own picture is leaderboard.png"
        raise GinkgoError(f"{short_repr(str(file))} is the report of a leaderboard, not a record or a position: {hint}")
    return content if form == "ginkgo-position" else Record.read(file, **paths)
