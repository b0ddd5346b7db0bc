"""The comparison of systems as data, and its renderings."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from refscore.comparison.tables import flat_table, metric_table, overview, records
from refscore.errors import NotInstalledError, UnknownNameError
from refscore.evaluation import Evaluation
from refscore.metrics import RowMetric
from refscore.significance import Comparison
from refscore.significance.results import Verdict
from refscore.tables import Result, Table


@dataclass(frozen=True)
class SystemComparison(Result):
    """A comparison of systems with a baseline by several metrics and tests, as `refscore compare` prints it.

    It prints as text and shows as HTML in a notebook. `comparison["bleu"]` is the comparison by one metric, with the
    test that decides the verdict.

    Attributes:
        metrics: The metrics by label.
        titles: The names of the metrics in tables, by label.
        signatures: The signatures of the metrics, by label.
        tests: The comparisons of each test ("bootstrap", "randomization") by label. The first test decides.
        alpha: The largest significant p-value.
        power: The probability of showing a difference of the size in `detectable`; None if it was not asked for.
        detectable: The minimum detectable difference by label and system. Empty without `power`.
        groups: The comparisons of groups of segments, by label, in the order of first occurrence. Empty without `by`.
        evaluation: The evaluation that was compared.

    Example:
        >>> import refscore
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = refscore.compare(outputs, refs, "wer", test="randomization")
        >>> result.systems, result.segments, result.verdict("wer", "new")
        (['old', 'new'], 4, 'unclear')
        >>> for row in result.table().rows:
        ...     print(*row.cells)
        old 58.82
        new 0.00
    """

    schema: ClassVar[str] = "compare"

    metrics: Mapping[str, RowMetric[Any]]
    titles: Mapping[str, str]
    signatures: Mapping[str, str]
    tests: Mapping[str, Mapping[str, Comparison]]
    alpha: float = 0.05
    power: float | None = None
    detectable: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    groups: Mapping[Hashable, SystemComparison] = field(default_factory=dict)
    evaluation: Evaluation | None = field(default=None, compare=False, repr=False)

    def __getitem__(self, label: str) -> Comparison:
        if label not in self.metrics:
            raise UnknownNameError.suggest("metric", label, self.metrics)
        # The first test decides. Taking the better of two tests would have a higher error rate than alpha.
        return next(iter(self.tests.values()))[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    @property
    def _first(self) -> Comparison:
        return self[next(iter(self.metrics))]

    @property
    def systems(self) -> list[str]:
        """The names of the systems, the baseline first."""
        return [outcome.name for outcome in self._first.systems]

    @property
    def baseline(self) -> str:
        """The name of the baseline."""
        return self.systems[0]

    @property
    def segments(self) -> int:
        """The number of segments."""
        return self._first.segments

    @property
    def test_signatures(self) -> list[str]:
        """The settings of each test, as text."""
        return [next(iter(by_label.values())).signature for by_label in self.tests.values()]

    def verdict(self, label: str, system: str) -> Verdict:
        """Return the verdict on a system by a metric, at the threshold `alpha`.

        The paired bootstrap decides. Randomization decides if it is the only test.
        """
        return self[label].verdict(system, self.alpha)

    def table(self, label: str | None = None, *, digits: int | None = None) -> Table:
        """Return a table of systems and metrics, or the table of one metric.

        Args:
            label: The label of a metric, for the table that `refscore compare` prints: differences, intervals,
                p-values and verdicts. Without it, the table has one column of scores per metric. A highlight marks the
                best score, ∗ a significantly better system than the baseline and † a significantly worse one.
            digits: The number of decimals; by default those of each metric.

        Returns:
            The table. With `by`, it has the rows of all segments, then those of each group.
        """
        if label is None:
            return overview(self, digits)
        return metric_table(self, label, self[label], digits)

    def tables(self, *, digits: int | None = None) -> list[Table]:
        """Return the table of each metric, as `refscore compare` prints them."""
        return [self.table(label, digits=digits) for label in self.metrics]

    def records(self, *, printed: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per metric and system, with None for missing numbers.

        Args:
            printed: Return scores and differences on the printed scale, 0 to 100 for most metrics, instead of 0 to 1.
        """
        return records(self, printed=printed)

    @property
    def all_signatures(self) -> list[str]:
        """The signatures of the metrics and of the tests, which follow the tables."""
        notes = [] if self.evaluation is None else self.evaluation.notes_in_words()
        return [*(text for text in self.signatures.values() if text), *self.test_signatures, *notes]

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        systems = f"{len(self.systems)} systems by {', '.join(self.metrics)}"
        return f"<comparison of {systems}: {self.segments:,} segments, baseline {self.baseline}>"

    def to_latex(self, *, digits: int | None = None) -> str:
        r"""Return one table of systems and metrics for a paper, with a caption. It needs `\usepackage{booktabs}`."""
        return self.render("latex", digits=digits)

    def latex_tables(self, *, digits: int | None = None) -> str:
        """Return the table environment of `to_latex`, without the signatures."""
        from refscore.comparison.latex import latex_table

        return latex_table(self, digits)

    def flat_table(self) -> Table:
        """Return the table for programs: one row per metric and system, with full precision, on the printed scale."""
        return flat_table(self)

    def to_pandas(self) -> Any:
        """Return one row per metric and system as a pandas data frame. Scores are from 0 to 1 for most metrics."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise NotInstalledError("to_pandas needs pandas: pip install 'refscore[pandas]'") from None
        return pd.DataFrame(self.records())

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as a dictionary, ready for JSON. Scores are on the metric's own scale."""
        files = () if self.evaluation is None else self.evaluation.files
        content = {
            **({"files": [{"name": name, "file": file} for name, file in files]} if files else {}),
            "segments": self.segments,
            "baseline": self.baseline,
            "alpha": self.alpha,
            "metrics": {
                label: {
                    "name": getattr(metric, "name", metric.title),
                    "title": metric.title,
                    "higher_is_better": metric.higher_is_better,
                    "signature": self.signatures[label],
                }
                for label, metric in self.metrics.items()
            },
            **self._results(),
        }
        if self.groups:
            content["groups"] = [
                {
                    "group": label if isinstance(label, (str, int)) else str(label),
                    "segments": group.segments,
                    **group._results(),
                }
                for label, group in self.groups.items()
            ]
        return content if self.evaluation is None else {**content, **self.evaluation.notes_as_json()}

    def _results(self) -> dict[str, Any]:
        """Return the results for JSON."""
        content: dict[str, Any] = {
            "comparisons": [
                {
                    **comparison.to_dict(),
                    "verdicts": {name: comparison.verdict(name, self.alpha) for name in self.systems[1:]},
                }
                for by_label in self.tests.values()
                for comparison in by_label.values()
            ]
        }
        if self.power is not None:
            differences = {label: dict(by_system) for label, by_system in self.detectable.items()}
            content["detectable"] = {"power": self.power, "differences": differences}
        return content
