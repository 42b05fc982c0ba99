"""Every test of this folder is run twice: tables are played by the kernels, then by the oracle."""

from __future__ import annotations

import pytest

from . import positions
from .oracle_table import OracleTable
from .positions import Table


@pytest.fixture(params=[Table, OracleTable], ids=["kernels", "oracle"], autouse=True)
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays the tables that builders and seeds begin."""
    monkeypatch.setattr(positions, "implementation", request.param)
