"""sacrebleu's `utils`: functions for files and sums, and the rest from the installed sacrebleu."""

from __future__ import annotations

import gzip
import logging
import math
import os
from collections.abc import Sequence
from operator import add
from typing import Any

USERHOME = os.path.expanduser("~")
SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(USERHOME, ".sacrebleu"))

sacrelogger = logging.getLogger("sacrebleu")


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    r"""Open a text file for reading or writing, with gzip if its path ends in `.gz`. Lines end at line feeds.

    Example:
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "text.gz")
        ...     with smart_open(path, "wt") as file:
        ...         count = file.write("one\ntwo\n")
        ...     with smart_open(path) as file:
        ...         print(file.readlines())
        ['one\n', 'two\n']
    """
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """Return the logarithm, or a very low number for 0."""
    return math.log(num) if num else -9999999999


def sum_of_lists(lists: Sequence[Sequence[Any]]) -> Any:
    """Return elementwise sums."""
    if len(lists) == 1:
        return lists[0]
    size = len(lists[0])
    zero = type(lists[0][0])(0.0)
    sums = [zero] * size
    for values in lists:
        if len(values) < size:
            raise IndexError("list index out of range")
        sums = list(map(add, sums, values))
    return sums
