"""What all readers have in common: values in blocks, a name, a place for every value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar, TypeAlias

from refscore.errors import InputError, UnknownNameError
from refscore.readers.source import Source
from refscore.text_display import visible

Value: TypeAlias = "str | list[str | None] | None"

_MOST_NAMES = 40


class Reader(ABC):
    r"""The values of one input, in blocks: an iterator over lists, to be read once; a context manager.

    A value is a string; in JSON lines and Parquet it may also be a list of strings and None (several references), or
    None (a reference that is missing), which is as well what a WMT file gives where a segment is not there.

    Attributes:
        name: What messages call the input: the file, and its field if one was chosen.
        count: How many values have been handed out.
        unit: What a value is in this format: line, row or segment.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments
        >>> with open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n")) as reader:
        ...     for block in reader:
        ...         print(block, reader.place(1))
        ['a cat', 'a dog'] standard input, line 2
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
        self._filled = self._blocks()
        # The first block shows most mistakes, so it is read before any work is done.
        self._first = next(self._filled, None)
        if self._first is None:
            raise InputError(None, f"{self.name} is empty")

    @abstractmethod
    def _blocks(self) -> Iterator[list[Value]]:
        """The blocks, none of them empty."""

    @abstractmethod
    def place(self, index: int) -> str:
        """Where the value with this index (from 0) stands, for messages."""

    @property
    def fraction(self) -> float | None:
        """How much of the input has been read, from 0 to 1; None if that cannot be known."""
        return self._source.fraction

    def close(self) -> None:
        """Close the file; standard input stays open."""
        self._source.close()

    def __iter__(self) -> Iterator[list[Value]]:
        return self

    def __next__(self) -> list[Value]:
        block, self._first = self._first, None
        if block is None:
            block = next(self._filled)
        self.count += len(block)
        return block

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "line"), counted(12000, "line")
    ('1 line', '12,000 lines')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def unknown_field(where: str, field: str, known: Iterable[str]) -> InputError:
    """The error for a field that is not there; suggests the nearest and lists all, if they are not too many.

    >>> print(unknown_field("refs.jsonl, line 1", "reff", ["hyp", "ref"]))
    refs.jsonl, line 1: unknown field 'reff'; did you mean 'ref'? (there are: hyp, ref)
    """
    names = [visible(name) for name in known]
    if not names:
        return InputError(None, f"{where}: unknown field {field!r} (there are none)")
    if len(names) > _MOST_NAMES:
        return InputError(None, f"{where}: unknown field {field!r} (there are {len(names)}: {', '.join(names[:5])}, …)")
    return InputError(None, f"{where}: {UnknownNameError.suggest('field', field, names)}")
