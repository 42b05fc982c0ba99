"""The render modes and reset options of all front ends."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any, Literal, get_args

import numpy as np
from gymnasium import logger

from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_env.pictures.export import colored, frame_array, require_resvg, wants_color

RenderMode = Literal["human", "ansi", "svg", "rgb_array"]
RENDER_MODES = get_args(RenderMode)
OFFERED_MODES: list[str] = [mode for mode in RENDER_MODES if mode != "rgb_array" or find_spec("resvg_py") is not None]
"""The modes that work on this machine, for the metadata: Gymnasium's checker tries all of these."""
PICTURES = ("svg", "rgb_array")
"""The modes that highlight the changes of the last step."""


class RenderModeError(ConfigError, TypeError):
    """Raised for an unknown or unavailable render mode.

    It is a TypeError because Stable-Baselines3 tries ``"rgb_array"`` and expects that error.
    """


def ignored(env: object, options: Any) -> None:
    """Warn that reset options are ignored. Raises ConfigError unless they are a dict or None."""
    if not isinstance(options, Mapping | None):
        raise ConfigError(f"invalid options {short_repr(options)}; expected a dict or None")
    if options:
        warnings.warn(f"{env} has no reset options, so these are ignored: {join_names(options)}", stacklevel=3)


def checked_render_mode(mode: str | None) -> str | None:
    """Return a render mode. Raises RenderModeError if it is invalid, or for ``"rgb_array"`` without resvg."""
    if mode is not None and (not isinstance(mode, str) or mode not in RENDER_MODES):
        raise RenderModeError(f"invalid render_mode {short_repr(mode)}; expected None or one of {', '.join(RENDER_MODES)}")
    if mode == "rgb_array":
        try:
            require_resvg()
        except ConfigError as error:
            raise RenderModeError(f"render_mode 'rgb_array': {error}") from None
    return mode


def rendered(game: Game, mode: str | None, state: States, seat: int | None, since: bytes | None = None) -> Any:
    """Return the table as a seat sees it (None sees everything): text, SVG or pixels (h, w, 3) uint8.

    In mode ``"human"`` it is printed instead. Warns if the mode is None.

    Pixels have the same shape throughout, as video recorders expect.

    since : the earlier state to compare with, as bytes, which are much cheaper than a copy
    """
    if mode is None:
        logger.warn(f"render() requires a render mode; make the environment with one of {', '.join(RENDER_MODES)}")
        return None
    if mode in PICTURES:
        before = None if since is None else np.frombuffer(since, game.template.dtype).view(np.recarray)
        picture = game.picture(state, seat, since=before)
        return picture.svg() if mode == "svg" else frame_array(picture, game.presenter.frame_size)
    text = game.describe(state, seat)
    if mode == "ansi":
        return colored(text, game.presenter.text_styles)
    print(colored(text, game.presenter.text_styles) if wants_color() else text, flush=True)
    return None
