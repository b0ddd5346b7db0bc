"""What a metric's native side offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from refscore.metrics.core.metric import Rows, Values


class Kernel(Protocol):
    """What a metric's native side offers; inputs are of plain types, threads=0 means all cores."""

    def rows(self, hypotheses: Any, references: Any, threads: int, /) -> Rows:
        """One row per segment."""

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        """One row per segment, and the smallest and largest number of references of a segment."""

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        """The summed row, and the smallest and largest number of references of a segment."""

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...]]:
        """The score and the row of one segment."""

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values:
        """The score of each row."""

    def prepare(self, references: Any, /) -> Any:
        """References read once."""

    def pairwise(self, hypotheses: Any, references: Any, threads: int, /) -> NDArray[np.float64]:
        """The score of each hypothesis with each segment of references."""
