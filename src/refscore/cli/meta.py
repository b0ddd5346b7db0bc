from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from refscore.cli.declared_options import setting_options
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, input_options
from refscore.cli.judgment_files import file_judgments, folder_judgments
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument, file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.comparison.people import without_version
from refscore.meta.ranking import Ranking
from refscore.readers.formats import split_spec
from refscore.tables import Column, Result, Table
from refscore.text_display import counted, joined

if TYPE_CHECKING:
    from refscore.meta import Judgments, MetricRanking

STATISTICS = (
    "pearson", "pdp", "spearman", "tau-b", "tau-c", "tau-23", "acc-23", "acc-eq", "kendall-like", "pairwise-accuracy",
    "spa",
)  # fmt: skip
TASKS = ("wmt22", "wmt23", "wmt24", "wmt24-esa", "wmt25")


@command(epilog="Example: refscore meta a.txt b.txt c.txt --human ratings.tsv -r ref.txt")
@file_argument("inputs", metavar="FOLDER|SYSTEM...", nargs=-1, required=True)
@file_option(
    "--human",
    multiple=True,
    metavar="SCORES",
    help="A file of human scores, or a name in the folder; PAIR=NAME for one language pair.",
)
@input_options
@metric_options
@given_options
@click.option("--with-human", is_flag=True, help="Keep human translations of the folder that are not the reference.")
@click.option("--without", multiple=True, metavar="SYSTEM", help="A system to leave out, such as an outlier.")
@click.option(
    "--statistic",
    "statistics",
    multiple=True,
    type=click.Choice(STATISTICS),
    metavar="NAME",
    help=f"The measure of agreement: {', '.join(STATISTICS)}. Repeat it for several.",
)
@click.option("--level", type=click.Choice(["segment", "system"]), help="Compare scores of segments or of systems.")
@click.option("--average-by", "by", type=click.Choice(["none", "item", "system"]), help="How segments are grouped.")
@click.option("--zero-if-undefined", is_flag=True, help="Count groups without a value as 0.")
@click.option("--task", type=click.Choice(TASKS), metavar="NAME", help=f"A leaderboard: {', '.join(TASKS)}.")
@click.option("--differences", is_flag=True, help="Show how often people agree, by difference.")
@click.option("--all-metrics", is_flag=True, help="With --task, compare all metrics in the folder.")
@setting_options(Ranking, "trials", "alpha", "resamples", "resample", "confidence", "seed")
@run_options("table digits threads quiet")
def meta(
    inputs: tuple[str, ...],
    human: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    with_human: bool,
    without: tuple[str, ...],
    statistics: tuple[str, ...],
    task: str | None,
    differences: bool,
    all_metrics: bool,
    run: RunOptions,
    **settings: Any,
) -> None:
    """Rank metrics by their agreement with human scores.

    SYSTEM is FILE or NAME=FILE, with one segment per line. SCORES has the human scores of all systems, in a form of
    --given; missing ones are empty. The default metrics are BLEU, chrF and TER.

    FOLDER has the layout of mt-metrics-eval, or is a file of WMT's human evaluations (.jsonl). -l names its language
    pair, and -r its reference. Its metric scores are compared, and only the metrics of -m are computed. --task uses
    the choices of a leaderboard.
    """
    from refscore.meta import agreement_by_difference, average

    if len(inputs) == 1 and (_is_folder(inputs[0], human) or (task is not None and not human)):
        if given_options.given:
            raise click.UsageError("--given needs systems instead of a folder", click.get_current_context())
        judgments = folder_judgments(
            inputs[0], human, without, with_human, task, all_metrics, input_options, metric_options, run
        )
    else:
        judgments = file_judgments(inputs, human, input_options, metric_options, given_options, run)
        judgments = {pair: each.without_systems(without) for pair, each in judgments.items()}
    shown: Result
    if differences:
        signatures = _signatures(judgments, metric_options, input_options)
        shown = agreement_by_difference(
            [*judgments.values()],
            signatures or None,
            conditions=_conditions(inputs, judgments, task),
            signatures=signatures,
        )
    elif task is None:
        shown = _Rankings(_rank(judgments, statistics or ("acc-eq",), settings, run))
    else:
        with run.progress(task, "tasks") as progress:
            test = {name: settings[name] for name in ("trials", "alpha", "seed")}
            shown = average(judgments, task, threads=run.threads, progress=progress.show_step, **test)
    run.show(shown, notes=input_options.resegmentation.content)


