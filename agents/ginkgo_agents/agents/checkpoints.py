"""Checkpoints: a trained agent as one ``.npz`` file of arrays with a header of settings.

A model is rebuilt from its settings and filled with the arrays. No code is stored or run, and whatever does not fit is refused
before it is used, so files from others are safe to load.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, reduce
from hashlib import sha256
from json import dumps
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.array_files import packed, read_arrays
from ginkgo_agents.agents.base import Agent
from ginkgo_env.core.errors import ConfigError, shown, some
from ginkgo_env.core.files import written
from ginkgo_env.core.game import Game, checked_config
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.mixture import MIXTURE, Mixture
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse

FORMAT = 2
_MOST_VALUES = 1 << 24  # of a layout in a file, far more than any game has

Blocks = Sequence[tuple[str, Sequence[int]]]
"""Names and shapes of the blocks of a layout, in their order."""
_Settings = TypeVar("_Settings")


class Layouts(NamedTuple):
    """The layouts that a model was trained with; those that it does not depend on are empty."""

    actions: Layout
    observation: Layout
    features: Layout


@dataclass(frozen=True)
class Checkpoint:
    """A trained agent.

    kind : the kind of agent that plays it, such as ``lookahead``
    game, config : the game that it was trained for, as in ``make_game(game, **config)``
    layouts : the blocks of the layouts that the model reads and writes, see :func:`blocks_of`
    settings : the settings from which the model is rebuilt, as plain data
    about : training settings, seed, time and results, for information only
    arrays : the weights, and other arrays that training needs to go on
    """

    kind: str
    game: str
    config: Mapping[str, Any]
    layouts: Mapping[str, Blocks]
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
        layouts = {name: digest_of(layout) for name, layout in self.trained._asdict().items() if name in self.layouts}
        return sha256(_packed(self, about={}, layouts=layouts)).hexdigest()

    @cached_property
    def trained(self) -> Layouts:
        """The layouts as they were in training. Raises ConfigError for blocks that no layout can have."""
        return Layouts(*(_layout_of(name, self.layouts.get(name, ())) for name in Layouts._fields))


class _Header(StrictStruct):
    """The header of a file: the fields of a checkpoint except the arrays."""

    format: int
    kind: str
    game: str
    config: dict[str, Any]
    layouts: dict[str, list[tuple[str, tuple[int, ...]]]]
    settings: dict[str, Any]
    about: dict[str, Any]


def digest_of(layout: Layout) -> str:
    """A digest of the names, shapes and offsets of the blocks of a layout."""
    text = dumps([[block.name, block.start, list(block.shape)] for block in layout.values()])
    return sha256(text.encode()).hexdigest()[:16]


def _layout_of(name: str, blocks: Blocks) -> Layout:
    names, sizes = [block for block, _ in blocks], [math.prod(shape) for _, shape in blocks]
    if len(set(names)) < len(names) or any(n < 1 for _, shape in blocks for n in shape) or sum(sizes) > _MOST_VALUES:
        raise ConfigError(f"invalid blocks of the {name} in a checkpoint")
    return Layout([Block(block, tuple(shape), "") for block, shape in blocks])


def blocks_of(game: Game, names: Iterable[str] = Layouts._fields) -> dict[str, Blocks]:
    """The blocks of a game's layouts, as in ``Checkpoint.layouts``."""
    if unknown := [shown(name) for name in names if name not in Layouts._fields]:
        raise ConfigError(f"invalid names {some(unknown)}; expected some of {', '.join(Layouts._fields)}")
    return {name: [(block.name, block.shape) for block in getattr(game, name).values()] for name in names}


def packed_checkpoint(checkpoint: Checkpoint) -> bytes:
    """The bytes of a checkpoint's file. Raises ConfigError if a file cannot hold its header or arrays."""
    return _packed(checkpoint)


def _packed(checkpoint: Checkpoint, **replaced: Any) -> bytes:
    header = {one.name: getattr(checkpoint, one.name) for one in fields(checkpoint) if one.name != "arrays"}
    return packed({"format": FORMAT} | header | replaced, checkpoint.arrays)


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


def networks_of(checkpoint: Checkpoint | None, game: Game, *agents: Agent | None) -> dict[str, Any]:
    """The digests of a checkpoint and of the networks of other agents, as part of an agent's identity."""
    own = {} if checkpoint is None else {checkpoint.kind: checkpoint.digest}
    others = [agent.identity(game).get("networks", {}) for agent in agents if agent is not None]
    return {"networks": reduce(or_, others, own)}


