"""The interface between metrics and their kernels."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from refscore.metrics.core.score import Rows, Values


class Kernel(Protocol):
    """The scoring code of a metric. Input has plain types. threads=0 means all cores."""

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        """Return one row per segment, and the smallest and largest number of references of a segment."""

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        """Return the summed row, and the smallest and largest number of references of a segment."""

    def total_into(self, hypotheses: Any, references: Any, threads: int, sums: Any, /) -> tuple[int, int]:
        """Add the rows to exact sums, and return the smallest and largest number of references of a segment."""

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...], int]:
        """Return the score and the row of one segment, and its number of references."""

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values:
        """Return the score of each row."""

    def prepare(self, references: Any, threads: int, /) -> Any:
        """Prepare references for repeated use."""

    def pairwise(self, hypotheses: Any, references: Any, threads: int, /) -> NDArray[np.float64]:
        """Return the score of each hypothesis with each segment of references."""
