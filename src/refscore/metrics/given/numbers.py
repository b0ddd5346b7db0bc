"""Numbers that a different program computed, as an array."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from refscore.errors import InputError, Location
from refscore.inputs import reject_masked
from refscore.metrics.core.score import Values
from refscore.settings import as_float

_FIX = "pass a list of numbers"


def read_numbers(numbers: Any, location: Location) -> Values:
    """Return numbers as a new array, with NaN for missing ones. Errors name the index as the location's segment."""
    if isinstance(numbers, (str, bytes, dict, set, frozenset)) or not isinstance(numbers, Iterable):
        raise InputError(location, f"is of type {type(numbers).__name__}", _FIX)
    reject_masked(numbers, location)
    array = _as_array(numbers)
    if array.ndim != 1:
        raise InputError(location, f"has {array.ndim} dimensions", _FIX)
    if array.dtype.kind not in "iuf":
        array = np.array([_as_number(value, replace(location, segment=i)) for i, value in enumerate(array.tolist())])
    values = array.astype(np.float64)
    if np.isinf(values).any():
        index = int(np.argmax(np.isinf(values)))
        raise InputError(replace(location, segment=index), f"is {values[index]}", "scores must be finite")
    return values


def _as_array(numbers: Any) -> np.ndarray[Any, Any]:
    items = list(numbers) if isinstance(numbers, Iterator) or not hasattr(numbers, "__array__") else numbers
    try:
        array = np.asarray(items)
    except ValueError:  # lists of different lengths
        array = np.asarray(None)
    if isinstance(items, list) and array.dtype.kind not in "iuf":
        # NumPy would turn a list of texts and numbers into texts, and True into 1.
        array = np.empty(len(items), dtype=object)
        array[:] = items
    return array


def _as_number(value: Any, location: Location) -> float:
    if value is None or type(value).__name__ == "NAType":  # pandas.NA
        return math.nan
    try:
        return as_float(value)
    except (TypeError, OverflowError):
        raise InputError(location, f"is {value!r}, not a number", _FIX) from None
