"""Arrays of token ids, and padded batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from refscore.errors import InputError, Location

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

    def part(self, rows: slice) -> Padded:
        """Return a slice of the batch's segments."""
        return Padded(self.array[rows], None if self.lengths is None else self.lengths[rows], self.pad_id)


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
        >>> ids = refscore.padded(np.array([[5, 6, 7, 8, 9], [5, 6, 0, 0, 0]]), pad_id=0)
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


def unpadded(batch: Padded) -> list[list[list[int]]]:
    """Return the token sequences of each segment of a batch, without padding."""
    rows = batch.array if batch.array.ndim == 3 else batch.array[:, np.newaxis]
    whole = np.full(rows.shape[:2], rows.shape[2])
    lengths = whole if batch.lengths is None else batch.lengths.reshape(rows.shape[:2])
    return [
        [[token for token in row[:length].tolist() if token != batch.pad_id] for row, length in zip(*both, strict=True)]
        for both in zip(rows, lengths, strict=True)
    ]


def reject_masked(value: Any, location: Location, fix: str = "leave them out, or fill them") -> None:
    """Raise an error for an array with masked values: `np.asarray` would read them as if they were not masked."""
    is_subclass = isinstance(value, np.ndarray) and type(value) is not np.ndarray  # quick: numpy.ma is imported lazily
    if is_subclass and np.ma.is_masked(value):
        raise InputError(location, "is an array with masked values", fix)


def as_array(value: Any, location: Location) -> NDArray[Any] | None:
    """Return a NumPy array, or an array of another library through DLPack; None for other values."""
    if isinstance(value, np.ndarray):
        fix = "pass padded(array.data, lengths=…), or padded(array.filled(id), pad_id=id) with an unused id"
        reject_masked(value, location, fix)
        return value
    if not hasattr(value, "__dlpack__"):
        return None
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(
            location, f"cannot be read through DLPack ({error})", "move it to CPU memory first, e.g. .cpu()"
        ) from None


def plain_ids(array: NDArray[Any], location: Location) -> NDArray[Any]:
    """Return the ids as a contiguous array of a type that the kernels accept."""
    if is_beyond(array):
        raise InputError(location, "has an id of 2**63 or more", "ids must fit into 64-bit signed integers")
    plain = np.dtype(np.int64) if array.dtype.itemsize == 8 else array.dtype.newbyteorder("=")
    return np.require(array, dtype=plain, requirements=["C", "ALIGNED"])


def is_beyond(array: NDArray[Any]) -> bool:
    """Return whether an array of integers has values beyond 64-bit signed integers."""
    return array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.size > 0 and int(array.max()) >= 2**63


def describe(value: object) -> str:
    """Return a short description of a value for messages."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} with {value.ndim} dimensions"
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
