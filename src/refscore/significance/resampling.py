"""Bootstrap: segments drawn anew with replacement, as if the test set had been another one of the same kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, overload

import numpy as np

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score, Values
from refscore.significance import draws
from refscore.significance import paper as original
from refscore.significance.draws import Matrix
from refscore.significance.inputs import (
    Progress,
    Systems,
    Units,
    by_label,
    checked_metric,
    checked_runs,
    checked_settings,
    runs_of,
    segments_of,
    unit_numbers,
)
from refscore.significance.results import Comparison, Interval, Outcome, with_holm
from refscore.significance.scoring import Draw, Field, share_as_large, tie


def bootstrap(
    metric: Metric[Any],
    rows: Any,
    *,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Units | None = None,
    paper: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Interval:
    """The interval in which a corpus score lies.

    Args:
        metric: The metric.
        rows: The rows of statistics of a system, `metric.stats(hypotheses, references)`; or a list of such arrays, one
            for each of several runs (training seeds), which are drawn anew as well.
        resamples: How many corpora to draw.
        seed: What to draw with; the same gives the same interval.
        confidence: How often such intervals hold the true score.
        units: A label for each segment, such as its document; segments of one label are drawn together.
        paper: Compute sacrebleu's interval, with its generator and formula.
        threads: How many to use; all cores by default.
        progress: Called with the number of resamples done and of all, now and then.

    Returns:
        The interval, in the metric's own range.

    Example:
        >>> import refscore
        >>> from refscore.significance import bootstrap
        >>> metric = refscore.CHRF()
        >>> references = ["the cat sat on the mat", "it rained all day", "we went home early", "nobody came"]
        >>> rows = metric.stats(["the cat sat on a mat", "it rains all day", "we are home", "nobody came"], references)
        >>> interval = bootstrap(metric, rows)
        >>> interval.low < metric.score(rows.sum(0)).value < interval.high
        True
    """
    runs = checked_runs(checked_metric(metric), rows, "rows")
    count, seed, confidence = checked_settings("resamples", resamples, seed, confidence, threads)
    if paper:
        original.check([len(runs)], confidence, units, seed)
    field = Field({"": metric}, {"": {"": runs}}, unit_numbers(units, len(runs[0])))
    if paper:
        return original.bootstrap(field, count, seed, threads, progress)
    values = field.resampled(_draw(seed, field.units), count, threads, progress)[""]
    return interval_of(_over_runs(values, seed, draws.BASELINE_RUNS), confidence, seed, field.grouped)


@overload
def paired_bootstrap(
    metric: Metric[Any],
    systems: Systems,
    *,
    resamples: int = ...,
    seed: int = ...,
    confidence: float = ...,
    units: Units | None = ...,
    holm: bool = ...,
    paper: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> Comparison: ...
@overload
def paired_bootstrap(
    metric: Mapping[str, Metric[Any]],
    systems: Mapping[str, Systems],
    *,
    resamples: int = ...,
    seed: int = ...,
    confidence: float = ...,
    units: Units | None = ...,
    holm: bool = ...,
    paper: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> dict[str, Comparison]: ...
def paired_bootstrap(
    metric: Metric[Any] | Mapping[str, Metric[Any]],
    systems: Systems | Mapping[str, Systems],
    *,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Units | None = None,
    holm: bool = False,
    paper: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison | dict[str, Comparison]:
    """Systems compared with a baseline on resampled segments, the same for all.

    The p-value is two-sided: the share of resamples in which the difference is as far from the real difference as
    that is from 0, or farther. An output identical to the baseline's has p = 1.

    Args:
        metric: The metric; or several, by labels of your own.
        systems: The rows of statistics of each system, `metric.stats(hypotheses, references)`, by its name; the first
            is the baseline. A list of such arrays stands for several runs (training seeds) of one system: its score is
            the mean of theirs, and runs are drawn anew as well as segments. For several metrics, such a mapping for
            each label.
        resamples: How many corpora to draw.
        seed: What to draw with; the same gives the same result.
        confidence: How often intervals hold the true score or difference.
        units: A label for each segment, such as its document; segments of one label are drawn together.
        holm: Correct p for the number of systems, by Holm's method, for each metric on its own.
        paper: Compute sacrebleu's intervals and p-values, with its generator and formulas.
        threads: How many to use; all cores by default.
        progress: Called with the number of resamples done and of all, now and then.

    Returns:
        The comparison; for several metrics, one for each label.

    Example:
        >>> import refscore
        >>> from refscore.significance import paired_bootstrap
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metrics = {"BLEU": refscore.BLEU(), "chrF": refscore.CHRF()}
        >>> rows = {
        ...     label: {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        ...     for label, metric in metrics.items()
        ... }
        >>> comparison = paired_bootstrap(metrics["chrF"], rows["chrF"])
        >>> comparison["new"].significant(), comparison["new"].win_probability
        (True, 1.0)
        >>> list(paired_bootstrap(metrics, rows))
        ['BLEU', 'chrF']
    """
    metrics, found, several = by_label(metric, systems)
    count, seed, confidence = checked_settings("resamples", resamples, seed, confidence, threads)
    if paper:
        original.check(runs_of(found), confidence, units, seed)
    field = Field(metrics, found, unit_numbers(units, segments_of(found)))
    if paper:
        outcomes = original.paired_bootstrap(field, count, seed, threads, progress)
    else:
        outcomes = resampled_outcomes(field, count, seed, confidence, threads, progress)
    made = {
        label: Comparison(
            label=label or metrics[label].title,
            metric=metrics[label],
            test="paired-bootstrap",
            systems=tuple(with_holm(outcomes[label]) if holm else outcomes[label]),
            seed=seed,
            resamples=count,
            confidence=confidence,
            segments=field.segments,
            units=field.grouped,
            holm=holm,
            paper=paper,
        )
        for label in metrics
    }
    return made if several else made[""]


def all_pairs(
    metrics: Mapping[str, Metric[Any]],
    systems: Mapping[str, Systems],
    *,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[str, list[Comparison]]:
    """Each system compared with each other one, on resamples that are drawn and scored once for all.

    Args:
        metrics: The metrics by labels of your own.
        systems: For each label the rows of statistics of each system by its name, as for `paired_bootstrap`.
        resamples: How many corpora to draw.
        seed: What to draw with; the same gives the same result.
        confidence: How often intervals hold the true score or difference.
        units: A label for each segment, such as its document; segments of one label are drawn together.
        threads: How many to use for scoring; all cores by default. Matrix products have NumPy's own threads.
        progress: Called with the number of resamples done and of all, now and then.

    Returns:
        For each label a comparison for each system, in which it is the baseline and so comes first: what
        `paired_bootstrap` finds for the systems in that order. p-values are not corrected for the number of pairs.

    Example:
        >>> import refscore
        >>> from refscore.significance import all_pairs
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metric = refscore.CHRF()
        >>> rows = {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        >>> old, new = all_pairs({"chrF": metric}, {"chrF": rows})["chrF"]
        >>> new.baseline.name, new["old"].difference == -old["new"].difference, new["old"].p == old["new"].p
        ('new', True, True)
    """
    metrics, found, _ = by_label(metrics, systems)
    count, seed, confidence = checked_settings("resamples", resamples, seed, confidence, threads)
    field = Field(metrics, found, unit_numbers(units, segments_of(found)))
    values = field.resampled(_draw(seed, field.units), count, threads, progress)
    scores = field.scores()
    return {
        label: [
            Comparison(
                label=label,
                metric=metrics[label],
                test="paired-bootstrap",
                systems=tuple(_outcomes(field, label, values[label], scores[label], seed, confidence, baseline)),
                seed=seed,
                resamples=count,
                confidence=confidence,
                segments=field.segments,
                units=field.grouped,
            )
            for baseline in range(len(field.names))
        ]
        for label in metrics
    }


def resampled_outcomes(
    field: Field, count: int, seed: int, confidence: float, threads: int | None, progress: Progress | None
) -> dict[str, list[Outcome]]:
    """For each metric the outcome of each system on resampled segments."""
    values = field.resampled(_draw(seed, field.units), count, threads, progress)
    scores = field.scores()
    return {label: _outcomes(field, label, values[label], scores[label], seed, confidence) for label in field.metrics}


def _draw(seed: int, units: int) -> Draw:
    return lambda begin, end: partial(draws.resamples, seed, begin, end, units)


def _over_runs(values: Matrix, seed: int, stream: int) -> Values:
    """The score of each resample: of several runs, the mean over runs drawn anew."""
    count, runs = values.shape
    if runs == 1:
        return values[:, 0]
    mean: Values = np.take_along_axis(values, draws.run_choices(seed, stream, count, runs), axis=1).mean(1)
    return mean


def _outcomes(
    field: Field,
    label: str,
    values: Matrix,
    scores: list[tuple[Score, ...]],
    seed: int,
    confidence: float,
    baseline_index: int = 0,
) -> list[Outcome]:
    """The outcome of the baseline, and then those of the other systems in their order."""
    order = [baseline_index, *(k for k in range(len(field.names)) if k != baseline_index)]
    columns = field.columns()
    first, *others = [
        _over_runs(values[:, columns[k]], seed, draws.BASELINE_RUNS if k == baseline_index else draws.SYSTEM_RUNS)
        for k in order
    ]
    baseline = Outcome(
        field.names[baseline_index], scores[baseline_index], interval_of(first, confidence, seed, field.grouped)
    )
    outcomes = [baseline]
    for k, own in zip(order[1:], others, strict=True):
        outcome = Outcome(field.names[k], scores[k], interval_of(own, confidence, seed, field.grouped))
        drawn, difference, near = own - first, outcome.score - baseline.score, tie(first, own)
        better = drawn > near if field.metrics[label].higher_is_better else drawn < -near
        wins = np.count_nonzero(better) + np.count_nonzero(np.abs(drawn) <= near) / 2
        outcomes.append(
            replace(
                outcome,
                difference=difference,
                difference_interval=interval_of(drawn, confidence, seed, field.grouped),
                p=share_as_large(drawn - difference, difference, near),
                win_probability=float(wins / len(drawn)),
            )
        )
    return outcomes


def interval_of(values: Values, confidence: float, seed: int, units: int | None) -> Interval:
    """The percentile interval of resampled values: the share (1 - confidence) / 2 of them is left out at each end."""
    ordered = np.sort(values)
    count = len(ordered)
    # The k-th of B values stands for the share k / (B + 1) of the distribution.
    places = np.clip((count + 1) * np.array([(1 - confidence) / 2, (1 + confidence) / 2]) - 1, 0, count - 1)
    low, high = np.interp(places, np.arange(count), ordered).tolist()
    return Interval(float(ordered.mean()), low, high, confidence, count, seed, units)
