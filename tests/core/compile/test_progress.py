"""What is reported on stderr while kernels are compiled."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.core.compile.progress import CompilationProgress


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        return True


class Function:
    """A compiled function as the report sees it."""

    def __init__(self, n_bytes: int, *kernels: Function) -> None:
        self.py_func: Any = SimpleNamespace(__code__=SimpleNamespace(co_code=bytes(n_bytes)), kernels=kernels)


def compile_entry(report: CompilationProgress, entry: Function) -> None:
    """Send the events that Numba sends: those of kernels inside those of the entry."""
    report.on_start(SimpleNamespace(data={"dispatcher": entry}))
    for kernel in entry.py_func.kernels:
        report.on_start(SimpleNamespace(data={"dispatcher": kernel}))
        report.on_end(SimpleNamespace(data={"dispatcher": kernel}))
    report.on_end(SimpleNamespace(data={"dispatcher": entry}))


def new_report(*entries: Function, cached: bool = True) -> CompilationProgress:
    return CompilationProgress(entries.__contains__, lambda entry: cached, lambda entry: entry.py_func.kernels)


def test_one_sentence_in_a_process(capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (Function(100, Function(70_000)) for _ in range(2))
    report = new_report(first, second)
    compile_entry(report, first)
    compile_entry(report, second)
    cached = "cached for later runs; others compile when first used"
    assert capsys.readouterr().err == f"ginkgo_env: compiling kernels, about 20 s ({cached})\n"


def test_the_sentence_says_where_each_process_compiles(capsys: pytest.CaptureFixture[str]) -> None:
    entry = Function(70_000)
    compile_entry(new_report(entry, cached=False), entry)
    assert capsys.readouterr().err.endswith("about 20 s (in each process, as they cannot be cached)\n")


def test_short_compilations_are_not_reported(capsys: pytest.CaptureFixture[str]) -> None:
    entry, others = Function(100, Function(100)), Function(70_000)
    report = new_report(entry)
    compile_entry(report, entry)
    compile_entry(report, others)  # not an entry
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    monkeypatch.setenv("TERM", "xterm")
    entry = Function(100, Function(70_000))
    report = new_report(entry)
    compile_entry(report, entry)
    sentence, _, bar = terminal.getvalue().partition("\n")
    assert sentence.startswith("ginkgo_env: compiling kernels, about ") and "compiling" in bar and "%" in bar
    assert report._bar is None, "it ends with the entry"


def test_pages_ask_how_much_is_done() -> None:
    kernels = [Function(35_000), Function(35_000)]
    entry, shares = Function(100, *kernels), list[float]()
    report = new_report(entry)
    assert report.share == 0
    report.on_start(SimpleNamespace(data={"dispatcher": entry}))
    for kernel in kernels:
        report.on_end(SimpleNamespace(data={"dispatcher": kernel}))
        shares.append(report.share)
    assert 0.4 < shares[0] < 0.5 and 0.8 < shares[1] < 1
    report.on_end(SimpleNamespace(data={"dispatcher": entry}))
    assert report.share == 0


@pytest.mark.parametrize("gone", ["closed", "missing"])
def test_compilation_goes_on_without_stderr(monkeypatch: pytest.MonkeyPatch, gone: str) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed if gone == "closed" else None)
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    entry = Function(100, Function(70_000))
    report = new_report(entry)
    compile_entry(report, entry)
    assert report._entry is None


SCRIPT = """
import sys
sys.path[:0] = {path!r}
from ginkgo_env.core.compile import jit, progress
progress._BYTES_A_SECOND = 100
@jit.kernel
def inner(x):
    return x + 1
@jit.entry
def outer(x):
    return inner(x) * 2
print(outer(1))
"""


@pytest.mark.full
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_process_that_finds_machine_code_reports_nothing(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(path=[p for p in sys.path if p]))
    environment = {**os.environ, "GINKGO_CACHE_DIR": str(tmp_path / "cache")}
    command: Any = {"env": environment, "capture_output": True, "text": True, "timeout": 300}
    first, second = (subprocess.run([sys.executable, str(script)], check=True, **command) for _ in range(2))
    assert first.stdout == second.stdout == "4\n"
    assert first.stderr.startswith("ginkgo_env: compiling kernels, about ") and first.stderr.count("\n") == 1
    assert second.stderr == ""
