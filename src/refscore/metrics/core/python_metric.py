from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.cached import cached_property
from refscore.errors import SettingError
from refscore.inputs import MixedTokens
from refscore.metrics.core.limits import check_limits
from refscore.metrics.core.prepared import Reading
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.row_sums import sum_rows
from refscore.metrics.core.score import Rows, Score, Values
from refscore.metrics.core.text_settings import TextMetric
from refscore.tokenizers.pipeline import Pipeline

Tokens: TypeAlias = "tuple[Hashable, ...]"


class PythonScore(Score):
    __slots__ = ()

    metric: PythonMetric

    @property
    def value(self) -> float:
        return float(self.metric.value(self.row.tolist()))

    def details(self) -> dict[str, Any]:
        return dict(zip(self.metric.columns, self.row.tolist(), strict=True))

    def __str__(self) -> str:
        metric = self.metric
        row = " ".join(f"{name} = {number:g}" for name, number in self.details().items())
        return f"{metric.title} = {round(metric.printed_scale * self.value, 10):.2f} ({row})"


@dataclass(frozen=True, kw_only=True)
class PythonMetric(TextMetric[PythonScore]):
    """The base class for metrics in pure Python. Subclasses define `name`, `columns`, `row` and `value`.

    refscore checks and tokenizes the input before it calls `row` with tuples of tokens. Rows are summed over segments,
    and a corpus score is the value of the sums. Settings are dataclass fields. The base class has tokenizer, lowercase
    and normalize. `display_name` is the title in tables.

    Example:
        >>> import refscore
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True, kw_only=True)
        ... class LengthRatio(refscore.metrics.PythonMetric):
        ...     name = "length_ratio"
        ...     columns = ("hyp_len", "ref_len")
        ...
        ...     def row(self, hypothesis, references):
        ...         return len(hypothesis), min(len(reference) for reference in references)
        ...
        ...     def value(self, row):
        ...         return row[0] / row[1] if row[1] else 0.0
        >>> metric = LengthRatio(tokenizer="none")
        >>> metric.corpus(["a b c", "d"], ["a b c d", ["d e", "d e f"]]).value
        0.6666666666666666
        >>> metric.segments(["a b c", "d"], ["a b c d", ["d e", "d e f"]])
        array([0.75, 0.5 ])
    """

    row_type = FLOATS
    steps_module: ClassVar[str] = "refscore.metrics.core.steps"
    _has_negative_rows: ClassVar[bool] = True

    @abstractmethod
    def row(self, hypothesis: tuple[Any, ...], references: tuple[tuple[Any, ...], ...]) -> Sequence[float]:
        """Return a segment's row, with one number per column.

        A metric with `needs_sources = True` also has the parameter `source` for the source's tokens.

        Args:
            hypothesis: The hypothesis's tokens.
            references: Each reference's tokens, at least one. Metrics with `needs_references = False` may get none.
        """

    @abstractmethod
    def value(self, row: Sequence[float]) -> float:
        """Return the score for a row, or for summed rows."""

    @cached_property
    def reading(self) -> Reading:
        """How text is read: as token lists."""
        return Reading(self.pipeline, "lists of tokens", self.needs_sources)

    @property
    def mixed_tokens(self) -> MixedTokens:
        """Unchanged: `row` gets the original tokens."""
        return "keep"

    def _make_kernel(self) -> _PythonKernel:
        return _PythonKernel(self)


class _PreparedTokens:
    kind = "tokens"

    def __init__(self, entries: list[tuple[Tokens, ...]]) -> None:
        self.entries = entries

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def is_empty(self) -> bool:
        return not any(tokens for entry in self.entries for tokens in entry)


class _PythonKernel:
    """A kernel that calls a Python metric's `row` and `value`. Input must be checked."""

    def __init__(self, metric: PythonMetric) -> None:
        self._metric = metric

    @property
    def _pipeline(self) -> Pipeline:
        return self._metric.pipeline

    def _words(self, items: Any, *, is_reference: bool = False) -> tuple[Tokens, ...]:
        # Tuples: a `row` that changed lists would change prepared references.
        return tuple(tuple(self._pipeline.words(item, is_reference=is_reference)) for item in items)

    def _entries(self, references: Any) -> list[tuple[Tokens, ...]]:
        if isinstance(references, _PreparedTokens):
            return references.entries
        return [self._words(entry, is_reference=True) for entry in references]

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        words = self._words(hypotheses)
        entries = [()] * len(words) if references is None else self._entries(references)
        check_limits(words, entries, self._metric.needs_sources)
        rows = [self._row(hypothesis, entry) for hypothesis, entry in zip(words, entries, strict=True)]
        counts = [*map(len, entries)] or [0]
        return np.array(rows, dtype=np.float64).reshape(-1, len(self._metric.columns)), min(counts), max(counts)

    def _row(self, hypothesis: Tokens, references: tuple[Tokens, ...]) -> NDArray[np.float64]:
        metric = self._metric
        columns = metric.columns
        if metric.needs_sources:
            call: Any = metric.row  # its parameter `source` is not part of the base class
            row = call(hypothesis, references[1:], source=references[0])
        else:
            row = metric.row(hypothesis, references)
        try:
            numbers = np.array(row, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            numbers = np.full(1, np.nan)
        if numbers.shape != (len(columns),) or not np.isfinite(numbers).all():
            kind = type(metric).__name__
            raise SettingError(f"{kind}.row must return {len(columns)} numbers ({', '.join(columns)}), not {row!r}")
        return numbers

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        rows, fewest, most = self.counted(hypotheses, references, threads)
        return sum_rows(rows), fewest, most

    def total_into(self, hypotheses: Any, references: Any, threads: int, sums: Any, /) -> tuple[int, int]:
        rows, fewest, most = self.counted(hypotheses, references, threads)
        sums.add(rows)
        return fewest, most

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...], int]:
        rows, count, _ = self.counted([hypothesis], [references], 1)
        row = rows[0].tolist()
        return float(self._metric.value(row)), tuple(row), count

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values:
        return np.array([float(self._metric.value(row.tolist())) for row in rows], dtype=np.float64)

    def prepare(self, references: Any, threads: int, /) -> _PreparedTokens:
        entries = self._entries(references)
        check_limits([], entries, self._metric.needs_sources)
        return _PreparedTokens(entries)

    def pairwise(self, hypotheses: Any, references: _PreparedTokens, threads: int, /) -> NDArray[np.float64]:
        words = self._words(hypotheses)
        check_limits(words, [])
        pairs = [[self._row(hypothesis, entry) for entry in references.entries] for hypothesis in words]
        return np.array([self.values(np.array(rows), threads) for rows in pairs])
