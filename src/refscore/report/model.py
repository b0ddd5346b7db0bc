"""A report as plain data, made from texts: everything that the page shows, and nothing of how it shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import SettingError
from refscore.metrics import BLEU, RIBES, Metric
from refscore.metrics.core.prepared import PreparedReferences, Reading
from refscore.metrics.core.score import Rows, Values
from refscore.report import words
from refscore.report.browsing import Segments, browsed, sample
from refscore.report.profiles import (
    Buckets,
    Histogram,
    Lengths,
    Sums,
    WordOrder,
    by_length,
    histogram,
    n_gram_profile,
    running_sums,
    word_order,
)
from refscore.report.texts import DEFAULT_METRICS, Texts, checked_texts, chosen_metrics, word_metric
from refscore.report.verdicts import MetricResult, Resampling, compared, sentence

MOST_SEGMENTS = 10_000

Progress = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Profile:
    """Where systems differ by one metric: the metric of single segments, and the numbers behind the charts."""

    segment_signature: str
    histogram: Histogram
    by_length: Buckets
    sums: Sums


@dataclass(frozen=True)
class Report:
    """All that a report shows. `refscore.report.build_report` makes it.

    Attributes:
        title: The heading of the page.
        notes: Paragraphs under it.
        systems: The names of the systems; the first is the baseline.
        segments: How many segments there are.
        reference_counts: The fewest and the most references of a segment.
        has_source: Whether there are source texts.
        alpha: The largest p that is called significant.
        results: What each metric says.
        sentences: For each system but the baseline, what the tests say, in plain words.
        profiles: For each metric, where the systems differ.
        lengths: n-gram precisions and length ratios.
        word_order: RIBES' rank correlation against precision; None where no reference has words.
        frequencies: How systems do on rare and frequent words.
        contrasts: For each pair of systems the n-grams that set them apart.
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
    lengths: Lengths
    word_order: WordOrder | None
    frequencies: words.Frequencies
    contrasts: Mapping[tuple[int, int], words.Contrast]
    word_signature: str
    lowercase: bool | str
    shown: Segments


