"""Detect the compression of files, and decompress them while they are read."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from refscore.tokenizers.base import requires

# The compression by the first bytes. No text begins like this: except for bzip2's, these bytes are not UTF-8 or have
# a control character.
_MAGIC_NUMBERS = {
    "gzip": rb"\x1f\x8b",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
    "bzip2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
}
LONGEST_MAGIC_NUMBER = 10
ENDINGS = (".gz", ".xz", ".zst", ".bz2")


def detect_compression(head: bytes) -> str | None:
    r"""Return the compression of data that begins with `head`, or None if it is not compressed."""
    return next((name for name, magic in _MAGIC_NUMBERS.items() if re.match(magic, head)), None)


def decompress(
    compression: str, compressed: BinaryIO, name: str
) -> tuple[io.BufferedIOBase, tuple[type[Exception], ...]]:
    """Return a stream of decompressed bytes, and the errors for damaged data other than EOFError and OSError."""
    if compression == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=compressed, mode="rb"), (zlib.error,)
    if compression == "bzip2":
        import bz2

        return _stream(compressed, bz2.BZ2Decompressor), (ValueError,)
    if compression == "xz":
        import lzma

        # xz files may be padded with zeros.
        return _stream(compressed, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ), b"\0"), (lzma.LZMAError,)
    with requires(f"{name}, which is compressed with zstd,", "zstd"):
        import zstandard
    return _stream(compressed, zstandard.ZstdDecompressor().decompressobj, most=()), (zstandard.ZstdError,)


class ByteStream(io.RawIOBase):
    """A stream of bytes that a subclass returns piece by piece."""

    def _next(self, size: int) -> bytes | memoryview:
        """Return up to `size` bytes, or no bytes at the end."""
        raise NotImplementedError

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read the next bytes into a buffer and return their number."""
        target = memoryview(buffer).cast("B")
        data = self._next(len(target))
        target[: len(data)] = data
        return len(data)


class _Frames(ByteStream):
    """The decompressed bytes of consecutive frames.

    Unlike the streams of bz2, lzma and zstandard, it raises an error if the last frame is truncated or other data
    follows.
    """

    # 4 bytes of zstd may decompress to 128 KiB, so limiting the input of one step limits the memory.
    _STEP = 1024

    def __init__(
        self, compressed: BinaryIO, start_frame: Callable[[], Any], padding: bytes, most: tuple[int, ...]
    ) -> None:
        self._compressed = compressed
        self._start_frame = start_frame
        self._padding = padding
        self._most = most
        self._frame: Any = None
        self._input = b""
        self._output = memoryview(b"")

    def _next(self, size: int) -> memoryview:
        while not self._output:
            if getattr(self._frame, "needs_input", True):
                self._input = self._input or self._compressed.read(self._STEP)
                if not self._input:
                    if self._frame is not None:
                        raise EOFError
                    break
            if self._frame is None:
                self._input = self._input.lstrip(self._padding) if self._padding else self._input
                if not self._input:
                    continue
                self._frame = self._start_frame()
            self._output = memoryview(self._frame.decompress(self._input, *self._most))
            self._input = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
        data, self._output = self._output[:size], self._output[size:]
        return data


def _stream(
    compressed: BinaryIO, start_frame: Callable[[], Any], padding: bytes = b"", most: tuple[int, ...] = (1 << 20,)
) -> io.BufferedIOBase:
    """Return a stream of frames, each decompressed by a new decompressor. Frames may be separated by `padding`.

    `most` is the largest number of bytes per step, for decompressors that take it as an argument.
    """
    return io.BufferedReader(_Frames(compressed, start_frame, padding, most))
