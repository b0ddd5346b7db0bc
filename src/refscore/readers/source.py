"""Read an input as bytes or text, in blocks that fit into memory.

Compressed files are decompressed while they are read, and other files that are not text are recognized.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import Any, BinaryIO, TypeVar

from refscore.errors import Argument, InputError, Location, requires

S = TypeVar("S", bound="Source")

STANDARD_INPUT = "standard input"  # its name in messages
BLOCK = 1 << 20
LONGEST_LINE = 1 << 26
LARGEST_WHOLE = 1 << 30
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
                self._compression = _detect_compression(self._counting.head(_LONGEST_MAGIC_NUMBER))
                self._stream: io.BufferedIOBase = io.BufferedReader(self._counting)
                if self._compression is not None:
                    self._stream, damage_errors = _decompress(self._compression, self._stream, self.name)
                    self._read_errors = (OSError, *damage_errors)
        except BaseException:
            self.close()
            raise

    @property
    def fraction(self) -> float | None:
        return min(self._counting.count / self._size, 1.0) if self._size else None

    def location(self, line: int | None = None) -> Location:
        return Location(file=self.name, line=line)

    def close(self) -> None:
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

    def peek(self) -> bytes:
        """Return the first bytes without reading them. Call it before anything has been read."""
        stream: Any = self._stream  # its class has `peek`, but the declared base class does not
        with self._input_errors():
            if self._compression is None:
                return self._counting.head(HEAD)[:HEAD]
            head: bytes = stream.peek(HEAD)
        return head

    def begins_with(self, character: bytes) -> bool:
        stream: Any = self._stream  # its class has `peek`, but the declared base class does not
        with self._input_errors():
            head: bytes = stream.peek(HEAD)
        return head.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(character)

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
        """Yield blocks of whole lines with their line ends, which the last line may lack."""
        return (self.decode(buffer, end) for buffer, end in self._whole_lines(BLOCK))

    def line_blocks(self, size: int) -> Iterator[bytes]:
        """Yield whole lines as bytes in blocks, without a byte order mark. They may not be UTF-8.

        For a block that is not, `decode` raises the error.
        """
        for buffer, end in self._whole_lines(size):
            block = bytes(memoryview(buffer)[:end])
            if not self._bytes_decoded:
                self.check_is_text(block)
            yield block if self._bytes_decoded else block.removeprefix(_BYTE_ORDER_MARK)
            self._bytes_decoded += len(block)
            self._lines_decoded += block.count(b"\n")

    def _whole_lines(self, size: int) -> Iterator[tuple[bytearray, int]]:
        """Yield a buffer that begins with whole lines, and their end in it."""
        # One buffer for all blocks: allocating memory for each would cost more than decoding and splitting.
        buffer = bytearray()
        filled = 0  # bytes of an incomplete line
        while True:
            if len(buffer) < filled + size:
                buffer.extend(bytes(max(size, len(buffer))))
            with memoryview(buffer) as view, self._input_errors():
                count = self._stream.readinto(view[filled : filled + size])
            if not count:
                break
            end = buffer.rfind(b"\n", filled, filled + count) + 1
            filled += count
            if end:
                yield buffer, end
                buffer[: filled - end] = buffer[end:filled]
                filled -= end
            elif filled > LONGEST_LINE:
                problem = f"is longer than {LONGEST_LINE >> 20} MiB"
                raise InputError(self.location(self._lines_decoded + 1), problem, "is this a text file?")
        if filled:
            yield buffer, filled

    def lines(self) -> Iterator[list[str]]:
        for text in self.texts():
            lines = text.split("\n")
            if not lines[-1]:
                lines.pop()
            if "\r" in text:
                lines = [line.removesuffix("\r") for line in lines]
            if lines:
                yield lines

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line without its end, and its number from 1."""
        return enumerate(chain.from_iterable(self.lines()), 1)

    def check_is_text(self, head: bytes) -> None:
        """Raise an error that names the file's kind if its first bytes are not UTF-8 text."""
        recognized = recognize(head[:HEAD], self.spec, self._compression)
        if recognized is not None:
            kind, fix = recognized
            parts = (fix, Argument("format", "parquet")) if kind == "Parquet" else fix
            raise InputError(self.location(), f"is {kind}", parts)

    def decode(self, data: bytes | bytearray, end: int) -> str:
        """Decode the file's next bytes, with which `data` begins."""
        if not self._bytes_decoded:
            self.check_is_text(bytes(data[: min(end, HEAD)]))
        nul = data.find(b"\0", 0, end)
        if nul >= 0:
            line = self._lines_decoded + data.count(b"\n", 0, nul) + 1
            problem = f"has a NUL character (at offset {self._bytes_decoded + nul:,}), which text files do not have"
            fix = f"name a text file, or remove them: {_removal_command(self.spec, self._compression)}"
            raise InputError(self.location(line), problem, fix)
        try:
            with memoryview(data) as view:
                text = str(view[:end], "utf-8")
        except UnicodeDecodeError as error:
            line = self._lines_decoded + data.count(b"\n", 0, error.start) + 1
            offset = self._bytes_decoded + error.start
            problem = f"is not UTF-8 (byte 0x{data[error.start]:02x}, at offset {offset:,})"
            fix = _conversion_command(self.spec, self._compression, "WINDOWS-1252")
            raise InputError(self.location(line), problem, f"{fix} (or its actual encoding)") from None
        if not self._bytes_decoded:
            text = text.removeprefix("\ufeff")
        self._bytes_decoded += end
        self._lines_decoded += data.count(b"\n", 0, end)
        return text


