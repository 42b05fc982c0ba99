"""The columns of the Parquet files. The page ``docs/data.md`` has these tables."""

from __future__ import annotations

from typing import Any, NamedTuple

from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import KEY, WIDE, DatasetInfo


class Column(NamedTuple):
    """A column, or several named by seat or side."""

    name: str
    kind: str
    """Its type in Arrow; ``binary`` for the fixed size that the layout says."""
    meaning: str


GAME = Column("game", "int32", "number of the game in the data set")
STEP_COLUMNS = (
    GAME,
    Column("step", "int32", "number of the decision in its game, from 0, hidden ones counted: no input for learning"),
    Column("seat", "int8", "the seat that decides"),
    Column("kind", "int8", "kind of decision: an index into `decisions` of `dataset.json`"),
    Column("agent", "int16", "who decides: an index into `agents` of `dataset.json`"),
    Column("observation", "binary", "what the seat knows, in the layout `observation`: one value after the other, little-endian"),
    Column("features", "binary", "its compact features, in the layout `features`: float32, little-endian"),
    Column("mask", "binary", "its legal actions: bit i of the row (bit i modulo 8 of byte i // 8, the lowest first) is action i"),
    Column("action", "int32", "what it chose, in the layout `actions`"),
    Column("reward", "float32", "what the seat is paid from this decision until its next one, or the end of the game"),
    Column("last", "bool", "whether this is the last decision of the seat in this game"),
    Column("score", "int32", "score of the seat at the end of the game"),
    Column("share", "float32", "its share of the win: 1 divided by the number of winners, 0 for the others"),
    Column("margin", "float32", "its score less the mean of the other sides' scores, in points; 0 with one side"),
)
GAME_COLUMNS = (
    GAME,
    Column("seed", "uint64", "seed of the game: it decides everything hidden"),
    Column("config", "string", "configuration, as JSON"),
    Column("agent_<seat>", "string", "name of the agent at a seat"),
    Column("decisions", "int32", "number of decisions: rows of the game among the steps"),
    Column("first", "int8", "the seat that decides first"),
    Column("ending", "string", "what ended the game"),
    Column("truncated", "bool", "whether it was cut off instead of ending by the rules"),
    Column("score_<side>", "int32", "score of a side"),
    Column("standing_<side>", "int64", "what ranks a side, higher is better"),
    Column("share_<side>", "float32", "share of a side in the win"),
)
REPLAY_COLUMNS = (GAME, Column("actions", "list<int32>", "all actions of the game, in order"))


def _kind(about: DatasetInfo, column: Column) -> Any:
    pa = optional_dependencies.arrow()
    match column.kind:
        case "binary":
            return pa.binary(about.width(column.name))
        case "list<int32>":
            return pa.list_(pa.field("element", pa.int32(), nullable=False))
        case "bool":
            return pa.bool_()
        case kind:
            return getattr(pa, kind)()


def steps_schema(about: DatasetInfo) -> Any:
    """The Arrow schema of rows of decisions."""
    return _schema(about, [column for column in STEP_COLUMNS if column.name not in WIDE or column.name in about.wide])


def games_schema(about: DatasetInfo) -> Any:
    """The Arrow schema of rows of games."""
    counts = {"<seat>": range(about.seats), "<side>": range(len(about.sides))}
    columns = []
    for column in GAME_COLUMNS:
        stem, mark, rest = column.name.partition("<")
        numbers = counts.get(mark + rest)
        columns += [column] if numbers is None else [column._replace(name=f"{stem}{k}") for k in numbers]
    return _schema(about, columns)


def replay_schema(about: DatasetInfo) -> Any:
    """The Arrow schema of rows of games with their actions."""
    return _schema(about, list(REPLAY_COLUMNS))


def _schema(about: DatasetInfo, columns: list[Column]) -> Any:
    pa = optional_dependencies.arrow()
    fields = [pa.field(column.name, _kind(about, column), nullable=False) for column in columns]
    return pa.schema(fields, metadata={KEY: about.dumps(indent=None)})
