"""The report as plain data, without its presentation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore.data_warnings import DataWarning, is_checked, issue, unchecked
from refscore.evaluation import Evaluation, evaluate
from refscore.inputs import Hypotheses, Labels, References, Sources
from refscore.meta import Judgments
from refscore.meta.judgments import Scores
from refscore.metrics import DEFAULT_METRICS, Metric, MetricChoices, RowMetric
from refscore.progress import Progress
from refscore.report import chart_data, word_statistics
from refscore.report.agreement import Agreement, check_human, measure_agreement
from refscore.report.errors import ErrorProfile, check_labels, profile_errors
from refscore.report.inputs import (
    NGRAM_METRIC,
    ORDER_METRIC,
    Texts,
    check_texts,
    choose_segment_metrics,
    segment_values,
    texts_of,
    word_pipeline,
)
from refscore.report.scores import Group, MetricResult, compare_systems, describe_verdicts, rows_by_title
from refscore.report.segment_browser import Segments, browse_segments, sample_segments
from refscore.settings import Flag, WholeNumber, setting
from refscore.significance import Resampling, Tests
from refscore.significance.settings import ALPHA, merge_settings
from refscore.text_display import counted
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class ReportOptions(TypedDict, total=False):
        """The options of `report_evaluation`."""

        reporting: Reporting | None
        segment_metrics: Mapping[str, RowMetric[Any]] | None
        by: Any
        human: Scores | Judgments | None
        speakers: Labels | None
        audio: Iterable[str | None] | None
        title: str
        notes: str
        threads: int | None
        progress: Progress | None


GROUPING = "group"  # the name of a grouping of which only the labels are known


@dataclass(frozen=True, kw_only=True)
class Reporting(Resampling):
    """The settings of reports.

    Example:
        >>> from refscore.report import Reporting
        >>> Reporting(max_segments=100).alpha
        0.05
    """

    name = "report"

    alpha: float = ALPHA
    holm: bool = setting(
        False,
        "Correct p-values for the number of systems, by Holm's method. Only comparisons with the baseline are "
        "corrected.",
        Flag(),
        key="holm",
    )
    max_segments: int = setting(
        10_000,
        "The largest number of segments on the page. More are sampled at random. Scores, tests and charts of scores "
        "always use all segments.",
        WholeNumber(1, 100_000),
    )

    @property
    def tests(self) -> Tests:
        """The settings of the significance tests."""
        return Tests(holm=self.holm, alpha=self.alpha, **{name: getattr(self, name) for name in Resampling.settings()})


@dataclass(frozen=True)
class Profile:
    """Where systems differ by one metric: the metric for single segments, and the numbers behind the charts."""

    segment_signature: str
    histogram: chart_data.Histogram
    by_length: chart_data.Buckets
    sums: chart_data.Sums


@dataclass(frozen=True)
class Report:
    """The contents of a report, as `refscore.report.build_report` returns them.

    Attributes:
        title: The heading of the page.
        notes: The paragraphs below the heading.
        systems: The names of the systems. The first system is the baseline.
        segments: The number of segments.
        reference_counts: The smallest and largest number of references per segment; 0 without references.
        has_source: Whether there are source texts.
        alpha: The largest significant p-value.
        results: The results of each metric.
        sentences: The verdict on each system except the baseline, as a sentence. Empty for a single segment.
        profiles: Where the systems differ, for each metric.
        ngrams: The n-gram precisions and length ratios.
        word_order: The means of rank correlation and word precision. None if no reference has words.
        frequencies: The quality of each system on rare and frequent words.
        contrasts: The n-grams that distinguish two systems, for each pair.
        word_signature: The tokenizer of the words that are counted and marked.
        lowercase: Whether words are lowercased before they are compared.
        shown: The segments on the page.
        agreement: How well the metrics agree with people, or None without human scores.
        warnings: The warnings about the data, which the page lists below the heading.
        errors: The errors by word and by speaker, for each metric with alignments, such as WER.
        by: The name of the grouping.
        groups: The results of each group of segments. Empty without `by`.

    Example:
        >>> from refscore.report import build_report
        >>> systems = {"one": ["a cat sat here", "a dog"], "two": ["a cat sits here", "dog"]}
        >>> report = build_report(systems, ["the cat sat here", "a dog"])
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
    agreement: Agreement | None = None
    warnings: tuple[DataWarning, ...] = ()
    errors: tuple[ErrorProfile, ...] = ()
    by: str = ""
    groups: tuple[Group, ...] = ()

    def __repr__(self) -> str:
        systems = f"{counted(len(self.systems), 'system')} by {', '.join(result.title for result in self.results)}"
        return f"<report on {systems}: {counted(self.segments, 'segment')}, baseline {self.systems[0]}>"


