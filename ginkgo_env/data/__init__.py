"""Data sets of play: games as Parquet files, and a loader (``docs/data.md``).

>>> from ginkgo_env import data
>>> for batch in data.load("folder").batches(1024):  # doctest: +SKIP
...     batch["observation"], batch["mask"], batch["action"], batch["reward"]

``ginkgo generate`` makes them. They need pyarrow: ``pip install 'ginkgo-env[data]'``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginkgo_env.core.lazy import names_from

if TYPE_CHECKING:
    from ginkgo_env.data.loader import Dataset, load
    from ginkgo_env.data.metadata import VERSION, DataError, DatasetInfo

__all__ = ["VERSION", "DataError", "Dataset", "DatasetInfo", "load"]

_MODULES = {"metadata": ("VERSION", "DatasetInfo", "DataError"), "loader": ("Dataset", "load")}
__getattr__, __dir__ = names_from(__name__, _MODULES)
