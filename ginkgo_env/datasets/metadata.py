"""The description of a data set: ``dataset.json``, repeated in the metadata of each Parquet file.

It has everything that the rows depend on, and the layouts of observations, features and actions as plain data, which other
programs can read and the loader compares with those of the game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, to_builtins

from ginkgo_env import __version__
from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.files import read_some
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import extra
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.registry import game_class, make_game

FORMAT, VERSION = "ginkgo-data", 2
FILE = "dataset.json"
KEY = "ginkgo"
"""Key of the metadata of Parquet files."""
STEPS, REPLAY = "steps", "replay"
"""Contents of a data set: rows of decisions, or seeds and actions from which the loader rebuilds them."""
WIDE = ("observation", "features", "mask")
"""Columns that are arrays of fixed size."""
_MAX_BYTES = 1 << 24

LayoutName = Literal["observation", "features", "actions"]


class DataError(GinkgoError):
    """Raised for a data set that is missing, incomplete, damaged or made with another version of the game."""


# --- optional libraries, imported on first use -------------------------------------------------------------------------------


def arrow() -> Any:
    """Import ``pyarrow``. Raises MissingPackageError if it is not installed."""
    with extra("data"):
        return import_module("pyarrow")


def parquet() -> Any:
    """Import ``pyarrow.parquet``. Raises MissingPackageError if it is not installed."""
    with extra("data"):
        return import_module("pyarrow.parquet")


def torch_module() -> Any:
    """Import ``torch``. Raises MissingPackageError if it is not installed."""
    with extra("train"):
        return import_module("torch")


# --- descriptions ------------------------------------------------------------------------------------------------------------


class BlockInfo(StrictStruct):
    """A block of a layout as plain data, see :class:`~ginkgo_env.core.layout.Block`."""

    name: str
    shape: tuple[int, ...]
    start: int
    low: int
    high: int
    seen_by: str
    meaning: str


class LayoutInfo(StrictStruct):
    """A layout as plain data. The digest covers names, shapes, offsets, bounds and dtype."""

    dtype: str | None
    size: int
    digest: str
    blocks: list[BlockInfo]

    def __post_init__(self) -> None:
        try:
            known = self.dtype is None or np.dtype(self.dtype).kind in "iuf"
        except (TypeError, ValueError):
            known = False
        if not known:
            raise DataError(f"invalid dtype {short_repr(self.dtype)}; expected one of numbers, such as float32")


class DatasetInfo(StrictStruct):
    """The description of a data set. Two runs with equal descriptions write equal rows.

    >>> DatasetInfo.read("data/duels").agents  # doctest: +SKIP
    """

    package: str
    """Version of ginkgo_env."""
    game: str
    game_version: int
    config: dict[str, Any]
    components: dict[str, str]
    sides: list[str]
    """Names of the sides that score: the seats, and an automaton if there is one."""
    seats: int
    decisions: list[str]
    """Names of the kinds of decision."""
    layouts: dict[LayoutName, LayoutInfo]
    content: Literal["steps", "replay"]
    wide: list[Literal["observation", "features", "mask"]]
    """The columns of fixed size."""
    reward: RewardName
    agents: list[str]
    identities: dict[str, list[dict[str, Any]]]
    """What each agent is: all its options, its version, the digests of the networks or files that it plays with."""
    seatings: Annotated[list[list[int]], Meta(min_length=1)]
    """The index of the agent at each seat; game i has the seating ``i % len(seatings)``."""
    seed: int
    games: Annotated[int, Meta(ge=1)]
    shard_games: Annotated[int, Meta(ge=1)]
    version: int = VERSION
    """Version of the schema."""

    def __post_init__(self) -> None:
        if not isinstance(self.layouts, dict):  # a mistake in a call: msgspec checks what it reads from files
            raise DataError(f"invalid layouts {short_repr(self.layouts)}; expected a dict")
        if missing := {"observation", "features", "actions"} - self.layouts.keys():
            raise DataError(f"the layout of {min(missing)} is missing")

    @property
    def shards(self) -> int:
        """Number of shards."""
        return -(-self.games // self.shard_games)

    def games_in(self, shard: int) -> range:
        """The numbers of the games in a shard."""
        start = shard * self.shard_games
        return range(start, min(start + self.shard_games, self.games))

    def layout(self, name: str) -> Layout:
        """The layout of ``observation``, ``features`` or ``actions``."""
        return Layout([Block(b.name, b.shape, b.meaning, b.low, b.high, b.seen_by) for b in self._layout(name).blocks])

    def dtype(self, name: str) -> np.dtype[Any]:
        """The dtype of ``observation`` or ``features``."""
        return np.dtype(str(self._layout(name).dtype))

    def width(self, name: str) -> int:
        """The number of bytes of a value of a column of fixed size; masks have a bit for each action."""
        if name == "mask":
            return -(-self.layouts["actions"].size // 8)
        return self._layout(name).size * self.dtype(name).itemsize

    def _layout(self, name: str) -> LayoutInfo:
        if name not in self.layouts:
            raise DataError(f"invalid name of a layout {short_repr(name)}; expected one of {', '.join(self.layouts)}")
        return self.layouts[name]

    def make_game(self) -> Game:
        """Make the game. Raises DataError if it differs from the game that the data set was made with."""
        try:
            game = make_game(game_class(self.game), **self.config)
        except (GinkgoError, TypeError) as error:
            raise DataError(f"cannot make the game of this data set: {error}") from None
        current = describe_game(game)
        for name in ("game_version", "config", "components", "seats", "sides", "decisions"):
            if getattr(self, name) != current[name]:
                old, new = short_repr(str(getattr(self, name))), short_repr(str(current[name]))
                raise DataError(f"this data set was made with another {self.game}: {name} was {old}, and is {new} here")
        for layout, written in self.layouts.items():
            here = convert(current["layouts"][layout], LayoutInfo)
            if written.digest != here.digest:
                raise DataError(
                    f"this data set was made with another layout of {layout} of {self.game}: "
                    + _first_changed_block(written.blocks, here.blocks)
                )
        return game

    def dumps(self, indent: int | None = 2) -> str:
        """Return the description as JSON."""
        return json.dumps({"format": FORMAT, "version": self.version, **to_builtins(self)}, indent=indent)

    def difference(self, other: DatasetInfo) -> str:
        """Describe the first difference from another description; return an empty string if they are equal."""
        mine, theirs = to_builtins(self), to_builtins(other)
        for name, value in mine.items():
            if value != theirs[name]:
                if isinstance(value, dict) and name != "layouts":
                    return f"{name}: {difference(value, theirs[name])}"
                return f"{name} is {short_repr(_short(value))}, expected {short_repr(_short(theirs[name]))}"
        return ""

    @classmethod
    def of(cls, game: Game, **settings: Any) -> DatasetInfo:
        """Describe a data set of a game; the settings are the fields from ``content`` on."""
        try:
            return convert({"package": __version__, **describe_game(game), **settings}, cls)
        except JsonError as error:
            raise DataError(f"invalid settings of a data set: {error}") from None

    @classmethod
    def loads(cls, text: str | bytes, source: str) -> DatasetInfo:
        """Read a description from JSON. Raises DataError, which names the source."""
        try:
            document = convert(parse(text), dict[str, Any])
            if document.pop("format", None) != FORMAT:
                raise DataError(f"{source} does not describe a data set")
            version = document.get("version")
            if type(version) is not int or version != VERSION:
                raise DataError(f"{source} has version {short_repr(version)} of the schema; expected {VERSION}")
            return convert(document, cls)
        except JsonError as error:
            raise DataError(f"{source}: {error}") from None

    @classmethod
    def read(cls, folder: Path) -> DatasetInfo:
        """Read the description of the data set in a folder. Raises DataError."""
        try:
            content = read_some(folder / FILE, _MAX_BYTES, DataError)
        except DataError as error:
            raise DataError(f"no data set in {str(folder)!r}: {error}") from None
        return cls.loads(content, str(folder / FILE))


def describe_game(game: Game) -> dict[str, Any]:
    """Describe a game as plain data that a round trip through JSON does not change."""
    dtypes = {"observation": np.dtype(game.observation_dtype), "features": np.dtype(np.float32), "actions": None}
    layouts = {
        name: describe_layout(getattr(game, name), None if dtype is None else dtype.newbyteorder("<").str)
        for name, dtype in dtypes.items()
    }
    description = {
        "game": game.name,
        "game_version": game.version,
        "config": game.config_dict,
        "components": game.component_ids,
        "sides": list(game.side_names),
        "seats": game.seats,
        "decisions": list(game.decisions),
        "layouts": layouts,
    }
    plain: dict[str, Any] = json.loads(json.dumps(description))
    return plain


def describe_layout(layout: Layout, dtype: str | None) -> dict[str, Any]:
    """A layout as plain data. The digest covers names, shapes, offsets, bounds and dtype."""
    blocks: list[dict[str, Any]] = [
        {name: getattr(block, name) for name in ("name", "shape", "start", "low", "high", "seen_by", "meaning")}
        for block in layout.values()
    ]
    exact = [[b["name"], b["shape"], b["start"], b["low"], b["high"]] for b in blocks]
    digest = hashlib.sha256(json.dumps([dtype, layout.size, exact]).encode()).hexdigest()
    return {"dtype": dtype, "size": layout.size, "digest": digest, "blocks": blocks}


def _first_changed_block(written: Sequence[BlockInfo], here: Sequence[BlockInfo]) -> str:
    """Name the first block that changed."""
    for old, new in zip(written, here, strict=False):
        if (old.name, old.shape, old.low, old.high) != (new.name, new.shape, new.low, new.high):
            return f"the block {short_repr(old.name)} has changed"
    return f"it had {len(written)} blocks, and has {len(here)} here"


def _short(value: Any) -> Any:
    return value if isinstance(value, str | int) else json.dumps(value)
