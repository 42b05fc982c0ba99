"""The files of a leaderboard: never half of one, and never two runs mixed without noticing."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

from ginkgo_agents.evaluation import files
from ginkgo_agents.evaluation.files import ReportError, check_folder, read_folder, write_files
from ginkgo_agents.evaluation.leaderboard import Plan, Report, play_plan, report_of
from ginkgo_agents.evaluation.matches import MatchResults

from .commands import check_refused, ginkgo

Run = tuple[Report, list[MatchResults]]


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture takes longer than all other files; ``test_plot.py`` draws it."""
    monkeypatch.setattr(files, "plot", lambda report, path: path.write_text(f"picture of seed {report['config']['seed']}"))


def run(seed: int) -> Run:
    """A leaderboard of few games."""
    plan, finished = Plan("ginkgopolis", ("random", "william"), 2, seed), []
    play_plan(plan, finished)
    return report_of(plan, finished), finished


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    return [run(seed) for seed in (0, 1)]


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_was_written_is_read(runs, tmp_path):
    report, finished = runs[0]
    names = write_files(report, finished, tmp_path / "a" / "b")
    assert {*contents(tmp_path / "a" / "b")} == {*names}
    found = read_folder(tmp_path / "a" / "b")
    assert found.pop("files").keys() == {*names} - {"leaderboard.json"}
    assert found == json.loads(json.dumps(report))


def test_other_files_stay(runs, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "old.jsonl").write_text("old")
    for one in runs:
        write_files(*one, tmp_path)
    read_folder(tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert (tmp_path / "records" / "old.jsonl").read_text() == "old"


def stop_after(monkeypatch: pytest.MonkeyPatch, moves: int, error: BaseException) -> None:
    """Let so many files get to their place."""
    replace, moved = os.replace, []

    def once(source, target):
        if len(moved) == moves:
            raise error
        moved.append(target)
        replace(source, target)

    monkeypatch.setattr(files.os, "replace", once)


@pytest.mark.full
@pytest.mark.parametrize("moves", [0, 1, 4, 9])
def test_killed_between_two_files(runs, tmp_path, monkeypatch, moves):
    write_files(*runs[0], tmp_path)
    before = contents(tmp_path)
    stop_after(monkeypatch, moves, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        write_files(*runs[1], tmp_path)
    monkeypatch.undo()
    now = contents(tmp_path)
    if moves:
        with pytest.raises(ReportError, match=r"does not belong to this leaderboard.json: files of two runs are mixed"):
            read_folder(tmp_path)
    else:
        read_folder(tmp_path)
    assert now["leaderboard.json"] == before["leaderboard.json"]
    write_files(*runs[1], tmp_path)
    after = contents(tmp_path)
    assert now.keys() <= after.keys() | before.keys()  # nothing else is left
    assert all(data in (before.get(name), after.get(name)) for name, data in now.items())  # each file is whole


def test_a_new_folder_has_no_report_before_it_is_complete(runs, tmp_path, monkeypatch):
    stop_after(monkeypatch, 5, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        write_files(*runs[0], tmp_path)
    assert len(contents(tmp_path)) == 5
    with pytest.raises(ReportError, match=r"cannot read .*leaderboard.json': No such file or directory"):
        read_folder(tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("where", ["text", "plot", "sync", "move"])
def test_a_full_disk(runs, tmp_path, monkeypatch, where):
    write_files(*runs[0], tmp_path)
    before = contents(tmp_path)

    def full(*arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    target = {"text": (Path, "write_text"), "plot": (files, "plot"), "sync": (files.os, "fsync"), "move": (files.os, "replace")}
    monkeypatch.setattr(*target[where], full)
    with pytest.raises(ReportError, match=r"cannot write into .*: No space left on device"):
        write_files(*runs[1], tmp_path)
    assert contents(tmp_path) == before
    assert not list(tmp_path.glob(".*"))
    read_folder(tmp_path)


def test_a_file_half_written_is_noticed(runs, tmp_path):
    write_files(*runs[0], tmp_path)
    path = tmp_path / "ratings.csv"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ReportError, match=r"ratings.csv' does not belong to this leaderboard.json"):
        read_folder(tmp_path)
    path.unlink()
    with pytest.raises(ReportError, match=r"cannot read .*ratings.csv'"):
        read_folder(tmp_path)


def test_files_are_bounded(runs, tmp_path, monkeypatch):
    write_files(*runs[0], tmp_path)
    monkeypatch.setattr(files, "_MOST_BYTES", 10)
    with pytest.raises(ReportError, match=r"cannot read .*leaderboard.json': larger than 10 bytes"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is not a report of the format ginkgo-leaderboard 3"),
        ('{"format": "ginkgo-leaderboard", "version": 1}', "is not a report of the format"),
        ('{"format": "ginkgo-leaderboard", "version": 3}', "does not name the files of its run"),
        ('{"format": "ginkgo-leaderboard", "version": 3, "files": {"../x": ""}}', "names a file outside its folder: '../x'"),
        ('{"format": "ginkgo-leaderboard", "version": 3, "files": {"/etc/passwd": ""}}', "names a file outside its folder"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, text, sentence):
    (tmp_path / "leaderboard.json").write_text(text)
    with pytest.raises(ReportError, match=sentence):
        read_folder(tmp_path)


def test_a_folder_is_checked_before_the_first_game(tmp_path, monkeypatch):
    check_folder(tmp_path / "new" / "folder")
    check_folder(tmp_path)
    assert contents(tmp_path) == {} and not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "one" / "leaderboard.json").mkdir(parents=True)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "records").write_text("in the way")
    for place, sentence in {
        "file": "'file' is not a folder",
        "file/below": "Not a directory",
        "one": "'leaderboard.json' is not a file",
        "two": "'records' is not a folder",
    }.items():
        with pytest.raises(ReportError, match=f"cannot write into .*{sentence}"):
            check_folder(tmp_path / place)
    monkeypatch.setattr(files.tempfile, "TemporaryDirectory", _read_only)
    with pytest.raises(ReportError, match=r"cannot write into .*: Read-only file system"):
        check_folder(tmp_path)


def _read_only(**options: object) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def test_the_command_checks_the_folder_first(tmp_path, monkeypatch):
    def play(*arguments: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("ginkgo_agents.evaluation.leaderboard.chunks_of", play)
    (tmp_path / "records").write_text("in the way")
    check_refused(ginkgo("leaderboard", "--games", 2, "--out", tmp_path), "cannot write into")


def test_numbers_of_one_side_alone_and_open_ends_are_empty(runs):
    report = json.loads(json.dumps(runs[0][0]))
    report["results"][0].update(win_rate=None, margin=None)
    header, first = (line.split(",") for line in files.csv_of(report["results"]).splitlines()[:2])
    row = dict(zip(header, first[-len(header) :], strict=True))
    assert row["win_rate"] == row["margin_high"] == "" != row["score"]
    assert np.isfinite(float(row["score"]))
