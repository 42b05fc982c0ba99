"""Settings of the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ginkgo_table.web.limits import Limits


@dataclass(frozen=True)
class ServerSettings:
    """How a server runs: see ``ginkgo table --help``."""

    host: str = "127.0.0.1"
    """The address to listen at."""
    port: int = 8765
    """The port; 0 takes any free one."""
    browser: bool | None = None
    """Whether to open a browser; None opens it if there is a desktop."""
    file: Path | None = None
    """The file that stores the tables; by default one in the user's folder."""
    agents: Sequence[str] = ()
    """Further agents to play with."""
    pace: float = 1.0
    """Seconds between decisions where only agents play."""
    names: Sequence[str] = ()
    """Further host names under which the server may be addressed."""
    base_path: str = ""
    """The path below which everything is served, such as ``/ginkgo``."""
    proxies: Sequence[str] = ()
    """Addresses and networks of proxies, whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    limits: Limits = field(default_factory=Limits)
