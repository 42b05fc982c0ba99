"""The command ``ginkgo draw``: a position or a recorded game as a file with a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from ginkgo_env.cli.progress import with_bar
from ginkgo_env.core.errors import ConfigError, GinkgoError, shown
from ginkgo_env.core.files import check_targets, written
from ginkgo_env.drawing.theme import THEMES, Theme
from ginkgo_env.records import Record
from ginkgo_env.render import animation, draw, png

_MOVING = {".gif": "gif", ".webp": "webp"}
_KINDS = (".svg", ".png", *_MOVING)
_LARGEST = 64 * 2**20  # bytes of a file that is read


def command(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines) or a position (JSON).", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(help="The file to write: .svg or .png for a picture, .gif or .webp for the whole game.", show_default=False),
    ],
    seat: Annotated[int | None, typer.Option(help="Show only what this seat may know.", show_default=False)] = None,
    step: Annotated[
        int | None, typer.Option(min=0, help="Step of a record, 0 is the setup; by default its end.", show_default=False)
    ] = None,
    moving: Annotated[bool, typer.Option("--moving", help="Make an SVG that plays the whole game.")] = False,
    seconds: Annotated[float, typer.Option(help="How long each step of a game is shown.")] = 1.0,
    theme: Annotated[str, typer.Option(help=f"{', '.join(THEMES)}; auto: as the browser is set, light in pixels.")] = "auto",
    width: Annotated[int, typer.Option(min=1, help="In pixels; SVG scales as it likes.")] = 800,
) -> None:
    """Draw a position, a step of a recorded game, or the whole game as an animation."""
    kind, colors = out.suffix.lower(), cast(Theme, theme)  # which drawing checks
    if kind not in _KINDS:
        raise ConfigError(f"cannot draw {shown(out.name)}; expected a name that ends in {', '.join(_KINDS)}")
    check_targets([out], [file])
    thing = _read(file)
    if kind in _MOVING or moving:
        if not isinstance(thing, Record) or kind == ".png" or step is not None:
            raise ConfigError("only whole records make animations, in .svg, .gif and .webp and without --step")
        form: Any = _MOVING.get(kind, "svg")
        data = animation(thing, seat, form=form, seconds=seconds, width=width, theme=colors, wrap=with_bar)
    else:
        if step is not None and not isinstance(thing, Record):
            raise ConfigError("only records have steps; this is a position")
        picture = draw(thing, seat, step=step)
        data = png(picture, width, theme=colors) if kind == ".png" else picture.svg(colors).encode()
    with written(out) as beside:
        beside.write_bytes(data)
    typer.echo(f"wrote {out}")


def _read(file: Path) -> Any:
    """The position or record in a file. Raises GinkgoError."""
    try:
        if file.stat().st_size > _LARGEST:
            raise GinkgoError(f"{shown(str(file))} is longer than {_LARGEST} bytes")
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise GinkgoError(f"cannot read {shown(str(file))}: {error.strerror}") from None
    except (ValueError, RecursionError):  # several lines, or no JSON at all, of which records tell more
        return Record.read(file)
    return found if isinstance(found, dict) and found.get("format") == "ginkgo-position" else Record.read(file)
