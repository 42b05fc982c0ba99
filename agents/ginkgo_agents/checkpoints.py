"""Checkpoints: a trained agent as one ``.npz`` file of arrays with a header of settings.

A model is rebuilt from its settings and filled with the arrays. No code is stored or run, and whatever does not fit is refused
before it is used, so files from others are safe to load.

A file is a zip archive without compression, which :func:`numpy.load` opens too: first the header as JSON, then each array as
``NAME.npy``. It ends with the SHA-256 of all bytes before it, stored as the archive's comment, so that a file with any byte
changed, missing or added is refused before anything in it is read. The digest says that a file is whole, not who made it. The
members are therefore read one after the other, with all sizes bounded by the length of the file. The directory of the archive is
not read, and nothing is unpacked or unpickled.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ginkgo_agents.base import Agent
from ginkgo_env.core.errors import ConfigError, join_names, short_repr
from ginkgo_env.core.files import atomic_write, read_some
from ginkgo_env.core.game import Game, checked_config
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.mixture import MIXTURE, Mixture
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse

FORMAT = 2
_MOST_VALUES = 1 << 24  # of a layout in a file, far more than any game has

Blocks = Sequence[tuple[str, Sequence[int]]]
"""Names and shapes of the blocks of a layout, in their order."""
_LISTS = (list, tuple, set, frozenset)
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
        layouts = {name: _digest_of_layout(layout) for name, layout in self.trained._asdict().items() if name in self.layouts}
        return sha256(packed_checkpoint(self, about={}, layouts=layouts)).hexdigest()

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


def _digest_of_layout(layout: Layout) -> str:
    """A digest of the names, shapes and offsets of the blocks of a layout."""
    text = json.dumps([[block.name, block.start, list(block.shape)] for block in layout.values()])
    return sha256(text.encode()).hexdigest()[:16]


def _layout_of(name: str, blocks: Blocks) -> Layout:
    names, sizes = [block for block, _ in blocks], [math.prod(shape) for _, shape in blocks]
    if len(set(names)) < len(names) or any(n < 1 for _, shape in blocks for n in shape) or sum(sizes) > _MOST_VALUES:
        raise ConfigError(f"invalid blocks of the {name} in a checkpoint")
    return Layout([Block(block, tuple(shape), "") for block, shape in blocks])


def blocks_of(game: Game, names: Iterable[str] = Layouts._fields) -> dict[str, Blocks]:
    """The blocks of a game's layouts, as in ``Checkpoint.layouts``."""
    if unknown := [short_repr(name) for name in names if name not in Layouts._fields]:
        raise ConfigError(f"invalid names {join_names(unknown)}; expected some of {', '.join(Layouts._fields)}")
    return {name: [(block.name, block.shape) for block in getattr(game, name).values()] for name in names}


def packed_checkpoint(checkpoint: Checkpoint, **replaced: Any) -> bytes:
    """The bytes of a checkpoint's file, with some fields replaced.

    Raises ConfigError if a file cannot hold its header or arrays.
    """
    header = {one.name: getattr(checkpoint, one.name) for one in fields(checkpoint) if one.name != "arrays"}
    return packed({"format": FORMAT} | header | replaced, checkpoint.arrays)


def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint atomically: the path always holds a whole file, the old or the new one."""
    target, content = Path(path), packed_checkpoint(checkpoint)
    with atomic_write(target) as temporary:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    return target


def read_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises ConfigError if it is missing, damaged or in another format."""
    name = short_repr(Path(path).name)
    plain, arrays = unpacked(read_some(path, MOST_BYTES, ConfigError), name)
    version = plain.get("format") if isinstance(plain, dict) else None
    if version != FORMAT:
        raise ConfigError(f"{name} has the format {short_repr(version)}; expected {FORMAT}")
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
        raise ConfigError(f"invalid checkpoint of kind {short_repr(checkpoint.kind)}; expected kind {kind!r}")
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
            raise ConfigError(f"the checkpoint {what} arrays {join_names(map(short_repr, names))}")
    for name, shape in shapes.items():
        array, dtype = arrays[name], np.dtype(np.int64 if name in integers else np.float32)
        if array.dtype != dtype or array.shape != shape:
            given, expected = (f"{kind} {join_names([list(of)])}" for kind, of in ((array.dtype, array.shape), (dtype, shape)))
            raise ConfigError(f"invalid array {short_repr(name)} of {given}; expected {expected}")
        if not np.isfinite(array).all():
            raise ConfigError(f"invalid array {short_repr(name)}; expected finite numbers")


def require_fit(checkpoint: Checkpoint, game: Game, layouts: Iterable[str] = (), same: Iterable[str] = ("actions",)) -> None:
    """Raise ConfigError unless the model fits the game and its actions.

    Options that change no layout may differ from those of the training. Blocks that are read are checked by :func:`columns_in`.

    layouts : names of exactly the layouts that the checkpoint must name; by default those that it names
    same : names of the layouts that must be those of the training, as a whole
    """
    if checkpoint.game != game.name:
        raise ConfigError(f"a checkpoint for {short_repr(checkpoint.game)} does not play {game.name}")
    names = tuple(layouts) or tuple(checkpoint.layouts)
    if sorted(checkpoint.layouts) != sorted(names):
        raise ConfigError(
            f"invalid layouts {join_names(map(short_repr, checkpoint.layouts))} of a checkpoint; expected {join_names(names)}"
        )
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
    texts = {name: " and ".join(map(str, value)) or "none" for name, value in config.items() if isinstance(value, _LISTS)}
    return ", ".join(f"{name}={texts.get(name) or short_repr(config[name])}" for name in names)


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


