"""The file format of saved statistics: a header of JSON, arrays of little-endian numbers, a checksum.

    8 bytes   REFSTATS
    4 bytes   version of the format, little-endian: 1
    4 bytes   length of the header in bytes, little-endian
    header    a JSON object in UTF-8; "arrays" lists the name, type and shape of each array
    arrays    one after the other in that order, in C order; zeros fill up the header and each array to a multiple of 8
    32 bytes  SHA-256 of all before

Nothing in it can be run. A reader takes no more memory than the file is long, and uses nothing before the checksum
fits.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.writing import written_whole

MAGIC = b"REFSTATS"
VERSION = 1

_PREFIX = struct.Struct("<8sII")
_TYPES = ("<i8", "<u8", "<f8", "|u1")
_DIGEST = 32
_PIECE = 1 << 24
_LONGEST = 1 << 48


def write_container(file: IO[bytes], header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes a header and arrays.

    Args:
        file: Where to, at its beginning.
        header: What JSON can hold; "arrays" is added.
        arrays: Arrays of at most two dimensions under their names.
    """
    plain = {name: np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    listed = [{"name": name, "type": array.dtype.str, "shape": array.shape} for name, array in plain.items()]
    text = json.dumps({**header, "arrays": listed}, ensure_ascii=False, allow_nan=False).encode("utf-8")
    digest = sha256()

    def write(data: bytes | memoryview) -> None:
        digest.update(data)
        file.write(data)

    write(_PREFIX.pack(MAGIC, VERSION, len(text)))
    write(text + bytes(_padding(len(text))))
    for array in plain.values():
        if array.size:
            write(array.data.cast("B"))
        write(bytes(_padding(array.nbytes)))
    file.write(digest.digest())


def read_container(file: IO[bytes], size: int, name: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays that `write_container` wrote.

    Args:
        file: Where from, at its beginning.
        size: The number of bytes that the file has.
        name: What messages call it.

    Returns:
        The header without "arrays", and the arrays.
    """
    return _Container(file, size, name).read()


class _Container:
    """One file that is being read."""

    def __init__(self, file: IO[bytes], size: int, name: str) -> None:
        self._file = file
        self._left = size
        self._name = name
        self._digest = sha256()

    def read(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """The header and the arrays."""
        begin = self._bytes(min(self._left, _PREFIX.size))
        if begin[: len(MAGIC)] != MAGIC[: len(begin)] or not begin:
            raise InputError(None, f"{self._name} is no file of statistics: those are what `refscore stats` writes")
        if len(begin) < _PREFIX.size:
            self._fail_short()
        _, version, length = _PREFIX.unpack(begin)
        if version != VERSION:
            raise InputError(
                None,
                f"{self._name} has version {version} of the format of statistics, this refscore reads {VERSION}: "
                "read it with the version that wrote it, or a newer one",
            )
        text = self._bytes(length)
        self._bytes(_padding(length))
        header = self._header(text)
        listed = [self._listed(entry) for entry in self._list(header.pop("arrays", None))]
        if len({entry_name for entry_name, _, _ in listed}) != len(listed):
            self._fail("two arrays have one name")
        arrays = {entry_name: self._array(kind, shape) for entry_name, kind, shape in listed}
        expected = self._digest.digest()
        if self._bytes(_DIGEST) != expected:
            raise InputError(None, f"{self._name} is damaged: its checksum is that of other data")
        if self._left:
            self._fail(f"there are {self._left} bytes too many")
        return header, arrays

    def _bytes(self, count: int) -> bytes:
        if count > self._left:
            self._fail_short()
        data = self._file.read(count)
        if len(data) != count:
            self._fail_short()
        self._left -= count
        self._digest.update(data)
        return data

    def _header(self, text: bytes) -> dict[str, Any]:
        def no_number(constant: str) -> NoReturn:
            raise ValueError(constant)

        try:
            header = json.loads(text.decode("utf-8"), parse_constant=no_number)
        except (ValueError, RecursionError):
            self._fail("its header is no JSON")
        if not isinstance(header, dict):
            self._fail("its header is no object")
        return header

    def _list(self, value: Any) -> list[Any]:
        if not isinstance(value, list):
            self._fail("its header lists no arrays")
        return value

    def _listed(self, entry: Any) -> tuple[str, np.dtype[Any], tuple[int, ...]]:
        if not isinstance(entry, dict):
            self._fail("its header lists no arrays")
        name, kind, shape = entry.get("name"), entry.get("type"), entry.get("shape")
        if not isinstance(name, str) or not isinstance(kind, str) or kind not in _TYPES or not isinstance(shape, list):
            self._fail("its header lists an array that it cannot have")
        if len(shape) not in (1, 2) or not all(type(length) is int and 0 <= length <= _LONGEST for length in shape):
            self._fail("its header lists an array of a shape that it cannot have")
        return name, np.dtype(kind), tuple(shape)

    def _array(self, kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
        count = kind.itemsize
        for length in shape:
            count *= length
        if count + _padding(count) > self._left:
            self._fail_short()
        array = np.empty(count, dtype=np.uint8)
        view = array.data
        for begin in range(0, count, _PIECE):
            piece = view[begin : begin + _PIECE]
            read = 0
            while read < len(piece):
                data = self._file.read(len(piece) - read)
                if not data:
                    self._fail_short()
                piece[read : read + len(data)] = data
                read += len(data)
            self._digest.update(piece)
        self._left -= count
        self._bytes(_padding(count))
        made: NDArray[Any] = array.view(kind).reshape(shape)
        return made.astype(kind.newbyteorder("="), copy=False)

    def _fail(self, why: str) -> NoReturn:
        raise InputError(None, f"{self._name} cannot be read as statistics: {why}")

    def _fail_short(self) -> NoReturn:
        raise InputError(None, f"{self._name} is cut off: it has fewer bytes than it says, copy it again")


def _padding(length: int) -> int:
    return -length % 8


def save_container(path: Path, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes a file of a header and arrays, whole or not at all.

    Args:
        path: The file.
        header: What JSON can hold.
        arrays: Arrays under their names.
    """
    with written_whole(path) as file:
        write_container(file, header, arrays)


def load_container(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `save_container` wrote.

    Args:
        path: The file.
    """
    try:
        with path.open("rb") as file:
            return read_container(file, os.fstat(file.fileno()).st_size, str(path))
    except (OSError, MemoryError) as error:
        raise InputError(None, f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
