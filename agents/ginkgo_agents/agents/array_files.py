"""Files of arrays that are safe to open: numbers and a header of plain data, sealed by a digest.

A file is a zip archive without compression, which :func:`numpy.load` opens too: first the header as JSON, then each array as
``NAME.npy``. The file ends with the SHA-256 of all bytes before it, stored as the archive's comment, so that a file with any
byte changed, missing or added is refused before anything in it is read.

The digest says that a file is whole, not who made it. The members are therefore read one after the other, with all sizes bounded
by the length of the file. The directory of the archive is not read, and nothing is unpacked or unpickled.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.files import read_some
from ginkgo_env.core.strict_json import JsonError, parse

MOST_BYTES = 1 << 30
"""Length of the longest file that is read, far more than our agents need."""
_MOST_ARRAYS, _LONGEST_HEADER = 10_000, 1 << 20
_HEADER, _SUFFIX = "header.json", ".npy"
_NAME = re.compile(r"\w+([./]\w+)*", re.ASCII)
_DIGITS = 64  # of a SHA-256 in hexadecimal
_KINDS = "biuf"  # bool, integers and floating point numbers
_MEMBER = struct.Struct("<4sHHHHHIIIHH")  # the header of a member of a zip archive
_PLAIN = (b"PK\3\4", 20, 0, 0)  # signature, version, flags, no compression
_LONGEST_NPY_HEADER = 256


class _Damaged(ValueError):
    """Raised when the contents of a file are damaged or malformed."""


class Contents(NamedTuple):
    """The contents of a file."""

    header: Any
    """Plain data, as parsed from JSON."""
    arrays: dict[str, NDArray[Any]]


def packed(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the bytes of a file; equal contents give equal bytes, whatever the order of the arrays.

    Raises ConfigError for a header that is not JSON, for invalid names of arrays, and for arrays that do not hold numbers.
    """
    file = io.BytesIO()
    try:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(_member(_HEADER), json.dumps(header, sort_keys=True, allow_nan=False))
            for name, array in sorted(arrays.items()):
                archive.writestr(_member(_checked_name(name) + _SUFFIX), _npy_bytes(np.asarray(array)))
            archive.comment = bytes(_DIGITS)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"cannot store these arrays: {error}") from None
    body = file.getvalue()[:-_DIGITS]
    if len(body) + _DIGITS > MOST_BYTES or len(arrays) > _MOST_ARRAYS:
        raise ConfigError(f"cannot store more than {MOST_BYTES} bytes or {_MOST_ARRAYS} arrays")
    return body + _digest_of(body)


def read_arrays(path: str | Path) -> Contents:
    """Read the header and the arrays of a file. Raises ConfigError if it is missing, damaged or malformed."""
    path = Path(path)
    try:
        if not path.exists():
            raise ConfigError(f"there is no checkpoint {shown(str(path))}")
        if not path.is_file():  # opening a FIFO would block
            raise ConfigError(f"cannot read {shown(str(path))}: not a regular file")
    except (OSError, ValueError) as error:
        raise error if isinstance(error, ConfigError) else ConfigError(f"cannot read {shown(str(path))}: {error}") from None
    return unpacked(read_some(path, MOST_BYTES, ConfigError), shown(path.name))


def unpacked(data: bytes, source: str = "this file") -> Contents:
    """Return the header and the arrays that the bytes of a file hold.

    Raises ConfigError, with a message that begins with ``source``, if they are malformed.
    """
    try:
        if len(data) > MOST_BYTES:
            raise _Damaged(f"it is larger than {MOST_BYTES} bytes")
        return _contents(data)
    except Exception as error:  # with malformed data the libraries may raise any exception
        reason = str(error) if isinstance(error, _Damaged | JsonError) else type(error).__name__
        raise ConfigError(f"{source} is not a checkpoint, or is damaged: {reason}") from None


def _contents(data: bytes) -> Contents:
    body = data[:-_DIGITS]
    if data[-_DIGITS:] != _digest_of(body):
        raise _Damaged("its SHA-256 differs from the one at its end")
    members = _members(body)
    header = members.pop(_HEADER, b"")
    if len(header) > _LONGEST_HEADER:
        raise _Damaged(f"its header is longer than {_LONGEST_HEADER} bytes")
    if extra := [name for name in members if not name.endswith(_SUFFIX)]:
        raise _Damaged(f"unexpected member {shown(extra[0])}")
    arrays = {_checked_name(name.removesuffix(_SUFFIX)): content for name, content in members.items()}
    return Contents(parse(header), {name: _array_of(name, content) for name, content in arrays.items()})


def _members(body: bytes) -> dict[str, bytes]:
    """The members of an archive by name, up to its directory."""
    members: dict[str, bytes] = {}
    at = 0
    while body.startswith(_PLAIN[0], at):
        *plain, _, _, _, stored, size, n_name, n_extra = _MEMBER.unpack_from(body, at)
        start = at + _MEMBER.size + n_name
        name = body[at + _MEMBER.size : start].decode("ascii")
        at = start + size
        if tuple(plain) != _PLAIN or stored != size or n_extra or at > len(body):
            raise _Damaged(f"member {shown(name)} is compressed, encrypted or incomplete")
        if name in members:
            raise _Damaged(f"duplicate member {shown(name)}")
        if len(members) > _MOST_ARRAYS:
            raise _Damaged(f"it has more than {_MOST_ARRAYS} arrays")
        members[name] = body[start:at]
    return members


def _array_of(name: str, content: bytes) -> NDArray[Any]:
    """Return the array from its .npy bytes. The declared shape must agree with the number of bytes."""
    file = io.BytesIO(content)
    if npy.read_magic(file) != (1, 0):
        raise _Damaged(f"array {shown(name)} has an unsupported version of the .npy format")
    shape, by_columns, dtype = npy.read_array_header_1_0(file, max_header_size=_LONGEST_NPY_HEADER)
    if dtype.kind not in _KINDS or not dtype.isnative or by_columns:
        raise _Damaged(f"array {shown(name)} is not an array of numbers")
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise _Damaged(f"array {shown(name)} does not have the size that it declares")
    array = np.frombuffer(content[file.tell() :], dtype).reshape(shape).copy()
    if dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise _Damaged(f"array {shown(name)} has values other than True and False")
    return array


def _npy_bytes(array: NDArray[Any]) -> bytes:
    if array.dtype.kind not in _KINDS:
        raise ValueError(f"expected numbers, got an array of {array.dtype}")
    file = io.BytesIO()
    npy.write_array(file, np.asarray(array, array.dtype.newbyteorder("="), order="C"), (1, 0), allow_pickle=False)
    return file.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    """A member with the same bytes on every machine and day."""
    member = zipfile.ZipInfo(name)
    member.create_system, member.external_attr = 3, 0o644 << 16
    return member


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise _Damaged(f"invalid array name {shown(name)}")
    return name


def _digest_of(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode()
