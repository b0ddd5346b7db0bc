"""Padded batches of token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location
from refscore.inputs.arrays import as_array, describe, plain_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray  # slow to import

_ARRAY = Location("array")


class Padded:
    """A padded batch of token ids. Create it with `padded`."""

    __slots__ = ("array", "lengths", "pad_id")

    def __init__(self, array: NDArray[np.integer[Any]], lengths: NDArray[np.int64] | None, pad_id: int | None) -> None:
        self.array = array
        self.lengths = lengths
        self.pad_id = pad_id

    def __len__(self) -> int:
        return len(self.array)

    def part(self, segments: slice) -> Padded:
        """Return a slice of the batch's segments."""
        return Padded(self.array[segments], None if self.lengths is None else self.lengths[segments], self.pad_id)

    def empty(self) -> NDArray[np.bool_]:
        """Return for each segment whether it has only padding. The batch must have two dimensions."""
        if self.lengths is not None:
            return np.asarray(self.lengths == 0)
        if self.pad_id is None:
            return np.full(len(self), self.array.shape[-1] == 0)
        return np.asarray((self.array == self.pad_id).all(axis=-1))

    def rows(self) -> list[NDArray[np.integer[Any]]]:
        """Return the ids of each segment as an array without padding. The batch must have two dimensions."""
        if self.lengths is not None:
            return [row[:length] for row, length in zip(self.array, self.lengths, strict=True)]
        return [*self.array] if self.pad_id is None else [row[row != self.pad_id] for row in self.array]

    def entries(self) -> list[list[list[int]]]:
        """Return the token sequences of each segment without padding."""
        rows = self.array if self.array.ndim == 3 else self.array[:, np.newaxis]
        whole = np.full(rows.shape[:2], rows.shape[2])
        lengths = whole if self.lengths is None else self.lengths.reshape(rows.shape[:2])
        return [
            [
                [token for token in row[:length].tolist() if token != self.pad_id]
                for row, length in zip(*both, strict=True)
            ]
            for both in zip(rows, lengths, strict=True)
        ]


def padded(array: Any, *, pad_id: int | None = None, lengths: Any = None) -> Padded:
    """Return a padded batch of token ids, to pass as hypotheses or as references.

    Args:
        array: Integers of shape (segments, tokens), or (segments, references, tokens) for several references per
            segment. A NumPy array, or an object in CPU memory that supports DLPack, such as a torch tensor.
        pad_id: The padding id. All its occurrences in a row are dropped.
        lengths: The number of tokens of each row, instead of a padding id.

    Returns:
        The batch. Without `pad_id` and `lengths`, all ids of a row are tokens.

    Example:
        >>> import numpy as np, refscore
        >>> ids = refscore.inputs.padded(np.array([[5, 6, 7, 8, 9], [5, 6, 0, 0, 0]]), pad_id=0)
        >>> refscore.BLEU(max_order=2).segments(ids, [[[5, 6, 7, 8, 9]], [[5, 7]]]).round(3)
        array([1. , 0.5])
    """
    ids = as_array(array, _ARRAY)
    if ids is None or ids.dtype.kind not in "iu" or ids.ndim not in (2, 3):
        raise InputError(None, f"padded() needs an integer array with 2 or 3 dimensions, not {describe(array)}")
    if pad_id is not None and lengths is not None:
        raise InputError(None, "padded() takes pad_id or lengths, not both")
    if pad_id is not None and (isinstance(pad_id, bool) or not isinstance(pad_id, (int, np.integer))):
        raise InputError(Location("pad_id"), f"must be an integer, not {describe(pad_id)}")
    row_lengths = None if lengths is None else _row_lengths(lengths, ids.shape)
    if pad_id is not None and not -(2**63) <= pad_id < 2**63:
        pad_id = None  # ids are 64-bit, so none is equal to it
    return Padded(plain_ids(ids, _ARRAY), row_lengths, None if pad_id is None else int(pad_id))


def _row_lengths(lengths: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    location = Location("lengths")
    array = as_array(lengths, location)
    try:
        numbers = np.asarray(lengths if array is None else array)
    except ValueError:
        numbers = np.asarray(None)
    if (numbers.size and numbers.dtype.kind not in "iu") or numbers.shape != shape[:-1]:
        raise InputError(location, f"must be integers of shape {shape[:-1]}, one per row of the array")
    copied = np.array(numbers, dtype=np.int64, order="C")  # a copy: the caller may change its array later
    if copied.size and (copied.min() < 0 or copied.max() > shape[-1]):
        raise InputError(location, f"must be between 0 and the width of the array, {shape[-1]}")
    return copied


def kernel_form(plain: Any) -> Any:
    """Return checked input, a list or a batch, in a type that kernels read."""
    return _native.IdMatrix(plain.array, plain.lengths, plain.pad_id) if isinstance(plain, Padded) else plain


def listed_hypotheses(plain: Any) -> list[Any]:
    return plain.rows() if isinstance(plain, Padded) else plain


def listed_references(plain: Any) -> list[list[Any]]:
    return plain.entries() if isinstance(plain, Padded) else plain
