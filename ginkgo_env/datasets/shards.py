"""The files of a data set: their columns, reading and writing.

    dataset.json            the description
    steps/00000.parquet     one row for each decision (or replay/00000.parquet, one row for each game, with its actions)
    games/00000.parquet     one row for each game; written last: it completes a shard
    README.md               the data card, written when all shards are complete

Files are written under a temporary name and renamed, so readers never see a partial file.

``docs/data.md`` has the same tables of columns. A thread writes one shard while the next is played.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.files import open_regular, remove_abandoned
from ginkgo_env.core.game import Game
from ginkgo_env.datasets.metadata import FILE, KEY, REPLAY, STEPS, WIDE, DataError, DatasetInfo, arrow, parquet
from ginkgo_env.datasets.play import Columns, FinishedGames, GameRunner, Policy, ProgressCallback

# --- schema ------------------------------------------------------------------------------------------------------------------


class Column(NamedTuple):
    """A column, or one for each seat or side."""

    name: str
    kind: str
    """The type in Arrow; ``binary`` has a fixed size, given by the layout."""
    meaning: str


GAME = Column("game", "int32", "number of the game in the data set")
STEP_COLUMNS = (
    GAME,
    Column("step", "int32", "number of the decision in its game, from 0, counting hidden ones: not an input for learning"),
    Column("seat", "int8", "the seat that decides"),
    Column("kind", "int8", "kind of decision: an index into `decisions` of `dataset.json`"),
    Column("agent", "int16", "agent that decides: an index into `agents` of `dataset.json`"),
    Column("observation", "binary", "observation of the seat, in the layout `observation`: consecutive little-endian values"),
    Column("features", "binary", "compact features of the seat, in the layout `features`: little-endian float32 values"),
    Column("mask", "binary", "legal actions: bit i (bit i % 8 of byte i // 8, least significant first) is action i"),
    Column("legal", "list<int32>", "ids of the legal actions, in ascending order: the same as `mask`, for other tools"),
    Column("action", "int32", "action of the seat, in the layout `actions`"),
    Column("reward", "float32", "reward of the seat from this decision until its next one, or the end of the game"),
    Column("last", "bool", "whether this is the last decision of the seat in this game"),
    Column("score", "int32", "score of the seat at the end of the game"),
    Column("share", "float32", "share of the win: 1 divided by the number of winners, 0 for other seats"),
    Column("margin", "float32", "score minus the mean score of the other sides; 0 with one side"),
)
GAME_COLUMNS = (
    GAME,
    Column("seed", "uint64", "seed of the game, which determines everything hidden"),
    Column("config", "string", "configuration, as JSON"),
    Column("agent_<seat>", "string", "name of the agent at a seat"),
    Column("decisions", "int32", "number of decisions, that is, of rows of the game in `steps`"),
    Column("first", "int8", "the seat that decides first"),
    Column("ending", "string", "ending of the game"),
    Column("truncated", "bool", "whether the game was cut off instead of ending by the rules"),
    Column("score_<side>", "int32", "score of a side"),
    Column("standing_<side>", "int64", "standing of a side, higher is better"),
    Column("share_<side>", "float32", "share of a side in the win"),
)
REPLAY_COLUMNS = (GAME, Column("actions", "list<int32>", "all actions of the game, in order"))


def _arrow_type(info: DatasetInfo, column: Column) -> Any:
    pa = arrow()
    match column.kind:
        case "binary":
            return pa.binary(info.width(column.name))
        case "list<int32>":
            return pa.list_(pa.field("element", pa.int32(), nullable=False))
        case "bool":
            return pa.bool_()
        case kind:
            return getattr(pa, kind)()


def steps_schema(info: DatasetInfo) -> Any:
    """The Arrow schema of rows of decisions."""
    missing = {*WIDE} - {*info.wide}
    if "mask" in missing:
        missing.add("legal")
    return _schema(info, [column for column in STEP_COLUMNS if column.name not in missing])


def games_schema(info: DatasetInfo) -> Any:
    """The Arrow schema of rows of games."""
    counts = {"<seat>": range(info.seats), "<side>": range(len(info.sides))}
    columns = []
    for column in GAME_COLUMNS:
        stem, bracket, rest = column.name.partition("<")
        numbers = counts.get(bracket + rest)
        columns += [column] if numbers is None else [column._replace(name=f"{stem}{k}") for k in numbers]
    return _schema(info, columns)


def replay_schema(info: DatasetInfo) -> Any:
    """The Arrow schema of rows of games with their actions."""
    return _schema(info, list(REPLAY_COLUMNS))


def _schema(info: DatasetInfo, columns: list[Column]) -> Any:
    pa = arrow()
    fields = [pa.field(column.name, _arrow_type(info, column), nullable=False) for column in columns]
    return pa.schema(fields, metadata={KEY: info.dumps(indent=None)})


# --- shards ------------------------------------------------------------------------------------------------------------------


GAMES, CARD = "games", "README.md"
GROUP_ROWS = 8192  # decisions in a row group, the unit that a loader reads
_PARTIAL = ".part"
_PARTIAL_NAME = re.compile(rf"\..*?(?:\.(\d+))?{re.escape(_PARTIAL)}")
_SCHEMAS = {STEPS: steps_schema, REPLAY: replay_schema, GAMES: games_schema}
_LZ4_COLUMNS = ("observation", "features")  # zstd would take half of all time (docs/data.md)


def shard_path(folder: Path, kind: str, shard: int) -> Path:
    """The path of a file of a shard; kind is ``steps``, ``replay`` or ``games``."""
    return folder / kind / f"{shard:05d}.parquet"


def complete_shards(folder: Path, info: DatasetInfo) -> list[int]:
    """The numbers of the complete shards."""
    kinds = (info.content, GAMES)
    return [k for k in range(info.shards) if all(shard_path(folder, kind, k).is_file() for kind in kinds)]


def open_folder(folder: Path, info: DatasetInfo) -> list[int]:
    """Create or open the folder of a data set; return the numbers of the complete shards.

    Raises DataError if the folder holds another data set or cannot be written.
    """
    try:
        if (folder / FILE).exists():
            if difference := DatasetInfo.read(folder).difference(info):
                raise DataError(f"{str(folder)!r} holds another data set: {difference}")
        elif folder.exists() and any(folder.iterdir()):
            raise DataError(f"{str(folder)!r} is not empty, and holds no data set")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / FILE).exists():  # first, so that an interrupted command can be continued
            write_text(folder / FILE, info.dumps() + "\n")
        for kind in (info.content, GAMES):
            (folder / kind).mkdir(exist_ok=True)
            remove_abandoned(folder / kind, _PARTIAL_NAME)
    except OSError as error:
        raise _write_error(folder, error) from None
    return complete_shards(folder, info)


def write_shard(folder: Path, info: DatasetInfo, shard: int, finished: FinishedGames) -> None:
    """Write the files of a shard. Raises DataError if they cannot be written."""
    try:
        with _atomic_write(shard_path(folder, info.content, shard)) as path:
            (_write_steps if info.content == STEPS else _write_replay)(path, info, finished)
        with _atomic_write(shard_path(folder, GAMES, shard)) as path:
            _write_games(path, info, finished)
    except OSError as error:
        raise _write_error(folder, error) from None


def read_files(folder: Path, info: DatasetInfo, shard: int) -> list[bytes]:
    """Return the contents of the files of a shard."""
    return [shard_path(folder, kind, shard).read_bytes() for kind in (info.content, GAMES)]


def write_files(folder: Path, info: DatasetInfo, shard: int, contents: list[bytes]) -> None:
    """Write the files of a shard made by another process. Raises DataError if that fails."""
    try:
        for kind, content in zip((info.content, GAMES), contents, strict=True):
            with _atomic_write(shard_path(folder, kind, shard)) as path:
                path.write_bytes(content)
    except OSError as error:
        raise _write_error(folder, error) from None


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically. Raises OSError."""
    with _atomic_write(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def _atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path; the file written there is then moved to its own path."""
    partial = path.with_name(f".{path.name}.{os.getpid()}{_PARTIAL}")
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())  # or a crash of the machine could leave an empty file at the path
        os.replace(partial, path)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _write_error(path: Path, error: OSError) -> DataError:
    return DataError(f"cannot write into {str(path)!r}: {error.strerror or error}")


# --- tables ------------------------------------------------------------------------------------------------------------------


def _write_steps(path: Path, info: DatasetInfo, finished: FinishedGames) -> None:
    pa, schema = arrow(), steps_schema(info)
    with _writer(path, schema) as writer:
        for start in range(0, max(1, len(finished)), GROUP_ROWS):
            rows = finished.rows(start, min(start + GROUP_ROWS, len(finished)))
            columns = [
                _legal_lists(rows["mask"], field.type) if field.name == "legal" else _to_arrow(rows[field.name], field.type)
                for field in schema
            ]
            writer.write_table(pa.table(columns, schema=schema))


def _write_replay(path: Path, info: DatasetInfo, finished: FinishedGames) -> None:
    pa, schema = arrow(), replay_schema(info)
    decisions = finished.games["decisions"].astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(decisions)]).astype(np.int32)
    actions = pa.ListArray.from_arrays(pa.array(offsets), pa.array(finished.steps["action"]), type=schema.field("actions").type)
    with _writer(path, schema) as writer:
        writer.write_table(pa.table([pa.array(finished.numbers, pa.int32()), actions], schema=schema))


def _write_games(path: Path, info: DatasetInfo, finished: FinishedGames) -> None:
    pa, schema = arrow(), games_schema(info)
    columns = _game_columns(info, finished)
    with _writer(path, schema) as writer:
        writer.write_table(pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema))


def _game_columns(info: DatasetInfo, finished: FinishedGames) -> dict[str, Any]:
    """The columns of the table of games, by name."""
    numbers, games = finished.numbers, finished.games
    seatings = np.array(info.seatings)[numbers % len(info.seatings)]
    names = np.array(info.agents, object)
    columns: dict[str, Any] = {
        "game": numbers,
        "seed": finished.seeds,
        "config": [json.dumps(info.config)] * len(numbers),
        **{f"agent_{seat}": names[seatings[:, seat]] for seat in range(info.seats)},
        **{name: games[name] for name in ("decisions", "first", "ending", "truncated")},
    }
    for name in ("score", "standing", "share"):
        columns |= {f"{name}_{side}": games[name][:, side] for side in range(len(info.sides))}
    return columns


def _legal_lists(masks: NDArray[np.uint8], kind: Any) -> Any:
    """The ids of the legal actions of each row as an Arrow array of lists, from packed masks (n, width)."""
    pa = arrow()
    packed, starts = masks.ravel(), np.arange(len(masks) + 1) * masks.shape[1] * 8
    places = np.flatnonzero(packed != 0)  # bytes with a legal action: most have none
    bits = np.flatnonzero(np.unpackbits(packed[places], bitorder="little").view(np.bool_))
    ids = 8 * places[bits // 8] + bits % 8  # counted through all rows
    offsets = np.searchsorted(ids, starts)
    ids -= np.repeat(starts[:-1], np.diff(offsets))
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(ids.astype(np.int32)), type=kind)


def _to_arrow(values: Any, kind: Any) -> Any:
    """Convert to an Arrow array without copying; bytes (n, width) become binary values of fixed size."""
    pa = arrow()
    if values.ndim == 2:
        return pa.FixedSizeBinaryArray.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    return pa.array(values, kind)


def _writer(path: Path, schema: Any) -> Any:
    pa = arrow()
    lists = {field.name: f"{field.name}.list.element" for field in schema if pa.types.is_list(field.type)}
    columns = [lists.get(name, name) for name in schema.names]
    return parquet().ParquetWriter(
        path,
        schema,
        compression={name: "lz4" if name in _LZ4_COLUMNS else "zstd" for name in columns},
        compression_level={name: 1 for name in columns if name not in _LZ4_COLUMNS},
        use_dictionary=False,  # slower and no smaller, and Arrow does not verify checksums of dictionary pages
        write_statistics=[name for name in schema.names if name not in WIDE],
        write_page_checksum=True,
    )


# --- reading -----------------------------------------------------------------------------------------------------------------


class ShardReader:
    """Reads the files of a data set, which are opened on first use."""

    _MAX_OPEN = 8

    def __init__(self, folder: Path, info: DatasetInfo) -> None:
        self.folder, self.info = folder, info
        self._files: dict[Path, Any] = {}

    def group_sizes(self, shard: int) -> list[int]:
        """The number of rows of each row group of the steps of a shard."""
        with self._file(STEPS, shard) as file:
            return [file.metadata.row_group(k).num_rows for k in range(file.num_row_groups)]

    def steps(self, shard: int, group: int, columns: list[str]) -> Columns:
        """Read columns of a row group, as read-only views of Arrow's memory.

        Columns of fixed size are bytes (n, width).
        """
        with self._file(STEPS, shard) as file:
            table = file.read_row_group(group, columns=columns, use_threads=False)
            return {name: _to_numpy(table.column(name)) for name in columns}

    def games(self, shard: int) -> Columns:
        """Read the table of games."""
        with self._file(GAMES, shard) as file:
            table = file.read(use_threads=False)
            columns = {name: table.column(name).to_numpy() for name in table.column_names}
            numbers = self.info.games_in(shard)
            if not np.array_equal(columns["game"], np.array(numbers)):
                path = str(shard_path(self.folder, GAMES, shard))
                raise DataError(f"{path!r} is damaged: expected games {numbers[0]} to {numbers[-1]}")
            return columns

    def actions(self, shard: int) -> NDArray[np.int32]:
        """Read the actions of a shard, one game after the other."""
        if self.info.content == STEPS:
            return np.concatenate(
                [self.steps(shard, group, ["action"])["action"] for group in range(len(self.group_sizes(shard)))]
            )
        with self._file(REPLAY, shard) as file:
            lists = file.read(columns=["actions"], use_threads=False).column("actions").combine_chunks()
            return np.asarray(lists.flatten().to_numpy())

    @contextmanager
    def _file(self, kind: str, shard: int) -> Iterator[Any]:
        path = shard_path(self.folder, kind, shard)
        pyarrow = arrow()
        try:
            if path not in self._files:
                self._open(path, _SCHEMAS[kind](self.info))
            yield self._files[path]
        except (OSError, pyarrow.ArrowException, UnicodeDecodeError) as error:
            raise DataError(f"{str(path)!r} is damaged or missing: {str(error).partition(chr(10))[0]}") from None

    def _open(self, path: Path, schema: Any) -> None:
        open_regular(path).close()  # a reader of Parquet would wait for a FIFO
        file = parquet().ParquetFile(path, memory_map=True, page_checksum_verification=True)
        info = DatasetInfo.loads((file.schema_arrow.metadata or {}).get(KEY.encode(), b"null"), path.name)
        if difference := info.difference(self.info):
            raise DataError(f"{str(path)!r} belongs to another data set: {difference}")
        if not file.schema_arrow.equals(schema):
            raise DataError(f"{str(path)!r} is damaged: expected the columns {', '.join(schema.names)}")
        self._files[path] = file
        while len(self._files) > self._MAX_OPEN:
            self._files.pop(next(iter(self._files))).close()


def _to_numpy(column: Any) -> Any:
    """Convert a column to a numpy array."""
    pa, array = arrow(), column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks)
    if pa.types.is_fixed_size_binary(array.type):
        width = array.type.byte_width
        content = np.frombuffer(array.buffers()[1], np.uint8, len(array) * width, array.offset * width)
        return content.reshape(len(array), width)
    return array.to_numpy(zero_copy_only=False)


# --- writing -----------------------------------------------------------------------------------------------------------------


class ShardWriter:
    """Writes the shards of a new or unfinished data set. A context manager, which ends the threads.

    ``complete`` has the numbers of the shards that exist already. Up to two shards are in memory.

    Raises DataError if the folder holds another data set or cannot be written, MissingPackageError without pyarrow.
    """

    def __init__(self, game: Game, info: DatasetInfo, folder: Path, threads: int = 1) -> None:
        parquet()
        self.game, self.info, self.folder = game, info, folder
        self.complete = open_folder(folder, info)
        # Two runners take turns: the arrays of one are written while the other plays.
        wide = info.wide if info.content == "steps" else []
        self._runners = [GameRunner(game, wide, info.reward, threads) for _ in range(2)]
        self._executor = ThreadPoolExecutor(1)
        self._pending: Future[None] | None = None
        self._seatings: NDArray[np.int64] = np.array(info.seatings, np.int64)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def make(self, shard: int, seeds: NDArray[np.uint64], policy: Policy, progress: ProgressCallback | None = None) -> int:
        """Play the games of a shard and start to write it; return the number of decisions.

        seeds : the seed of each game of the shard
        """
        numbers = np.array(self.info.games_in(shard))
        seating = self._seatings[numbers % len(self._seatings)]
        finished = self._runners[0].play(numbers, seeds, seating, policy, progress)
        self.finish()
        self._runners.reverse()
        self._pending = self._executor.submit(write_shard, self.folder, self.info, shard, finished)
        return len(finished)

    def finish(self) -> None:
        """Wait until everything is written. Raises DataError if writing failed."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

    def close(self) -> None:
        """Wait for the shard that is being written, and end the threads."""
        self._executor.shutdown()
        for runner in self._runners:
            runner.close()
