"""A million decisions of kernels and oracle side by side (``soak.py``)."""

from pathlib import Path

import pytest

from ..soaking import run_soak


@pytest.mark.exhaustive
def test_soak() -> None:
    run_soak(Path(__file__).parent)