def _open(path: str | Path) -> BinaryIO:
    if not isinstance(path, (str, os.PathLike)):  # an integer would open a file of this process
        raise InputError(None, f"a file must be a path, not {type(path).__name__}", "pass a string or a pathlib.Path")
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
            names = [entry.name for entry in islice(entries, 1000) if not entry.is_dir()]
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
    """Return a regular file's size, or None for a pipe or terminal."""
    try:
        status = os.fstat(file.fileno())
    except (OSError, ValueError, AttributeError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


# The compression by the first bytes. No text begins like this: except for bzip2's, these bytes are not UTF-8 or have
# a control character.
_MAGIC_NUMBERS = {
    "gzip": rb"\x1f\x8b",
    "xz": rb"\xfd7zXZ\x00",
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
    "bzip2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
}
_LONGEST_MAGIC_NUMBER = 10
ENDINGS = (".gz", ".xz", ".zst", ".bz2")


def _detect_compression(head: bytes) -> str | None:
    return next((name for name, magic in _MAGIC_NUMBERS.items() if re.match(magic, head)), None)


def _decompress(
    compression: str, compressed: BinaryIO, name: str
) -> tuple[io.BufferedIOBase, tuple[type[Exception], ...]]:
    """Return a decompressed stream, and its errors for damaged data besides EOFError and OSError."""
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


def read_all_lines(path: str | Path) -> list[str]:
    """Return the lines of a whole file, which may be empty."""
    with Source(path) as source:
        return [line for block in source.lines() for line in block]


class _ByteStream(io.RawIOBase):
    """A stream that a subclass returns piece by piece."""

    def _next(self, size: int) -> bytes | memoryview:
        """Return up to `size` bytes, or no bytes at the end."""
        raise NotImplementedError

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        target = memoryview(buffer).cast("B")
        data = self._next(len(target))
        target[: len(data)] = data
        return len(data)


class _CountingReader(_ByteStream):
    """A stream that counts the bytes read from a file. `head` peeks at the first bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._head = b""
        self.count = 0

    def head(self, size: int) -> bytes:
        while len(self._head) < size and (data := self._file.read(size - len(self._head))):
            self._head += data
        return self._head

    def _next(self, size: int) -> bytes:
        data, self._head = (self._head[:size], self._head[size:]) if self._head else (self._file.read(size) or b"", b"")
        self.count += len(data)
        return data


class _Frames(_ByteStream):
    """Decompress consecutive frames.

    Unlike bz2, lzma and zstandard, it raises an error if the last frame is truncated or other data follows.
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
    """Return a stream that decompresses each frame by a new decompressor. Frames may be separated by `padding`.

    `most` limits the bytes per step, for decompressors that take it as an argument.
    """
    return io.BufferedReader(_Frames(compressed, start_frame, padding, most))


HEAD = 512  # bytes: the header of a tar archive, the longest pattern

_CONVERT_ENCODING = "convert it: {read} | iconv -f {name} -t UTF-8 > {new}"
_OTHER_FILE = "name a file of texts, one per line"
_EXPORT = "export it as CSV or as text"

# The kind of data with these first bytes, and a fix. The first match counts. Except for PDF and HTML, no text begins
# like this: these bytes are not UTF-8 or have control characters.
_KINDS = {
    rb"\xff\xfe\0\0|\0\0\xfe\xff": ("UTF-32", _CONVERT_ENCODING),
    rb"\xff\xfe|\xfe\xff": ("UTF-16", _CONVERT_ENCODING),
    rb"(?:[^\0]\0){8}": ("UTF-16LE", _CONVERT_ENCODING),
    rb"(?:\0[^\0]){8}": ("UTF-16BE", _CONVERT_ENCODING),
    rb".{257}ustar": ("a tar archive", "unpack it: tar -xf {file}"),
    rb"PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)": ("an office document", _EXPORT),
    rb"PK(\x03\x04|\x05\x06)": ("a zip archive", "unpack it: unzip {file}"),
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an office document", _EXPORT),
    rb"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it: 7z x {file}"),
    rb"Rar!\x1a\x07": ("a RAR archive", "unpack it: unrar x {file}"),
    rb"\x1f\x9d": ("compressed with compress", "decompress it: gzip -dc {file} > {new}"),
    rb"\x04\x22\x4d\x18": ("compressed with lz4", "decompress it: lz4 -dc {file} > {new}"),
    rb"\x5d\0\0.{2}\0*\xff": ("compressed with lzma", "decompress it: xz -dc --format=lzma {file} > {new}"),
    rb"PAR1[\0-\x08\x0e-\x1f]": ("Parquet", "end its name in .parquet, or set "),
    rb"ARROW1\0\0|FEA1\0": (
        "Arrow or Feather",
        "convert it: python -c 'import sys, pyarrow.feather as f, pyarrow.parquet as p; "
        "p.write_table(f.read_table(sys.argv[1]), sys.argv[2])' {file} {new}.parquet",
    ),
    rb"Obj\x01": ("Avro", "convert it to JSON lines: java -jar avro-tools.jar tojson {file} > {new}.jsonl"),
    rb"SQLite format 3\0": ("an SQLite database", "export a column: sqlite3 {file} 'SELECT column FROM table' > {new}"),
    rb"%PDF-": ("a PDF document", "convert it: pdftotext {file} {new}"),
    rb"(?i)(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!doctype\s+html|<html[\s>])": (
        "an HTML page",
        "save its text, one segment per line; for segments in HTML, use JSON lines",
    ),
    rb"\x89PNG\r\n\x1a\n": ("a PNG image", _OTHER_FILE),
    rb"\xff\xd8\xff": ("a JPEG image", _OTHER_FILE),
    rb"GIF8[79]a.{1,3}[\0-\x08]": ("a GIF image", _OTHER_FILE),
    rb"RIFF.{4}(WEBP|WAVE|AVI )": ("an image, sound or video", _OTHER_FILE),
    rb"ID3[\x02-\x04]|OggS\0|fLaC\0": ("a sound", _OTHER_FILE),
    rb"\x7fELF|MZ.{6}\0\0": ("a program", _OTHER_FILE),
    rb"\x93NUMPY": ("a NumPy array", "write its texts to a file, one per line"),
    rb"\x80[\x02-\x05][\x95\]}c(]": ("a Python pickle", "write its texts to a file, one per line"),
}


