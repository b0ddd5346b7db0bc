"""Given scores: a metric for numbers that a different program computed."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, SettingError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.row_sums import sum_rows
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Rows, Score, Values
from refscore.metrics.given.kernel import GivenKernel
from refscore.settings import Choice, Kind, Number, WholeNumber, choice, setting
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps


class GivenScore(Score):
    """The mean of given scores, with their sum and weight.

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
        """The mean of the scores; NaN without any."""
        return self.sum / self.weight if self.weight else math.nan

    @property
    def sum(self) -> float:
        """The sum of the scores."""
        return float(self.row[0])

    @property
    def weight(self) -> float:
        """The number of segments with a score."""
        return float(self.row[1])

    parts = ("sum", "weight")

    def __str__(self) -> str:
        printed = self.metric.printed_scale * self.value
        return f"{self.metric.title} = {printed:.{self.metric.digits}f} (sum = {self.sum:g} weight = {self.weight:g})"


@dataclass(frozen=True)
class Given(Metric[GivenScore]):
    """Scores that a different program computed, such as COMET, MetricX, an LLM judge or people.

    Its hypotheses are numbers, one per segment, and it ignores references. A corpus score is the mean. The rows work
    wherever rows of other metrics do: in significance tests, accumulators, data frames and reports.

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

    display_name: ClassVar[str] = "given score"
    columns = ("sum", "weight")
    row_type = FLOATS
    summary: ClassVar[str] = "Given scores, which a different program computed: their mean over segments."
    scale: ClassVar[str] = "Any numbers; higher_is_better gives the direction"
    score_type: ClassVar[type[GivenScore]] = GivenScore
    is_bounded: ClassVar[bool] = False
    needs_references: ClassVar[bool] = False
    _has_negative_rows: ClassVar[bool] = True

    def _check(self) -> None:
        if not self.name.strip() or self.name != self.name.strip() or not self.name.isprintable():
            raise SettingError(f"name must be printable text without spaces around it, not {self.name!r}")
        if any(sign in self.name for sign in "|="):  # they separate the parts of signatures
            raise SettingError(f"name cannot contain '|' or '=': {self.name!r}")
        if self.printed_scale <= 0:
            raise SettingError(f"printed_scale must be above 0, not {self.printed_scale:g}")

    @property
    def title(self) -> str:
        """The name."""
        return self.name

    def _make_pipeline(self) -> Pipeline:
        return Pipeline("none", False, "none")

    def _make_kernel(self) -> GivenKernel:
        return GivenKernel(self.missing == "skip")

    def _score(self, row: Rows | tuple[Any, ...], references: tuple[int, int] | None) -> GivenScore:
        return GivenScore(self, row)

    def _is_in_range(self, row: Rows) -> bool:
        return bool(row[1] >= 0)

    def stats(
        self, hypotheses: Any, references: Any = None, *, sources: Any = None, threads: int | None = None
    ) -> Rows:
        """Return one row (score, 1) per segment, and (0, 0) for a missing score that is skipped.

        Args:
            hypotheses: One number per segment.
            references: Ignored.
            sources: Ignored.
            threads: The number of threads; all cores by default. Given scores need only one.
        """
        return self.kernel.counted(hypotheses, references, kernel_threads(threads))[0]

    def corpus(
        self, hypotheses: Any, references: Any = None, *, sources: Any = None, threads: int | None = None
    ) -> GivenScore:
        """Return the mean of the scores. The arguments are those of `stats`."""
        rows = self.stats(hypotheses, threads=threads)
        if not len(rows):
            raise InputError(None, "hypotheses is empty", "pass at least one segment")
        return self._score(sum_rows(rows), None)

    def segment(self, hypothesis: Any, references: Any = None, *, source: Any = None) -> GivenScore:
        """Return the score of one segment, which is the number itself.

        Args:
            hypothesis: A number.
            references: Ignored.
            source: Ignored.
        """
        return self._score(self.kernel.one(hypothesis, references)[1], None)

    def segments(
        self, hypotheses: Any, references: Any = None, *, sources: Any = None, threads: int | None = None
    ) -> Values:
        """Return the scores as an array, with NaN for skipped ones. The arguments are those of `stats`."""
        return self.values(self.stats(hypotheses, threads=threads))

    def pairwise(
        self,
        hypotheses: Any,
        references: Any = None,
        *,
        source: Any = None,
        tokens: bool = False,
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Return the matrix of scores itself, as an array.

        Args:
            hypotheses: A matrix with one row per hypothesis and one score per reference.
            references: The prepared references; only their number is checked.
            source: Ignored.
            tokens: Ignored.
            threads: The number of threads; all cores by default. Given scores need only one.

        Example:
            >>> import refscore
            >>> from refscore import mbr
            >>> utilities = [[1.0, 0.4, 0.2], [0.5, 1.0, 0.6], [0.1, 0.3, 1.0]]
            >>> mbr.choose(utilities, metric=refscore.Given("comet")).best
            1
        """
        matrix = self.kernel.pairwise(hypotheses, references, kernel_threads(threads))
        if isinstance(references, PreparedReferences) and matrix.shape[1] != len(references):
            problem = f"has {matrix.shape[1]} numbers per row for {len(references)} references"
            raise InputError(Location("hypotheses"), problem, "pass one number per reference")
        return matrix

    def own_references(self, hypotheses: Any) -> PreparedReferences:
        """Return one reference per column of a matrix of scores."""
        columns = self.pairwise(hypotheses).shape[1]
        return self.prepare([str(number) for number in range(columns)])

    def explain(self, hypothesis: Any, references: Any = None, *, source: Any = None) -> Steps:
        """Return the worked steps of one score.

        Args:
            hypothesis: A number.
            references: Ignored.
            source: Ignored.

        Example:
            >>> import refscore
            >>> print(refscore.Given("comet").explain(0.81).result)
            comet = 0.8100
        """
        return super().explain(hypothesis, references)
