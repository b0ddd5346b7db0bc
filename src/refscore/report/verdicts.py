"""Scores, intervals and tests of all pairs, and what they say in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from refscore.metrics import Metric, Score
from refscore.metrics.core.score import Rows
from refscore.significance import Comparison, Interval, Outcome, all_pairs, bootstrap
from refscore.significance.results import with_holm

Word: TypeAlias = Literal["better", "worse", "unclear", "equal"]


@dataclass(frozen=True)
class Resampling:
    """How intervals and p-values are found: the settings of `refscore.significance.paired_bootstrap`.

    Attributes:
        resamples: How many corpora to draw.
        seed: What to draw with.
        confidence: That of intervals.
        units: A label for each segment; segments of one label are drawn together.
        alpha: The largest p that is called significant.
        holm: Correct p-values of the comparisons with the baseline for the number of systems.

    Example:
        >>> from refscore.report import Resampling
        >>> Resampling(resamples=2000, holm=True).seed
        12345
    """

    resamples: int = 1000
    seed: int = 12345
    confidence: float = 0.95
    units: Any = None
    alpha: float = 0.05
    holm: bool = False


@dataclass(frozen=True)
class MetricResult:
    """What one metric says about all systems.

    Attributes:
        title: What the metric is called on the page.
        metric: The metric.
        signature: Its settings, with the number of references.
        scores: The score of each system.
        intervals: Where each score lies.
        pairs: For each system a comparison in which it is the baseline; empty where there is one system alone.
        test: The settings of the test; of the intervals where there is one system alone.
    """

    title: str
    metric: Metric[Any]
    signature: str
    scores: tuple[Score, ...]
    intervals: tuple[Interval, ...]
    pairs: tuple[Comparison, ...]
    test: str

    @property
    def best(self) -> int:
        """The index of the system with the best score; the first of equal ones."""
        sign = 1 if self.metric.higher_is_better else -1
        return max(range(len(self.scores)), key=lambda k: sign * self.scores[k].value)

    def outcome(self, baseline: int, system: int) -> Outcome:
        """How a system compares with another one."""
        others = [k for k in range(len(self.scores)) if k != baseline]
        return self.pairs[baseline].systems[1 + others.index(system)]


def compared(
    metrics: Mapping[str, Metric[Any]],
    rows: Mapping[str, Mapping[str, Rows]],
    references: tuple[int, int],
    resampling: Resampling,
    threads: int | None,
    progress: Callable[[int, int], object] | None,
) -> list[MetricResult]:
    """The results of each metric.

    Args:
        metrics: The metrics by title.
        rows: For each title the rows of each system.
        references: The fewest and the most references of a segment.
        resampling: The settings of the test.
        threads: How many to use; all cores by default.
        progress: Called with the number of resamples done and of all, now and then.
    """
    settings: dict[str, Any] = {
        "resamples": resampling.resamples,
        "seed": resampling.seed,
        "confidence": resampling.confidence,
        "units": resampling.units,
        "threads": threads,
        "progress": progress,
    }
    several = len(next(iter(rows.values()))) > 1
    pairs = all_pairs(metrics, rows, **settings) if several else {title: [] for title in metrics}
    found = []
    for title, metric in metrics.items():
        scores = tuple(metric.score(own.sum(0), references=references) for own in rows[title].values())
        if several:
            first = pairs[title][0]
            if resampling.holm:
                first = replace(first, systems=tuple(with_holm(list(first.systems))), holm=True)
            intervals = tuple(outcome.interval for outcome in first.systems if outcome.interval is not None)
            test = first.signature
            compared_pairs = (first, *pairs[title][1:])
        else:
            intervals = tuple(bootstrap(metric, own, **settings) for own in rows[title].values())
            test, compared_pairs = intervals[0].signature, ()
        found.append(MetricResult(title, metric, scores[0].signature, scores, intervals, compared_pairs, test))
    return found


def verdict(metric: Metric[Any], outcome: Outcome, alpha: float) -> Word:
    """How a system stands to the baseline, in a word."""
    difference = outcome.difference or 0.0
    if outcome.p == 1 and difference == 0:
        return "equal"
    if not outcome.significant(alpha):
        return "unclear"
    return "better" if (difference > 0) == metric.higher_is_better else "worse"


def sentence(results: Sequence[MetricResult], baseline: int, system: int, names: Sequence[str], alpha: float) -> str:
    """What the tests say about a system and the baseline, by all metrics, in plain words.

    The sentence begins with the system's name, as in "B is better than A on chrF (p = 0.003); on BLEU the difference
    could be chance (p = 0.2)."
    """
    groups: dict[Word, list[str]] = {"better": [], "worse": [], "unclear": [], "equal": []}
    for result in results:
        outcome = result.outcome(baseline, system)
        word = verdict(result.metric, outcome, alpha)
        p = outcome.p if outcome.p_holm is None else outcome.p_holm
        groups[word].append(result.title if word == "equal" or p is None else f"{result.title} ({p_words(p)})")
    a, b = names[baseline], names[system]
    parts = [f"{b} is {word} than {a} on {_listed(groups[word])}" for word in ("better", "worse") if groups[word]]
    if len(parts) == 2:
        parts[1] = f"but worse on {_listed(groups['worse'])}"
        parts = [f"{parts[0]}, {parts[1]}"]
    if groups["unclear"]:
        chance = f"on {_listed(groups['unclear'])} the difference could be chance"
        parts.append(chance if parts else f"Between {b} and {a}, {chance}")
    if groups["equal"]:
        equal = f"on {_listed(groups['equal'])} they are equal"
        parts.append(equal if parts else f"{b} and {a}: {equal}")
    return "; ".join(parts) + "."


def p_words(p: float) -> str:
    """A p-value with as many digits as say something.

    Example:
        >>> p_words(0.000999), p_words(0.0123), p_words(0.4321), p_words(1e-5)
        ('p = 0.001', 'p = 0.012', 'p = 0.43', 'p < 0.001')
    """
    if p < 0.0005:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
