"""The kinds of input. `read_side` chooses the kind of a value, and `Input` has all sides of a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location
from refscore.inputs.arrays import as_array, describe, plain_ids
from refscore.inputs.arrow import Beside, flat, is_column, read_columns
from refscore.inputs.padding import Padded, kernel_form

if TYPE_CHECKING:
    from refscore.inputs.padding import Padded


# Iterables without an order, or of numbers.
_NOT_LISTS = (bytes, bytearray, memoryview, dict, set, frozenset)


class Side:
    """The hypotheses, the references or the sources of a call. Subclasses are the kinds of input.

    The methods here are for any value, such as a deque or a column of objects.

    Attributes:
        value: The input in a form that can be read several times.
        is_list: Whether the input is a list or tuple.
        is_plain: Whether kernels read `value` as it is: a list, a tuple, or None for no references.
        is_read: Whether `read` would change nothing.
        is_prepared: Whether the input is prepared references.
    """

    __slots__ = ()
    value: Any
    is_list: ClassVar[bool] = False
    is_plain: ClassVar[bool] = False
    is_read: ClassVar[bool] = False
    is_prepared: ClassVar[bool] = False

    @property
    def size(self) -> int | None:
        """The number of segments, or None if it is unknown, or if the input is not a list."""
        has_length = hasattr(self.value, "__len__") and getattr(self.value, "ndim", 1) != 0
        return None if not has_length or isinstance(self.value, (str, *_NOT_LISTS)) else len(self.value)

    @property
    def holds_tokens(self) -> bool:
        """Whether the first segment is a token sequence."""
        return isinstance(self.value, Iterable) and not isinstance(next(iter(self.value), ""), str)

    def read(self, where: str, threads: int, beside: Side | None = None) -> Side:
        """Return the side after reading it from the library that it belongs to.

        `where` is its name in errors. References are read `beside` hypotheses or sources of the same kind.
        """
        return self

    def as_hypotheses(self) -> Any:
        """Return the unchecked input for a kernel, which refuses it if Python must convert it."""
        return self.value

    def as_references(self, reading: Any) -> Any:
        """Return unchecked references for the kernel of a metric with this `reading`."""
        return self.value

    def matrix(self, location: Location, dimensions: tuple[int, ...]) -> Padded | None:
        """Return the input as a padded batch of token ids, or None if it is not an array of ids."""
        return None

    def items(self, location: Location) -> list[Any]:
        """Return the input as a list, or raise an error if it has no order."""
        return as_items(self.value, location)

    def entry(self, segment: int) -> Any:
        """Return the references of a segment as the caller wrote them, or None if they are unknown."""
        return None

    def part(self, segments: slice) -> Any:
        return list(self.value)[segments]

    def sample(self, step: int, most: int) -> Sequence[Any]:
        """Return every `step`th segment, at most `most`. Without slices, return the first ones, if any."""
        return [] if isinstance(self.value, (str, bytes, Mapping)) else first_values(self.value, most)


def as_items(value: Any, location: Location) -> list[Any]:
    """Return an iterable as a list, or raise an error if it has no order."""
    is_number = isinstance(value, np.ndarray) and value.ndim == 0
    if isinstance(value, _NOT_LISTS) or not isinstance(value, Iterable) or is_number:
        raise InputError(location, f"is {describe(value)}", "pass a list")
    return list(value)


def first_values(values: Any, most: int) -> list[Any]:
    """Return the first values as Python objects, or none if they cannot be iterated over."""
    try:
        return [value.as_py() if hasattr(value, "as_py") else value for value in islice(values, most)]
    except TypeError:
        return []


_LISTS = (list, tuple)
_DIMENSIONS = {2: "2 (segments, tokens)", 3: "3 (segments, references, tokens)"}


class _Values(Side):
    """Any value. The other kinds differ in some operations."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Lists(_Values):
    __slots__ = ()
    is_list = is_plain = is_read = True

    @property
    def size(self) -> int:
        return len(self.value)

    def items(self, location: Location) -> list[Any]:
        return list(self.value)

    def entry(self, segment: int) -> Any:
        return self.value[segment]

    def part(self, segments: slice) -> Any:
        return self.value[segments]

    def sample(self, step: int, most: int) -> Sequence[Any]:
        values: Sequence[Any] = self.value
        return values[: step * most : step] if len(values) > most else values


class _Nothing(_Values):
    __slots__ = ()
    is_plain = is_read = True


_NOTHING = _Nothing(None)


class _Batch(_Values):
    """A padded batch of token ids."""

    __slots__ = ()
    holds_tokens = is_read = True

    def as_hypotheses(self) -> Any:
        if self.value.array.ndim != 2:
            raise _native.UnsupportedInput
        return kernel_form(self.value)

    def as_references(self, reading: Any) -> Any:
        if self.value.array.ndim not in (2, 3):
            raise _native.UnsupportedInput
        return kernel_form(self.value)

    def matrix(self, location: Location, dimensions: tuple[int, ...]) -> Padded | None:
        batch: Padded = self.value
        if batch.array.ndim not in dimensions:
            expected = " or ".join(_DIMENSIONS[dimension] for dimension in dimensions)
            raise InputError(location, f"has {batch.array.ndim} dimensions", f"expected {expected}")
        return batch

    def part(self, segments: slice) -> Padded:
        batch: Padded = self.value
        return batch.part(segments)

    def sample(self, step: int, most: int) -> Sequence[Any]:
        return []