MOST_BYTES = 1 << 30
"""Length of the longest file that is read, far more than our agents need."""
_MOST_ARRAYS, _LONGEST_HEADER = 10_000, 1 << 20
_HEADER, _SUFFIX = "header.json", ".npy"
_NAME = re.compile(r"\w+([./]\w+)*", re.ASCII)
_DIGITS = 64  # of a SHA-256 in hexadecimal
_KINDS = "biuf"  # bool, integers and floating point numbers
_MEMBER = struct.Struct("<4sHHHHHIIIHH")  # the header of a member of a zip archive
_PLAIN = (b"PK\3\4", 20, 0, 0)  # signature, version, flags, no compression
_LONGEST_NPY_HEADER = 256


class _Damaged(ValueError):
    """Raised when the contents of a file are damaged or malformed."""


class Contents(NamedTuple):
    """The contents of a file."""

    header: Any
    """Plain data, as parsed from JSON."""
    arrays: dict[str, NDArray[Any]]


def packed(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a file; equal contents give equal bytes, whatever the order of the arrays.

    Raises ConfigError for a header that is not JSON, for invalid names of arrays, and for arrays that do not hold numbers.
    """
    file = io.BytesIO()
    try:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(_member(_HEADER), json.dumps(header, sort_keys=True, allow_nan=False))
            for name, array in sorted(arrays.items()):
                archive.writestr(_member(_checked_name(name) + _SUFFIX), _npy_bytes(np.asarray(array)))
            archive.comment = bytes(_DIGITS)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"cannot store these arrays: {error}") from None
    body = file.getvalue()[:-_DIGITS]
    if len(body) + _DIGITS > MOST_BYTES or len(arrays) > _MOST_ARRAYS:
        raise ConfigError(f"cannot store more than {MOST_BYTES} bytes or {_MOST_ARRAYS} arrays")
    return body + _digest_of(body)


def unpacked(content: bytes, source: str = "this file") -> Contents:
    """Return the header and the arrays that the bytes of a file hold.

    Raises ConfigError, with a message that begins with ``source``, if they are malformed.
    """
    try:
        if len(content) > MOST_BYTES:
            raise _Damaged(f"it is larger than {MOST_BYTES} bytes")
        return _contents(content)
    except Exception as error:  # with malformed data the libraries may raise any exception
        reason = str(error) if isinstance(error, _Damaged | JsonError) else type(error).__name__
        raise ConfigError(f"{source} is not a checkpoint, or is damaged: {reason}") from None


def _contents(content: bytes) -> Contents:
    body = content[:-_DIGITS]
    if content[-_DIGITS:] != _digest_of(body):
        raise _Damaged("its SHA-256 differs from the one at its end")
    members = _members(body)
    header = members.pop(_HEADER, b"")
    if len(header) > _LONGEST_HEADER:
        raise _Damaged(f"its header is longer than {_LONGEST_HEADER} bytes")
    if extra := [name for name in members if not name.endswith(_SUFFIX)]:
        raise _Damaged(f"unexpected member {short_repr(extra[0])}")
    arrays = {_checked_name(name.removesuffix(_SUFFIX)): content for name, content in members.items()}
    return Contents(parse(header), {name: _array_of(name, content) for name, content in arrays.items()})


def _members(body: bytes) -> dict[str, bytes]:
    """The members of an archive by name, up to its directory."""
    members: dict[str, bytes] = {}
    at = 0
    while body.startswith(_PLAIN[0], at):
        *plain, _, _, _, stored, size, n_name, n_extra = _MEMBER.unpack_from(body, at)
        start = at + _MEMBER.size + n_name
        name = body[at + _MEMBER.size : start].decode("ascii")
        at = start + size
        if tuple(plain) != _PLAIN or stored != size or n_extra or at > len(body):
            raise _Damaged(f"member {short_repr(name)} is compressed, encrypted or incomplete")
        if name in members:
            raise _Damaged(f"duplicate member {short_repr(name)}")
        if len(members) > _MOST_ARRAYS:
            raise _Damaged(f"it has more than {_MOST_ARRAYS} arrays")
        members[name] = body[start:at]
    return members


def _array_of(name: str, content: bytes) -> NDArray[Any]:
    """Return the array from its .npy bytes. The declared shape must agree with the number of bytes."""
    file = io.BytesIO(content)
    if npy.read_magic(file) != (1, 0):
        raise _Damaged(f"array {short_repr(name)} has an unsupported version of the .npy format")
    shape, by_columns, dtype = npy.read_array_header_1_0(file, max_header_size=_LONGEST_NPY_HEADER)
    if dtype.kind not in _KINDS or not dtype.isnative or by_columns:
        raise _Damaged(f"array {short_repr(name)} is not an array of numbers")
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise _Damaged(f"array {short_repr(name)} does not have the size that it declares")
    array = np.frombuffer(content[file.tell() :], dtype).reshape(shape).copy()
    if dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise _Damaged(f"array {short_repr(name)} has values other than True and False")
    return array


def _npy_bytes(array: NDArray[Any]) -> bytes:
    if array.dtype.kind not in _KINDS:
        raise ValueError(f"expected numbers, got an array of {array.dtype}")
    file = io.BytesIO()
    npy.write_array(file, np.asarray(array, array.dtype.newbyteorder("="), order="C"), (1, 0), allow_pickle=False)
    return file.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    """A member with the same bytes on every machine and day."""
    member = zipfile.ZipInfo(name)
    member.create_system, member.external_attr = 3, 0o644 << 16
    return member


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise _Damaged(f"invalid array name {short_repr(name)}")
    return name


def _digest_of(content: bytes) -> bytes:
    return sha256(content).hexdigest().encode()
