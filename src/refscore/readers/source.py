"""An input as bytes and as text, in blocks of bounded memory, with errors that name the place."""

from __future__ import annotations

import io
import itertools
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from refscore.errors import InputError
from refscore.readers.packing import LONGEST_BEGINNING, packing_of, unpacked

BLOCK = 1 << 20
LONGEST_LINE = 1 << 26
LARGEST_WHOLE = 1 << 30


class Source:
    """A file or standard input, unpacked where it is compressed; read once, from beginning to end.

    Args:
        path: The file; None is standard input.
        stdin: What standard input is, if not the process's own.

    Attributes:
        name: What messages call it.
        spec: What a user writes for it.
    """

    def __init__(self, path: str | Path | None, stdin: BinaryIO | None = None) -> None:
        self.name = "standard input" if path is None else str(path)
        self.spec = "-" if path is None else str(path)
        self._owned = path is not None
        self._file = _standard_input(stdin) if path is None else _opened(path)
        self._counted = _Counted(self._file)
        self._size = _size(self._file)
        self._errors: tuple[type[Exception], ...] = (OSError,)
        self._packing: str | None = None
        self._lines = 0  # decoded so far
        self._bytes = 0
        try:
            self._packing = packing_of(self._counted.head(LONGEST_BEGINNING))
            plain = io.BufferedReader(self._counted)
            self._stream: io.BufferedIOBase = plain
            if self._packing is not None:
                self._stream, damage = unpacked(self._packing, plain, self.name)
                self._errors = (OSError, *damage)
        except OSError as error:
            self.close()
            raise InputError(None, f"{self.name} cannot be read: {error.strerror or error}") from None
        except BaseException:
            self.close()
            raise

    @property
    def fraction(self) -> float | None:
        """How much of the file has been read, from 0 to 1; None for what has no size."""
        return min(self._counted.count / self._size, 1.0) if self._size else None

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._owned:
            self._file.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def seekable(self) -> BinaryIO:
        """The bytes as a file that can be read at any place: the file itself if it is one, else all in memory."""
        if self._packing is None and self._owned and self._size is not None:
            self._file.seek(0)
            return self._file
        return io.BytesIO(b"".join(self.limited()))

    def limited(self) -> Iterator[bytes]:
        """All bytes in blocks, for formats that have to be in memory whole: there may not be too many."""
        size = 0
        while data := self.read(BLOCK):
            size += len(data)
            if size > LARGEST_WHOLE:
                raise InputError(
                    None, f"{self.name} has more than {LARGEST_WHOLE >> 20} MiB, and its format is read whole: split it"
                )
            yield data

    def read(self, size: int) -> bytes:
        """The next bytes: as many as asked for, fewer at the end only."""
        with self._named_errors():
            return self._stream.read(size)

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except EOFError:
            raise InputError(None, f"{self.name} is cut off: its {self._packing} data ends too early") from None
        except self._errors as error:
            if self._packing is None or getattr(error, "errno", None) is not None:
                raise InputError(
                    None, f"{self.name} cannot be read: {getattr(error, 'strerror', None) or error}"
                ) from None
            raise InputError(
                None, f"{self.name} is damaged: its {self._packing} data cannot be unpacked ({error})"
            ) from None

    def texts(self) -> Iterator[str]:
        """The text in blocks of whole lines, each with its end; the last may lack it."""
        # One buffer for all blocks: fresh memory for each would cost more than to decode and split them.
        buffer = bytearray()
        held = 0  # of a line whose end has not been read
        while True:
            if len(buffer) < held + BLOCK:
                buffer.extend(bytes(max(BLOCK, len(buffer))))
            with memoryview(buffer) as view, self._named_errors():
                count = self._stream.readinto(view[held : held + BLOCK])
            if not count:
                break
            end = buffer.rfind(b"\n", held, held + count) + 1
            held += count
            if end:
                yield self.decoded(buffer, end)
                buffer[: held - end] = buffer[end:held]
                held -= end
            elif held > LONGEST_LINE:
                raise InputError(
                    None,
                    f"{self.name}, line {self._lines + 1} is longer than {LONGEST_LINE >> 20} MiB: is this a text file?",
                )
        if held:
            yield self.decoded(buffer, held)

    def lines(self) -> Iterator[list[str]]:
        r"""The lines in blocks, without their ends, which are "\n" or "\r\n"."""
        for text in self.texts():
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            if "\r" in text:
                lines = [line.removesuffix("\r") for line in lines]
            if lines:
                yield lines

    def decoded(self, data: bytes | bytearray, end: int) -> str:
        """What follows in the file, up to `end` of `data`, as text."""
        try:
            with memoryview(data) as view:
                text = str(view[:end], "utf-8")
        except UnicodeDecodeError as error:
            line = self._lines + data.count(b"\n", 0, error.start) + 1
            raise InputError(
                None,
                f"{self.name}, line {line} is not UTF-8 (byte 0x{data[error.start]:02x}), "
                f"at offset {self._bytes + error.start:,}: convert the file first",
            ) from None
        if not self._bytes:
            text = text.removeprefix("\ufeff")
        self._bytes += end
        self._lines += data.count(b"\n", 0, end)
        return text


class _Counted(io.RawIOBase):
    """The bytes of a file, counted as they are taken; the first of them can be looked at before."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._head = b""
        self.count = 0

    def head(self, size: int) -> bytes:
        """The first bytes, which will be read again."""
        while len(self._head) < size and (data := self._file.read(size - len(self._head))):
            self._head += data
        return self._head

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        if self._head:
            data, self._head = self._head[: len(target)], self._head[len(target) :]
        else:
            data = self._file.read(len(target)) or b""
        target[: len(data)] = data
        self.count += len(data)
        return len(data)


def _opened(path: str | Path) -> BinaryIO:
    try:
        if os.path.isdir(path):
            raise InputError(None, f"{path} is a directory: name a file")
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        name = path or "a file without a name"
        near = _near(path) if isinstance(error, FileNotFoundError) else ""
        raise InputError(None, f"{name} cannot be read: {getattr(error, 'strerror', None) or error}{near}") from None


def _near(path: str | Path) -> str:
    """Words for what may have been meant by a file that is not there: one of a similar name, or another folder."""
    import difflib  # slow to import, and needed for mistakes alone

    folder, name = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return f" (there is no folder {folder})"
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in itertools.islice(entries, 1000) if not entry.is_dir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.8)
    return f"; did you mean {os.path.join(folder, near[0])}?" if near else ""


def _standard_input(given: BinaryIO | None) -> BinaryIO:
    if given is not None:
        return given
    if sys.stdin is None:
        raise InputError(None, "standard input is closed: name a file")
    return sys.stdin.buffer


def _size(file: BinaryIO) -> int | None:
    """The size of a regular file; a pipe or a terminal has none."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
