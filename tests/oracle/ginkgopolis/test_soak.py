"""A million decisions of kernels and oracle side by side (``soak.py``), of the base game and with modules."""

from pathlib import Path

import pytest

from ..soaking import run_soak


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [[], ["--modules"]], ids=["base", "modules"])
def test_soak(options: list[str]) -> None:
    run_soak(Path(__file__).parent, *options)
