"""A report as plain data: everything that the page shows, and nothing about how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import EmptyReferenceError, Location, SettingError, relocated
from refscore.metrics import BLEU, RIBES, Metric, MetricChoices
from refscore.metrics.core.prepared import PreparedReferences, Reading
from refscore.metrics.core.score import Rows
from refscore.metrics.core.settings import whole_number
from refscore.report import chart_data, word_statistics
from refscore.report.inputs import DEFAULT_METRICS, Texts, check_texts, choose_metrics, system_side, word_pipeline
from refscore.report.segment_browser import Segments, browse_segments, sample_segments
from refscore.report.significance_verdicts import MetricResult, compare_systems, describe_verdicts

DEFAULT_SEGMENTS = 10_000
MOST_SEGMENTS = 100_000

Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Profile:
    """Where systems differ by one metric: the metric of single segments, and the numbers behind the charts."""

    segment_signature: str
    histogram: chart_data.Histogram
    by_length: chart_data.Buckets
    sums: chart_data.Sums


@dataclass(frozen=True)
class Report:
    """Everything that a report shows; `refscore.report.build_report` returns it.

    Attributes:
        title: The heading of the page.
        notes: Paragraphs under it.
        systems: The names of the systems; the first is the baseline.
        segments: The number of segments.
        reference_counts: The fewest and the most references of a segment.
        has_source: Whether there are source texts.
        alpha: The largest p that is called significant.
        results: The results of each metric.
        sentences: For each system but the baseline, what the tests say, in words; none if there is only one segment.
        profiles: For each metric, where the systems differ.
        ngrams: n-gram precisions and length ratios.
        word_order: Rank correlation against word precision, the factors of RIBES; None if no reference has words.
        frequencies: How well systems do on rare and frequent words.
        contrasts: For each pair of systems the n-grams that distinguish them.
        word_signature: How text is split into the words that are counted and marked.
        lowercase: Whether words are compared without regard to case.
        shown: The segments that can be looked at.

    Example:
        >>> from refscore.report import build_report
        >>> report = build_report({"one": ["a cat", "a dog"], "two": ["a cat", "dog"]}, ["the cat", "a dog"])
        >>> report.systems, report.segments, [result.title for result in report.results]
        (('one', 'two'), 2, ['BLEU', 'chrF2', 'TER'])
    """

    title: str
    notes: tuple[str, ...]
    systems: tuple[str, ...]
    segments: int
    reference_counts: tuple[int, int]
    has_source: bool
    alpha: float
    results: tuple[MetricResult, ...]
    sentences: tuple[str, ...]
    profiles: tuple[Profile, ...]
    ngrams: chart_data.NGramProfile
    word_order: chart_data.WordOrder | None
    frequencies: word_statistics.Frequencies
    contrasts: Mapping[tuple[int, int], word_statistics.Contrast]
    word_signature: str
    lowercase: bool | str
    shown: Segments


def build_report(
    systems: Mapping[str, Any],
    references: Any,
    *,
    source: Any = None,
    metrics: MetricChoices = DEFAULT_METRICS,
    segment_metrics: Mapping[str, Metric[Any]] | None = None,
    title: str = "",
    notes: str = "",
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Any = None,
    alpha: float = 0.05,
    holm: bool = False,
    max_segments: int = DEFAULT_SEGMENTS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Build the report on some systems, as data.

    Args:
        systems: The texts of each system by its name; the first is the baseline.
        references: One entry per segment: a string or a list of strings.
        source: The source texts, one per segment.
        metrics: Names of metrics, or metrics; in a mapping, under titles of your own.
        segment_metrics: The metrics for single segments, under the same labels; by default what `for_segments` of each
            metric returns: for BLEU with default settings, sacrebleu's sentence_bleu.
        title: The heading of the page; by default it names the systems.
        notes: Text under the heading; a blank line ends a paragraph.
        resamples: The number of corpora that the paired bootstrap draws.
        seed: The seed of the draws; the same seed gives the same report.
        confidence: The confidence of intervals.
        units: A label for each segment, such as its document; segments of one label are drawn together.
        alpha: The largest p that is called significant.
        holm: Correct p-values of the comparisons with the baseline for the number of systems.
        max_segments: The largest number of segments that the page shows; of more, it shows a random sample. Scores,
            tests and charts of scores always use all segments.
        threads: How many to use; all cores by default.
        progress: Called now and then with the name of the step, the work done and all work of the step.

    Returns:
        The report.

    Example:
        >>> from refscore.report import build_report
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> report = build_report(systems, references, metrics=["chrf"])
        >>> report.sentences
        ('new is better than old on chrF2 (p ≤ 0.001).',)
    """
    texts = check_texts(systems, references, source)
    whole_number("max_segments", max_segments, 1, MOST_SEGMENTS)
    if not 0 < alpha < 1:
        raise SettingError(f"alpha must be a number between 0 and 1 such as 0.05, not {alpha!r}")
    corpus, single = choose_metrics(metrics, texts.references, segment_metrics)
    counts = [len(entry) for entry in texts.references]
    show = progress or (lambda *_: None)

    scoring = _Scoring(texts, threads)
    rows = {name: scoring.rows(metric) for name, metric in corpus.items()}
    results = compare_systems(
        corpus,
        rows,
        (min(counts), max(counts)),
        holm=holm,
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        units=units,
        threads=threads,
        progress=partial(show, "resampling"),
    )
    values = {
        name: [metric.values(table, threads=threads) for table in scoring.rows(metric).values()]
        for name, metric in single.items()
    }

    show("looking at words", 0, 1)
    pipeline = word_pipeline(corpus, texts.references)
    shown = sample_segments(len(texts), max_segments, seed)
    shown_words = word_statistics.split_shown(pipeline, texts.systems, texts.references, shown)
    frequencies, contrasts = word_statistics.analyze(word_statistics.number_words(shown_words), len(texts.systems))
    # Two metrics are instruments of the page: n-gram precisions are counted by BLEU, word order is measured by RIBES.
    words: Any = {name: getattr(pipeline, name) for name in ("tokenizer", "lowercase", "normalize")}
    bleu, ribes = BLEU(**words), RIBES(**words, empty_reference="skip")
    lengths = _reference_lengths(texts, bleu, threads)
    names = tuple(texts.systems)
    show("marking words", 0, 1)
    return Report(
        title=title or _default_title(names),
        notes=tuple(part for part in map(str.strip, notes.split("\n\n")) if part),
        systems=names,
        segments=len(texts),
        reference_counts=(min(counts), max(counts)),
        has_source=texts.source is not None,
        alpha=alpha,
        results=tuple(results),
        sentences=tuple(describe_verdicts(results, k, names, alpha) for k in range(1, len(names)) if len(texts) > 1),
        profiles=tuple(
            Profile(
                single[name].signature,
                chart_data.histogram(single[name], values[name]),
                chart_data.by_length(metric, list(rows[name].values()), lengths),
                chart_data.running_sums(single[name], values[name]),
            )
            for name, metric in corpus.items()
        ),
        ngrams=chart_data.ngram_profile(bleu, list(scoring.rows(bleu).values())),
        word_order=chart_data.word_order(list(scoring.rows(ribes).values())),
        frequencies=frequencies,
        contrasts=contrasts,
        word_signature=str(pipeline),
        lowercase=pipeline.lowercase,
        shown=browse_segments(texts, shown, shown_words, single, values),
    )


