from __future__ import annotations

from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import BY, InputOptions, by_option, input_options
from refscore.cli.judgment_files import agreement_with_people
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument, file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.scoring_options import TestOptions, test_options
from refscore.cli.systems import parse_systems
from refscore.errors import InputError


@command(epilog="Example: refscore compare base=a.txt new=b.txt -r ref.txt -m bleu,chrf")
@file_argument("hypotheses", metavar="BASELINE SYSTEM...", nargs=-1, required=True)
@input_options
@metric_options
@given_options
@test_options
@by_option
@file_option(
    "--judgments",
    metavar="FOLDER",
    help="Show how often people agree with such differences, from a folder with human scores, or wmt23.",
)
@run_options("table digits limits threads warnings")
def compare(
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    tests: TestOptions,
    by: str | None,
    judgments: str | None,
    run: RunOptions,
) -> None:
    """Test whether each SYSTEM differs from BASELINE by each metric.

    BASELINE and SYSTEM are FILE or NAME=FILE, with one segment per line, or a record of `refscore stats --rows`.
    Files with the same name are runs of one system. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML or
    SGML file, and - is standard input. By default, the metrics are the first record's, or else BLEU, chrF and TER.

    The verdict is unclear unless p is at most --alpha. The bootstrap decides, or the only test.
    """
    systems = parse_systems(hypotheses, runs=True)
    metric_options = metric_options.with_record(systems)
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    if len(systems) == 1:
        raise InputError(None, "there is only one system", "name a baseline and at least one other file")
    if len({system.name for system in systems}) == 1:
        name = systems[0].name
        problem = f"all files are runs of one system, {name!r}"
        raise InputError(None, problem, f"give one a different name, as in {name}2={systems[-1].file}")
    given = given_options.read(systems, metric_options, metrics)
    people = None if judgments is None else agreement_with_people(judgments, metrics, run.threads)
    with run.progress("scoring", "segments") as progress:
        with input_options.open(systems, tests.units, by=by, metrics=metrics.values()) as inputs:
            evaluation = inputs.evaluate(metrics, given=given, threads=run.threads, progress=progress.show)
        evaluation.ignored_warnings = run.ignored_warnings
        comparison = evaluation.compare(
            tests=tests,
            by=None if by is None else BY,
            threads=run.threads,
            progress=progress.show_step,
        )
    run.warn(evaluation.warnings)
    metric_options.warn_about_references(evaluation, quiet=run.quiet)
    run.show(comparison if people is None else comparison.with_people(people))
