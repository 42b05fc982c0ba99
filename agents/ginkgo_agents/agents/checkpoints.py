"""Checkpoints: what a trained agent is made of, as one ``.npz`` file of arrays and one text of settings.

No code is stored or run: a model is rebuilt from its settings and filled with the arrays. Safe to load from strangers.
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
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout

FORMAT = 1
_HEADER = "checkpoint"
_LARGEST = 1 << 30  # bytes: no agent of ours is near that


@dataclass(frozen=True)
class Checkpoint:
    """A trained agent.

    kind : which agent plays it, such as ``lookahead``
    game, config : what it was trained for, as in ``make_game(game, **config)``
    layouts : digests of the layouts that the model reads and writes, see :func:`digest_of`
    settings : what the model is rebuilt from, as plain data
    about : training settings, seed, time, results: told, never used
    arrays : the weights, and whatever else training needs to go on
    """

    kind: str
    game: str
    config: Mapping[str, Any]
    layouts: Mapping[str, str]
    settings: Mapping[str, Any]
    about: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict)


def digest_of(layout: Layout) -> str:
    """A digest of a layout: the names, shapes and places of its blocks."""
    text = json.dumps([[block.name, block.start, list(block.shape)] for block in layout.values()])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digests_of(game: Game) -> dict[str, str]:
    """The digests of a game's layouts, for ``Checkpoint.layouts``; a model names those that it depends on."""
    return {
        "actions": digest_of(game.actions),
        "observation": digest_of(game.observation),
        "features": digest_of(game.features),
    }


def write_checkpoint(path: str | Path, checkpoint: Checkpoint) -> Path:
    """Write a checkpoint beside its target and rename it: there is always a whole file, the old or the new one."""
    target = Path(path)
    header = {"format": FORMAT} | {name: value for name, value in asdict(checkpoint).items() if name != "arrays"}
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            arrays: dict[str, Any] = {_HEADER: text} | {f"/{name}": array for name, array in checkpoint.arrays.items()}
            np.savez(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    return target


def read_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint. Raises ConfigError with a sentence if there is none, or the file is damaged or of another format."""
    where = Path(path)
    try:
        with np.load(where, allow_pickle=False) as file:
            if sum(info.file_size for info in zipfile.ZipFile(where).infolist()) > _LARGEST:
                raise ConfigError(f"{where.name} is too large for a checkpoint")
            header = json.loads(bytes(file[_HEADER]))
            arrays = {name[1:]: file[name] for name in file.files if name != _HEADER}
            found = header.pop("format")
            if found != FORMAT:
                raise ConfigError(f"{where.name} has the format {shown(found)}; this version reads {FORMAT}")
            return Checkpoint(**header, arrays=arrays)
    except FileNotFoundError:
        raise ConfigError(f"there is no checkpoint {shown(str(path))}") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile) as error:
        raise ConfigError(f"{where.name} is not a checkpoint, or damaged: {type(error).__name__}") from None


def require_fit(checkpoint: Checkpoint, game: Game) -> None:
    """Raises ConfigError unless the model was made for this game, the same layouts and as many sides.

    Options that change no layout may differ from those that it was trained with.
    """
    if checkpoint.game != game.name:
        raise ConfigError(f"a checkpoint for {checkpoint.game} does not play {game.name}")
    now = digests_of(game)
    wrong = [name for name, digest in checkpoint.layouts.items() if now.get(name) != digest]
    if wrong:
        raise ConfigError(
            f"a checkpoint for {shown(dict(checkpoint.config))} does not fit {shown(game.config_dict)}: other {', '.join(wrong)}"
        )
