"""Checks of arguments by annotation: the types of arguments are written once, in the signature."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature, unwrap
from math import isfinite
from numbers import Real
from types import FunctionType, NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin

import numpy as np

from ginkgo_env.core.checks import whole
from ginkgo_env.core.errors import BatchError, GinkgoError, shown

Function = TypeVar("Function", bound=Callable[..., Any])
Bounds = tuple[int, int | None]

COUNT: Bounds = (1, 10**9)
"""Bounds of numbers of games, rows, worlds and the like: no more than a billion of them."""
NATURAL: Bounds = (0, 10**9)
_SEED: Bounds = (0, None)
_BOUNDS = {"seed": _SEED, "width": COUNT, "salt": NATURAL} | dict.fromkeys(
    (
        "choices",
        "deals",
        "epochs",
        "games",
        "hidden",
        "longest",
        "n",
        "rays",
        "rows",
        "size",
        "steps",
        "threads",
        "window",
        "worlds",
    ),
    COUNT,
)
"""The bounds of integers by their usual names."""
_INTEGER: Bounds = (-(2**63), 2**63 - 1)


class _Wrong(Exception):
    """Raised inside this module for a value that does not fit a kind."""


class _Kind(NamedTuple):
    """The kind of value that a parameter takes."""

    take: Callable[[Any], Any]
    """Returns a value converted to the right type, or raises _Wrong."""
    expected: str


def checked(error: type[GinkgoError] = BatchError, *, late: bool = False, **bounds: Bounds) -> Callable[[Function], Function]:
    """Check the arguments of a function by its annotations, before it is called.

    Integers of any type become ``int`` and numbers in nested lists arrays. Parameters without an annotation, and those of type
    ``Any``, are not checked. An array that a function writes to is passed on unchanged.

    error : raised for wrong arguments
    late : whether arguments are checked only after the function has failed: for small functions that are called often
    bounds : the lowest and highest values of integer parameters, by parameter, where its name does not imply them; None is no
        bound

    >>> @checked()
    ... def squares(size: int) -> list[int]:
    ...     return [k * k for k in range(size)]
    >>> squares(-1)
    Traceback (most recent call last):
    ginkgo_env.core.errors.BatchError: invalid size -1; expected 1..1000000000
    """
    return lambda function: _checking(function, error, late, bounds)


def _checking(function: Any, error: type[GinkgoError], late: bool, bounds: Mapping[str, Bounds]) -> Any:
    if isinstance(function, type):  # a dataclass
        cast(Any, function).__init__ = _checking(cast(Any, function).__init__, error, late, bounds)
        return function
    parameters = signature(function).parameters
    names = [name for name, each in parameters.items() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    kinds: dict[str, _Kind] = {}

    def taken(name: str, value: Any) -> Any:
        kind = kinds.get(name)
        if kind is None:
            return value
        try:
            return kind.take(value)
        except _Wrong:
            raise error(f"invalid {name} {shown(value)}; expected {kind.expected}") from None

    def arguments(values: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        if not kinds:  # annotations may name objects that are defined later
            kinds.update(_kinds(function, names, bounds))
        positional = [*map(taken, names, values), *values[len(names) :]]
        return positional, {name: taken(name, value) for name, value in keywords.items()}

    def call(*values: Any, **keywords: Any) -> Any:
        if late:
            try:
                return function(*values, **keywords)
            except Exception:
                arguments(values, keywords)
                raise
        values, keywords = arguments(values, keywords)  # type: ignore[assignment]
        return function(*values, **keywords)

    # With the globals of the function, tools see a function of the same module.
    wrapper = FunctionType(call.__code__, unwrap(function).__globals__, function.__name__, None, call.__closure__)
    for name in ("__module__", "__qualname__", "__doc__", "__annotations__"):
        setattr(wrapper, name, getattr(function, name))
    wrapper.__dict__.update(function.__dict__, __wrapped__=function)
    return wrapper


def _kinds(function: Any, names: Sequence[str], bounds: Mapping[str, Bounds]) -> dict[str, _Kind]:
    """Return the kinds of the parameters that are annotated."""
    kinds = {}
    for name in names:
        hint = function.__annotations__.get(name, Any)
        try:
            hint = eval(hint, unwrap(function).__globals__) if isinstance(hint, str) else hint
        except NameError:  # imported for type checkers only
            hint = Any
        kinds[name] = _kind_of(hint, bounds.get(name, _BOUNDS.get(name, _INTEGER)))
    return kinds


def _kind_of(hint: Any, bounds: Bounds = _INTEGER) -> _Kind:
    hint = hint.__bound__ if isinstance(hint, TypeVar) else hint
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _any_of([_kind_of(each, bounds) for each in inner])
    if origin is Literal:
        return _Kind(lambda value: _require(isinstance(value, str) and value in inner, value), " or ".join(map(repr, inner)))
    if isinstance(origin, type) and issubclass(origin, np.ndarray):
        dtype = get_args(inner[1])
        return _array_of((np.generic if dtype[0] is Any else dtype[0]) if dtype else np.void)
    if origin in _COLLECTIONS:
        return _COLLECTIONS[origin](*inner)
    if origin is not None:
        hint = Callable if origin is Callable else origin
    if hint is int:
        low, high = bounds
        return _Kind(lambda value: _integer(value, low, high), f"an integer >= {low}" if high is None else f"{low}..{high}")
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if isinstance(hint, type) and hint not in (object, Any) and not getattr(hint, "_is_protocol", False):
        return _Kind(lambda value: _require(isinstance(value, hint), value), _with_article(hint.__name__))
    return _Kind(lambda value: value, "anything")


def _require(right: bool, value: Any) -> Any:
    if not right:
        raise _Wrong
    return value


def _with_article(name: str) -> str:
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _integer(value: Any, low: int, high: int | None) -> int:
    number = value if type(value) is int else whole(value)
    if number is None or number < low or (high is not None and number > high):
        raise _Wrong
    return number


def _number(value: Any) -> Any:
    try:
        return _require(isinstance(value, Real) and not isinstance(value, bool | np.timedelta64) and isfinite(value), value)
    except OverflowError:
        raise _Wrong from None


def _any_of(kinds: list[_Kind]) -> _Kind:
    def take(value: Any) -> Any:
        for kind in kinds:
            try:
                return kind.take(value)
            except _Wrong:
                continue
        raise _Wrong

    return _Kind(take, " or ".join(dict.fromkeys(kind.expected for kind in kinds)))


def _array_of(scalar: Any) -> _Kind:
    """An array that numpy casts to a dtype without loss of range; structured arrays and other subclasses are not made."""
    if scalar is np.void:
        return _Kind(lambda value: _require(isinstance(value, np.ndarray) and value.dtype.names is not None, value), "states")
    scalar = get_origin(scalar) or scalar  # np.integer[Any]
    concrete = isinstance(scalar, type) and not scalar.__subclasses__()
    dtype = np.dtype(scalar) if concrete else None
    if dtype is not None:
        kinds = {"b": "b", "i": "iu", "u": "iu", "f": "fiu"}[dtype.kind]
    else:
        kinds = {np.integer: "iu", np.generic: "biufV"}.get(scalar, "biuf")

    def take(value: Any) -> Any:
        try:
            array = np.asarray(value)
        except (TypeError, ValueError, OverflowError, RecursionError, MemoryError):
            raise _Wrong from None
        if array.dtype.kind not in kinds:
            _require(not array.size, value)
            array = array.astype(dtype or np.int64)  # numpy makes floats of an empty list
        if dtype is None or array.dtype == dtype:
            return array
        with np.errstate(all="ignore"):
            cast_array = array.astype(dtype)
        _require(dtype.kind == "f" or bool((cast_array == array).all()), value)
        return cast_array

    return _Kind(take, f"an array of {dtype.name if dtype else 'integers' if scalar is np.integer else 'numbers'}")


def _sequence_of(*inner: Any) -> _Kind:
    """A list or tuple of a kind, or a tuple with these entries."""
    kinds = [_kind_of(each) for each in inner if each is not ...]
    fixed = len(kinds) if ... not in inner and len(inner) > 1 else None

    def take(value: Any) -> Any:
        values = value.tolist() if isinstance(value, np.ndarray) else value
        _require(isinstance(values, Sequence) and not isinstance(values, str | bytes), value)
        _require(fixed in (None, len(values)), value)
        taken = [kinds[k if fixed else 0].take(each) for k, each in enumerate(values)]
        return taken if isinstance(value, np.ndarray) else tuple(taken) if isinstance(values, tuple) else taken

    return _Kind(take, f"a list of {fixed}" if fixed else f"a list, each entry {kinds[0].expected}" if kinds else "a list")


def _iterable_of(*inner: Any) -> _Kind:
    kind = _kind_of(inner[0])

    def take(value: Any) -> Any:
        _require(isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping), value)
        return [kind.take(each) for each in _entries(value)]

    return _Kind(take, f"a list, each entry {kind.expected}")


def _entries(value: Any) -> list[Any]:
    try:
        return list(value)
    except TypeError:  # an array without axes
        raise _Wrong from None


def _mapping_of(key: Any, inner: Any) -> _Kind:
    keys, values = _kind_of(key), _kind_of(inner)

    def take(value: Any) -> Any:
        _require(isinstance(value, Mapping), value)
        for each, entry in value.items():
            keys.take(each), values.take(entry)
        return value

    return _Kind(take, f"a mapping from {keys.expected} to {values.expected}")


def _path(value: Any) -> Any:
    return _require(isinstance(value, os.PathLike) and isinstance(os.fspath(value), str), value)


_COLLECTIONS: dict[Any, Callable[..., _Kind]] = {
    Sequence: _sequence_of,
    list: _sequence_of,
    tuple: _sequence_of,
    Iterable: _iterable_of,
    Mapping: _mapping_of,
    dict: _mapping_of,
    os.PathLike: lambda *_: _Kind(_path, "a path"),
}
_SIMPLE: dict[Any, _Kind] = {
    bool: _Kind(lambda value: bool(_require(isinstance(value, bool | np.bool_), value)), "True or False"),
    float: _Kind(_number, "a finite number"),
    str: _Kind(lambda value: _require(isinstance(value, str), value), "a text"),
    bytes: _Kind(lambda value: _require(isinstance(value, bytes), value), "bytes"),
    NoneType: _Kind(lambda value: _require(value is None, value), "None"),
    None: _Kind(lambda value: _require(value is None, value), "None"),
    Callable: _Kind(lambda value: _require(callable(value), value), "a function"),
    type: _Kind(lambda value: _require(isinstance(value, type), value), "a class"),
}
