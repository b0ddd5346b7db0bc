"""Plain text files: one segment a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from refscore.errors import InputError
from refscore.readers.base import Reader, Value
from refscore.readers.source import Source


class TextReader(Reader):
    """The lines of a plain text file."""

    unit = "line"
    takes_field = False

    def _blocks(self) -> Iterator[list[Value]]:
        return cast("Iterator[list[Value]]", self._source.lines())

    def place(self, index: int) -> str:
        """The file and the line."""
        return f"{self.file}, line {index + 1}"


def read_lines(path: str | Path) -> list[str]:
    r"""The segments of a UTF-8 text file, one a line.

    Lines end in "\n" alone, so that other characters that Python counts as line ends, such as U+2028, stay within a
    segment; a "\r" before it is dropped with it. The last line may lack its end. A file that is compressed (gzip, xz,
    bzip2, zstd) is unpacked.

    Args:
        path: The file.

    Returns:
        The lines, without their ends.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import read_lines
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "hypotheses.txt")
        ...     _ = file.write_bytes("a cat\nein Hündchen\n".encode())
        ...     read_lines(file)
        ['a cat', 'ein Hündchen']
    """
    with Source(path) as source:
        lines = [line for block in source.lines() for line in block]
    if not lines:
        raise InputError(None, f"{path} is empty")
    return lines