def build_report(
    systems: Mapping[str, Hypotheses],
    references: References,
    *,
    sources: Sources = None,
    metrics: MetricChoices = DEFAULT_METRICS,
    rows: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    units: Labels | None = None,
    **options: Unpack[ReportOptions],
) -> Report:
    """Build a report on one or more systems, as data.

    Args:
        systems: The texts of each system, by name. The first system is the baseline.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Reports accept
            only texts.
        sources: The source texts, one per segment.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        rows: One row of statistics per segment, as an array of shape (segments, columns). By the labels of metrics that
            do not score texts, such as `refscore.Given`, and by system.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        **options: The options of `refscore.report.report_evaluation`. `by` is a label per segment, such as its domain.

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
    check_texts(systems, references, sources)
    groups = {}
    if options.get("by") is not None:
        groups, options["by"] = {GROUPING: options["by"]}, GROUPING
    with unchecked():
        evaluation = evaluate(
            systems,
            references,
            metrics,
            sources=sources,
            rows=rows,
            units=units,
            groups=groups,
            threads=options.get("threads"),
        )
    return describe_evaluation(evaluation, **options)


def describe_evaluation(
    evaluation: Evaluation,
    reporting: Reporting | None = None,
    *,
    segment_metrics: Mapping[str, RowMetric[Any]] | None = None,
    by: str | None = None,
    human: Scores | Judgments | None = None,
    speakers: Labels | None = None,
    audio: Iterable[str | None] | None = None,
    title: str = "",
    notes: str = "",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Return the report on an evaluation, without writing it. See `refscore.report.report_evaluation`."""
    texts = texts_of(evaluation)
    settings = merge_settings(Reporting, reporting, {})
    alpha, seed = settings.alpha, settings.seed
    speaker_labels = check_labels(speakers, "speakers", len(texts))
    audio_labels = check_labels(audio, "audio", len(texts))
    judgments = None if human is None else check_human(human, list(texts.systems), len(texts))
    single_by_label = choose_segment_metrics(evaluation, segment_metrics)
    titles = evaluation.titles
    corpus = {titles[label]: metric for label, metric in evaluation.metrics.items()}
    single = {titles[label]: metric for label, metric in single_by_label.items()}
    all_rows = rows_by_title(evaluation)
    show = progress or (lambda *_: None)
    results = compare_systems(evaluation, settings.tests, can_resample=len(texts) > 1, threads=threads, progress=show)
    parts = {} if by is None else evaluation.by(by)
    groups = []
    for label, part in parts.items():
        # A group may be a single unit, such as one document. Its intervals and tests are undefined.
        units = len(set(range(part.segments) if part.units is None else part.units))
        part_results = compare_systems(part, settings.tests, can_resample=units > 1, threads=threads)
        groups.append(Group(str(label), part.segments, part_results))
        show("comparing groups", len(groups), len(parts))
    found = evaluation.warnings
    if is_checked():
        issue(found)
    with unchecked():
        values = segment_values(evaluation, single_by_label, texts, threads)
    agreement = None
    if judgments is not None:
        agreement = measure_agreement(
            results, values, judgments, alpha=alpha, seed=seed, threads=threads, progress=show
        )

    show("counting words", 0, 1)
    scoring = {name: metric for name, metric in corpus.items() if isinstance(metric, Metric)}
    pipeline = word_pipeline(scoring, texts.references)
    shown = sample_segments(len(texts), settings.max_segments, seed)
    shown_words = word_statistics.split_shown(pipeline, texts.systems, texts.references, shown)
    frequencies, contrasts = word_statistics.analyze(word_statistics.number_words(shown_words), len(texts.systems))
    words: Any = {name: getattr(pipeline, name) for name in ("tokenizer", "lowercase", "normalize")}
    ngrams, order = replace(NGRAM_METRIC, **words), replace(ORDER_METRIC, **words)
    with unchecked():
        profiled = evaluate(texts.systems, texts.references, {"ngrams": ngrams, "order": order}, threads=threads)
    lengths = _reference_lengths(texts, pipeline)
    by_length = {
        name: chart_data.by_length(metric, list(all_rows[name].values()), lengths) for name, metric in corpus.items()
    }
    names = tuple(texts.systems)
    counts = [len(entry) * texts.has_references for entry in texts.references]
    show("marking words", 0, 1)
    return Report(
        title=title or _default_title(names),
        notes=tuple(part for part in map(str.strip, notes.split("\n\n")) if part),
        systems=names,
        segments=len(texts),
        reference_counts=(min(counts), max(counts)),
        has_source=texts.source is not None,
        alpha=alpha,
        results=results,
        sentences=tuple(describe_verdicts(results, k, names, alpha) for k in range(1, len(names)) if len(texts) > 1),
        profiles=tuple(
            Profile(
                single[name].signature,
                chart_data.histogram(single[name], values[name]),
                by_length[name],
                chart_data.running_sums(single[name], values[name]),
            )
            for name in corpus
        ),
        ngrams=chart_data.ngram_profile(ngrams, [profiled.rows("ngrams", name) for name in names]),
        word_order=chart_data.word_order(order, [profiled.rows("order", name) for name in names]),
        frequencies=frequencies,
        contrasts=contrasts,
        word_signature=str(pipeline),
        lowercase=pipeline.lowercase,
        shown=replace(
            browse_segments(texts, shown, shown_words, single, values),
            groups=None if by is None else [[*parts].index(evaluation.groups[by][i]) for i in shown],
            audio=None if audio_labels is None else [audio_labels[i] for i in shown],
        ),
        agreement=agreement,
        warnings=tuple(found),
        errors=profile_errors(scoring, all_rows, by_length, texts, speaker_labels, audio_labels, threads),
        by=by or "",
        groups=tuple(groups),
    )


def _reference_lengths(texts: Texts, pipeline: Pipeline) -> NDArray[np.int64]:
    """Return the rounded mean number of words in each segment's references."""
    counts = np.array([len(entry) for entry in texts.references])
    lengths = pipeline.count_tokens([text for entry in texts.references for text in entry])
    begins = np.concatenate([[0], np.cumsum(counts)[:-1]])
    means: NDArray[np.int64] = np.rint(np.add.reduceat(lengths, begins) / counts).astype(np.int64)
    return means


def _default_title(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f"Report on {names[0]}"
    return f"{names[0]} and {names[1]}" if len(names) == 2 else f"{names[0]} and {len(names) - 1} other systems"
