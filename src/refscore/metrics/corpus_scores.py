"""Corpus scores by several metrics at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from refscore.metrics.core.arrow_columns import columns
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Score
from refscore.metrics.core.selection import MetricChoices, parse_metrics
from refscore.segments import Hypotheses, References


def scores(
    hypotheses: Hypotheses,
    references: References,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    threads: int | None = None,
) -> dict[str, Score]:
    """Return the corpus scores by several metrics, as for a row of a results table.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        threads: The number of threads; all cores by default.

    Returns:
        The score of each metric, by its name or label.

    Example:
        >>> import refscore
        >>> hypotheses, references = ["the cat sat on a mat"], ["the cat sat on the mat"]
        >>> for name, score in refscore.scores(hypotheses, references).items():
        ...     print(f"{name:4} {score.percent:.2f}")
        bleu 53.73
        chrf 65.98
        ter  16.67
        >>> chosen = {"chrF++": refscore.CHRF(word_order=2), "RIBES": "ribes"}
        >>> {name: round(score, 4) for name, score in refscore.scores(hypotheses, references, chosen).items()}
        {'chrF++': 0.6744, 'RIBES': 0.9554}
    """
    chosen = parse_metrics(metrics)
    sides: tuple[Any, Any] = columns(hypotheses, references, kernel_threads(threads))
    # Every metric iterates over the input.
    sides = tuple(list(side) if isinstance(side, Iterator) else side for side in sides)  # type: ignore[assignment]
    return {label: metric.corpus(*sides, threads=threads) for label, metric in chosen.items()}
