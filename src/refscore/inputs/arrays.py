"""Arrays of token ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from refscore.errors import InputError, Location

if TYPE_CHECKING:
    from numpy.typing import NDArray  # slow to import


def reject_masked(value: Any, location: Location, fix: str = "leave them out, or fill them") -> None:
    """Raise an error for an array with masked values: `np.asarray` would read them as if they were not masked."""
    is_subclass = isinstance(value, np.ndarray) and type(value) is not np.ndarray  # quick: numpy.ma is imported lazily
    if is_subclass and np.ma.is_masked(value):
        raise InputError(location, "is an array with masked values", fix)


def as_array(value: Any, location: Location) -> NDArray[Any] | None:
    """Return a NumPy array, or an array of another library through DLPack, or None for other values."""
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
