"""Imports of optional packages, and of code that users name as ``module:attribute``.

What a file names is never imported: :func:`require_passed` asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ginkgo_env.core.errors import ConfigError, MissingPackageError, short_repr

_CODE = re.compile(r"(?<![\w.])[^\W\d][\w.]*:[^\W\d]\w*(?![\w=])")


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import packages of an extra in the body. Raises MissingPackageError if one is not installed.

    >>> with extra("eval"):
    ...     from scipy import stats
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or name).partition(".")[0]
        raise MissingPackageError(f"{package} is not installed: pip install 'ginkgo-env[{name}]'") from None


def imported(name: str, what: str) -> Any:
    """The object that ``module:attribute`` names. Raises ConfigError if there is none.

    what : the kind of object, for messages
    """
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except MissingPackageError:
        raise
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"{what} {short_repr(name)} cannot be imported: {error}") from None


def code_in(document: Any) -> Iterator[str]:
    """Yield what looks like ``module:attribute`` in a document, also among the options of agents."""
    if isinstance(document, str):
        yield from _CODE.findall(document)
    elif isinstance(document, Mapping):
        for value in document.values():
            yield from code_in(value)
    elif isinstance(document, list | tuple):
        for value in document:
            yield from code_in(value)


def require_passed(stored: Any, passed: Any, how: str) -> None:
    """Raise ConfigError if plain data from a file names code that the user has not passed.

    how : how to pass it, for the message
    """
    if missing := sorted({*code_in(stored)} - {*code_in(passed)}):
        raise ConfigError(
            f"this run uses {short_repr(missing[0])}, which is not imported because a file names it; pass it again: {how}"
        )
