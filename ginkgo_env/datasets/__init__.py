"""Data sets of games as Parquet files, and a loader for them (``docs/data.md``).

>>> from ginkgo_env import datasets
>>> for batch in datasets.load("folder").batches(1024):  # doctest: +SKIP
...     batch["observation"], batch["mask"], batch["action"], batch["reward"]

``ginkgo generate`` makes data sets. They need pyarrow: ``pip install 'ginkgo-env[data]'``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
