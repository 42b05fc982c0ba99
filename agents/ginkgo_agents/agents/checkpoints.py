"""Checkpoints: a trained agent as one ``.npz`` file of arrays with a header of settings.

A model is rebuilt from its settings and filled with the arrays. No code is stored or run, and whatever does not fit is refused
before it is used, so files from others are safe to load.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from hashlib import sha256
from json import dumps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.array_files import packed, read_arrays
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.errors import ConfigError, shown, some
from ginkgo_env.core.files import written
from ginkgo_env.core.game import Game, checked_config
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.mixture import MIXTURE, Mixture
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert

FORMAT = 2
_LAYOUTS = ("actions", "observation", "features")

_Settings = TypeVar("_Settings")


@checked(ConfigError)
@dataclass(frozen=True)
class Checkpoint:
    """A trained agent.

    kind : the kind of agent that plays it, such as ``lookahead``
    game, config : the game that it was trained for, as in ``make_game(game, **config)``
    layouts : digests of the layouts that the model reads and writes, see :func:`digest_of`
    settings : the settings from which the model is rebuilt, as plain data
    about : training settings, seed, time and results, for information only
    arrays : the weights, and other arrays that training needs to go on
    """

    kind: str
    game: str
    config: Mapping[str, Any]
    layouts: Mapping[str, str]
    settings: Mapping[str, Any]
    about: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def options(self) -> Mapping[str, Any]:
        """The options of the game that it was trained for; for a mixture, those of its first game."""
        mixture = self.config.get(MIXTURE)
        return mixture[0] if isinstance(mixture, list | tuple) and mixture and isinstance(mixture[0], Mapping) else self.config

    @cached_property
    def digest(self) -> str:
        """A digest of all but ``about``: agents with the same digest play alike."""
        return sha256(packed_checkpoint(replace(self, about={}))).hexdigest()


class _Header(StrictStruct):
    """The header of a file: the fields of a checkpoint except the arrays."""

    format: int
    kind: str
    game: str
    config: dict[str, Any]
    layouts: dict[str, str]
    settings: dict[str, Any]
    about: dict[str, Any]


@checked(ConfigError)
def digest_of(layout: Layout) -> str:
    """A digest of the names, shapes and offsets of the blocks of a layout."""
    text = dumps([[block.name, block.start, list(block.shape)] for block in layout.values()])
    return sha256(text.encode()).hexdigest()[:16]


@checked(ConfigError)
def digests_of(game: Game, names: Iterable[str] = _LAYOUTS) -> dict[str, str]:
    """The digests of a game's layouts. ``Checkpoint.layouts`` holds those that a model depends on."""
    if unknown := [shown(name) for name in names if name not in _LAYOUTS]:
        raise ConfigError(f"invalid names {some(unknown)}; expected some of {', '.join(_LAYOUTS)}")
    return {name: digest_of(getattr(game, name)) for name in names}


@checked(ConfigError)
def packed_checkpoint(checkpoint: Checkpoint) -> bytes:
    """The bytes of a checkpoint's file. Raises ConfigError if a file cannot hold its header or arrays."""
    header = {one.name: getattr(checkpoint, one.name) for one in fields(checkpoint) if one.name != "arrays"}
    return packed({"format": FORMAT} | header, checkpoint.arrays)


@checked(ConfigError)
def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint atomically: the path always holds a whole file, the old or the new one."""
    target, data = Path(path), packed_checkpoint(checkpoint)
    with written(target) as beside:
        target.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    return target


@checked(ConfigError)
def read_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises ConfigError if it is missing, damaged or in another format."""
    plain, arrays = read_arrays(path)
    name = shown(Path(path).name)
    version = plain.get("format") if isinstance(plain, dict) else None
    if version != FORMAT:
        raise ConfigError(f"{name} has the format {shown(version)}; expected {FORMAT}")
    try:
        header = convert(plain, _Header)
    except JsonError as error:
        raise ConfigError(f"{name} is not a checkpoint: {error}") from None
    return Checkpoint(header.kind, header.game, header.config, header.layouts, header.settings, header.about, arrays)


