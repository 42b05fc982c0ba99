"""What a data set says of itself: the file ``dataset.json``, also in the metadata of each Parquet file.

It holds all that its rows depend on, and the layouts of observations, features and actions as plain data: readable without
this package, and compared with the game that reads it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import numpy as np
from msgspec import Meta, to_builtins

from ginkgo_env import __version__
from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.rewards import RewardName
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.registry import make_game

FORMAT, VERSION = "ginkgo-data", 1
FILE = "dataset.json"
KEY = "ginkgo"
"""Of the metadata of Parquet files."""
STEPS, REPLAY = "steps", "replay"
"""What the rows of decisions are: written out, or seed and actions from which they are rebuilt."""
WIDE = ("observation", "features", "mask")
"""Columns that are arrays of fixed size."""
_LARGEST = 1 << 24  # bytes of the file

LayoutName = Literal["observation", "features", "actions"]


class DataError(GinkgoError):
    """A data set that is missing, incomplete, damaged, or does not belong to this version of the game."""


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
    """A layout as plain data. The digest covers what decides which number stands where and means what."""

    dtype: str | None
    size: int
    digest: str
    blocks: list[BlockInfo]


class DatasetInfo(StrictStruct):
    """The description of a data set. Two runs with equal descriptions write equal rows."""

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
    checkpoints: dict[str, str]
    """Digests of the files of agents that are checkpoints."""
    seatings: Annotated[list[list[int]], Meta(min_length=1)]
    """For each seat the number of its agent; game i has the seating i modulo their number."""
    seed: int
    games: Annotated[int, Meta(ge=1)]
    shard_games: Annotated[int, Meta(ge=1)]

    def __post_init__(self) -> None:
        if missing := {"observation", "features", "actions"} - self.layouts.keys():
            raise ValueError(f"the layout of {min(missing)} is missing")

    @property
    def shards(self) -> int:
        """Number of shards."""
        return -(-self.games // self.shard_games)

    def games_of(self, shard: int) -> range:
        """The numbers of the games of a shard."""
        start = shard * self.shard_games
        return range(start, min(start + self.shard_games, self.games))

    def layout(self, name: str) -> Layout:
        """The layout of ``observation``, ``features`` or ``actions`` as it was written."""
        return Layout([Block(b.name, b.shape, b.meaning, b.low, b.high, b.seen_by) for b in self._layout(name).blocks])

    def dtype(self, name: str) -> np.dtype[Any]:
        """The dtype of ``observation`` or ``features``."""
        return np.dtype(str(self._layout(name).dtype))

    def width(self, name: str) -> int:
        """Bytes of a row of a column of fixed size; masks have a bit for each action."""
        if name == "mask":
            return -(-self.layouts["actions"].size // 8)
        return self._layout(name).size * self.dtype(name).itemsize

    def _layout(self, name: str) -> LayoutInfo:
        return self.layouts[cast(LayoutName, name)]

    def make_game(self) -> Game:
        """The game. Raises DataError unless it is still what the data set was made with."""
        try:
            game = make_game(self.game, **self.config)
        except (GinkgoError, TypeError) as error:
            raise DataError(f"this data set cannot be used here: {error}") from None
        now = game_part(game)
        for name in ("game_version", "config", "components", "seats", "sides", "decisions"):
            if getattr(self, name) != now[name]:
                written, here = shown(str(getattr(self, name))), shown(str(now[name]))
                raise DataError(f"this data set was made with another {self.game}: {name} was {written}, and is {here} here")
        for layout, current in ((layout, now["layouts"][layout]) for layout in self.layouts):
            if self.layouts[layout].digest != current["digest"]:
                raise DataError(
                    f"this data set was made with another layout of {layout} of {self.game}: "
                    + _changed(self.layouts[layout].blocks, convert(current, LayoutInfo).blocks)
                )
        return game

    def dumps(self, indent: int | None = 2) -> str:
        """Return the description as JSON."""
        return json.dumps({"format": FORMAT, "version": VERSION, **to_builtins(self)}, indent=indent)

    def difference(self, other: DatasetInfo) -> str:
        """Name the first field in which two descriptions differ; an empty text if they are equal."""
        mine, theirs = to_builtins(self), to_builtins(other)
        for name, value in mine.items():
            if value != theirs[name]:
                if isinstance(value, dict) and name != "layouts":
                    return f"{name}: {difference(value, theirs[name])}"
                return f"{name} is {shown(_short(value))}, expected {shown(_short(theirs[name]))}"
        return ""

    @classmethod
    def of(cls, game: Game, **settings: Any) -> DatasetInfo:
        """Describe data of a game; the settings are the fields from ``content`` on."""
        return convert({"package": __version__, **game_part(game), **settings}, cls)

    @classmethod
    def loads(cls, text: str | bytes, source: str) -> DatasetInfo:
        """Read a description from its JSON. Raises DataError, which names the source, for anything else."""
        try:
            data = convert(parse(text), dict[str, Any])
            if data.pop("format", None) != FORMAT:
                raise DataError(f"{source} does not describe a data set of play")
            if (version := data.pop("version", None)) != VERSION:
                raise DataError(f"{source} has version {shown(version)} of the schema; this package reads version {VERSION}")
            return convert(data, cls)
        except JsonError as error:
            raise DataError(f"{source}: {error}") from None

    @classmethod
    def read(cls, folder: Path) -> DatasetInfo:
        """The description of the data set in a folder. Raises DataError."""
        try:
            with (folder / FILE).open("rb") as file:
                return cls.loads(file.read(_LARGEST), str(folder / FILE))
        except OSError as error:
            raise DataError(f"no data set in {str(folder)!r}: {error.strerror or error}") from None


def game_part(game: Game) -> dict[str, Any]:
    """What a description says of a game, as plain data that JSON gives back unchanged."""
    dtypes = {"observation": np.dtype(game.observation_dtype), "features": np.dtype(np.float32), "actions": None}
    layouts = {
        name: layout_part(getattr(game, name), None if dtype is None else dtype.newbyteorder("<").str)
        for name, dtype in dtypes.items()
    }
    found = {
        "game": game.name,
        "game_version": game.version,
        "config": game.config_dict,
        "components": game.components,
        "sides": list(game.side_names),
        "seats": game.seats,
        "decisions": list(game.decisions),
        "layouts": layouts,
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


def layout_part(layout: Layout, dtype: str | None) -> dict[str, Any]:
    """A layout as plain data. The digest covers what decides which number stands where and means what."""
    blocks: list[dict[str, Any]] = [
        {name: getattr(block, name) for name in ("name", "shape", "start", "low", "high", "seen_by", "meaning")}
        for block in layout.values()
    ]
    exact = [[b["name"], b["shape"], b["start"], b["low"], b["high"]] for b in blocks]
    digest = hashlib.sha256(json.dumps([dtype, layout.size, exact]).encode()).hexdigest()
    return {"dtype": dtype, "size": layout.size, "digest": digest, "blocks": blocks}


def _changed(written: Sequence[BlockInfo], here: Sequence[BlockInfo]) -> str:
    """Name the first block that differs."""
    for old, new in zip(written, here, strict=False):
        if (old.name, old.shape, old.low, old.high) != (new.name, new.shape, new.low, new.high):
            return f"the block {shown(old.name)} has changed"
    return f"it had {len(written)} blocks, and has {len(here)} here"


def _short(value: Any) -> Any:
    return value if isinstance(value, str | int) else json.dumps(value)
