"""Scores of a corpus, or of each of its segments, by several metrics at once."""

from __future__ import annotations

from typing import Any

from refscore.data_warnings import unchecked
from refscore.inputs import Hypotheses, Input, References, Sources
from refscore.metrics.core.data_checks import check_corpus, check_segments
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Score, Values
from refscore.metrics.core.selection import MetricChoices, parse_metrics


def scores(
    hypotheses: Hypotheses,
    references: References,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    sources: Sources = None,
    threads: int | None = None,
) -> dict[str, Score]:
    """Return the corpus scores by several metrics, as for a row of a results table.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source of each segment, for metrics that need it.
        threads: The number of threads; all cores by default.

    Returns:
        The score of each metric, by its name or label.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cat sat on a mat", "it was late"]
        >>> references = ["the cat sat on the mat", "it was late"]
        >>> for name, score in refscore.scores(hypotheses, references).items():
        ...     print(f"{name:4} {score.percent:.2f}")
        bleu 59.69
        chrf 76.17
        ter  11.11
        >>> chosen = {"chrF++": refscore.CHRF(word_order=2), "RIBES": "ribes"}
        >>> {name: round(score, 4) for name, score in refscore.scores(hypotheses, references, chosen).items()}
        {'chrF++': 0.7719, 'RIBES': 0.9777}
    """
    chosen = parse_metrics(metrics)
    *sides, texts = _reusable(hypotheses, references, sources, threads)
    with unchecked():
        results = {label: metric.corpus(*sides, sources=texts, threads=threads) for label, metric in chosen.items()}
    check_corpus(Input(*sides), [*results.values()])
    return results


def segment_scores(
    hypotheses: Hypotheses,
    references: References,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    sources: Sources = None,
    threads: int | None = None,
) -> dict[str, Values]:
    """Return the score of each segment by several metrics, with the metrics' settings for single segments.

    Names get the settings for segments: "bleu" is sacrebleu's `sentence_bleu`. Metric objects and presets keep theirs.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source of each segment, for metrics that need it.
        threads: The number of threads; all cores by default.

    Returns:
        An array with one score per segment for each metric, by its name or label.

    Example:
        >>> import refscore
        >>> hypotheses, references = ["a cat", "it rained all day"], ["a cat", "it rains all day"]
        >>> for name, values in refscore.segment_scores(hypotheses, references).items():
        ...     print(f"{name:4}", values.round(4))
        bleu [1.     0.3536]
        chrf [1.     0.6183]
        ter  [0.   0.25]
    """
    chosen = parse_metrics(metrics, for_segments=True)
    *sides, texts = _reusable(hypotheses, references, sources, threads)
    fitted = {label: metric.fit(sides[1]) if metric.needs_fit else metric for label, metric in chosen.items()}
    with unchecked():
        values = {label: metric.segments(*sides, sources=texts, threads=threads) for label, metric in fitted.items()}
    check_segments(Input(*sides), [(metric, values[label]) for label, metric in fitted.items()])
    return values


def _reusable(hypotheses: Any, references: Any, sources: Any, threads: int | None) -> list[Any]:
    """Return hypotheses, references and sources in a form that every metric can read."""
    given = Input(hypotheses, references, sources)
    given.read(kernel_threads(threads))
    given.read_sources(kernel_threads(threads))
    return [None if side is None else side.value for side in (given.hypotheses, given.references, given.sources)]
