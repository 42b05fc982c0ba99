"""Pages that axe-core looks at: https://github.com/dequelabs/axe-core."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

AXE = Path(os.environ.get("GINKGO_AXE", "missing"))

needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: its axe.min.js in GINKGO_AXE")

_RUN = """async () => (await axe.run()).violations.flatMap(
    ({ id, nodes }) => nodes.map((one) => `${id}: ${one.target} ${one.failureSummary}`))"""


def findings(page: Any) -> list[str]:
    """What axe-core finds on a page as it is now."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(_RUN)
    return found
