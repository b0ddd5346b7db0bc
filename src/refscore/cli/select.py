from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import click

from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, input_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import count_option, file_argument
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.errors import SettingError
from refscore.evaluation.scoring import Block
from refscore.readers.system_scores import System

M = TypeVar("M")
METHODS = ("variance", "consistency", "diversity")


@command(epilog="Example: refscore select a.txt b.txt c.txt -r ref.txt -m chrf -n 100")
@file_argument("outputs", metavar="SYSTEM...", nargs=-1, required=True)
@count_option("-n", "--count", "count", default=100, help="The number of segments.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="variance",
    metavar="NAME",
    help=f"What is preferred: {', '.join(METHODS)}.",
)
@input_options
@metric_options
@given_options
@run_options("table digits limits threads quiet")
def select(
    outputs: tuple[str, ...],
    count: int,
    method: Any,
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    run: RunOptions,
) -> None:
    """Select the segments that people should rate to tell systems apart.

    SYSTEM is FILE or NAME=FILE, with one segment per line. --method variance prefers segments whose scores differ
    most between systems, consistency those that order systems as all segments do, and diversity those with the most
    different outputs, without references. The scores are those of -m, chrF by default, or of --given. diversity
    compares outputs by sentence BLEU.

    --format csv, tsv or json also print the texts of the selected segments.
    """
    from refscore.meta.selection import select_diverse_segments, select_segments

    systems = parse_systems(outputs)
    if len(systems) < 2:
        raise SettingError("there is only one system: name at least two")
    if method == "diversity":
        metrics = metric_options.metrics(["bleu"], languages=input_options.languages, for_segments=True)
        _, metric = _only(metrics)
        with input_options.open(systems, metrics=[]) as inputs, run.progress("reading", "segments") as progress:
            block = inputs.read_all(progress.show)
        columns = _columns(block, systems)
        texts = {system.name: columns[system.name] for system in systems}
        run.show(select_diverse_segments(texts, count, metric, texts=columns, threads=run.threads))
        return
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    if not metric_options.names and not given_options.given:
        metrics = metric_options.metrics(["chrf"], languages=input_options.languages)
    elif given_options.given and not metric_options.names:
        metrics = {}
    given = given_options.read(systems, metric_options, metrics)
    single = given_options.text_options(metric_options).segment_metrics(metrics, input_options.languages)
    # The files are read twice: for scores in blocks, and for the texts of the selected segments.
    with (
        input_options.open(systems, metrics=metrics.values()) as inputs,
        run.progress("reading", "segments") as progress,
    ):
        block = inputs.read_all(progress.show)
    with (
        input_options.open(systems, metrics=metrics.values()) as inputs,
        run.progress("scoring", "segments") as progress,
    ):
        evaluation = inputs.evaluate(metrics, single, given=given, threads=run.threads, progress=progress.show)
    label, _ = _only(evaluation.metrics)
    single_metric = evaluation.segment_metrics[label]
    scores = {
        name: single_metric.printed_values(
            evaluation.rows_of_run(label, evaluation.only_run(name)), threads=run.threads
        )
        for name in evaluation.systems
    }
    run.show(select_segments(scores, count, method, name=label, texts=_columns(block, systems)))


def _columns(block: Block, systems: Sequence[System]) -> dict[str, Sequence[Any]]:
    """Return the texts by column: sources, if there are any, and each system's."""
    sources = {} if block.sources is None else {"source": block.sources}
    return sources | dict(zip((system.name for system in systems), block.hypotheses, strict=True))


def _only(metrics: Mapping[str, M]) -> tuple[str, M]:
    if len(metrics) != 1:
        raise SettingError("select uses one metric: choose it with -m or --given")
    return next(iter(metrics.items()))
