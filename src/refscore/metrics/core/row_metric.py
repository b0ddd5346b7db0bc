"""The contract for everything that turns rows into scores: metrics, given scores, meeting error rates.

Rows can be summed. A segment score is `score(row)`, and a corpus score is `score(sum of all rows)`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Generic, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from refscore.errors import InputError, Location, SettingError
from refscore.inputs import reject_masked
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import Rows, Score, Values
from refscore.settings import HasSettings

# Row types: counts only, or also fractions.
COUNTS: np.dtype[Any] = np.dtype(np.int64)
FLOATS: np.dtype[Any] = np.dtype(np.float64)

S = TypeVar("S", bound=Score)
R = TypeVar("R", bound="RowMetric[Any]")


class RowMetric(HasSettings, ABC, Generic[S]):
    """Scores from rows that can be summed. Everything above the metrics needs only this.

    Attributes:
        name: The name in commands and signatures.
        display_name: The name in papers, without settings.
        papers: The papers that define the metric.
        presets: Named settings that reproduce other tools.
        score_type: The score class, by default the one in `Metric[BLEUScore]`.
        higher_is_better: Whether higher scores are better.
        is_bounded: Whether scores are between 0 and 1.
        highest_value: The highest score, if it is not 1, or None if there is none.
        printed_scale: The factor from scores to printed numbers.
        digits: The decimals in tables, or None for the table's default.
        needs_references: Whether scores depend on references. Other metrics ignore them.
        compares_answers: Whether references are answers. In files, an empty list is the answer "".
        needs_sources: Whether scores depend on each segment's source.
        needs_times: Whether subtitles are scored with the times of their cues.
        scores_text: Whether the metric computes rows from text.
        rows_from: The call that returns rows, for errors.
        text_fix: For errors, what to call instead if the metric scores no text. Empty for the general advice.
        has_alignments: Whether the metric aligns words; see `refscore.metrics.AlignsWords`.

    Example:
        >>> import refscore
        >>> comet = refscore.Given("comet")
        >>> isinstance(comet, refscore.metrics.RowMetric), comet.score([1.5, 2]).value
        (True, 0.75)
    """

    display_name: ClassVar[str]
    papers: ClassVar[tuple[str, ...]] = ()
    presets: ClassVar[Mapping[str, Preset]] = {}
    score_type: ClassVar[type[Any]]
    higher_is_better: ClassVar[bool] = True
    is_bounded: ClassVar[bool] = True
    highest_value: ClassVar[float | None] = None
    printed_scale: ClassVar[float] = 100
    digits: ClassVar[int | None] = None
    needs_references: ClassVar[bool] = True
    compares_answers: ClassVar[bool] = False
    needs_sources: ClassVar[bool] = False
    needs_times: ClassVar[bool] = False
    scores_text: ClassVar[bool] = False
    rows_from: ClassVar[str] = "one row per segment"
    text_fix: ClassVar[str] = ""
    has_alignments: ClassVar[bool] = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for argument in (argument for base in vars(cls).get("__orig_bases__", ()) for argument in get_args(base)):
            if isinstance(argument, type) and issubclass(argument, Score):
                cls.score_type = argument

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The column names."""

    @classmethod
    def scale(cls) -> str:
        """Describe the score range, and whether higher is better."""
        if not cls.higher_is_better and not cls.is_bounded:
            return "0 is best, and it may exceed 1"
        highest = 1 if cls.is_bounded else cls.highest_value
        numbers = "From 0 up" if highest is None else f"0..{highest}"
        return f"{numbers}, {'higher' if cls.higher_is_better else 'lower'} is better"

    @property
    def title(self) -> str:
        """The name in papers, including settings in it, as in chrF2++."""
        return self.display_name

    @property
    def row_type(self) -> np.dtype[Any]:
        """The number type, int64 if all statistics are counts, else float64."""
        return COUNTS

    @property
    def needs_fit(self) -> bool:
        """Whether the metric needs weights from references before it can score. `fit` returns the fitted metric."""
        return False

    def fitted_state(self) -> bytes | None:
        """Return a fitted metric's weights, which its signature does not contain, or None if there are none."""
        return None

    def check_fitted(self) -> None:
        """Raise a SettingError if the metric is not fitted but must be."""
        if self.needs_fit:
            kind = type(self).__name__
            raise SettingError(
                f"{self.display_name} takes weights from references first: call {kind}().fit(references) and use the "
                f"metric that it returns, or call {kind}().corpus(hypotheses, references)"
            )

    def for_segments(self: R) -> R:
        """Return the metric with settings for single segments."""
        return self

    # Whether statistics may be negative; in built-in metrics, they are not.
    _has_negative_rows: ClassVar[bool] = False

    def _is_in_range(self, row: Rows) -> bool:
        if self._has_negative_rows:
            return bool(np.isfinite(row).all())
        return bool(row.min(initial=0) >= 0 and row.max(initial=0) < 2**63)  # false for NaN

    def values(self, rows: ArrayLike, *, threads: int | None = None) -> Values:
        """Return the scores for rows, or for summed rows, from an array with one row per score."""
        table = self._as_table(rows, Location("rows"))
        return self._values(np.ascontiguousarray(table, dtype=np.float64), threads)

    def printed_values(self, rows: ArrayLike, *, threads: int | None = None) -> Values:
        """Return the scores for rows on the scale of printed numbers, from 0 to 100 for most metrics.

        Example:
            >>> import refscore
            >>> metric = refscore.GLEU()
            >>> metric.printed_values(metric.stats(["a b c d"], ["a b x d"])).tolist()
            [40.0]
        """
        return self.printed_scale * self.values(rows, threads=threads)

    @abstractmethod
    def _values(self, rows: Rows, threads: int | None) -> Values: ...

    def _score(self, row: Rows | tuple[Any, ...], references: tuple[int, int] | None) -> S:
        score: S = self.score_type(self, row, references if self.needs_references else None)
        return score

    def score(self, row: ArrayLike, *, references: tuple[int, int] | None = None) -> S:
        """Return the score for a row, or for summed rows.

        Args:
            row: One number per column.
            references: The range of reference counts per segment, for the score's signature.
        """
        array = _as_array(row, Location("row"))
        fits = array.shape == (len(self.columns),) and array.dtype.kind in "iuf"
        if not fits or not self._is_in_range(array):
            fix = "sum the rows first with rows.sum(0)" if array.ndim == 2 else ""
            least = "" if self._has_negative_rows else " of at least 0"
            raise InputError(
                None,
                f"a row of {self.title} must have {len(self.columns)} numbers{least} ({', '.join(self.columns)})",
                fix,
            )
        return self._score(array.astype(self.row_type if array.dtype.kind in "iu" else np.float64), references)

    def check_rows(self, rows: ArrayLike, location: Location | None = None, *, segments: int | None = None) -> Rows:
        """Return rows as an array, or raise an error with its location.

        Args:
            rows: One row of statistics per segment, as an array of shape (segments, columns).
            location: The rows' name in errors, by default "rows".
            segments: How many segments there are, if known.
        """
        location = Location("rows") if location is None else location
        table = self._as_table(rows, location)
        if segments is not None and len(table) != segments:
            raise InputError(location, f"has {len(table)} rows for {segments} segments", "pass one row per segment")
        if table.dtype.kind == "f" and table.dtype.itemsize != 8:
            table = table.astype(np.float64)
        # Column by column, since masking the whole table takes memory. NaN fails both comparisons. Usually, the
        # smallest and largest number show that there is nothing to do.
        if not len(table) or (table.min() >= 0 and table.max() < 2**63):
            return table
        for name, values in zip(self.columns, table.T, strict=True):
            if not (values.min() >= 0 and values.max() < 2**63):
                self._check_column(table, name, values, location)
        return table

    def _as_table(self, rows: Any, location: Location) -> Rows:
        table = _as_array(rows, location)
        count = len(self.columns)
        if table.ndim != 2 or table.dtype.kind not in "iuf" or table.shape[1] != count:
            names = ", ".join([*self.columns[:9], *(["…"] if count > 9 else [])])
            problem = f"must have {count} numbers per segment for {self.title} ({names}), not {_kind(rows)}"
            raise InputError(location, problem, f"pass {self.rows_from}")
        return table

    def _check_column(self, table: Rows, name: str, values: Rows, location: Location) -> None:
        unusual = np.flatnonzero(~((values >= 0) & (values < 2**63)))
        wrong = unusual[~(np.abs(values[unusual].astype(np.float64)) < 2.0**63)]
        fix = "statistics must be finite numbers below 2**63"
        if not len(wrong):
            try:
                self.score(table[unusual[0]])
                return
            except InputError:
                wrong, fix = unusual, "statistics must not be negative"
        segment = int(wrong[0])
        raise InputError(replace(location, segment=segment), f"has {values[wrong[0]].item()} for {name}", fix)


def _as_array(value: Any, location: Location) -> Rows:
    if type(value) is not np.ndarray:  # only subclasses have masks
        reject_masked(value, location)
    try:
        return np.asarray(value)
    except ValueError:  # lists of different lengths
        return np.asarray(None)


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {tuple(shape)}" if shape is not None else f"{type(value).__name__}"
