"""The command line: ``ginkgo``."""

from __future__ import annotations

from ginkgo_env.cli.app import main

__all__ = ["main"]
