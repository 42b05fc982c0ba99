"""What a data set says of itself: the file ``dataset.json``, also in the metadata of each Parquet file.

It holds all that its rows depend on, and the layouts of observations, features and actions as plain data: readable without
this package, and compared with the game that reads it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

import numpy as np

from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.core.rewards import UNITS, RewardName
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


class DataError(GinkgoError):
    """A data set that is missing, incomplete, damaged, or does not belong to this version of the game."""


@dataclass(frozen=True)
class DatasetInfo:
    """The description of a data set. Two runs that make the same description make the same rows.

    Raises DataError for one that contradicts itself.
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
    layouts: dict[str, Any]
    """``observation``, ``features`` and ``actions``: dtype, size, digest and blocks."""
    content: str
    """``steps`` or ``replay``."""
    wide: list[str]
    """Which columns of fixed size there are."""
    reward: str
    agents: list[str]
    checkpoints: dict[str, str]
    """Digests of the files of agents that are checkpoints."""
    seatings: list[list[int]]
    """For each seat the number of its agent; game i has the seating i modulo their number."""
    seed: int
    games: int
    shard_games: int

    def __post_init__(self) -> None:
        if self.content not in (STEPS, REPLAY) or not set(self.wide) <= set(WIDE) or self.reward not in UNITS:
            raise DataError(f"unknown content of a data set: {shown(self.content)}, rewards {shown(self.reward)}")
        for name in ("observation", "features", "actions"):
            layout = self.layouts.get(name)
            if not isinstance(layout, dict) or not {"size", "digest", "blocks"} <= set(layout):
                raise DataError(f"the layout of {name} is missing")
        if self.games < 1 or self.shard_games < 1 or not self.seatings:
            raise DataError("a data set requires games and agents")

    @property
    def shards(self) -> int:
        """Number of shards."""
        return -(-self.games // self.shard_games)

    def games_of(self, shard: int) -> range:
        """The numbers of the games of a shard."""
        start = shard * self.shard_games
        return range(start, min(start + self.shard_games, self.games))

    @property
    def paid(self) -> RewardName:
        """The kind of reward."""
        return cast(RewardName, self.reward)

    def layout(self, name: str) -> Layout:
        """The layout of ``observation``, ``features`` or ``actions`` as it was written."""
        return Layout([
            Block(b["name"], tuple(b["shape"]), b["meaning"], b["low"], b["high"], b["seen_by"])
            for b in self.layouts[name]["blocks"]
        ])  # fmt: skip

    def dtype(self, name: str) -> np.dtype[Any]:
        """The dtype of ``observation`` or ``features``."""
        return np.dtype(str(self.layouts[name]["dtype"]))

    def width(self, name: str) -> int:
        """Bytes of a row of a column of fixed size; masks have a bit for each action."""
        if name == "mask":
            return -(-int(self.layouts["actions"]["size"]) // 8)
        return int(self.layouts[name]["size"]) * self.dtype(name).itemsize

    def make_game(self) -> Game:
        """The game. Raises DataError unless it is still what the data set was made with."""
        try:
            game = make_game(self.game, **self.config)
        except (GinkgoError, TypeError) as error:
            raise DataError(f"this data set cannot be used here: {error}") from None
        now = game_part(game)
        for name in ("game_version", "config", "components", "seats", "sides", "decisions"):
            if getattr(self, name) != now[name]:
                was, is_now = shown(str(getattr(self, name))), shown(str(now[name]))
                raise DataError(f"this data set was made with another {self.game}: {name} was {was}, and is {is_now} here")
        for name, layout in self.layouts.items():
            if layout["digest"] != now["layouts"][name]["digest"]:
                raise DataError(
                    f"this data set was made with another layout of {name} of {self.game}: {_changed(layout, now, name)}"
                )
        return game

    def dumps(self, indent: int | None = 2) -> str:
        """As JSON."""
        return json.dumps({"format": FORMAT, "version": VERSION, **asdict(self)}, indent=indent)

    def unlike(self, other: DatasetInfo) -> str:
        """The first thing in which two descriptions differ, in words; nothing if they are equal."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs:
                if isinstance(mine, Mapping) and field.name != "layouts":
                    return f"{field.name}: {difference(mine, theirs)}"
                return f"{field.name} is {shown(_short(mine))}, expected {shown(_short(theirs))}"
        return ""

    @classmethod
    def of(cls, game: Game, **settings: Any) -> DatasetInfo:
        """The description of data of a game. The settings are the fields from ``content`` on."""
        from ginkgo_env import __version__

        return cls(package=__version__, **game_part(game), **settings)

    @classmethod
    def loads(cls, text: str | bytes, where: str) -> DatasetInfo:
        """A description from its JSON. Raises DataError for anything else."""
        try:
            plain = json.loads(text)
        except (ValueError, RecursionError):
            raise DataError(f"{where} is not JSON") from None
        if not isinstance(plain, dict) or plain.pop("format", None) != FORMAT:
            raise DataError(f"{where} does not describe a data set of play")
        if (version := plain.pop("version", None)) != VERSION:
            raise DataError(f"{where} has version {shown(version)} of the schema; this package reads version {VERSION}")
        try:
            return cls(**plain)
        except TypeError:
            raise DataError(f"{where} lacks parts of the description of a data set, or has others") from None

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


def _changed(written: Mapping[str, Any], now: Mapping[str, Any], name: str) -> str:
    """The first block that differs."""
    here: Sequence[Any] = now["layouts"][name]["blocks"]
    for was, is_now in zip(written["blocks"], here, strict=False):
        if any(was[key] != is_now[key] for key in ("name", "shape", "low", "high")):
            return f"the block {shown(was['name'])} has changed"
    return f"it had {len(written['blocks'])} blocks, and has {len(here)} here"


def _short(value: Any) -> Any:
    return value if isinstance(value, str | int) else json.dumps(value)
