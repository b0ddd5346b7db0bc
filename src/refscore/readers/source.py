"""Read an input as bytes or text, in blocks of bounded memory."""

from __future__ import annotations

import io
import itertools
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from refscore.errors import InputError, Location
from refscore.readers.compression import LONGEST_MAGIC_NUMBER, ByteStream, decompress, detect_compression
from refscore.readers.recognition import HEAD, conversion_command, recognize, removal_command

S = TypeVar("S", bound="Source")

STANDARD_INPUT = "standard input"  # its name in messages
BLOCK = 1 << 20
LONGEST_LINE = 1 << 26
LARGEST_WHOLE = 1 << 30


class Source:
    """A file, or standard input (None), decompressed if necessary. It can be read once, from beginning to end."""

    def __init__(self, path: str | Path | None, stdin: BinaryIO | None = None) -> None:
        self.name = STANDARD_INPUT if path is None else str(path)  # in messages
        self.spec = "-" if path is None else str(path)  # as a user writes it
        self._is_file = path is not None
        self._file = _standard_input(stdin) if path is None else _open(path)
        self._counting = _CountingReader(self._file)
        self._size = _size(self._file)
        self._read_errors: tuple[type[Exception], ...] = (OSError,)
        self._compression: str | None = None
        self._lines_decoded = 0
        self._bytes_decoded = 0
        try:
            with self._input_errors():
                self._compression = detect_compression(self._counting.head(LONGEST_MAGIC_NUMBER))
                self._stream: io.BufferedIOBase = io.BufferedReader(self._counting)
                if self._compression is not None:
                    self._stream, damage_errors = decompress(self._compression, self._stream, self.name)
                    self._read_errors = (OSError, *damage_errors)
        except BaseException:
            self.close()
            raise

    @property
    def fraction(self) -> float | None:
        """The fraction of the file read so far, from 0 to 1, or None if its size is unknown."""
        return min(self._counting.count / self._size, 1.0) if self._size else None

    def location(self, line: int | None = None) -> Location:
        """Return the location of a line or, by default, of the file."""
        return Location(file=self.name, line=line)

    def close(self) -> None:
        """Close the file. Standard input stays open."""
        if self._is_file:
            self._file.close()

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def seekable(self) -> BinaryIO:
        """Return a seekable file: the file itself if possible, or else a copy in memory."""
        if self._compression is None and self._is_file and self._size is not None:
            self._file.seek(0)
            return self._file
        return io.BytesIO(b"".join(self.limited()))

    def begins_with(self, character: bytes) -> bool:
        """Return whether a character is the first one after whitespace, without consuming it."""
        stream: Any = self._stream  # its class has `peek`, but the declared base class does not
        with self._input_errors():
            head: bytes = stream.peek(HEAD)
        return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(character)

    def read_text(self) -> str:
        """Return the whole text, for formats that cannot be read in blocks."""
        data = b"".join(self.limited())
        return self.decode(data, len(data))

    def limited(self) -> Iterator[bytes]:
        """Yield all bytes in blocks, and raise an error if they are too many to read into memory."""
        size = 0
        while True:
            with self._input_errors():
                data = self._stream.read(BLOCK)
            if not data:
                return
            size += len(data)
            if size > LARGEST_WHOLE:
                problem = f"is larger than {LARGEST_WHOLE >> 20} MiB, the limit for its format"
                raise InputError(self.location(), problem, "split it")
            yield data

    @contextmanager
    def _input_errors(self) -> Iterator[None]:
        """Turn errors of the file and its decompression into input errors."""
        try:
            yield
        except EOFError:
            problem = f"is truncated: its {self._compression} data ends too early"
            raise InputError(self.location(), problem, "copy it again") from None
        except self._read_errors as error:
            if self._compression is None or getattr(error, "errno", None) is not None:
                reason = getattr(error, "strerror", None) or error
                raise InputError(self.location(), f"cannot be read: {reason}") from None
            problem = f"is damaged: its {self._compression} data cannot be decompressed ({error})"
            raise InputError(self.location(), problem) from None

    def texts(self) -> Iterator[str]:
        """Yield the text in blocks of whole lines with their line ends, which the last line may lack."""
        # One buffer for all blocks: allocating memory for each would cost more than decoding and splitting.
        buffer = bytearray()
        filled = 0  # bytes of an incomplete line
        while True:
            if len(buffer) < filled + BLOCK:
                buffer.extend(bytes(max(BLOCK, len(buffer))))
            with memoryview(buffer) as view, self._input_errors():
                count = self._stream.readinto(view[filled : filled + BLOCK])
            if not count:
                break
            end = buffer.rfind(b"\n", filled, filled + count) + 1
            filled += count
            if end:
                yield self.decode(buffer, end)
                buffer[: filled - end] = buffer[end:filled]
                filled -= end
            elif filled > LONGEST_LINE:
                problem = f"is longer than {LONGEST_LINE >> 20} MiB"
                raise InputError(self.location(self._lines_decoded + 1), problem, "is this a text file?")
        if filled:
            yield self.decode(buffer, filled)

    def line_blocks(self, size: int) -> Iterator[bytes]:
        """Yield the bytes in blocks of whole lines, without a byte order mark. They may not be UTF-8.

        For a block that is not, `decode` raises the error.
        """
        rest = b""  # an incomplete line
        is_first = True
        while data := self._read(size):
            end = data.rfind(b"\n") + 1
            if not end:
                rest += data
                if len(rest) > LONGEST_LINE:
                    problem = f"is longer than {LONGEST_LINE >> 20} MiB"
                    raise InputError(self.location(self._lines_decoded + 1), problem, "is this a text file?")
                continue
            block, rest = b"".join((rest, memoryview(data)[:end])), data[end:]
            yield self._checked_head(block) if is_first else block
            is_first = False
            self._bytes_decoded += len(block)
            self._lines_decoded += block.count(b"\n")
        if rest:
            yield self._checked_head(rest) if is_first else rest

    def _read(self, size: int) -> bytes:
        with self._input_errors():
            return self._stream.read(size)

    def _checked_head(self, block: bytes) -> bytes:
        self.check_is_text(block)
        return block.removeprefix(b"\xef\xbb\xbf")

    def lines(self) -> Iterator[list[str]]:
        r"""Yield the lines in blocks, without their ends, which are "\n" or "\r\n"."""
        for text in self.texts():
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            if "\r" in text:
                lines = [line.removesuffix("\r") for line in lines]
            if lines:
                yield lines

    def check_is_text(self, head: bytes) -> None:
        """Raise an error that names the kind of the file if its first bytes are not UTF-8 text."""
        recognized = recognize(head[:HEAD], self.spec, self._compression)
        if recognized is not None:
            raise InputError(self.location(), f"is {recognized[0]}", recognized[1])

    def decode(self, data: bytes | bytearray, end: int) -> str:
        """Decode the next bytes of the file: those of `data` up to `end`."""
        if not self._bytes_decoded:
            self.check_is_text(bytes(data[: min(end, HEAD)]))
        nul = data.find(b"\0", 0, end)
        if nul >= 0:
            line = self._lines_decoded + data.count(b"\n", 0, nul) + 1
            problem = f"has a NUL character (at offset {self._bytes_decoded + nul:,}), which text files do not have"
            fix = f"name a text file, or remove them: {removal_command(self.spec, self._compression)}"
            raise InputError(self.location(line), problem, fix)
        try:
            with memoryview(data) as view:
                text = str(view[:end], "utf-8")
        except UnicodeDecodeError as error:
            line = self._lines_decoded + data.count(b"\n", 0, error.start) + 1
            offset = self._bytes_decoded + error.start
            problem = f"is not UTF-8 (byte 0x{data[error.start]:02x}, at offset {offset:,})"
            fix = conversion_command(self.spec, self._compression, "WINDOWS-1252")
            raise InputError(self.location(line), problem, f"{fix} (or its actual encoding)") from None
        if not self._bytes_decoded:
            text = text.removeprefix("\ufeff")
        self._bytes_decoded += end
        self._lines_decoded += data.count(b"\n", 0, end)
        return text


