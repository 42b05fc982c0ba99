"""Imports on systems that lack what only Unix has."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import importlib, os, pkgutil, signal, sys

def import_all():
    failed = {}
    for package in ("ginkgo_env", "ginkgo_agents", "ginkgo_table", "ginkgo_training"):
        folders = importlib.import_module(package).__path__
        for module in pkgutil.walk_packages(folders, package + ".", onerror=lambda name: None):
            if not module.name.endswith("__main__"):
                try:
                    importlib.import_module(module.name)
                except ImportError as error:  # of an optional dependency
                    failed[module.name] = str(error)
    return failed

before = import_all()  # now other packages, which may use anything of this system, are imported
assert len([name for name in sys.modules if name.startswith("ginkgo_")]) > 150
for name in [name for name in sys.modules if name.startswith("ginkgo_")]:
    del sys.modules[name]
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None  # an import raises ImportError
windows = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
for name in {name for name in dir(signal) if name.startswith("SIG")} - windows:
    delattr(signal, name)
for module, names in {
    signal: ("alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
    os: ("fork", "forkpty", "getpgid", "geteuid", "getuid", "killpg", "register_at_fork", "sched_getaffinity", "setsid", "uname"),
}.items():
    for name in names:
        delattr(module, name)
after = import_all()
assert after == before, {name: after[name] for name in after if after[name] != before.get(name)}
"""


@pytest.mark.full
def test_every_module_can_be_imported_without_unix() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
