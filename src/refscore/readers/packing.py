"""Compressed files: what they are compressed by, and their bytes unpacked as they are read."""

from __future__ import annotations

import io
import re
import zlib
from typing import Any, BinaryIO

from refscore.errors import NotInstalledError

# The kind by the first bytes. None of them begins a text: but for bzip2's they are not UTF-8, or hold a control.
_BEGINNINGS = {
    "gzip": rb"\x1f\x8b",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
    "bzip2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
}
LONGEST_BEGINNING = 10
ENDINGS = (".gz", ".xz", ".zst", ".bz2")


def packing_of(head: bytes) -> str | None:
    r"""What data that begins like this is compressed by; None for anything else.

    >>> packing_of(b"\x1f\x8b\x08\x00"), packing_of(b"BZh, a text")
    ('gzip', None)
    """
    return next((kind for kind, beginning in _BEGINNINGS.items() if re.match(beginning, head)), None)


def unpacked(kind: str, packed: BinaryIO, name: str) -> tuple[io.BufferedIOBase, tuple[type[Exception], ...]]:
    """The unpacked bytes of `packed`, and the errors that damaged data raises beside EOFError and a bare OSError.

    Args:
        kind: What it is compressed by.
        packed: The compressed bytes.
        name: What a message calls them.
    """
    if kind == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=packed, mode="rb"), (zlib.error,)
    if kind == "bzip2":
        import bz2

        return bz2.BZ2File(packed), (ValueError,)
    if kind == "xz":
        import lzma

        return lzma.LZMAFile(packed), (lzma.LZMAError,)
    try:
        import zstandard
    except ModuleNotFoundError:
        raise NotInstalledError(
            f"{name} is compressed by zstd, which needs a package: pip install 'refscore[zstd]'"
        ) from None
    return io.BufferedReader(_Zstd(packed, zstandard.ZstdDecompressor())), (zstandard.ZstdError,)


class _Zstd(io.RawIOBase):
    """The unpacked bytes of zstd frames; unlike zstandard's own stream it notices that the last one is cut off."""

    # A block of 4 bytes may unpack to 128 KiB, so what one step can take bounds the memory.
    _STEP = 1024

    def __init__(self, packed: BinaryIO, decompressor: Any) -> None:
        self._packed = packed
        self._decompressor = decompressor
        self._frame: Any = None
        self._input = b""
        self._output = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        while not self._output:
            if not self._input:
                self._input = self._packed.read(self._STEP)
            if not self._input:
                if self._frame is not None:
                    raise EOFError
                return 0
            self._unpack()
        count = min(len(target), len(self._output))
        target[:count] = self._output[:count]
        self._output = self._output[count:]
        return count

    def _unpack(self) -> None:
        if self._frame is None:
            self._frame = self._decompressor.decompressobj()
        self._output = memoryview(self._frame.decompress(self._input))
        self._input = b""
        if self._frame.eof:
            self._input = self._frame.unused_data
            self._frame = None
