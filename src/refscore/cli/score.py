from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import click

from refscore.cli.engine_options import EngineOptions, engine_options
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import BY, InputOptions, by_option, input_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.scoring_options import TestOptions, bootstrap_options, reject_without_ci
from refscore.cli.segment_files import SegmentWriter, check_segment_file, segments_option
from refscore.cli.systems import parse_systems
from refscore.evaluation.summary import Summary
from refscore.readers.manifests import with_speed


@command(epilog="Example: refscore score base=a.txt new=b.txt -r ref.txt -m bleu,chrf++,ter --ci")
@file_argument("hypotheses", metavar="HYP...", nargs=-1, required=True)
@input_options
@metric_options
@given_options
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals.")
@bootstrap_options
@segments_option
@by_option
@engine_options
@run_options("table digits limits threads warnings")
def score(
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    with_intervals: bool,
    tests: TestOptions,
    segment_file: str | None,
    by: str | None,
    engine_options: EngineOptions,
    run: RunOptions,
) -> None:
    """Print the scores of the systems HYP, one row per system.

    HYP is FILE or NAME=FILE, with one segment per line. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML
    or SGML file, and - is standard input. The default metrics are BLEU, chrF and TER.

    Segment scores have the scale of the table. Without a preset or signature, their BLEU is sacrebleu's
    sentence_bleu.
    """
    engine_options.check()
    if not with_intervals:
        reject_without_ci()
    languages = input_options.languages
    if segment_file is not None:
        check_segment_file(segment_file, run.form)
    systems = parse_systems(hypotheses)
    metric_options = metric_options.with_record(systems)
    metrics = given_options.text_metrics(metric_options, languages)
    given = with_speed(given_options.read(systems, metric_options, metrics), systems)
    with run.progress("scoring", "segments") as progress:
        if engine_options.engine is not None:
            evaluation = engine_options.evaluate(systems, input_options, metrics, run.threads)
        else:
            single = {}
            if segment_file is not None:
                single = given_options.text_options(metric_options).segment_metrics(metrics, languages)
            with (
                input_options.open(systems, tests.units, by=by, metrics=metrics.values()) as inputs,
                ExitStack() as stack,
            ):
                writer = None
                if segment_file is not None:
                    names = [system.name for system in systems]
                    writer = stack.enter_context(SegmentWriter(segment_file, run.form, names, run.threads))
                evaluation = inputs.evaluate(
                    metrics,
                    single,
                    given=given,
                    retain="rows" if with_intervals or by is not None else "sums",
                    threads=run.threads,
                    progress=progress.show,
                    take=None if writer is None else writer.take,
                )
                if writer is not None:
                    writer.finish()
        evaluation.ignored_warnings = (*evaluation.ignored_warnings, *run.ignored_warnings)
        if segment_file == "-":
            run.warn(evaluation.warnings)
            return
        summary = evaluation.summary(
            tests,
            intervals=with_intervals,
            by=None if by is None else BY,
            threads=run.threads,
            progress=progress.show_step,
        )
    run.warn(evaluation.warnings)
    metric_options.warn_about_references(evaluation, quiet=run.quiet)
    show_summary(replace(summary, with_segment_signatures=segment_file is not None), run)


def show_summary(summary: Summary, run: RunOptions) -> None:
    run.show(summary, hints=summary.details_of_scores if run.form == "text" else ())