def build_report(
    systems: Mapping[str, Any],
    references: Any,
    *,
    source: Any = None,
    metrics: Any = DEFAULT_METRICS,
    segment_metrics: Mapping[str, Metric[Any]] | None = None,
    title: str = "",
    notes: str = "",
    resampling: Resampling | None = None,
    max_segments: int = MOST_SEGMENTS,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report on some systems, as data.

    Args:
        systems: The texts of each system by its name; the first is the baseline.
        references: One entry per segment: a string or a list of strings.
        source: The source texts, one per segment.
        metrics: Names of metrics, or metrics; in a mapping, under names of your own.
        segment_metrics: Those for single segments, under the same names; the same by default, but that BLEU with
            default settings becomes sacrebleu's sentence_bleu.
        title: The heading of the page; by default it names the systems.
        notes: Text under the heading; a blank line ends a paragraph.
        resampling: The settings of intervals and tests.
        max_segments: How many segments can be looked at; of more, a random sample. Scores, tests and charts of scores
            are of all segments in any case.
        threads: How many to use; all cores by default.
        progress: Called with what is being done, and how much of how much of it is done, now and then.

    Returns:
        The report.

    Example:
        >>> from refscore.report import build_report
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> report = build_report(systems, references, metrics=["chrf"])
        >>> report.sentences
        ('new is better than old on chrF2 (p = 0.001).',)
    """
    texts = checked_texts(systems, references, source)
    settings = resampling or Resampling()
    if isinstance(max_segments, bool) or not isinstance(max_segments, int) or not 1 <= max_segments <= 100_000:
        raise SettingError(f"max_segments must be a whole number from 1 to 100,000, not {max_segments!r}")
    if not 0 < settings.alpha < 1:
        raise SettingError(f"alpha must be a number between 0 and 1 such as 0.05, not {settings.alpha!r}")
    corpus, single = chosen_metrics(metrics, texts.references, segment_metrics)
    counts = [len(entry) for entry in texts.references]
    say = progress or (lambda *_: None)

    scoring = _Scoring(texts, threads)
    rows = {name: scoring.rows(metric) for name, metric in corpus.items()}
    results = compared(
        corpus, rows, (min(counts), max(counts)), settings, threads, lambda done, all_: say("resampling", done, all_)
    )
    values: dict[str, list[Values]] = {
        name: [metric.values(own, threads=threads) for own in rows[name].values()] for name, metric in single.items()
    }

    say("looking at words", 0, 1)
    bleu = word_metric(corpus)
    shown = sample(len(texts), max_segments, settings.seed)
    shown_words = words.shown_words(bleu.pipeline, texts.systems, texts.references, shown)
    frequencies, contrasts = words.analyzed(words.numbered(shown_words), len(texts.systems))
    lengths = _reference_lengths(texts, bleu, threads)
    ribes = next((metric for metric in corpus.values() if isinstance(metric, RIBES)), RIBES(empty_reference="skip"))
    order = word_order(ribes, list(scoring.rows(ribes).values()))
    names = tuple(texts.systems)
    say("marking words", 0, 1)
    return Report(
        title=title or _default_title(names),
        notes=tuple(part for part in map(str.strip, notes.split("\n\n")) if part),
        systems=names,
        segments=len(texts),
        reference_counts=(min(counts), max(counts)),
        has_source=texts.source is not None,
        alpha=settings.alpha,
        results=tuple(results),
        sentences=tuple(sentence(results, 0, k, names, settings.alpha) for k in range(1, len(names))),
        profiles=tuple(
            _profile(single[name], corpus[name], list(rows[name].values()), values[name], lengths) for name in corpus
        ),
        lengths=n_gram_profile(scoring.rows(bleu), bleu),
        word_order=order,
        frequencies=frequencies,
        contrasts=contrasts,
        word_signature=str(bleu.pipeline),
        lowercase=bleu.lowercase,
        shown=browsed(texts, shown, shown_words, single, values),
    )


class _Scoring:
    """Rows of all systems by any metric; references are read once for all metrics that read alike."""

    def __init__(self, texts: Texts, threads: int | None) -> None:
        self._texts = texts
        self._threads = threads
        self._prepared: dict[Reading, PreparedReferences] = {}
        self._rows: dict[Metric[Any], dict[str, Rows]] = {}

    def rows(self, metric: Metric[Any]) -> dict[str, Rows]:
        """The rows of each system."""
        if metric not in self._rows:
            if metric.reading not in self._prepared:
                self._prepared[metric.reading] = metric.prepare(self._texts.references)
            prepared = self._prepared[metric.reading]
            self._rows[metric] = {
                name: metric.stats(hypotheses, prepared, threads=self._threads)
                for name, hypotheses in self._texts.systems.items()
            }
        return self._rows[metric]


def _reference_lengths(texts: Texts, metric: BLEU, threads: int | None) -> NDArray[np.int64]:
    """The mean number of words of each segment's references, rounded."""
    flat = [text for entry in texts.references for text in entry]
    counts = np.array([len(entry) for entry in texts.references])
    # A hypothesis is counted by the kernel, wherever its text comes from.
    lengths = metric.stats(flat, flat, threads=threads)[:, 0]
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    means: NDArray[np.int64] = np.rint(np.add.reduceat(lengths, begins) / counts).astype(np.int64)
    return means


def _profile(
    single: Metric[Any], corpus: Metric[Any], rows: list[Rows], values: list[Values], lengths: NDArray[np.int64]
) -> Profile:
    return Profile(
        single.signature,
        histogram(single, values),
        by_length(corpus, rows, lengths),
        running_sums(single, values),
    )


def _default_title(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f"Report on {names[0]}"
    return f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} and {len(names) - 1} other systems"
