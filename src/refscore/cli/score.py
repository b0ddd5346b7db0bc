"""`refscore score`: score several systems with several metrics."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from refscore.cli.bootstrap_options import BootstrapOptions, bootstrap_options, reject_without_ci
from refscore.cli.engine_options import EngineOptions, engine_options
from refscore.cli.input_options import InputOptions, complete_file, input_options
from refscore.cli.limits_options import limits_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.output import digits_option, quiet_option, show_json, show_tables, table_options, threads_option
from refscore.cli.progress import ProgressBar
from refscore.cli.segment_files import SegmentWriter, check_segment_file
from refscore.cli.system_scores import Results, score_systems
from refscore.cli.systems import parse_systems
from refscore.metrics import Metric
from refscore.metrics.core.selection import metric_titles
from refscore.tables import Column, Highlight, Table

if TYPE_CHECKING:
    from refscore.significance import Interval

# Keys are the name of a system and the label of a metric.
Intervals: TypeAlias = "Mapping[tuple[str, str], Interval]"


@click.command(epilog="Example: refscore score base=a.txt new=b.txt -r ref.txt -m bleu,chrf++,ter --ci")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@metric_options
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals.")
@bootstrap_options
@click.option(
    "--segments",
    "segment_file",
    metavar="FILE",
    help="Write the score of every segment to FILE (.tsv, .csv or .jsonl). - prints them instead of the table.",
)
@engine_options
@table_options
@digits_option
@limits_options
@threads_option
@quiet_option
def score(
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    with_intervals: bool,
    bootstrap: BootstrapOptions,
    segment_file: str | None,
    engine_options: EngineOptions,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Print the scores of the systems HYP, one row per system.

    HYP is a file with one segment per line, or NAME=FILE to name the system. Files may be compressed. FILE:FIELD reads
    a field of a TSV, CSV, JSON, Parquet, XML or SGML file; - is standard input. The default metrics are BLEU, chrF and
    TER.

    Segment scores have the scale of the table. Without a preset or signature, their BLEU is sacrebleu's sentence_bleu.
    """
    engine_options.check()
    if not with_intervals:
        reject_without_ci()
    languages = input_options.languages
    metrics = metric_options.metrics(languages=languages)
    if segment_file is not None:
        check_segment_file(segment_file, form)
    systems = parse_systems(hypotheses)
    segment_metrics: Mapping[str, Metric[Any]] = {}
    if engine_options.engine is not None:
        results = engine_options.score(systems, input_options.files(), metrics, threads)
    else:
        with (
            input_options.open(systems, bootstrap.units) as inputs,
            ProgressBar("scoring", "segments", quiet=quiet) as progress,
            ExitStack() as stack,
        ):
            take_rows = None
            if segment_file is not None:
                names = [system.name for system in systems]
                choose = partial(metric_options.segment_metrics, languages=languages)
                writer = stack.enter_context(SegmentWriter(segment_file, form, names, choose, threads))
                take_rows = writer.take
            results = score_systems(
                inputs, metrics, progress, keep_rows=with_intervals, threads=threads, take_rows=take_rows
            )
            if segment_file is not None:
                writer.finish()
                segment_metrics = writer.metrics
        if segment_file == "-":
            return
    intervals = _intervals(results, bootstrap, threads, quiet) if with_intervals else {}
    notes = [
        f"segments: {metric.signature}" for label, metric in segment_metrics.items() if metric != results.metrics[label]
    ]
    show_scores(results, intervals, form, digits, notes, segment_metrics)


def _intervals(results: Results, options: BootstrapOptions, threads: int | None, quiet: bool) -> Intervals:
    from refscore.significance import bootstrap

    intervals = {}
    with ProgressBar("resampling", "resamples", quiet=quiet) as progress:
        pairs = [(result, label) for result in results.systems for label in results.metrics]
        for done, (result, label) in enumerate(pairs):

            def show(count: int, total: int, done: int = done) -> None:
                progress.show_count(done * total + count, len(pairs) * total)

            intervals[result.system.name, label] = bootstrap(
                results.metrics[label],
                result.rows[label],
                **options.draws,
                units=results.units,
                threads=threads,
                progress=show,
            )
    return intervals


def show_scores(
    results: Results,
    intervals: Intervals,
    form: str,
    digits: int,
    notes: list[str],
    segment_metrics: Mapping[str, Metric[Any]] | None = None,
) -> None:
    """Print scores as JSON, or as a table with signatures and notes below it."""
    if form == "json":
        show_json("score", _content(results, intervals, segment_metrics or {}))
        return
    scores = results.systems[0].scores.values()
    lines = [score.signature for score in scores]
    if intervals:
        lines.append(next(iter(intervals.values())).signature)
    if len(results.systems) == 1 and form == "text":
        lines = [*map(str, scores), *lines]
    show_tables([_table(results, intervals, digits)], form, [*lines, *notes])


def _table(results: Results, intervals: Intervals, digits: int) -> Table:
    """Return a table with one row per system and one column per metric, and the intervals if there are any."""
    titles = metric_titles(results.metrics)
    columns = [Column("system")]
    for label, metric in results.metrics.items():
        columns.append(Column(titles[label] + ("" if metric.higher_is_better else " ↓"), "right"))
        if intervals:
            columns.append(Column(f"{100 * next(iter(intervals.values())).confidence:g} % interval", "right"))
    best = {
        label: (max if metric.higher_is_better else min)(result.scores[label].value for result in results.systems)
        for label, metric in results.metrics.items()
    }
    rows = []
    for result in results.systems:
        cells = [result.system.name]
        for label, metric in results.metrics.items():
            scale, value = metric.printed_scale, result.scores[label].value
            text = f"{scale * value:.{digits}f}"
            is_best = len(results.systems) > 1 and value == best[label]
            cells.append(Highlight(text) if is_best else text)
            if intervals:
                interval = intervals[result.system.name, label]
                cells.append(f"[{scale * interval.low:.{digits}f}, {scale * interval.high:.{digits}f}]")
        rows.append(cells)
    return Table("", columns, rows)


def _content(results: Results, intervals: Intervals, segment_metrics: Mapping[str, Metric[Any]]) -> dict[str, Any]:
    def score_content(name: str, label: str, score: dict[str, Any]) -> dict[str, Any]:
        return {**score, "interval": intervals[name, label].to_dict()} if intervals else score

    return {
        "segments": results.segments,
        "metrics": {
            label: {
                **metric_content(results, label),
                **({"segment_signature": segment_metrics[label].signature} if segment_metrics else {}),
            }
            for label in results.metrics
        },
        "systems": [
            {
                "name": result.system.name,
                "file": result.system.file,
                "scores": {
                    label: score_content(result.system.name, label, score.to_dict())
                    for label, score in result.scores.items()
                },
            }
            for result in results.systems
        ],
    }


def metric_content(results: Results, label: str) -> dict[str, Any]:
    """Return the entry of a metric in JSON output."""
    metric = results.metrics[label]
    return {
        "name": metric.name,
        "title": metric.title,
        "higher_is_better": metric.higher_is_better,
        "signature": results.systems[0].scores[label].signature,
    }
