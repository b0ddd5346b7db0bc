from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from refscore.errors import InputError, Location, SettingError, relocated
from refscore.inputs import reject_masked
from refscore.metrics.core.row_metric import FLOATS, RowMetric
from refscore.metrics.core.row_sums import sum_rows
from refscore.metrics.core.score import RowNumber, Rows, Score, Values
from refscore.settings import Choice, Kind, Number, WholeNumber, as_float, choice, setting

if TYPE_CHECKING:
    from refscore.steps import Steps


_FIX = "pass a list of numbers"

Numbers: TypeAlias = "ArrayLike | Iterable[SupportsFloat | None]"
"""Scores of segments; None and NaN are missing."""


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
        # NumPy would turn texts and numbers into texts, and True into 1.
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


class GivenScore(Score):
    """Given scores averaged, with their sum and weight.

    Example:
        >>> import refscore
        >>> score = refscore.Given("comet").corpus([0.81, 0.93])
        >>> print(score)
        comet = 0.8700 (sum = 1.74 weight = 2)
        >>> score.signature
        'given|name:comet|better:higher|scale:1.0|digits:4|missing:error|version:0.1.0'
    """

    __slots__ = ()

    metric: Given

    @property
    def value(self) -> float:
        """The mean score, or NaN without any."""
        total, weight = self.row.tolist()
        return total / weight if weight else math.nan

    sum = RowNumber(0, "The sum of the scores.")
    weight = RowNumber(1, "The number of segments with a score.")
    parts = ("sum", "weight")

    def __str__(self) -> str:
        printed = self.metric.printed_scale * self.value
        return f"{self.metric.title} = {printed:.{self.metric.digits}f} (sum = {self.sum:g} weight = {self.weight:g})"


@dataclass(frozen=True)
class Given(RowMetric[GivenScore]):
    """Scores that a different program computed, such as COMET, MetricX, an LLM judge or people.

    Its methods take numbers, one per segment, instead of text. A corpus score is the mean. The rows work wherever rows
    of other metrics do: in significance tests, comparisons, accumulators and reports.

    Example:
        >>> import refscore
        >>> from refscore.significance import paired_bootstrap
        >>> comet = refscore.Given("comet")
        >>> comet.corpus([0.5, 0.75, 1.0]).value
        0.75
        >>> rows = {"old": comet.stats([0.5, 0.75, 1.0]), "new": comet.stats([0.75, 0.75, 1.0])}
        >>> round(paired_bootstrap(comet, rows)["new"].difference, 4)
        0.0833
    """

    name: str = setting(  # type: ignore[misc]
        "given", "The name of the scores in tables and signatures.", Kind(), key="name", title="name"
    )
    _: KW_ONLY
    higher_is_better: bool = setting(  # type: ignore[misc]
        True,
        "Whether higher scores are better.",
        Choice({True: "higher", False: "lower"}),
        key="better",
        title="direction",
        stage="formula",
        words={True: "higher is better", False: "lower is better"},
    )
    printed_scale: float = setting(  # type: ignore[misc]
        1.0,
        "The factor from scores to printed numbers.",
        Number(),
        key="scale",
        title="scale",
        stage="formula",
        otherwise="printed numbers are scores times {printed_scale}",
    )
    digits: int = setting(  # type: ignore[misc]
        4,
        "The number of decimals in tables, up to 15.",
        WholeNumber(0, 15),
        key="digits",
        title="decimals",
        stage="formula",
        otherwise="{digits} decimals",
    )
    missing: Literal["error", "skip"] = choice(
        "error",
        "What to do with a missing score (None or NaN): raise an error, or skip the segment.",
        {"error": "a missing score is an error", "skip": "segments without a score are left out"},
        key="missing",
        title="missing scores",
    )

    display_name = "given score"
    columns = ("sum", "weight")
    row_type = FLOATS
    is_bounded = False
    rows_from = "metric.stats(scores)"
    needs_references = False
    _has_negative_rows = True

    def _check(self) -> None:
        if not self.name.strip() or self.name != self.name.strip() or not self.name.isprintable():
            raise SettingError(f"name must be printable text without spaces around it, not {self.name!r}")
        if any(sign in self.name for sign in "|="):  # they separate the parts of signatures
            raise SettingError(f"name cannot contain '|' or '=': {self.name!r}")
        if self.printed_scale <= 0:
            raise SettingError(f"printed_scale must be above 0, not {self.printed_scale:g}")

    @property
    def title(self) -> str:
        return self.name

    def _values(self, rows: Rows, threads: int | None) -> Values:
        means = np.full(len(rows), np.nan)
        np.divide(rows[:, 0], rows[:, 1], out=means, where=rows[:, 1] != 0)
        return means

    def _score(self, row: Rows | tuple[Any, ...], references: tuple[int, int] | None) -> GivenScore:
        return GivenScore(self, row)

    def _is_in_range(self, row: Rows) -> bool:
        return super()._is_in_range(row) and bool(row[1] >= 0)

    def stats(self, scores: Numbers) -> Rows:
        """Return one row (score, 1) per segment, and (0, 0) for a missing score that is skipped.

        Args:
            scores: One number per segment.
        """
        values = read_numbers(scores, Location("scores"))
        is_missing = np.isnan(values)
        if is_missing.any() and self.missing == "error":
            fix = "pass a number, or set missing='skip' to leave the segment out"
            raise InputError(Location("scores", int(np.argmax(is_missing))), "is missing", fix)
        return np.stack([np.where(is_missing, 0.0, values), ~is_missing], axis=1)

    def corpus(self, scores: Numbers) -> GivenScore:
        """Return the mean score, from one number per segment."""
        rows = self.stats(scores)
        if not len(rows):
            raise InputError(Location("scores"), "is empty", "pass the score of at least one segment")
        return self._score(sum_rows(rows), None)

    def segment(self, score: SupportsFloat | None) -> GivenScore:
        """Return a segment's score, which is the number itself."""
        with relocated(lambda _: Location("score")):
            return self._score(self.stats([score])[0], None)

    def segments(self, scores: Numbers) -> Values:
        """Return the scores, one number per segment, as an array with NaN for skipped ones."""
        return self.values(self.stats(scores))

    def explain(self, score: SupportsFloat | None) -> Steps:
        """Return the worked steps for one score, a number.

        Example:
            >>> import refscore
            >>> print(refscore.Given("comet").explain(0.81).result)
            comet = 0.8100
        """
        from refscore.steps import Formula, Paragraph, Steps  # slow to import, and rarely needed

        value = f"{self.segment(score).value:.4f}"
        parts = (
            Paragraph(f"Settings: {self.signature}"),
            Paragraph("A different program computed this score. A corpus score is the mean over segments."),
            Formula(self.title, "sum / weight", value),
        )
        return Steps(f"{self.title}, step by step", parts, f"{self.title} = {value}")
