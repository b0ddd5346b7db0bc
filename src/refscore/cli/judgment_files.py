from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refscore.cli.given_options import GivenOptions
from refscore.cli.input_options import InputOptions
from refscore.cli.metric_options import MetricOptions
from refscore.cli.option_group import file_option
from refscore.cli.resegment_options import ResegmentOptions
from refscore.cli.run_options import RunOptions
from refscore.cli.systems import parse_systems
from refscore.errors import InputError, Location
from refscore.metrics import Metric
from refscore.readers.formats import split_spec
from refscore.readers.system_scores import HumanScores

if TYPE_CHECKING:
    from refscore.comparison import AgreementByDifference
    from refscore.meta import JudgedTestSet, Judgments


human_option = file_option(
    "--human",
    multiple=True,
    metavar="SCORES",
    help="A file of human scores of all systems. Repeat it for the scores of further annotators.",
)


def folder_judgments(
    folder: str,
    human: Sequence[str],
    without: Sequence[str],
    with_human: bool,
    task: str | None,
    all_metrics: bool,
    input_options: InputOptions,
    metric_options: MetricOptions,
    run: RunOptions,
) -> dict[str, Judgments]:
    from refscore.meta import read_leaderboard
    from refscore.meta.judged_lines import judged_pairs, open_judged

    if input_options.resegmentation != ResegmentOptions():
        raise click.UsageError("--resegment needs systems instead of a folder", click.get_current_context())
    pair = input_options.languages
    known = judged_pairs(folder)
    pairs = [pair] if pair else known
    chosen_human = _by_pair(human, "--human", known)
    references = _by_pair(input_options.references, "-r", known)
    metrics = metric_options.metrics(default=(), languages=pair, may_be_none=True)
    if task is not None and not with_human:
        judgments = read_leaderboard(
            folder, task, pairs=[pair] if pair else None, human=chosen_human, references=references, without=without,
            metrics=metrics or None, all_metrics=all_metrics, threads=run.threads,
        )  # fmt: skip
    else:
        sets = [open_judged(folder, each) for each in pairs] or [open_judged(folder)]
        # Test sets have other human scores for other language pairs. A name for all of them chooses those that have it.
        named = [each for each in sets if chosen_human.get(each.pair) in (None, *each.human_names)]
        sets = named if not any("=" in value for value in human) and named else sets
        judgments = {}
        for each in sets:
            judgments[each.pair] = each.judgments(
                human=_choose(chosen_human.get(each.pair), each.human_names, "--human", "human scores", each),
                reference=_choose(references.get(each.pair), [*each.references], "-r", "references", each),
                with_human=with_human,
                without=[name for name in without if name in each.outputs] if len(sets) > 1 else without,
                metrics=metrics or None,
                threads=run.threads,
            )
    if not any(each.metrics for each in judgments.values()):
        raise InputError(None, "there are no metric scores", "name metrics to compute with -m, as in -m bleu,chrf")
    return judgments


def _by_pair(values: Sequence[str], option: str, pairs: Sequence[str]) -> dict[str, str]:
    """Return the value of each language pair: NAME is for all pairs, PAIR=NAME for one of them."""
    chosen: dict[str, str] = {}
    for value in values:
        pair, is_for_pair, name = value.partition("=")
        if is_for_pair and pair not in pairs:
            raise click.UsageError(
                f"{option} {value} names the language pair {pair!r}; the folder has {', '.join(pairs)}",
                click.get_current_context(),
            )
        if not is_for_pair and any("=" not in other for other in values if other is not value):
            raise click.UsageError(
                f"{option} names one for all language pairs, or PAIR=NAME", click.get_current_context()
            )
    for value in sorted(values, key=lambda value: "=" in value):
        pair, is_for_pair, name = value.partition("=")
        chosen.update({pair: name} if is_for_pair else dict.fromkeys(pairs, value))
    return chosen


def _choose(name: str | None, known: Sequence[str], option: str, noun: str, opened: JudgedTestSet) -> str | None:
    """Return the name, or raise an error that names the option if there are several and none is chosen."""
    if name is None and len(known) > 1:
        fix = f"choose one with {option}: {', '.join(known)}; {option} {opened.pair}={known[0]} is for this pair only"
        raise InputError(Location(file=str(opened.folder)), f"has several {noun} for {opened.pair}", fix)
    return name


def agreement_with_people(
    folder: str, metrics: Mapping[str, Metric[Any]], threads: int | None
) -> AgreementByDifference:
    """Return how often people agree with differences, from a folder or from a table of refscore."""
    from refscore.comparison import published_agreement
    from refscore.comparison.people import PUBLISHED, without_version
    from refscore.meta import LEADERBOARDS, agreement_by_difference, read_leaderboard

    path = Path(folder)
    if folder in PUBLISHED and not path.exists():
        return published_agreement(folder)
    judgments = read_leaderboard(
        folder, path.name if path.name in LEADERBOARDS else "wmt24", metrics=metrics or None, threads=threads
    )
    ratings = sum(each.ratings for each in judgments.values())
    return agreement_by_difference(
        [*judgments.values()],
        conditions=f"{path.name}, {', '.join(judgments)}: {ratings:,} scores",
        signatures={label: without_version(metric.signature) for label, metric in metrics.items()},
    )


def file_judgments(
    arguments: Sequence[str],
    human: Sequence[str],
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    run: RunOptions,
) -> dict[str, Judgments]:
    if not human:
        message = "Missing option '--human': name a file of human scores"
        raise click.UsageError(message, click.get_current_context())
    systems = parse_systems(arguments)
    metric_options = metric_options.with_record(systems)
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    given = given_options.read(systems, metric_options, metrics)
    scores = [HumanScores(file, systems) for file in human]
    single = given_options.text_options(metric_options).segment_metrics(metrics)
    with (
        input_options.open(systems, metrics=metrics.values()) as inputs,
        run.progress("scoring", "segments") as progress,
    ):
        evaluation = inputs.evaluate(metrics, single, given=given, threads=run.threads, progress=progress.show)
    judged = read_judgments(human, scores, evaluation.segments)
    return {"": judged.with_evaluation(evaluation, segment_metrics=evaluation.segment_metrics, threads=run.threads)}


def read_judgments(specs: Sequence[str], scores: Sequence[HumanScores], segments: int) -> Judgments:
    """Return the scores in the first file as judgments, with those in the others as further annotators'."""
    from refscore.meta import Judgments

    judgments = Judgments.from_scores(scores[0].values(segments))
    for spec, own in zip(specs[1:], scores[1:], strict=True):
        name = Path(split_spec(spec)[0] or spec).stem
        judgments = judgments.with_annotator(spec if name in judgments.annotators else name, own.values(segments))
    return judgments
