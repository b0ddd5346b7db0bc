"""Evaluate texts that are in memory, and the short forms of this."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from refscore.data_warnings import is_checked, issue, unchecked
from refscore.errors import InputError
from refscore.evaluation.evaluation import UNNAMED, Evaluation
from refscore.evaluation.scoring import fitted_metrics, text_metrics
from refscore.evaluation.systems import check_labels, read_systems
from refscore.inputs import Groups, Hypotheses, Labels, References, Sources, Systems
from refscore.metrics import DEFAULT_METRICS, MetricChoices, Score, Values, check_segments, parse_row_metrics
from refscore.progress import Progress

if TYPE_CHECKING:
    from refscore.evaluation.retained_rows import Retain


def evaluate(
    systems: Hypotheses | Systems,
    references: References,
    metrics: MetricChoices = DEFAULT_METRICS,
    *,
    sources: Sources = None,
    rows: Mapping[str, ArrayLike | Mapping[str, ArrayLike]] | None = None,
    units: Labels | None = None,
    groups: Groups | None = None,
    retain: Retain = "rows",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Score systems by several metrics. Everything else is a view of the result: scores, intervals, tests, reports.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. Token sequences also work. The
            texts of several training runs are a dictionary with one entry per run, or a list of lists of texts. A list
            of texts is a single system.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source of each segment, for metrics that need it.
        rows: One row of statistics per segment, as an array of shape (segments, columns). By the labels of metrics that
            do not score texts, such as `refscore.Given`, and by system. Several runs have a list of arrays.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        groups: Lists with a label per segment, by the name of the grouping, such as {"domain": labels}.
        retain: "rows" retains one row per segment, system and metric. "sums" retains only their sums, and a number the
            rows of a random sample of this size.
        threads: The number of threads, by default all cores. The result does not depend on it.
        progress: A function called with the name of the current step, the amount of work done and the total.

    Returns:
        The evaluation.

    Example:
        >>> import refscore
        >>> references = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> old = ["a cat sat on a mat", "it rains", "we go home", "no one came"]
        >>> evaluation = refscore.evaluate({"old": old, "new": references}, references, ["chrf", "wer"])
        >>> round(evaluation["old"]["chrf"].percent, 2), evaluation["new"]["wer"].value
        (29.54, 0.0)
        >>> evaluation.compare("old", test="bootstrap").verdict("chrf", "new")
        'better'
    """
    block, runs = read_systems(systems, references, sources, threads, UNNAMED)
    if units is not None or groups is not None:
        unit_labels, group_labels = check_labels(units, groups, block.segments)
        block = replace(block, units=unit_labels, groups=group_labels)
    fitted = fitted_metrics(parse_row_metrics(metrics), block.references)
    evaluation = Evaluation(fitted, runs, retain=retain, choices=metrics)
    evaluation.add_block(block, block.locate, rows=rows, threads=threads, progress=progress)
    evaluation.texts = block
    if is_checked():
        issue(evaluation.warnings)
    return evaluation


def load(path: str | os.PathLike[str], *, metrics: MetricChoices | None = None) -> Evaluation:
    """Load an evaluation that was saved.

    Args:
        path: The file.
        metrics: The metrics of the saved evaluation. Needed if a signature cannot describe a metric completely, for
            example if its tokenizer is a function.

    Example:
        >>> import refscore, tempfile
        >>> evaluation = refscore.evaluate(["a cat"], ["the cat"], "wer")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     evaluation.save(f"{folder}/main.refscore")
        ...     refscore.load(f"{folder}/main.refscore").score().percent
        50.0
    """
    return Evaluation.load(path, metrics=metrics)


def scores(
    hypotheses: Hypotheses,
    references: References,
    metrics: MetricChoices = DEFAULT_METRICS,
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
        threads: The number of threads, by default all cores.

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
    evaluation = evaluate(hypotheses, references, metrics, sources=sources, retain="sums", threads=threads)
    if not evaluation.segments:
        raise InputError(None, "hypotheses is empty", "pass at least one segment")
    return evaluation.scores()


def segment_scores(
    hypotheses: Hypotheses,
    references: References,
    metrics: MetricChoices = DEFAULT_METRICS,
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
        threads: The number of threads, by default all cores.

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
    with unchecked():
        evaluation = evaluate(hypotheses, references, metrics, sources=sources, threads=threads)
    values = {label: evaluation.segment_scores(label, threads=threads)[UNNAMED] for label in evaluation.metrics}
    assert evaluation.texts is not None
    scored = [(metric, values[label]) for label, metric in text_metrics(evaluation.segment_metrics).items()]
    check_segments(evaluation.texts.inputs[0], scored)
    return values
