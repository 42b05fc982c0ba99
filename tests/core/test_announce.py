"""What is said while kernels are compiled."""

from __future__ import annotations

import io
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.core import batch
from ginkgo_env.core.compile import progress as announce
from ginkgo_env.core.compile.jit import JIT_DISABLED, entry, kernel
from ginkgo_env.core.compile.progress import Progress, announced, expect

compiled = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@kernel
def inner(x: Any) -> Any:
    return x + 1


@kernel
def outer(x: Any) -> Any:
    return inner(x) * 2


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


class Fake:
    """A compiled function as Progress sees it."""

    def __init__(self, function: Any, kept_in: Path | None = None, *, is_entry: bool = True) -> None:
        self.py_func, self.signatures = function, ()
        if is_entry:
            self.kept_in = kept_in


def loop(x: Any) -> Any:
    return x


def other(x: Any) -> Any:
    return -x


@pytest.fixture
def progress(monkeypatch: pytest.MonkeyPatch) -> Iterator[Progress]:
    """A progress that is told by the tests; a second passes at each look at the clock."""
    seconds = iter(range(10**6))
    monkeypatch.setattr(announce.time, "perf_counter", lambda: float(next(seconds)))
    made = Progress()
    monkeypatch.setattr(announce, "PROGRESS", made)
    monkeypatch.setattr(announce, "_ready", set())
    monkeypatch.setattr(announce, "JIT_DISABLED", False)
    yield made


def compiling(progress: Progress, function: Any, *inside: Any) -> None:
    event = SimpleNamespace(data={"dispatcher": function})
    progress.on_start(event)
    for callee in inside:
        compiling(progress, callee)
    progress.on_end(event)


