"""The base class of readers: values in blocks, and a location for every value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, TypeAlias

from refscore.errors import InputError, Location
from refscore.readers.source import Source
from refscore.text_display import (
    counted as counted,  # noqa: PLC0414 - the report imports it from here
    visible,
)

Value: TypeAlias = "str | list[str | None] | None"

_MOST_NAMES = 40


class Reader(ABC):
    r"""Iterate once over the values of an input, in blocks. Use it as a context manager.

    A value is a string. In JSON lines and Parquet it may also be a list of strings and None (several references), or
    None (a missing reference). In a WMT file, the value of a segment that is missing in a column is None.

    Attributes:
        name: The file, and its field if one was chosen, for messages.
        count: The number of values read so far.
        unit: The word for a value in this format: line, row or segment.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments
        >>> with open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n")) as reader:
        ...     for block in reader:
        ...         print(block, reader.location(1))
        ['a cat', 'a dog'] line 2 of standard input
    """

    unit: ClassVar[str]
    takes_field: ClassVar[bool] = True

    def __init__(self, source: Source, field: str | None, *, labels: bool = False) -> None:
        self.file = source.name
        self.field = field
        self.name = source.name if field is None else f"{source.name}:{field}"
        self.count = 0
        self._source = source
        self._labels = labels
        self._unread_blocks = self._blocks()
        # The first block shows most mistakes, so read it before any work is done.
        self._first_block = next(self._unread_blocks, None)
        if self._first_block is None:
            raise InputError(Location(file=self.file, field=field), "is empty", "it must have at least one segment")

    @abstractmethod
    def _blocks(self) -> Iterator[list[Value]]:
        """Yield non-empty blocks."""

    def location(self, index: int) -> Location:
        """Return the file, line and field of the value with this index (from 0)."""
        return Location(file=self.file, line=index + 1, field=self.field)

    @property
    def fraction(self) -> float | None:
        """The fraction of the input read so far, from 0 to 1, or None if unknown."""
        return self._source.fraction

    def close(self) -> None:
        """Close the file. Standard input stays open."""
        self._source.close()

    def __iter__(self) -> Iterator[list[Value]]:
        return self

    def __next__(self) -> list[Value]:
        block, self._first_block = self._first_block, None
        if block is None:
            block = next(self._unread_blocks)
        self.count += len(block)
        return block

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def unknown_field(location: Location, field: str, known: Iterable[str], hint: str = "") -> InputError:
    """Return the error for a missing field. It suggests the most similar field and lists all if they are few."""
    import difflib  # slow to import, and only needed for mistakes

    names = sorted(map(visible, known))
    if len(names) > _MOST_NAMES:
        fix = f"there are {len(names)}: {', '.join(names[:5])}, …"
    else:
        near = difflib.get_close_matches(field, names, n=1, cutoff=0.5)
        listed = f"there are: {', '.join(names)}" if names else "there are none"
        fix = f"did you mean {near[0]!r}? ({listed})" if near else listed
    return InputError(location, f"has no field {field!r}", fix + hint)
