"""`refscore score`: several systems by several metrics, one row a system."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click
from click.core import ParameterSource

from refscore.cli.engine import check_engine, engine_options, score_on
from refscore.cli.inputs import InputChoice, complete_file, input_options
from refscore.cli.limiting import limit_options
from refscore.cli.options import MetricChoice, metric_options, titles
from refscore.cli.output import (
    check_writable,
    digits_option,
    output_option,
    quiet_option,
    show_json,
    show_tables,
    threads_option,
)
from refscore.cli.progress import Work
from refscore.cli.resampling import Resampling, resampling_options
from refscore.cli.scoring import Results, score_systems
from refscore.cli.segment_files import format_of, write_segments
from refscore.cli.systems import systems
from refscore.metrics import Metric
from refscore.tables import Column, Highlight, Table

if TYPE_CHECKING:
    from refscore.significance import Interval

DEFAULT_METRICS = ("bleu", "chrf", "ter")

Intervals: TypeAlias = "Mapping[tuple[str, str], Interval]"


@click.command(
    epilog="Example: refscore score base=a.txt new=b.txt -r ref.txt -m bleu,chrf++,ter --ci",
)
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@metric_options
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals.")
@resampling_options
@click.option(
    "--segments",
    "segment_file",
    metavar="FILE",
    help="Write the score of every segment to FILE (.tsv, .csv or .jsonl; - prints them in place of the table), on the "
    "scale of the table. There, BLEU is that of sacrebleu's sentence_bleu, unless a preset or a signature is given.",
)
@engine_options
@output_option
@digits_option
@limit_options
@threads_option
@quiet_option
def score(
    hypotheses: tuple[str, ...],
    sources: InputChoice,
    choice: MetricChoice,
    with_intervals: bool,
    resampling: Resampling,
    segment_file: str | None,
    engine: str | None,
    master: str | None,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Print the scores of the systems HYP..., one row a system.

    HYP is a file like those of references, or NAME=FILE to give the system a name.
    The metrics are BLEU, chrF and TER unless -m says otherwise.
    """
    check_engine(engine, master)
    if not with_intervals:
        _refuse_idle_options()
    choice = choice.for_languages(sources.languages, DEFAULT_METRICS)
    metrics = choice.metrics(DEFAULT_METRICS)
    if segment_file is not None:
        format_of(segment_file)
        if segment_file != "-":
            check_writable(Path(segment_file))
    if engine is not None:
        results = score_on(engine, master, systems(hypotheses), sources, metrics, threads)
    else:
        with (
            sources.open(systems(hypotheses), resampling.units) as inputs,
            Work("scoring", "segments", quiet=quiet) as work,
        ):
            if segment_file is not None:
                inputs.check_apart_from(Path(segment_file))
            keep_rows = with_intervals or segment_file is not None
            results = score_systems(inputs, metrics, work, keep_rows=keep_rows, threads=threads)
    intervals = _intervals(results, resampling, threads, quiet) if with_intervals else {}
    segment_metrics = choice.segment_metrics(results.metrics)
    if segment_file is not None:
        write_segments(segment_file, results, segment_metrics, threads)
        if segment_file == "-":
            return
    if form == "json":
        show_json("score", score_content(results, intervals, segment_metrics if segment_file is not None else {}))
        return
    lines = [results.systems[0].scores[label].signature for label in results.metrics]
    if intervals:
        lines.append(next(iter(intervals.values())).signature)
    if segment_file is not None:
        lines += [
            f"segments: {metric.signature}"
            for label, metric in segment_metrics.items()
            if metric != results.metrics[label]
        ]
    if len(results.systems) == 1 and form == "table":
        lines = [*(str(result) for result in results.systems[0].scores.values()), *lines]
    show_tables([score_table(results, intervals, digits)], form, lines)


def _refuse_idle_options() -> None:
    """Options that nothing would come of, so that nobody thinks that something did."""
    context = click.get_current_context()
    for name in ("resamples", "seed", "confidence", "units"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} is a setting of intervals: add --ci", context)


def _intervals(results: Results, resampling: Resampling, threads: int | None, quiet: bool) -> Intervals:
    from refscore.significance import bootstrap

    made = {}
    with Work("resampling", "resamples", quiet=quiet) as work:
        places = [(result, label) for result in results.systems for label in results.metrics]
        for done, (result, label) in enumerate(places):

            def show(count: int, total: int, done: int = done) -> None:
                work.show(done * total + count, (done + count / total) / len(places))

            made[result.system.name, label] = bootstrap(
                results.metrics[label],
                result.rows[label],
                resamples=resampling.resamples,
                seed=resampling.seed,
                confidence=resampling.confidence,
                units=results.units,
                threads=threads,
                progress=show,
            )
    return made


def score_table(results: Results, intervals: Intervals, digits: int) -> Table:
    """One row a system, one column a metric, and another one for its intervals if there are any."""
    names = titles(results.metrics)
    columns = [Column("system")]
    for label, metric in results.metrics.items():
        columns.append(Column(names[label] + ("" if metric.higher_is_better else " ↓"), "right"))
        if intervals:
            columns.append(Column(f"{100 * next(iter(intervals.values())).confidence:g} % interval", "right"))
    rows = []
    for result in results.systems:
        cells = [result.system.name]
        for label, metric in results.metrics.items():
            scale = metric.printed_scale
            value = result.scores[label].value
            best = len(results.systems) > 1 and value == _best(results, label)
            text = f"{scale * value:.{digits}f}"
            cells.append(Highlight(text) if best else text)
            if intervals:
                interval = intervals[result.system.name, label]
                cells.append(f"[{scale * interval.low:.{digits}f}, {scale * interval.high:.{digits}f}]")
        rows.append(cells)
    return Table("", columns, rows)


def _best(results: Results, label: str) -> float:
    values = [result.scores[label].value for result in results.systems]
    return max(values) if results.metrics[label].higher_is_better else min(values)


def score_content(results: Results, intervals: Intervals, segment_metrics: Mapping[str, Metric[Any]]) -> dict[str, Any]:
    """What is printed as JSON."""

    def as_dict(name: str, label: str, made: dict[str, Any]) -> dict[str, Any]:
        return {**made, "interval": intervals[name, label].to_dict()} if intervals else made

    return {
        "segments": results.segments,
        "metrics": {
            label: {
                "name": metric.name,
                "title": metric.title,
                "higher_is_better": metric.higher_is_better,
                "signature": results.systems[0].scores[label].signature,
                **({"segment_signature": segment_metrics[label].signature} if segment_metrics else {}),
            }
            for label, metric in results.metrics.items()
        },
        "systems": [
            {
                "name": result.system.name,
                "file": result.system.file,
                "scores": {
                    label: as_dict(result.system.name, label, made.to_dict()) for label, made in result.scores.items()
                },
            }
            for result in results.systems
        ],
    }
