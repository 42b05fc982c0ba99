"""The columns of the Parquet files; ``docs/data.md`` has the same tables."""

from __future__ import annotations

from typing import Any, NamedTuple

from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import KEY, WIDE, DatasetInfo


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
    pa = optional_dependencies.arrow()
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
    pa = optional_dependencies.arrow()
    fields = [pa.field(column.name, _arrow_type(info, column), nullable=False) for column in columns]
    return pa.schema(fields, metadata={KEY: info.dumps(indent=None)})