def recognize(head: bytes, file: str, compression: str | None) -> tuple[str, str] | None:
    """Return a file's kind and a fix, or None if its first bytes look like UTF-8 text.

    `head` has the first bytes after decompression.
    """
    file = "FILE" if file == "-" else file
    if compression is not None and _detect_compression(head) is not None:
        return "compressed twice", f"decompress it: {_read_command(file, compression)} > {_new_name(file)}"
    for pattern, (kind, fix) in _KINDS.items():
        if re.match(pattern, head, re.DOTALL):
            words = {"read": _read_command(file, compression), "file": shlex.quote(file), "new": _new_name(file)}
            return f"in {kind}" if kind.startswith("UTF") else kind, fix.format(name=kind, **words)
    return None


def _removal_command(file: str, compression: str | None) -> str:
    file = "FILE" if file == "-" else file
    return f"{_read_command(file, compression)} | tr -d '\\000' > {_new_name(file)}"


def _read_command(file: str, compression: str | None) -> str:
    program = "cat" if compression is None else f"{compression} -dc"
    return f"{program} {shlex.quote(file)}"


def _conversion_command(file: str, compression: str | None, encoding: str) -> str:
    file = "FILE" if file == "-" else file
    return _CONVERT_ENCODING.format(read=_read_command(file, compression), name=encoding, new=_new_name(file))


def _new_name(file: str) -> str:
    """Return a name for the converted file, in the same folder."""
    path = PurePath(file)
    return shlex.quote(str(path.with_name(f"new.{path.name}" if path.name else "new")))