def test_plain_lines_say_what_and_how_long(progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loops = [Fake(loop, tmp_path) for _ in range(10)]
    for _ in range(2):
        with announced("the rules of chess", loops) as now:
            for function in loops if now else ():
                compiling(progress, function)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "ginkgo_env: compiling the rules of chess (once) ..."
    assert said[1].startswith("ginkgo_env: compiling: 10%, about ") and said[1].endswith(" s left")
    assert said[2].startswith("ginkgo_env: compiling: 50%, about ")
    assert said[3].startswith("ginkgo_env: compiled the rules of chess in ") and len(said) == 4
    left = [int(line.split("about ")[1].split()[0]) for line in said[1:3]]
    spent = int(said[3].split()[-2])
    assert abs(left[0] / 0.9 - spent) < 0.3 * spent and abs(left[1] / 0.5 - spent) < 0.3 * spent


def test_the_next_process_is_silent(progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for expected in (True, False):
        loops = [Fake(loop, tmp_path), Fake(other, tmp_path / "another")]
        (tmp_path / "another").mkdir(exist_ok=True)
        announce._ready.clear()
        with announced("chess", loops) as now:
            assert now == expected
    assert not capsys.readouterr().err, "all was found compiled"
    (tmp_path / "another" / "chess.compiled").unlink()
    announce._ready.clear()
    with announced("chess", loops) as now:
        assert now, "one of two folders is another one"
    with announced("chess with modules", loops) as now:
        assert now


def test_other_entries_of_the_same_name_are_compiled_too(
    progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game may have several variants of its loops."""
    for folder in ("base", "modules"):
        (tmp_path / folder).mkdir()
    variants = [Fake(loop, tmp_path / "base"), Fake(loop, tmp_path / "modules")]
    compiled = list[bool]()
    for function in [*variants, *variants]:
        with announced("chess", [function]) as now:
            compiled.append(now)
            if now:
                compiling(progress, function)
    assert compiled == [True, True, False, False]


def test_without_a_folder_every_process_says_so(progress: Progress, capsys: pytest.CaptureFixture[str]) -> None:
    function = Fake(loop)
    with announced("go", [function]):
        compiling(progress, function)
    assert "compiling go (in each process, as no cache folder can be written) ..." in capsys.readouterr().err


def test_what_is_expected_belongs_to_the_same_announcement(
    progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, agent = Fake(loop, tmp_path / "rules"), Fake(other, tmp_path / "agent")
    expect("greedy", [agent])
    with announced("the rules of chess", [rules]):
        compiling(progress, rules)
    compiling(progress, agent)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "ginkgo_env: compiling the rules of chess and greedy (once) ..."
    assert [line for line in said if "compiled" in line] == said[-1:]
    assert said[-1].startswith("ginkgo_env: compiled the rules of chess and greedy in ")


def test_what_comes_later_goes_on_with_the_same_measure(
    progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, agent = Fake(loop, tmp_path), Fake(other, tmp_path)
    with announced("the rules of chess", [rules]):
        compiling(progress, rules)
    assert "compiled the rules of chess in" in capsys.readouterr().err
    with announced("greedy", [agent]):
        compiling(progress, agent)
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("ginkgo_env: compiling greedy as well: 49%, about ")
    assert said[-1].startswith("ginkgo_env: compiled the rules of chess and greedy in ")


def test_what_nobody_expects_is_announced_if_it_is_long(
    progress: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    compiling(progress, Fake(loop, tmp_path))
    compiling(progress, Fake(loop, is_entry=False))  # somebody else's function
    assert not capsys.readouterr().err
    monkeypatch.setattr(announce, "_LONG", 10)
    compiling(progress, Fake(loop, is_entry=False))
    assert not capsys.readouterr().err
    compiling(progress, Fake(loop, tmp_path))
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("ginkgo_env: compiling loop (once)") and said[-1].startswith("ginkgo_env: compiled loop in ")


def test_a_terminal_gets_one_line(progress: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    loops = [Fake(loop, tmp_path) for _ in range(10)]
    with announced("chess", loops):
        for function in loops:
            compiling(progress, function)
    written = terminal.getvalue()
    assert written.count("\n") == 1 and written.endswith(" s\n")
    states = written.split("\r\x1b[K")
    assert len(states) > 10 and states[1] == "ginkgo_env: compiling chess (once): 0%"
    assert states[-1].startswith("ginkgo_env: compiled chess in ")


def test_a_stderr_in_its_place_gets_whole_lines(progress: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    function = Fake(loop, tmp_path)
    with announced("chess", [function]):
        compiling(progress, function)
    assert "\r" not in terminal.getvalue() and terminal.getvalue().count("\n") >= 2


@pytest.mark.parametrize("gone", ["closed", "missing"])
def test_without_stderr_compiling_goes_on(progress: Progress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed if gone == "closed" else None)
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    function = Fake(loop, tmp_path)
    with announced("chess", [function]):
        compiling(progress, function)
    assert (tmp_path / "chess.compiled").exists()


def test_what_was_interrupted_is_not_called_compiled(
    progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    function = Fake(loop, tmp_path)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt), announced("chess", [function]) as now:
            assert now
            raise KeyboardInterrupt
    assert not (tmp_path / "chess.compiled").exists()


def test_threads_announce_together(progress: Progress, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    function, compiled_by = Fake(loop, tmp_path), list[bool]()

    def work() -> None:
        with announced("chess", [function]) as now:
            compiled_by.append(now)
            if now:
                compiling(progress, function)

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(compiled_by) == [False] * 7 + [True]
    assert capsys.readouterr().err.count("(once) ...") == 1


def test_without_jit_nothing_is_said(
    progress: Progress, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(announce, "JIT_DISABLED", True)
    expect("greedy", [loop])
    with announced("chess", [loop]) as now:
        assert not now
    assert not capsys.readouterr().err


def test_all_kernels_of_a_game_are_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[str, list[Any]]]()

    @contextmanager
    def recorded(name: str, entries: list[Any]) -> Iterator[bool]:
        asked.append((name, entries))
        yield False

    monkeypatch.setattr(batch, "announced", recorded)
    game = ginkgo_env.make_game("ginkgopolis", modules=["events"])
    batch.prepare(game)
    ((name, entries),) = asked
    assert name == "the rules of ginkgopolis" and set(game.kernels.rules) < set(entries)


@compiled
def test_the_work_of_an_entry_is_that_of_all_it_reaches() -> None:
    @entry
    def first(x: Any) -> Any:
        return outer(x) + inner(x)

    work = announce.work_of(first)
    assert work.keys() == {first, outer, inner}
    assert work[first] > announce._EACH + (work[outer] + work[inner]) // announce._LINKED


SCRIPT = """
import sys
sys.path[:0] = {path!r}
from ginkgo_env.core import announce, jit
announce._LONG = 100
@jit.kernel
def inner(x):
    return x + 1
@jit.entry
def outer(x):
    return inner(x) * 2
print(outer(1))
"""


@compiled
@pytest.mark.full
def test_numba_tells_of_what_it_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(path=[p for p in sys.path if p]))
    monkeypatch.setenv("GINKGO_CACHE_DIR", str(tmp_path / "cache"))
    runs = [
        subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300, check=True) for _ in range(2)
    ]
    assert [run.stdout for run in runs] == ["4\n"] * 2
    first, second = (run.stderr.splitlines() for run in runs)
    assert first[0] == "ginkgo_env: compiling outer (once) ..." and first[-1].startswith("ginkgo_env: compiled outer in ")
    assert second == [], "it is kept"