def _is_folder(name: str, human: Sequence[str]) -> bool:
    """Return whether an input has human scores itself, or must have them because --human is not a file."""
    if name.endswith(".jsonl") and Path(name).is_file():
        return not human or not os.path.exists(split_spec(human[0])[0] or "")
    if Path(name).is_file() or "=" in name or not human:
        return Path(name).is_dir()
    path, _ = split_spec(human[0])
    return "{" not in human[0] and path is not None and not os.path.exists(path)


def _conditions(inputs: Sequence[str], judgments: Mapping[str, Judgments], task: str | None) -> str:
    """Return which systems and human scores there are, in words."""
    from refscore.meta import LEADERBOARDS

    ratings = sum(each.ratings for each in judgments.values())
    known = LEADERBOARDS[task].pairs if task is not None else {}
    kinds = {known[pair].human for pair in judgments if pair in known}
    kind = f"{joined(sorted(kinds))} " if kinds else ""
    where = f"{Path(inputs[0]).name}, {', '.join(judgments)}" if len(inputs) == 1 else counted(len(inputs), "system")
    return f"{where}: {ratings:,} {kind}scores"


def _signatures(
    judgments: Mapping[str, Judgments], metric_options: MetricOptions, input_options: InputOptions
) -> dict[str, str]:
    """Return the signatures of the metrics that were computed, without the version."""
    metrics = metric_options.metrics(languages=input_options.languages, may_be_none=True)
    known = next(iter(judgments.values())).metrics
    return {label: without_version(metric.signature) for label, metric in metrics.items() if label in known}


def _rank(
    judgments: Mapping[str, Judgments],
    statistics: Sequence[str],
    settings: Mapping[str, Any],
    run: RunOptions,
) -> list[tuple[list[str], MetricRanking]]:
    """Return a ranking by each statistic for each language pair, or for all of them together."""
    from refscore.meta import STATISTICS as KNOWN, rank_metrics

    rankings = []
    for name in statistics:
        is_for_all = KNOWN[name].weigh_by_pairs and KNOWN[name].levels == ("system",)
        sets = [list(judgments)] if is_for_all else [[pair] for pair in judgments]
        for pairs in sets:
            with run.progress(f"{name}, {', '.join(pairs)}", "pairs of metrics") as progress:
                ranking = rank_metrics(
                    [judgments[pair] for pair in pairs],
                    name,
                    threads=run.threads,
                    progress=progress.show_step,
                    **settings,
                )
            rankings.append((pairs, ranking))
    return rankings


@dataclass(frozen=True)
class _Rankings(Result):
    schema: ClassVar[str] = "meta"

    rankings: Sequence[tuple[list[str], MetricRanking]]

    def tables(self, *, digits: int | None = None) -> list[Table]:
        return [ranking.table(digits=digits, title=", ".join(pairs)) for pairs, ranking in self.rankings]

    def flat_table(self) -> Table:
        tables = [(",".join(pairs), ranking.flat_table()) for pairs, ranking in self.rankings]
        rows = [[pair, *row.cells] for pair, table in tables for row in table.rows]
        return Table("", [Column("pair"), *tables[0][1].columns], rows)

    @property
    def all_signatures(self) -> list[str]:
        return [*dict.fromkeys(ranking.signature for _, ranking in self.rankings)]

    def to_dict(self) -> dict[str, Any]:
        return {"rankings": [{"pairs": pairs, **ranking.to_dict()} for pairs, ranking in self.rankings]}
