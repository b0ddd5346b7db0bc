"""A checksum inside an Arrow file: 40 bytes between its stream and its footer, which Arrow readers ignore.

The bytes are REFSTATS (8 bytes) and the SHA-256 of all other bytes of the file.
"""

from __future__ import annotations

import io
import os
from hashlib import sha256
from typing import IO, Any

from refscore.errors import InputError

_TAG = b"REFSTATS"
_SIZE = len(_TAG) + 32
_MAGIC = b"ARROW1"
_END = 4 + len(_MAGIC)  # the length of the footer, and the magic number
_BLOCK = 1 << 20


class ChecksumWriter(io.RawIOBase):
    """Forward the bytes of an Arrow file, and insert the checksum before its footer."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = sha256()
        self._end: bytearray | None = None

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any, /) -> int:
        """Write bytes."""
        self._digest.update(data)
        if self._end is None:
            self._file.write(data)
        else:
            self._end += data
        return len(data)

    def finish(self) -> None:
        """Buffer the bytes that follow: the end of the stream and the footer."""
        self._end = bytearray()

    def close(self) -> None:
        """Write the checksum and the footer. The file stays open."""
        if self._end:
            footer = len(self._end) - _END - int.from_bytes(self._end[-_END : -len(_MAGIC)], "little")
            self._file.write(self._end[:footer] + _TAG + self._digest.digest() + self._end[footer:])
            self._end = None
        super().close()


def check_sum(file: IO[bytes]) -> None:
    """Raise an error if a file is not an Arrow file with a checksum, or has changed since it was written."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END))
    end = file.read(_END)
    if not end.endswith(_MAGIC):
        raise InputError(None, "is truncated or not an Arrow file", "copy it again")
    begin = size - _END - int.from_bytes(end[:4], "little") - _SIZE
    file.seek(max(0, begin))
    stored = file.read(_SIZE)
    if begin < 0 or not stored.startswith(_TAG):
        raise InputError(None, "is damaged or has no checksum", "copy it again, or write it with `refscore stats`")
    digest = sha256()
    file.seek(0)
    while data := file.read(min(_BLOCK, begin - file.tell())):
        digest.update(data)
    file.seek(begin + _SIZE)
    while data := file.read(_BLOCK):
        digest.update(data)
    if digest.digest() != stored[len(_TAG) :]:
        raise InputError(None, "is damaged (its checksum does not match)", "copy it again")
