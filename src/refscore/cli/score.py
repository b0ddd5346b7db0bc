"""`refscore score`: score several systems with several metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import click

from refscore.cli.bootstrap_options import BootstrapOptions, bootstrap_options, reject_without_ci
from refscore.cli.data_warnings import show_warnings, wanted, warning_options
from refscore.cli.engine_options import EngineOptions, engine_options
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.input_options import InputOptions, by_option, complete_file, input_options
from refscore.cli.limits_options import limits_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.output import (
    digits_option,
    show_json,
    show_tables,
    table_options,
    threads_option,
)
from refscore.cli.progress import ProgressBar
from refscore.cli.score_groups import can_resample, split_results
from refscore.cli.segment_files import SegmentWriter, check_segment_file
from refscore.cli.system_scores import Results, score_systems
from refscore.cli.systems import parse_systems
from refscore.metrics import RowMetric, decimals, metric_titles
from refscore.tables import Column, Highlight, Table

if TYPE_CHECKING:
    from refscore.significance import Interval

# Keys are the name of a system and the label of a metric.
Intervals: TypeAlias = "Mapping[tuple[str, str], Interval]"
# The group of all segments in tables.
WHOLE = "all"


class Section(NamedTuple):
    """A group of segments, or all of them with the label None. The intervals are empty if there are none."""

    label: str | None
    results: Results
    intervals: Intervals


@click.command(epilog="Example: refscore score base=a.txt new=b.txt -r ref.txt -m bleu,chrf++,ter --ci")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@metric_options
@given_options
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals.")
@bootstrap_options
@click.option(
    "--segments",
    "segment_file",
    metavar="FILE",
    help="Write the score of every segment to FILE (.tsv, .csv or .jsonl). - prints them instead of the table.",
)
@by_option
@engine_options
@table_options
@digits_option
@limits_options
@threads_option
@warning_options
def score(
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    with_intervals: bool,
    bootstrap: BootstrapOptions,
    segment_file: str | None,
    by: str | None,
    engine_options: EngineOptions,
    form: str,
    digits: int | None,
    threads: int | None,
    no_warn: tuple[str, ...],
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
    metrics = given_options.text_metrics(metric_options, languages)
    if segment_file is not None:
        check_segment_file(segment_file, form)
    systems = parse_systems(hypotheses)
    given = given_options.read(systems, metric_options, metrics)
    segment_metrics: Mapping[str, RowMetric[Any]] = {}
    groups: Mapping[str, Results] = {}
    if engine_options.engine is not None:
        results = engine_options.score(systems, input_options, metrics, threads)
    else:
        with (
            input_options.open(systems, bootstrap.units, by=by, metrics=metrics.values()) as inputs,
            ProgressBar("scoring", "segments", quiet=quiet) as progress,
            ExitStack() as stack,
        ):
            take_rows = None
            if segment_file is not None:
                names = [system.name for system in systems]
                choose = partial(given_options.text_options(metric_options).segment_metrics, languages=languages)
                writer = stack.enter_context(SegmentWriter(segment_file, form, names, choose, threads))
                take_rows = writer.take
            keep_rows = with_intervals or by is not None
            results = score_systems(
                inputs,
                metrics,
                progress,
                keep_rows=keep_rows,
                threads=threads,
                take_rows=take_rows,
                given=given,
            )
            results = replace(results, warnings=wanted(results.warnings, no_warn))
            if segment_file is not None:
                writer.finish()
                segment_metrics = writer.metrics
        if segment_file == "-":
            show_warnings(results.warnings, quiet=quiet)
            return
        groups = split_results(results, inputs.groups, inputs.reference_counts) if by is not None else {}
    intervals: Intervals = {}
    group_intervals: dict[str, Intervals] = {}
    if with_intervals:
        intervals = _intervals(results, bootstrap, threads, quiet)
        group_intervals = {
            label: _intervals(group, bootstrap, threads, quiet=True)
            for label, group in groups.items()
            if can_resample(group)
        }
    notes = [
        f"segments: {metric.signature}" for label, metric in segment_metrics.items() if metric != results.metrics[label]
    ]
    sections = [Section(label, group, group_intervals.get(label, {})) for label, group in groups.items()]
    show_warnings(results.warnings, quiet=quiet)
    show_scores(results, intervals, form, digits, notes, segment_metrics, sections)


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
    digits: int | None,
    notes: list[str],
    segment_metrics: Mapping[str, RowMetric[Any]] | None = None,
    groups: Sequence[Section] = (),
) -> None:
    """Print scores as JSON, or as a table with signatures and notes below it. `groups` follow the whole."""
    if form == "json":
        show_json("score", _content(results, intervals, segment_metrics or {}, groups))
        return
    scores = results.systems[0].scores.values()
    lines = [score.signature for score in scores]
    if intervals:
        lines.append(next(iter(intervals.values())).signature)
    if len(results.systems) == 1 and form == "text":
        lines = [*map(str, scores), *lines]
    if results.resegmentation is not None:
        lines.append(results.resegmentation)
    show_tables([_table(Section(None, results, intervals), groups, digits)], form, [*lines, *notes])


def _table(whole: Section, groups: Sequence[Section], digits: int | None) -> Table:
    """Return a table with one row per system and one column per metric, and the intervals if there are any.

    With groups, there is also one row per group and system.
    """
    metrics, confidence = whole.results.metrics, None
    if whole.intervals:
        confidence = next(iter(whole.intervals.values())).confidence
    titles = metric_titles(metrics)
    columns = [*([Column("group"), Column("segments", "right")] if groups else []), Column("system")]
    for label, metric in metrics.items():
        columns.append(Column(titles[label] + ("" if metric.higher_is_better else " ↓"), "right"))
        if confidence is not None:
            columns.append(Column(f"{100 * confidence:g} % interval", "right"))
    rows = []
    for section in (whole, *groups):
        systems = section.results.systems
        best = {
            label: (max if metric.higher_is_better else min)(result.scores[label].value for result in systems)
            for label, metric in metrics.items()
        }
        for result in systems:
            cells = [section.label or WHOLE, str(section.results.segments)] if groups else []
            cells.append(result.system.name)
            for label, metric in metrics.items():
                scale, value = metric.printed_scale, result.scores[label].value
                places = decimals(metric, digits)
                text = f"{scale * value:.{places}f}"
                cells.append(Highlight(text) if len(systems) > 1 and value == best[label] else text)
                if confidence is not None:
                    interval = section.intervals.get((result.system.name, label))
                    ends = () if interval is None else (interval.low, interval.high)
                    cells.append(f"[{', '.join(f'{scale * end:.{places}f}' for end in ends)}]" if ends else "–")
            rows.append(cells)
    return Table("", columns, rows)


def _content(
    results: Results,
    intervals: Intervals,
    segment_metrics: Mapping[str, RowMetric[Any]],
    groups: Sequence[Section],
) -> dict[str, Any]:
    content: dict[str, Any] = {
        "segments": results.segments,
        "metrics": {
            label: {
                **metric_content(results, label),
                **({"segment_signature": segment_metrics[label].signature} if segment_metrics else {}),
            }
            for label in results.metrics
        },
        "systems": _systems_content(results, intervals),
    }
    if results.resegmentation is not None:
        content["resegmentation"] = results.resegmentation
    if results.warnings:
        content["warnings"] = [warning.to_dict() for warning in results.warnings]
    if groups:
        content["groups"] = [
            {
                "group": group.label,
                "segments": group.results.segments,
                "systems": _systems_content(group.results, group.intervals),
            }
            for group in groups
        ]
    return content


def _systems_content(results: Results, intervals: Intervals) -> list[dict[str, Any]]:
    def score_content(name: str, label: str, score: dict[str, Any]) -> dict[str, Any]:
        return {**score, "interval": intervals[name, label].to_dict()} if intervals else score

    return [
        {
            "name": result.system.name,
            "file": result.system.file,
            "scores": {
                label: score_content(result.system.name, label, score.to_dict())
                for label, score in result.scores.items()
            },
        }
        for result in results.systems
    ]


def metric_content(results: Results, label: str) -> dict[str, Any]:
    """Return the entry of a metric in JSON output."""
    metric = results.metrics[label]
    return {
        "name": metric.name,
        "title": metric.title,
        "higher_is_better": metric.higher_is_better,
        "signature": results.systems[0].scores[label].signature,
    }