# --- checks ------------------------------------------------------------------------------------------------------------------


@checked(ConfigError)
def read_settings(checkpoint: Checkpoint, kind: str, settings: type[_Settings]) -> _Settings:
    """The settings of a checkpoint. Raises ConfigError if they are invalid, or if it is of another kind."""
    if checkpoint.kind != kind:
        raise ConfigError(f"invalid checkpoint of kind {shown(checkpoint.kind)}; expected kind {kind!r}")
    try:
        return convert(dict(checkpoint.settings), settings)
    except JsonError as error:
        raise ConfigError(f"invalid settings of a checkpoint: {error}") from None


@checked(ConfigError)
def require_arrays(
    arrays: Mapping[str, NDArray[Any]], shapes: Mapping[str, tuple[int, ...]], integers: Iterable[str] = ()
) -> None:
    """Raise ConfigError unless there are exactly these arrays, finite and of these shapes.

    integers : names of arrays that are int64; the others are float32
    """
    for what, here, there in (("lacks", shapes, arrays), ("has unexpected", arrays, shapes)):
        if names := [name for name in here if name not in there]:
            raise ConfigError(f"the checkpoint {what} arrays {some(map(shown, names))}")
    for name, shape in shapes.items():
        array, dtype = arrays[name], np.dtype(np.int64 if name in integers else np.float32)
        if array.dtype != dtype or array.shape != shape:
            given, expected = (f"{kind} {some([list(of)])}" for kind, of in ((array.dtype, array.shape), (dtype, shape)))
            raise ConfigError(f"invalid array {shown(name)} of {given}; expected {expected}")
        if not np.isfinite(array).all():
            raise ConfigError(f"invalid array {shown(name)}; expected finite numbers")


@checked(ConfigError)
def require_fit(checkpoint: Checkpoint, game: Game, layouts: Iterable[str] = ()) -> None:
    """Raise ConfigError unless the model fits the game and its layouts.

    Options that change no layout may differ from those of the training.

    layouts : names of exactly the layouts that the checkpoint must name; by default those that it names
    """
    if checkpoint.game != game.name:
        raise ConfigError(f"a checkpoint for {shown(checkpoint.game)} does not play {game.name}")
    names = tuple(layouts) or tuple(checkpoint.layouts)
    if sorted(checkpoint.layouts) != sorted(names):
        raise ConfigError(f"invalid layouts {some(map(shown, checkpoint.layouts))} of a checkpoint; expected {some(names)}")
    given, expected = differing_options(checkpoint, game)
    today = digests_of(game)
    if wrong := [name for name, digest in checkpoint.layouts.items() if today.get(name) != digest]:
        layouts_differ = f"the layout of {' and '.join(wrong)} differs"
        if given == expected:
            given, expected = (f"layout {of[wrong[0]]}" for of in (checkpoint.layouts, today))
        raise ConfigError(f"a checkpoint for {game.name} with {given} does not fit {expected}: {layouts_differ}")


@checked(ConfigError)
def differing_options(checkpoint: Checkpoint, game: Game) -> tuple[str, str]:
    """The options of the checkpoint and of a game as texts, as far as they differ.

    Raises ConfigError if the checkpoint has options that the game does not have, or invalid values.
    """
    game = game.games[0] if isinstance(game, Mixture) else game
    try:
        config = checked_config(game.name, type(game.config), checkpoint.options)
    except TypeError as error:  # a game that does not check types
        raise ConfigError(f"invalid configuration of a checkpoint: {error}") from None
    given, expected = asdict(config), asdict(game.config)
    names = [name for name in expected if given[name] != expected[name]]
    return _options_text(given, names), _options_text(expected, names)


def _options_text(config: Mapping[str, Any], names: Iterable[str]) -> str:
    return ", ".join(f"{name}={_text(config[name])}" for name in names)


def _text(value: Any) -> str:
    return " and ".join(map(str, value)) or "none" if isinstance(value, list | tuple | set | frozenset) else shown(value)
