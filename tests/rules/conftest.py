"""Every test of the rules is run twice: tables are played by the kernels, then by the oracle."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.fixture(params=["kernels", "oracle"], autouse=True)
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays the tables that builders and seeds begin: what ``positions.implementation`` of the game's folder says."""
    folder = request.module.__name__.rpartition(".")[0]
    if request.param == "oracle":
        monkeypatch.setattr(f"{folder}.positions.implementation", import_module(f"{folder}.oracle_table").OracleTable)