class _CountingReader(ByteStream):
    """A stream that counts the bytes read from a file. `head` peeks at the first bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._head = b""
        self.count = 0

    def head(self, size: int) -> bytes:
        """Return the first bytes without consuming them."""
        while len(self._head) < size and (data := self._file.read(size - len(self._head))):
            self._head += data
        return self._head

    def _next(self, size: int) -> bytes:
        data, self._head = (self._head[:size], self._head[size:]) if self._head else (self._file.read(size) or b"", b"")
        self.count += len(data)
        return data


def _open(path: str | Path) -> BinaryIO:
    location = Location(file=str(path) or "a file with an empty name")
    if os.path.isdir(path):
        raise InputError(location, "is a directory", "name a file")
    try:
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as error:
        fix = _similar_file(path) if isinstance(error, FileNotFoundError) else ""
        raise InputError(location, f"cannot be read: {getattr(error, 'strerror', None) or error}", fix) from None


def _similar_file(path: str | Path) -> str:
    """Return a hint for a missing file: a file with a similar name, or that its folder is missing."""
    import difflib  # slow to import, and only needed for mistakes

    folder, name = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return f"the folder {folder} does not exist"
    try:
        with os.scandir(folder or os.curdir) as entries:
            names = [entry.name for entry in itertools.islice(entries, 1000) if not entry.is_dir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(name, sorted(names), n=1, cutoff=0.8)
    return f"did you mean {os.path.join(folder, near[0])}?" if near else ""


def _standard_input(given: BinaryIO | None) -> BinaryIO:
    if given is not None:
        return given
    if sys.stdin is None:
        raise InputError(Location(file=STANDARD_INPUT), "is closed", "name a file")
    return sys.stdin.buffer


def _size(file: BinaryIO) -> int | None:
    """Return the size of a regular file, or None for a pipe or terminal."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
