"""Libraries that come with extras: imported when they are used, with a sentence that tells what to install."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ginkgo_env.data.metadata import DataError


def _needed(module: str, what: str, install: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise DataError(f"{what} {module.partition('.')[0]}: pip install {install}") from None


def arrow() -> Any:
    """The module ``pyarrow``. Raises DataError if it is not installed."""
    return _needed("pyarrow", "data sets need", "'ginkgo-env[data]'")


def parquet() -> Any:
    """The module ``pyarrow.parquet``. Raises DataError if it is not installed."""
    return _needed("pyarrow.parquet", "data sets need", "'ginkgo-env[data]'")


def torch() -> Any:
    """The module ``torch``. Raises DataError if it is not installed."""
    return _needed("torch", "batches of tensors need", "torch")
