"""Scores, intervals and significance tests of all pairs of systems, and verdicts as sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refscore.metrics import RowMetric, Rows, Score, sum_rows
from refscore.significance import Comparison, Interval, Outcome, all_pairs, bootstrap
from refscore.significance.results import Verdict, with_holm
from refscore.text_display import counted, joined


@dataclass(frozen=True)
class MetricResult:
    """The results of one metric for all systems."""

    title: str  # the metric's name on the page
    metric: RowMetric[Any]
    signature: str  # includes the number of references
    scores: tuple[Score, ...]
    intervals: tuple[Interval, ...]  # empty for a single segment
    pairs: tuple[Comparison, ...]  # one per system as the baseline; empty for a single system or segment
    test: str  # the settings of the test, or of the intervals for a single system; may be empty

    def __repr__(self) -> str:
        return f"<{self.title} of {counted(len(self.scores), 'system')}>"

    @property
    def best(self) -> int:
        """The index of the system with the best score, or of the first if several are equal."""
        sign = 1 if self.metric.higher_is_better else -1
        return max(range(len(self.scores)), key=lambda k: sign * self.scores[k].value)

    def outcome(self, baseline: int, system: int) -> Outcome:
        """Return the outcome of comparing a system with a baseline."""
        others = [k for k in range(len(self.scores)) if k != baseline]
        return self.pairs[baseline].systems[1 + others.index(system)]

    def verdict(self, baseline: int, system: int, alpha: float) -> Verdict:
        """Return the verdict on a system compared with a baseline."""
        return self.pairs[baseline].verdict(self.outcome(baseline, system).name, alpha)

    def p_text(self, baseline: int, system: int) -> str:
        """Return the p-value of a pair of systems as text, corrected if the test does so."""
        outcome = self.outcome(baseline, system)
        p = self.pairs[baseline].format_p(outcome.name, 3 if (outcome.p_value or 0) < 0.1 else 2)
        return f"p {p}" if p[0] in "≤<" else f"p = {p}"


def compare_systems(
    metrics: Mapping[str, RowMetric[Any]],
    rows: Mapping[str, Mapping[str, Rows]],
    references: tuple[int, int],
    *,
    can_resample: bool,
    holm: bool,
    **resampling: Any,
) -> list[MetricResult]:
    """Return the results of each metric from the rows of each system, by title.

    With `holm`, only p-values of comparisons with the baseline are corrected for the number of systems.
    """
    several = can_resample and len(next(iter(rows.values()))) > 1
    pairs = all_pairs(metrics, rows, **resampling) if several else {}
    results = []
    for title, metric in metrics.items():
        scores = tuple(metric.score(sum_rows(table), references=references) for table in rows[title].values())
        if several:
            first, *others = pairs[title]
            if holm:
                first = replace(first, systems=tuple(with_holm(list(first.systems))), holm=True)
                others = [_with_p_holm(each, first) for each in others]
            intervals = tuple(outcome.interval for outcome in first.systems if outcome.interval is not None)
            comparisons, test = (first, *others), first.signature
        elif can_resample:
            intervals = tuple(bootstrap(metric, table, **resampling) for table in rows[title].values())
            comparisons, test = (), intervals[0].signature
        else:
            intervals, comparisons, test = (), (), ""
        results.append(MetricResult(title, metric, scores[0].signature, scores, intervals, comparisons, test))
    return results


def _with_p_holm(comparison: Comparison, corrected: Comparison) -> Comparison:
    """Return a comparison with the corrected p-value for its second system, which is the baseline of the report."""
    baseline, first, *others = comparison.systems
    return replace(comparison, systems=(baseline, replace(first, p_holm=corrected[baseline.name].p_holm), *others))


def describe_verdicts(results: Sequence[MetricResult], system: int, names: Sequence[str], alpha: float) -> str:
    """Return a sentence with the verdicts of all metrics on a system compared with the baseline.

    For example: "B is better than A on chrF (p = 0.003); the difference on BLEU (p = 0.2) could be chance."
    """
    groups: dict[str, list[str]] = {"better": [], "worse": [], "unclear": [], "equal": []}
    for result in results:
        verdict = result.verdict(0, system, alpha)
        p = "" if verdict == "equal" else f" ({result.p_text(0, system)})"
        groups[verdict].append(result.title + p)
    titles = {verdict: joined(group) for verdict, group in groups.items() if group}
    a, b = names[0], names[system]
    parts = [f"{b} is {verdict} than {a} on {titles[verdict]}" for verdict in ("better", "worse") if verdict in titles]
    if len(parts) == 2:
        parts = [f"{parts[0]}, but worse on {titles['worse']}"]
    if "unclear" in titles:
        short = f"the difference on {titles['unclear']} could be chance"
        parts.append(short if parts else f"The difference between {b} and {a} could be chance on {titles['unclear']}")
    if "equal" in titles:
        subject = "they" if parts else f"{b} and {a}"
        parts.append(f"{subject} are equal on {titles['equal']}")
    return "; ".join(parts) + "."
