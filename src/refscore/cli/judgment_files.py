from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refscore.cli.given_options import GivenOptions
from refscore.cli.input_options import InputOptions
from refscore.cli.metric_options import MetricOptions
from refscore.cli.option_group import file_option
from refscore.cli.resegment_options import ResegmentOptions
from refscore.cli.run_options import RunOptions
from refscore.cli.systems import parse_systems
from refscore.errors import InputError
from refscore.readers.system_scores import HumanScores

if TYPE_CHECKING:
    from refscore.meta import Judgments


human_option = file_option("--human", metavar="SCORES", help="A file of human scores of all systems.")


def folder_judgments(
    folder: str,
    human: str | None,
    without: Sequence[str],
    with_human: bool,
    input_options: InputOptions,
    metric_options: MetricOptions,
    run: RunOptions,
) -> dict[str, Judgments]:
    from refscore.meta import JudgedTestSet
    from refscore.meta.folder import language_pairs

    if len(input_options.references) > 1:
        raise click.UsageError("-r names one reference of the folder", click.get_current_context())
    if input_options.resegmentation != ResegmentOptions():
        raise click.UsageError("--resegment needs systems instead of a folder", click.get_current_context())
    pair = input_options.languages
    pairs = [pair] if pair else language_pairs(Path(folder))
    sets = [JudgedTestSet.open(folder, each) for each in pairs] or [JudgedTestSet.open(folder)]
    metrics = metric_options.metrics(default=(), languages=pair, may_be_none=True)
    judgments = {}
    for each in sets:
        judgments[each.pair] = each.judgments(
            human=human,
            reference=input_options.references[0] if input_options.references else None,
            with_human=with_human,
            without=[name for name in without if name in each.outputs] if len(sets) > 1 else without,
            metrics=metrics or None,
            threads=run.threads,
        )
    if not any(each.metrics for each in judgments.values()):
        raise InputError(None, "there are no metric scores", "name metrics to compute with -m, as in -m bleu,chrf")
    return judgments


def file_judgments(
    arguments: Sequence[str],
    human: str | None,
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    run: RunOptions,
) -> dict[str, Judgments]:
    from refscore.meta import judge_evaluation

    if human is None:
        raise click.UsageError("Missing option '--human': name a file of human scores", click.get_current_context())
    systems = parse_systems(arguments)
    metric_options = metric_options.with_record(systems)
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    given = given_options.read(systems, metric_options, metrics)
    scores = HumanScores(human, systems)
    single = given_options.text_options(metric_options).segment_metrics(metrics)
    with (
        input_options.open(systems, metrics=metrics.values()) as inputs,
        run.progress("scoring", "segments") as progress,
    ):
        evaluation = inputs.evaluate(metrics, single, given=given, threads=run.threads, progress=progress.show)
    return {"": judge_evaluation(evaluation, scores.values(evaluation.segments), threads=run.threads)}
