"""Checks of settings, and their way into signatures and back; for all metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, TypeVar

import numpy as np

from refscore.errors import SettingError, SignatureError, UnknownNameError
from refscore.tokenizers.pipeline import Lowercase

M = TypeVar("M")

CASES: Mapping[str, Lowercase] = {"mixed": False, "lc": True, "lc-ascii": "ascii"}
FLAGS: Mapping[str, bool] = {"yes": True, "no": False}
# The longest n-grams that may be asked for: rows of some metrics have columns for each order.
MOST_ORDERS = 1_000_000


def number(value: Any) -> float:
    """The value as a float; TypeError for what is no number, OverflowError for what is too large."""
    if isinstance(value, (bool, str)) or not isinstance(value, Real):
        raise TypeError(value)
    return float(value)


def number_from_zero(name: str, value: Any) -> float:
    """A setting that is a finite number of at least 0."""
    try:
        made = number(value)
    except (TypeError, OverflowError):
        made = math.nan
    if not math.isfinite(made) or made < 0:
        raise SettingError(f"{name} must be a number of at least 0, not {value!r}")
    return made


def number_up_to_one(name: str, value: Any) -> float:
    """A setting that is a number from 0 to 1."""
    try:
        made = number(value)
    except (TypeError, OverflowError):
        made = math.nan
    if not 0 <= made <= 1:
        raise SettingError(f"{name} must be a number from 0 to 1, not {value!r}")
    return made


def whole_number(name: str, value: Any, least: int, most: int) -> int:
    """A setting that is a whole number within bounds."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise SettingError(f"{name} must be a whole number of at least {least}, not {value!r}")
    if value > most:
        raise SettingError(f"{name} must be at most {most:,}, not {value:,}")
    return int(value)


def check_flag(name: str, value: Any) -> None:
    """Raises unless the value is True or False."""
    if not isinstance(value, bool):
        raise SettingError(f"{name} must be True or False, not {value!r}")


def check_name(kind: str, name: Any, known: Iterable[str]) -> None:
    """Raises unless the name is one of the known."""
    if not isinstance(name, str) or name not in known:
        raise UnknownNameError.of(kind, name, known)


def yes(flag: bool) -> str:
    """A flag in a signature."""
    return "yes" if flag else "no"


def one_of(pairs: Mapping[str, str], key: str, known: Mapping[str, Any]) -> Any:
    """What a signature's value stands for."""
    if pairs[key] not in known:
        raise SignatureError(f"{key} of a signature is {' or '.join(known)}, not {pairs[key]!r}")
    return known[pairs[key]]


def from_signature_pairs(name: str, pairs: Mapping[str, str], keys: Iterable[str], make: Callable[[], M]) -> M:
    """What `make` makes of a signature's pairs, or the error that says why it cannot."""
    unknown = pairs.keys() - set(keys) - {"nrefs", "version"}
    if unknown:
        raise SignatureError(f"the signature of {name} has no {sorted(unknown)[0]!r}")
    try:
        return make()
    except KeyError as error:
        raise SignatureError(f"the signature of {name} lacks {error.args[0]!r}") from None
    except SignatureError:
        raise
    except ValueError as error:
        raise SignatureError(f"the signature cannot be repeated here: {error}") from None
