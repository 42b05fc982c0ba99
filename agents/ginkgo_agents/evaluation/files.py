"""The files of a leaderboard, written atomically and checked by digests.

All files are first written into a hidden folder inside the target folder and then renamed to their places, ``leaderboard.json``
last. It lists the digests of the other files of its run, which reveals a mixture of two runs. Other files of the folder stay.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from ginkgo_agents.evaluation.leaderboard import FORMAT, VERSION, Report, Row, deals_of, record_names
from ginkgo_agents.evaluation.matches import MatchResults, RecordedGame
from ginkgo_agents.evaluation.plot import plot
from ginkgo_agents.registry import identities_of
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.files import read_some, remove_abandoned
from ginkgo_env.core.strict_json import JsonError, parse
from ginkgo_env.records import Record
from ginkgo_env.records.format import MAX_NAME
from ginkgo_env.registry import game_class, make_game

REPORT = "leaderboard.json"
RESULTS, RATINGS, PLOT, DEALS, RECORDS = "leaderboard.csv", "ratings.csv", "leaderboard.png", "deals.json", "records"
RUN, TASKS = "run.json", "tasks"
"""The settings and the results of a run of the benchmark."""

_HIDDEN = f".leaderboard-{os.getpid()}-"
_ABANDONED = re.compile(r"\.leaderboard-(?:(\d+)-)?\w{8}")
_MOST_BYTES = 1 << 28


class ReportError(ConfigError):
    """Raised for files that cannot be written or read, or do not belong to one run."""


# --- writing -----------------------------------------------------------------------------------------------------------------


def check_folder(folder: Path) -> None:
    """Raise ReportError if files cannot be written into a folder, which need not exist."""
    names = (REPORT, RESULTS, RATINGS, PLOT, DEALS)
    try:
        for path, kind in (*((folder / name, "file") for name in names), (folder, "folder"), (folder / RECORDS, "folder")):
            if path.exists() and path.is_dir() != (kind == "folder"):
                raise ReportError(f"cannot write into {str(folder)!r}: {path.name!r} is not a {kind}")
        existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        remove_abandoned(existing, _ABANDONED)
        with tempfile.TemporaryDirectory(prefix=_HIDDEN, dir=existing):
            pass
    except OSError as error:
        raise _cannot("write into", folder, error) from None


def _cannot(verb: str, path: Path, error: OSError) -> ReportError:
    return ReportError(f"cannot {verb} {str(path)!r}: {error.strerror or error}")


def write_files(report: Report, finished: Sequence[MatchResults], folder: Path) -> list[str]:
    """Write report, tables, plot and records into a folder, and return the names of the files.

    Raises ReportError if they cannot be written. The previous files are then complete, or :func:`read_folder` refuses the
    mixture.
    """
    deals = [json.dumps(deals_of(one, one.positions_of(name))) for one in finished for name in dict.fromkeys(one.match.agents)]
    texts = {RESULTS: csv_of(report["results"]), RATINGS: csv_of(report["ratings"]), DEALS: "[\n" + ",\n".join(deals) + "\n]\n"}
    for names, results in zip(record_names(finished), finished, strict=True):
        texts |= {name: record_of(game).dumps() for name, game in zip(names, results.recorded, strict=True)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=_HIDDEN, dir=folder) as hidden:
            return _write(report, texts, Path(hidden), folder)
    except OSError as error:
        raise _cannot("write into", folder, error) from None


def _write(report: Report, texts: dict[str, str], hidden: Path, folder: Path) -> list[str]:
    """Write all files into the hidden folder, then move them."""
    for name, text in texts.items():
        path = hidden / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    plot(report, hidden / PLOT)
    others = [*texts, PLOT]
    digests = {name: sha256((hidden / name).read_bytes()).hexdigest() for name in others}
    (hidden / REPORT).write_text(json.dumps({**report, "files": digests}, indent=2) + "\n", encoding="utf-8", newline="\n")
    for name in (*others, REPORT):
        with (hidden / name).open("rb") as file:
            os.fsync(file.fileno())  # else a crash of the machine could leave an empty file under the new name
    for name in (*others, REPORT):
        (folder / name).parent.mkdir(exist_ok=True)
        os.replace(hidden / name, folder / name)
    return [REPORT, *others]


def record_of(game: RecordedGame) -> Record:
    """The record of a game; long names of agents are cut at their beginning."""
    made, names = make_game(game_class(game.game), **game.config), [name[-MAX_NAME:] for name in game.players]
    identities = {short: identities_of(name, [made]) for short, name in zip(names, game.players, strict=True)}
    return Record.from_actions(made, game.seed, game.actions, names, identities)


# --- reading -----------------------------------------------------------------------------------------------------------------


def read_folder(folder: Path) -> Report:
    """Read the report of a leaderboard from its folder and check the digests of its files.

    Raises ReportError if a file is missing, cannot be read, or belongs to another run.
    """
    report = read_json(folder / REPORT)
    if not isinstance(report, dict) or (report.get("format"), report.get("version")) != (FORMAT, VERSION):
        raise ReportError(f"{str(folder / REPORT)!r} is not a report of the format {FORMAT} {VERSION}")
    if not isinstance(report.get("files"), dict):
        raise ReportError(f"{str(folder / REPORT)!r} does not name the files of its run")
    for name, digest in report["files"].items():
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise ReportError(f"{str(folder / REPORT)!r} names a file outside its folder: {name[:60]!r}")
        if sha256(_bytes(folder / path)).hexdigest() != digest:
            raise ReportError(f"{str(folder / path)!r} does not belong to this {REPORT}: files of two runs are mixed")
    return report


def read_json(path: Path) -> Any:
    """Read plain data that a command wrote. Raises ReportError."""
    try:
        return parse(_bytes(path))
    except JsonError as error:
        raise ReportError(f"{str(path)!r} is not JSON: {str(error).removeprefix('invalid JSON: ')}") from None


def _bytes(path: Path) -> bytes:
    content = read_some(path, _MOST_BYTES, ReportError)
    if len(content) > _MOST_BYTES:
        raise ReportError(f"cannot read {str(path)!r}: larger than {_MOST_BYTES} bytes")
    return content


# --- CSV ---------------------------------------------------------------------------------------------------------------------


def csv_of(rows: list[Row]) -> str:
    """Results or ratings as CSV, with an interval of x in the columns x, x_low and x_high.

    The columns score_10, score_50 and score_90 hold quantiles, in games with one side.
    """
    flat = [{name: cell for key, value in row.items() for name, cell in _cells(key, value)} for row in rows]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(dict.fromkeys(name for row in flat for name in row)), lineterminator="\n")
    if flat:
        writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def _cells(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The columns of a value: of an interval x, x_low and x_high; a list is one text."""
    match value:
        case {"mean": mean, "low": low, "high": high}:
            yield from ((key, mean), (f"{key}_low", low), (f"{key}_high", high))
        case dict():
            yield from ((f"{'score' if key == 'quantiles' else key}_{name}", cell) for name, cell in value.items())
        case _:
            yield key, " ".join(value) if isinstance(value, list) else value