# --- checks ------------------------------------------------------------------------------------------------------------------


def read_settings(checkpoint: Checkpoint, kind: str, settings: type[_Settings]) -> _Settings:
    """The settings of a checkpoint. Raises ConfigError if they are invalid, or if it is of another kind."""
    if checkpoint.kind != kind:
        raise ConfigError(f"invalid checkpoint of kind {shown(checkpoint.kind)}; expected kind {kind!r}")
    try:
        return convert(dict(checkpoint.settings), settings)
    except JsonError as error:
        raise ConfigError(f"invalid settings of a checkpoint: {error}") from None


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


def require_fit(checkpoint: Checkpoint, game: Game, layouts: Iterable[str] = (), same: Iterable[str] = ("actions",)) -> None:
    """Raise ConfigError unless the model fits the game and its actions.

    Options that change no layout may differ from those of the training. Blocks that are read are checked by :func:`columns_in`.

    layouts : names of exactly the layouts that the checkpoint must name; by default those that it names
    same : names of the layouts that must be those of the training, as a whole
    """
    if checkpoint.game != game.name:
        raise ConfigError(f"a checkpoint for {shown(checkpoint.game)} does not play {game.name}")
    names = tuple(layouts) or tuple(checkpoint.layouts)
    if sorted(checkpoint.layouts) != sorted(names):
        raise ConfigError(f"invalid layouts {some(map(shown, checkpoint.layouts))} of a checkpoint; expected {some(names)}")
    differing_options(checkpoint, game)  # refuses options that the game does not have
    for name in same:
        trained, own = getattr(checkpoint.trained, name), getattr(game, name)
        for block in {**own, **trained}:
            _require_same_block(checkpoint, game, name, block)
        if name in checkpoint.layouts and list(trained) != list(own):
            raise _misfit(checkpoint, game, f"the {name} have another order")


def columns_in(checkpoint: Checkpoint, game: Game, name: str, columns: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Where a layout of a game has the numbers that a model reads, (n,): blocks are found by their names.

    name : ``observation`` or ``features``
    columns : (n,) indices into that layout as it was in training; None for all of it

    Raises ConfigError if a block that the model reads is missing or has another shape.
    """
    trained, own = getattr(checkpoint.trained, name), getattr(game, name)
    columns = np.arange(trained.size) if columns is None else columns
    found = columns.copy()
    for block in trained.values():
        if (read := (columns >= block.start) & (columns < block.stop)).any():
            _require_same_block(checkpoint, game, name, block.name)
            found[read] += own[block.name].start - block.start
    return found


def _require_same_block(checkpoint: Checkpoint, game: Game, name: str, block: str) -> None:
    trained, own = (
        "x".join(map(str, layout[block].shape)) if block in layout else None
        for layout in (getattr(checkpoint.trained, name), getattr(game, name))
    )
    if trained is None:
        raise _misfit(checkpoint, game, f"the block {block} of the {name} was added after the training")
    if own is None:
        raise _misfit(checkpoint, game, f"the {name} have no block {block}")
    if trained != own:
        raise _misfit(checkpoint, game, f"the block {block} of the {name} had the shape {trained} in training, now {own}")


def _misfit(checkpoint: Checkpoint, game: Game, why: str) -> ConfigError:
    given, expected = differing_options(checkpoint, game)
    between = f" with {given} does not fit {expected}" if given != expected else " does not fit its present layouts"
    return ConfigError(f"a checkpoint for {game.name}{between}: {why}")


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


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Immutable settings. Raises ConfigError for a value of the wrong type or out of range."""

    def __post_init__(self) -> None:
        for setting in msgspec.structs.fields(self):
            value = getattr(self, setting.name)
            if isinstance(setting.type, type) and issubclass(setting.type, Settings) and not isinstance(value, setting.type):
                raise ConfigError(f"setting {setting.name}: expected {setting.type.__name__}, got {type(value).__name__}")
            try:
                convert(value, setting.type)
            except JsonError as error:
                raise ConfigError(f"setting {setting.name}: {error}") from None

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data, as parsed from JSON."""
        plain: dict[str, Any] = parse(msgspec.json.encode(self))
        return plain
