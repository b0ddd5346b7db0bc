"""The format of statistics files: a JSON header, arrays of little-endian numbers and a checksum.

    8 bytes   REFSTATS
    4 bytes   version of the format, little-endian: 3
    4 bytes   length of the header in bytes, little-endian
    header    a JSON object in UTF-8; "arrays" lists the name, type and shape of each array
    arrays    in that order, each in C order; zeros pad the header and each array to a multiple of 8 bytes
    32 bytes  SHA-256 of all preceding bytes

A file cannot contain code. A reader needs no more memory than the size of the file, and checks the checksum first.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from hashlib import sha256
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError

MAGIC = b"REFSTATS"
VERSION = 3

_PREFIX = struct.Struct("<8sII")
_TYPES = ("<i8", "<u8", "<f8", "|u1")
_DIGEST = 32


def write_statistics(file: IO[bytes], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a header of JSON values, and arrays with one or two dimensions."""
    plain = {name: np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    listed = [{"name": name, "type": array.dtype.str, "shape": array.shape} for name, array in plain.items()]
    text = json.dumps({**header, "arrays": listed}, ensure_ascii=False, allow_nan=False).encode("utf-8")
    digest = sha256()
    parts: list[Any] = [_PREFIX.pack(MAGIC, VERSION, len(text)), text, *(array.reshape(-1) for array in plain.values())]
    for part in parts:
        for data in (part, bytes(-memoryview(part).nbytes % 8)):
            digest.update(data)
            file.write(data)
    file.write(digest.digest())


def read_statistics(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header without "arrays", and the arrays as views of `data`."""
    if not data or data[: len(MAGIC)] != MAGIC[: len(data)]:
        raise InputError(None, "is not a saved evaluation", "save one with `Evaluation.save` or `refscore stats`")
    if len(data) < _PREFIX.size:
        _fail_checksum()
    _, version, length = _PREFIX.unpack_from(data)
    if version != VERSION:
        raise InputError(
            None,
            f"has version {version} of the format, but this refscore reads {VERSION}",
            "read it with the version of refscore that wrote it",
        )
    end = len(data) - _DIGEST
    if end < _PREFIX.size or sha256(memoryview(data)[:end]).digest() != data[end:]:
        _fail_checksum()
    try:
        header = json.loads(data[_PREFIX.size : _PREFIX.size + length].decode("utf-8"), parse_constant=_no_number)
        begin = _PREFIX.size + length + -length % 8
        arrays: dict[str, NDArray[Any]] = {}
        for entry in header.pop("arrays"):
            array = _array(data, begin, entry["type"], entry["shape"])
            begin += array.nbytes + -array.nbytes % 8
            if entry["name"] in arrays or begin > end:
                raise ValueError(entry)
            arrays[entry["name"]] = array
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
        raise InputError(None, "cannot be read as statistics: its header does not describe its data") from None
    if begin != end:
        raise InputError(None, f"cannot be read as statistics: it has {end - begin} bytes too many")
    return header, arrays


def _array(data: bytes, begin: int, kind: Any, shape: Any) -> NDArray[Any]:
    """Return an array as a view of the data. Raise an error if the data is too short."""
    if kind not in _TYPES or len(shape) not in (1, 2) or not all(type(length) is int for length in shape):
        raise ValueError(kind, shape)
    array: NDArray[Any] = np.ndarray(tuple(shape), np.dtype(kind), data, begin)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _no_number(constant: str) -> NoReturn:
    raise ValueError(constant)


def _fail_checksum() -> NoReturn:
    raise InputError(None, "is damaged or truncated (its checksum does not match)", "copy it again")