class _Scoring:
    """Rows of all systems by any metric; references are tokenized once for all metrics that read alike."""

    def __init__(self, texts: Texts, threads: int | None) -> None:
        self._texts = texts
        self._threads = threads
        self._prepared: dict[Reading, PreparedReferences] = {}
        self._rows: dict[Metric[Any], dict[str, Rows]] = {}

    def rows(self, metric: Metric[Any]) -> dict[str, Rows]:
        """Return the rows of each system."""
        if metric not in self._rows:
            self._rows[metric] = {
                name: self._system_rows(metric, name, hypotheses) for name, hypotheses in self._texts.systems.items()
            }
        return self._rows[metric]

    def _system_rows(self, metric: Metric[Any], name: str, hypotheses: list[str]) -> Rows:
        with relocated(partial(Location.on_sides, hypotheses=system_side(name))):
            try:
                if metric.reading not in self._prepared:
                    self._prepared[metric.reading] = metric.prepare(self._texts.references)
                return metric.stats(hypotheses, self._prepared[metric.reading], threads=self._threads)
            except EmptyReferenceError:
                # Checked references lack the missing ones: the error of the given references has the right index.
                metric.stats(hypotheses, self._texts.given_references, threads=self._threads)
                raise


def _reference_lengths(texts: Texts, metric: BLEU, threads: int | None) -> NDArray[np.int64]:
    """The mean number of words of each segment's references, rounded."""
    flat = [text for entry in texts.references for text in entry]
    counts = np.array([len(entry) for entry in texts.references])
    # The kernel counts the words of hypotheses, so references are passed as such.
    lengths = metric.stats(flat, flat, threads=threads)[:, 0]
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    means: NDArray[np.int64] = np.rint(np.add.reduceat(lengths, begins) / counts).astype(np.int64)
    return means


def _default_title(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f"Report on {names[0]}"
    return f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} and {len(names) - 1} other systems"
