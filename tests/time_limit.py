"""The time limit of a test: its clock stands still while kernels are compiled, and the other tests are always reported.

pytest-timeout ends a test in one of two ways. A signal fails only this test, but Python does not notice it while a kernel runs. A
thread ends the process, even if a kernel never returns, and with it the report of all tests. Here the signal comes first. If the
test still runs after half the limit again, a thread ends the process: a worker of pytest-xdist, which reports the test as a crash
and starts another worker, or the only process, which first reports all tests that have run.
"""

from __future__ import annotations

import io
import os
import signal
import threading
from time import monotonic  # tests replace time.monotonic
from typing import Any

import pytest
import pytest_timeout
from _pytest._io import TerminalWriter
from numba.core import event

GRACE = 0.5  # of the limit, between the signal and the end of the process

EVENTS: Any = event


class Clock(EVENTS.Listener):  # type: ignore[misc]
    """Listener to Numba's events, which arrive one at a time, nested like the functions that are compiled."""

    def __init__(self, item: pytest.Item, settings: Any) -> None:
        self.item, self.settings, self.left = item, settings, settings.timeout
        self.compiling = 0
        signal.signal(signal.SIGALRM, lambda *_: pytest_timeout.timeout_sigalrm(item, settings))
        EVENTS.register("numba:compile", self)
        self.go_on()

    def go_on(self) -> None:
        self.since = monotonic()
        signal.setitimer(signal.ITIMER_REAL, self.left)
        self.thread = threading.Timer(self.left + GRACE * self.settings.timeout, end_process, (self.item, self.settings))
        self.thread.daemon = True
        self.thread.start()

    def pause(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.thread.cancel()
        self.left = max(self.left - (monotonic() - self.since), 0.001)  # 0 would stop the signal

    def on_start(self, event: Any) -> None:
        if self.compiling == 0:
            self.pause()
        self.compiling += 1

    def on_end(self, event: Any) -> None:
        if self.compiling == 1:
            self.go_on()
        self.compiling = max(0, self.compiling - 1)  # 0 if a thread of an earlier test began to compile

    def close(self) -> None:
        self.pause()
        EVENTS.unregister("numba:compile", self)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool:
    """Start the clock in place of that of pytest-timeout, which stops it by ``item.cancel_timeout``."""
    clock = Clock(item, settings)

    def cancel() -> None:
        del item.cancel_timeout  # type: ignore[attr-defined]
        clock.close()

    item.cancel_timeout = cancel  # type: ignore[attr-defined]
    return True


def end_process(item: pytest.Item, settings: Any) -> None:
    """End a process whose test a signal does not end; the only process of a run reports its tests first."""
    if hasattr(item.config, "workerinput") or pytest_timeout.is_debugging():
        pytest_timeout.timeout_timer(item, settings)
        return
    sections = []
    if capture := item.config.pluginmanager.getplugin("capturemanager"):
        capture.suspend_global_capture(in_=True)
        stdout, stderr = capture.read_global_capture()
        sections = [("Captured stdout", stdout), ("Captured stderr", stderr)]
    stacks = io.StringIO()
    pytest_timeout.dump_stacks(TerminalWriter(stacks))
    message = f"{pytest_timeout.PYTEST_FAILURE_MESSAGE % settings.timeout}\n{stacks.getvalue()}"
    report = pytest.TestReport(item.nodeid, item.location, {}, "failed", message, "call", sections)
    item.ihook.pytest_runtest_logreport(report=report)
    reporter: Any = item.config.pluginmanager.getplugin("terminalreporter")
    item.config.hook.pytest_terminal_summary(terminalreporter=reporter, exitstatus=1, config=item.config)
    items = item.session.items
    reporter.write_line(f"{item.nodeid} had to be ended with its process: {len(items) - items.index(item) - 1} tests did not run")
    reporter.summary_stats()
    reporter.flush()
    os._exit(pytest.ExitCode.TESTS_FAILED)
