"""The files of a data set: written so that a reader never sees half of one, and so that what is whole need not be made again.

    dataset.json            what it is
    steps/00000.parquet     one row a decision (or replay/00000.parquet, one row a game with its actions)
    games/00000.parquet     one row a game; written last: with it a shard is whole
    README.md               the data card, written when all shards are whole

A file gets its name when all of it is on the disk.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import FILE, KEY, REPLAY, STEPS, WIDE, DataError, DatasetInfo
from ginkgo_env.data.play import Columns, FinishedGames
from ginkgo_env.data.schema import games_schema, replay_schema, steps_schema

GAMES, CARD = "games", "README.md"
GROUP_ROWS = 8192  # decisions in a row group, which is what a loader reads at once
_PARTIAL = ".part"
_SCHEMAS = {STEPS: steps_schema, REPLAY: replay_schema, GAMES: games_schema}
_QUICKLY = ("observation", "features")  # compressed with lz4: zstd would take half of all time (docs/data.md)


def path_of(folder: Path, kind: str, shard: int) -> Path:
    """The file of a shard: kind is ``steps``, ``replay`` or ``games``."""
    return folder / kind / f"{shard:05d}.parquet"


def whole_shards(folder: Path, about: DatasetInfo) -> list[int]:
    """The numbers of the shards that are whole."""
    kinds = (about.content, GAMES)
    return [k for k in range(about.shards) if all(path_of(folder, kind, k).is_file() for kind in kinds)]


def open_folder(folder: Path, about: DatasetInfo) -> list[int]:
    """Begin or continue a data set; returns the numbers of the shards that are whole.

    Raises DataError if the folder holds another data set or cannot be written.
    """
    try:
        if (folder / FILE).exists():
            if difference := DatasetInfo.read(folder).difference(about):
                raise DataError(f"{str(folder)!r} holds another data set: {difference}")
        elif folder.exists() and any(folder.iterdir()):
            raise DataError(f"{str(folder)!r} is not empty, and holds no data set")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists():  # first, so that a folder is known for what it is, whatever happens next
            write_text(folder / FILE, about.dumps() + "\n")
        for kind in (about.content, GAMES):
            (folder / kind).mkdir(exist_ok=True)
            for left in (folder / kind).glob(f".*{_PARTIAL}"):
                if not _is_running(left):
                    left.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot("write into", folder, error) from None
    return whole_shards(folder, about)


def write_shard(folder: Path, about: DatasetInfo, shard: int, played: FinishedGames) -> None:
    """Write the files of a shard. Raises DataError if that is impossible."""
    try:
        with _new(path_of(folder, about.content, shard)) as path:
            (_write_steps if about.content == STEPS else _write_replay)(path, about, played)
        with _new(path_of(folder, GAMES, shard)) as path:
            _write_games(path, about, played)
    except OSError as error:
        raise _cannot("write into", folder, error) from None


def write_text(path: Path, text: str) -> None:
    """Write a text file, at once. Raises OSError."""
    with _new(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def _new(path: Path) -> Iterator[Path]:
    """A name to write a file under, which then gets its own."""
    partial = path.with_name(f".{path.name}.{os.getpid()}{_PARTIAL}")
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())  # or a crash of the machine could leave an empty file under the new name
        os.replace(partial, path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _is_running(partial: Path) -> bool:
    """Whether the process that writes a file still runs; the name ends in its number."""
    number = partial.name.removesuffix(_PARTIAL).rpartition(".")[2]
    try:
        os.kill(int(number), 0)
    except (ValueError, ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return int(number) != os.getpid()


def _cannot(what: str, path: Path, error: OSError) -> DataError:
    return DataError(f"cannot {what} {str(path)!r}: {error.strerror or error}")


# --- tables ------------------------------------------------------------------------------------------------------------------


def _write_steps(path: Path, about: DatasetInfo, played: FinishedGames) -> None:
    pa, schema = optional_dependencies.arrow(), steps_schema(about)
    with _writer(path, schema) as writer:
        for start in range(0, max(1, len(played)), GROUP_ROWS):
            rows = played.rows(start, min(start + GROUP_ROWS, len(played)))
            writer.write_table(pa.table([_array(rows[field.name], field.type) for field in schema], schema=schema))


def _write_replay(path: Path, about: DatasetInfo, played: FinishedGames) -> None:
    pa, schema = optional_dependencies.arrow(), replay_schema(about)
    decisions = played.games["decisions"].astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(decisions)]).astype(np.int32)
    actions = pa.ListArray.from_arrays(pa.array(offsets), pa.array(played.steps["action"]), type=schema.field("actions").type)
    with _writer(path, schema) as writer:
        writer.write_table(pa.table([pa.array(played.numbers, pa.int32()), actions], schema=schema))


def _write_games(path: Path, about: DatasetInfo, played: FinishedGames) -> None:
    pa, schema = optional_dependencies.arrow(), games_schema(about)
    columns = _games(about, played)
    with _writer(path, schema) as writer:
        writer.write_table(pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema))


def _games(about: DatasetInfo, played: FinishedGames) -> dict[str, Any]:
    """The columns of the table of games by name."""
    numbers, found = played.numbers, played.games
    seatings = np.array(about.seatings)[numbers % len(about.seatings)]
    names = np.array(about.agents, object)
    columns: dict[str, Any] = {
        "game": numbers,
        "seed": played.seeds,
        "config": [config_text(about)] * len(numbers),
        **{f"agent_{seat}": names[seatings[:, seat]] for seat in range(about.seats)},
        **{name: found[name] for name in ("decisions", "first", "ending", "truncated")},
    }
    for name in ("score", "standing", "share"):
        columns |= {f"{name}_{side}": found[name][:, side] for side in range(len(about.sides))}
    return columns


def config_text(about: DatasetInfo) -> str:
    """The configuration as it stands in the table of games."""
    return json.dumps(about.config)


def _array(values: Any, kind: Any) -> Any:
    """A column of Arrow, without a copy. Bytes (n, width) become values of fixed size."""
    pa = optional_dependencies.arrow()
    if values.ndim == 2:
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    return pa.array(values, kind)


def _writer(path: Path, schema: Any) -> Any:
    return optional_dependencies.parquet().ParquetWriter(
        path,
        schema,
        compression={name: "lz4" if name in _QUICKLY else "zstd" for name in schema.names},
        compression_level={name: 1 for name in schema.names if name not in _QUICKLY},
        use_dictionary=False,  # it takes longer and gains nothing, and Arrow does not check its pages
        write_statistics=[name for name in schema.names if name not in WIDE],
        write_page_checksum=True,
    )


# --- reading -----------------------------------------------------------------------------------------------------------------


class Shards:
    """The files of a data set, to be read. Opened when they are needed; the last few stay open."""

    _OPEN = 8

    def __init__(self, folder: Path, about: DatasetInfo) -> None:
        self.folder, self.about = folder, about
        self._files: dict[Path, Any] = {}

    def groups(self, shard: int) -> list[int]:
        """Number of rows of each row group of the steps of a shard."""
        with self._file(STEPS, shard) as file:
            return [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]

    def steps(self, shard: int, group: int, columns: list[str]) -> Columns:
        """Columns of a row group; those of fixed size as bytes (n, width). Views of Arrow's memory, which cannot be written."""
        with self._file(STEPS, shard) as file:
            table = file.read_row_group(group, columns=columns, use_threads=False)
            return {name: _values(table.column(name)) for name in columns}

    def games(self, shard: int) -> Columns:
        """All columns of the table of games."""
        with self._file(GAMES, shard) as file:
            table = file.read(use_threads=False)
            found = {name: table.column(name).to_numpy() for name in table.column_names}
            if not np.array_equal(found["game"], np.array(self.about.games_of(shard))):
                raise DataError(f"{path_of(self.folder, GAMES, shard)}: other games than {self.about.games_of(shard)}")
            return found

    def actions(self, shard: int) -> NDArray[np.int32]:
        """All actions of a shard, one game after the other."""
        if self.about.content == STEPS:
            return np.concatenate([self.steps(shard, group, ["action"])["action"] for group in range(len(self.groups(shard)))])
        with self._file(REPLAY, shard) as file:
            lists = file.read(columns=["actions"], use_threads=False).column("actions").combine_chunks()
            return np.asarray(lists.flatten().to_numpy())

    @contextmanager
    def _file(self, kind: str, shard: int) -> Iterator[Any]:
        path = path_of(self.folder, kind, shard)
        arrow = optional_dependencies.arrow()
        try:
            if path not in self._files:
                self._open(path, _SCHEMAS[kind](self.about))
            yield self._files[path]
        except (OSError, arrow.ArrowException, UnicodeDecodeError) as error:
            raise DataError(f"{str(path)!r} is damaged or missing: {str(error).partition(chr(10))[0]}") from None

    def _open(self, path: Path, schema: Any) -> None:
        found = optional_dependencies.parquet().ParquetFile(path, memory_map=True, page_checksum_verification=True)
        about = DatasetInfo.loads((found.schema_arrow.metadata or {}).get(KEY.encode(), b"null"), path.name)
        if difference := about.difference(self.about):
            raise DataError(f"{str(path)!r} belongs to another data set: {difference}")
        if not found.schema_arrow.equals(schema):
            raise DataError(f"{str(path)!r} is damaged: it has other columns than {', '.join(schema.names)}")
        self._files[path] = found
        while len(self._files) > self._OPEN:
            self._files.pop(next(iter(self._files))).close()


def _values(column: Any) -> Any:
    """A column as numpy."""
    pa, array = optional_dependencies.arrow(), column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    if pa.types.is_fixed_size_binary(array.type):
        width = array.type.byte_width
        data = np.frombuffer(array.buffers()[1], np.uint8, len(array) * width, array.offset * width)
        return data.reshape(len(array), width)
    return array.to_numpy(zero_copy_only=False)
