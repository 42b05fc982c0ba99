"""Checkpoints: a trained agent as one ``.npz`` file of arrays with one text of settings.

A model is rebuilt from its settings and filled with the arrays. No code is stored or run, so files from others are safe to load.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.files import written
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout

FORMAT = 1
_HEADER = "checkpoint"
_LARGEST = 1 << 30  # bytes, far more than our agents need


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


def digest_of(layout: Layout) -> str:
    """A digest of the names, shapes and offsets of the blocks of a layout."""
    text = json.dumps([[block.name, block.start, list(block.shape)] for block in layout.values()])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digests_of(game: Game) -> dict[str, str]:
    """The digests of a game's layouts. ``Checkpoint.layouts`` holds those that a model depends on."""
    return {name: digest_of(getattr(game, name)) for name in ("actions", "observation", "features")}


def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint atomically: the path always holds a whole file, the old or the new one."""
    target = Path(path)
    header = {"format": FORMAT} | {name: value for name, value in asdict(checkpoint).items() if name != "arrays"}
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    arrays: dict[str, Any] = {_HEADER: text} | {f"/{name}": array for name, array in checkpoint.arrays.items()}
    target.parent.mkdir(parents=True, exist_ok=True)
    with written(target) as beside, beside.open("wb") as file:
        np.savez(file, **arrays)
        file.flush()
        os.fsync(file.fileno())
    return target


def read_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises ConfigError if the file is missing, damaged or of another format."""
    where = Path(path)
    try:
        with np.load(where, allow_pickle=False) as file:
            if sum(info.file_size for info in zipfile.ZipFile(where).infolist()) > _LARGEST:
                raise ConfigError(f"{where.name} is larger than {_LARGEST} bytes")
            header = json.loads(bytes(file[_HEADER]))
            arrays = {name[1:]: file[name] for name in file.files if name != _HEADER}
            version = header.pop("format")
            if version != FORMAT:
                raise ConfigError(f"{where.name} has the format {shown(version)}; expected {FORMAT}")
            return Checkpoint(**header, arrays=arrays)
    except FileNotFoundError:
        raise ConfigError(f"there is no checkpoint {shown(str(path))}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{where.name} is not a checkpoint, or damaged: {type(error).__name__}") from None


def require_fit(checkpoint: Checkpoint, game: Game) -> None:
    """Raise ConfigError unless the model fits the game and its layouts.

    Options that change no layout may differ from those of the training.
    """
    if checkpoint.game != game.name:
        raise ConfigError(f"a checkpoint for {checkpoint.game} does not play {game.name}")
    today = digests_of(game)
    if wrong := [name for name, digest in checkpoint.layouts.items() if today.get(name) != digest]:
        raise ConfigError(
            f"a checkpoint for {shown(dict(checkpoint.config))} does not fit {shown(game.config_dict)}: the layout of "
            f"{' and '.join(wrong)} differs"
        )