class _Array(_Values):
    """An array of NumPy, or of a library that supports DLPack."""

    __slots__ = ()

    @property
    def holds_tokens(self) -> bool:
        return self.value.ndim > 1 or super().holds_tokens

    def read(self, where: str, threads: int, beside: Side | None = None) -> Side:
        location = Location(where)
        array = as_array(self.value, location)
        if array is None or array.ndim < 2 or array.dtype.kind not in "iu":
            return _Array(array)
        return _Batch(Padded(plain_ids(array, location), None, None))

    def part(self, segments: slice) -> Any:
        return self.value[segments]

    def sample(self, step: int, most: int) -> Sequence[Any]:
        return first_values(self.value, most) if getattr(self.value, "ndim", 2) == 1 else []  # rows may be padded


class _Columns(_Values):
    """A column that provides Arrow data, or several columns of references, before they are read."""

    __slots__ = ()

    @property
    def _parts(self) -> list[Any]:
        return [*self.value] if isinstance(self.value, Beside) else [self.value]

    def read(self, where: str, threads: int, beside: Side | None = None) -> Side:
        # Lists of strings in references are several texts, or one token sequence beside token sequences.
        of_tokens = beside is not None and beside.holds_tokens
        return read_side(
            read_columns(self._parts, where, are_references=beside is not None, of_tokens=of_tokens, threads=threads)
        )

    def sample(self, step: int, most: int) -> Sequence[Any]:
        columns = [[] if isinstance(part, Iterator) else first_values(part, most) for part in self._parts]
        return columns[0] if len(columns) == 1 else [flat(entry) for entry in zip(*columns, strict=False)]


class _ReadColumns(_Values):
    __slots__ = ()
    is_read = True

    @property
    def holds_tokens(self) -> bool:
        return bool(self.value.kind != "text")

    def entry(self, segment: int) -> Any:
        entry = self.value[segment]
        return entry[0] if len(entry) == 1 else entry  # a single reference needs no index

    def sample(self, step: int, most: int) -> Sequence[Any]:
        return [self.value[row] for row in range(min(len(self.value), most))]


class Input:
    """The hypotheses, references and sources of a call, each of any kind. There may be no sources."""

    __slots__ = ("hypotheses", "is_read", "references", "sources")

    def __init__(self, hypotheses: Any, references: Any, sources: Any = None) -> None:
        if isinstance(references, Input):
            references, sources = references.references, references.sources
        self.hypotheses: Side = read_side(hypotheses)
        self.references: Side = read_side(references)
        self.sources = None if sources is None else read_side(sources)
        self.is_read = self.hypotheses.is_read and self.references.is_read

    def read(self, threads: int) -> None:
        """Read columns and arrays of other libraries. Few metrics need the sources; see `read_sources`."""
        self.hypotheses = self.hypotheses.read("hypotheses", threads)
        self.references = self.references.read("references", threads, self.hypotheses)
        self.is_read = True

    def read_all(self, threads: int) -> None:
        """Read all sides."""
        self.read(threads)
        self.read_sources(threads)

    def read_sources(self, threads: int) -> None:
        if self.sources is not None:
            self.sources = self.sources.read("sources", threads)
            self.references = self.references.read("references", threads, self.sources)

    def after(self, skipped: int) -> list[Any]:
        """Return the hypotheses, references and sources without the first segments."""
        sides = self.hypotheses, self.references, self.sources
        return [None if side is None else side.part(slice(skipped, None)) for side in sides]


def read_side(value: Any) -> Side:
    """Return the hypotheses, references or sources of any kind."""
    if type(value) in _LISTS:
        return _Lists(value)
    if value is None:
        return _NOTHING
    if isinstance(value, Side):
        return value
    if isinstance(value, Padded):
        return _Batch(value)
    if isinstance(value, np.ndarray):
        return _Array(value)
    if isinstance(value, _native.ArrowColumns):
        return _ReadColumns(value)
    if isinstance(value, Beside) or is_column(value):
        return _Columns(value)
    if isinstance(value, _LISTS):
        return _Lists(value)
    if isinstance(value, Iterator):
        return _Lists(list(value))
    if isinstance(value, Input):
        return value.references
    return _Array(value) if hasattr(value, "__dlpack__") else _Values(value)


def is_list(value: Any) -> bool:
    return isinstance(value, _LISTS)


def is_prepared(value: Any) -> bool:
    return isinstance(value, Side) and value.is_prepared


def with_sources(references: Any, sources: Any) -> Any:
    """Return references together with their sources, for callers that pass both as references."""
    return references if sources is None else Input((), references, sources)


def reusable(value: Any) -> Any:
    """Return a value that can be iterated over several times."""
    return list(value) if isinstance(value, Iterator) and not is_column(value) else value


def listed(value: Any, where: str, threads: int) -> Any:
    """Return a column as a list of its rows. Other input is unchanged."""
    return list(read_side(value).read(where, threads).value) if is_column(value) else value
