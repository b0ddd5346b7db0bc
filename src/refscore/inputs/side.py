"""The interface of all kinds of input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore.errors import InputError, Location
from refscore.inputs.arrays import describe

if TYPE_CHECKING:
    from refscore.inputs.padded import Padded

# Iterables without an order, or of numbers.
_NOT_LISTS = (bytes, bytearray, memoryview, dict, set, frozenset)


class Side:
    """The hypotheses, the references or the sources of a call. Subclasses are the kinds of input.

    The methods here are for any value, such as a deque or a column of objects.

    Attributes:
        value: The input in a form that can be read several times.
        is_list: Whether the input is a list or tuple.
        is_prepared: Whether the input is prepared references.
    """

    __slots__ = ()
    value: Any
    is_list: ClassVar[bool] = False
    is_prepared: ClassVar[bool] = False

    @property
    def size(self) -> int | None:
        """The number of segments; None if it is unknown, or if the input is not a list."""
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
        """Return the input as a padded batch of token ids; None if it is not an array of ids."""
        return None

    def items(self, location: Location) -> list[Any]:
        """Return the input as a list, or raise an error if it has no order."""
        return as_items(self.value, location)

    def entry(self, segment: int) -> Any:
        """Return the references of a segment as the caller wrote them; None if they are unknown."""
        return None

    def part(self, segments: slice) -> Any:
        """Return a slice of the segments."""
        return list(self.value)[segments]

    def sample(self, step: int, most: int) -> Sequence[Any]:
        """Return every `step`th segment, at most `most`; the first if slices are unknown, or none if unreadable."""
        return [] if isinstance(self.value, (str, bytes, Mapping)) else first_values(self.value, most)


def as_items(value: Any, location: Location) -> list[Any]:
    """Return an iterable as a list, or raise an error if it has no order."""
    is_number = isinstance(value, np.ndarray) and value.ndim == 0
    if isinstance(value, _NOT_LISTS) or not isinstance(value, Iterable) or is_number:
        raise InputError(location, f"is {describe(value)}", "pass a list")
    return list(value)


def first_values(values: Any, most: int) -> list[Any]:
    """Return the first values as Python objects; none if they cannot be iterated over."""
    try:
        return [value.as_py() if hasattr(value, "as_py") else value for value in islice(values, most)]
    except TypeError:
        return []
