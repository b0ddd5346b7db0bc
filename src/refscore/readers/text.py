"""Plain text files: one segment per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from refscore.readers.reader import Reader, Value
from refscore.readers.source import Source


class TextReader(Reader):
    """The lines of a plain text file."""

    unit = "line"
    takes_field = False

    def _blocks(self) -> Iterator[list[Value]]:
        return cast("Iterator[list[Value]]", self._source.lines())


def read_lines(path: str | Path) -> list[str]:
    r"""Return the segments of a UTF-8 text file, one per line.

    Only "\n" ends a line; a "\r" before it is dropped. Other characters that Python counts as line ends, such as
    U+2028, stay within a segment. The last line may lack its end. Compressed files (gzip, xz, bzip2, zstd) are
    decompressed.

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
        return cast("list[str]", [line for block in TextReader(source, None) for line in block])
