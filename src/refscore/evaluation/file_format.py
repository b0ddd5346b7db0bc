"""The format of records: a JSON header and arrays of little-endian numbers, compressed, and a checksum.

    8 bytes   REFSTATS
    4 bytes   version of the format, little-endian: 4
    4 bytes   length of the header in bytes, little-endian
    body      one zlib stream: the header, then the arrays
    32 bytes  SHA-256 of all preceding bytes

The header is a JSON object in UTF-8. "arrays" lists the name, type and shape of each array. An array is stored column
by column, and a column byte by byte: first the lowest byte of each number, then the second lowest, and so on. Most
numbers are small, so this makes long runs of zeros.

A file cannot contain code. A reader checks the checksum first.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError

MAGIC = b"REFSTATS"
VERSION = 4

_PREFIX = struct.Struct("<8sII")
_TYPES = ("<i8", "<u8", "<f8", "|u1")
_DIGEST = 32
# No metric has nearly as many. A hostile file could name billions of empty columns.
_MOST_COLUMNS = 1 << 16
# The most bytes of a header, and for each byte of the file. Each segment also takes at least a byte in the arrays, and
# Python needs about 30 times the size of a hostile header.
_MOST_HEADER = 1 << 24
_MOST_HEADER_PER_BYTE = 64
# The decompressor copies what it has not consumed yet, so it gets the file in pieces.
_PIECE = 1 << 16


def write_statistics(file: IO[bytes], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a header of JSON values, and arrays with one or two dimensions."""
    listed = [
        {"name": name, "type": array.dtype.newbyteorder("<").str, "shape": array.shape}
        for name, array in arrays.items()
    ]
    # Lone surrogates, as in names of files that are not UTF-8, become escapes of JSON.
    text = json.dumps({**header, "arrays": listed}, ensure_ascii=False, allow_nan=False)
    content = text.encode("utf-8", "backslashreplace")
    digest, body = sha256(), zlib.compressobj()

    def write(data: bytes) -> None:
        digest.update(data)
        file.write(data)

    write(_PREFIX.pack(MAGIC, VERSION, len(content)))
    write(body.compress(content))
    for array in arrays.values():
        for column in _columns(array):
            write(body.compress(_planes(column)))
    write(body.flush())
    file.write(digest.digest())


def read_statistics(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the header without "arrays", and the arrays."""
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
    body = _Body(memoryview(data)[_PREFIX.size : end])
    try:
        if length > _MOST_HEADER + _MOST_HEADER_PER_BYTE * len(data):
            raise ValueError(length)
        header = json.loads(body.read(length).decode("utf-8"), parse_constant=_no_number)
        arrays: dict[str, NDArray[Any]] = {}
        for entry in header.pop("arrays"):
            if entry["name"] in arrays:
                raise ValueError(entry)
            arrays[entry["name"]] = _read_array(body, entry["type"], entry["shape"])
        body.check_end()
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, RecursionError, zlib.error):
        raise InputError(None, "cannot be read as statistics: its header does not describe its data") from None
    return header, arrays


def _columns(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield the columns of a table, or an array with one dimension. Writing to a column changes the array."""
    if array.ndim == 1:
        yield array
    else:
        yield from array.T


def _planes(column: NDArray[Any]) -> bytes:
    """Return the lowest byte of each number, then the second lowest of each, and so on."""
    plain = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("<"))
    planes = plain.view(np.uint8).reshape(len(plain), plain.itemsize).T
    return bytes(planes.tobytes())


def _read_array(body: _Body, kind: Any, shape: Any) -> NDArray[Any]:
    if kind not in _TYPES or len(shape) not in (1, 2) or not all(type(length) is int for length in shape):
        raise ValueError(kind, shape)
    count = shape[1] if len(shape) == 2 else 1
    if not 0 <= count <= _MOST_COLUMNS:
        raise ValueError(shape)
    stored = np.dtype(kind)
    columns = []
    for _ in range(count):
        planes = np.frombuffer(body.read(shape[0] * stored.itemsize), np.uint8).reshape(stored.itemsize, shape[0])
        columns.append(np.ascontiguousarray(planes.T).view(stored).reshape(shape[0]))
    array: NDArray[Any] = columns[0] if len(shape) == 1 else np.zeros(tuple(shape), stored)
    if len(shape) == 2:
        for index, column in enumerate(columns):
            array[:, index] = column
    return array.astype(stored.newbyteorder("="), copy=False)


class _Body:
    """The decompressed bytes of a file, read in order."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._stream = zlib.decompressobj()
        self._rest = b""  # what the decompressor got, but has not consumed

    def read(self, count: int) -> bytes:
        """Return the next bytes. Raise a ValueError if there are fewer."""
        if count < 0:
            raise ValueError(count)
        parts = []
        while count:
            if not self._rest:
                self._rest, self._data = bytes(self._data[:_PIECE]), self._data[_PIECE:]
            part = self._stream.decompress(self._rest, count)
            if not part and not self._rest:
                raise ValueError("the stream ends early")
            self._rest = self._stream.unconsumed_tail
            parts.append(part)
            count -= len(part)
            if self._stream.eof and count:
                raise ValueError("the stream ends early")
        return b"".join(parts)

    def check_end(self) -> None:
        """Raise a ValueError if there are more bytes."""
        if (
            self._stream.decompress(self._rest + bytes(self._data), 1)
            or not self._stream.eof
            or self._stream.unused_data
        ):
            raise ValueError("there are bytes after the arrays")


def _no_number(constant: str) -> NoReturn:
    raise ValueError(constant)


def _fail_checksum() -> NoReturn:
    raise InputError(None, "is damaged or truncated (its checksum does not match)", "copy it again")
