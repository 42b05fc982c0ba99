"""Optional libraries, imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ginkgo_env.datasets.metadata import DataError


def _import(module: str, purpose: str, install: str) -> Any:
    """Import a module. Raises DataError, which says what to install."""
    try:
        return import_module(module)
    except ImportError:
        raise DataError(f"{purpose} {module.partition('.')[0]}: pip install {install}") from None


def arrow() -> Any:
    """Import ``pyarrow``. Raises DataError if it is not installed."""
    return _import("pyarrow", "data sets need", "'ginkgo-env[data]'")


def parquet() -> Any:
    """Import ``pyarrow.parquet``. Raises DataError if it is not installed."""
    return _import("pyarrow.parquet", "data sets need", "'ginkgo-env[data]'")


def torch() -> Any:
    """Import ``torch``. Raises DataError if it is not installed."""
    return _import("torch", "batches of tensors need", "torch")
