"""`refscore meta`: find the metrics that agree best with people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from refscore._version import __version__
from refscore.cli.declared_options import setting_options
from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.input_options import InputOptions, input_options
from refscore.cli.judgment_files import file_judgments, folder_judgments
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import file_argument, file_option
from refscore.cli.output import FLAT, quiet_option, show_json, show_tables, table_options, threads_option
from refscore.cli.progress import ProgressBar
from refscore.cli.resegment_options import ResegmentOptions
from refscore.meta.settings import Ranking
from refscore.tables import Column, Table

if TYPE_CHECKING:
    from refscore.meta import AveragedMetric, Judgments, MetricRanking

# The language pairs of each ranking.
Rankings: TypeAlias = "list[tuple[list[str], MetricRanking]]"

STATISTICS = (
    "pearson", "spearman", "tau-b", "tau-c", "tau-23", "acc-23", "acc-eq", "kendall-like", "pairwise-accuracy", "spa",
)  # fmt: skip
TASKS = ("wmt23", "wmt24")


@click.command(epilog="Example: refscore meta a.txt b.txt c.txt --human ratings.tsv -r ref.txt -m bleu,chrf")
@file_argument("inputs", metavar="FOLDER|SYSTEM...", nargs=-1, required=True)
@file_option("--human", metavar="SCORES", help="A file of human scores, or the name of those of the folder.")
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
    help="How agreement is measured; acc-eq by default. Repeat it for several.",
)
@click.option("--level", type=click.Choice(["segment", "system"]), help="Compare scores of segments or of systems.")
@click.option("--by", type=click.Choice(["none", "item", "system"]), help="How segments are grouped.")
@click.option("--zero-if-undefined", is_flag=True, help="Count groups without a value as 0.")
@click.option("--task", type=click.Choice(TASKS), help="The weighted average of a leaderboard instead of statistics.")
@setting_options(Ranking, "trials", "alpha", "resamples", "resample", "confidence", "seed")
@table_options
@click.option("--digits", type=click.IntRange(0, 15), default=4, metavar="N", help="The number of decimals in tables.")
@threads_option
@quiet_option
def meta(
    inputs: tuple[str, ...],
    human: str | None,
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    with_human: bool,
    without: tuple[str, ...],
    statistics: tuple[str, ...],
    task: str | None,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Rank metrics by their agreement with human scores.

    SYSTEM is a file with one segment per line, or NAME=FILE. SCORES has the human scores of all systems, in the same
    forms as --given; missing scores are empty. The default metrics are BLEU, chrF and TER.

    Or FOLDER has the layout of mt-metrics-eval: human-scores/PAIR.NAME.seg.score, references/PAIR.REF.txt,
    system-outputs/PAIR/SYSTEM.txt and metric-scores/PAIR/METRIC-REF.seg.score. -l names the language pair and -r the
    reference. The metric scores of the folder are compared, and metrics of -m are computed.

    Metrics of one cluster do not differ significantly: PERM-BOTH tests each pair of metrics.
    """
    from refscore.meta import average

    if len(inputs) == 1 and Path(inputs[0]).is_dir():
        if given_options.given:
            raise click.UsageError("--given needs systems instead of a folder", click.get_current_context())
        judgments = folder_judgments(inputs[0], human, without, with_human, input_options, metric_options, threads)
    else:
        judgments = file_judgments(inputs, human, input_options, metric_options, given_options, threads, quiet)
        judgments = {pair: each.without_systems(without) for pair, each in judgments.items()}
    if task is not None:
        averages = average(judgments, task, seed=settings["seed"], threads=threads)
        _show_average(averages, task, form, digits, input_options.resegmentation)
        return
    rankings = _rank(judgments, statistics or ("acc-eq",), settings, threads, quiet)
    if form == "json":
        listed = [{"pairs": pairs, **ranking.to_dict()} for pairs, ranking in rankings]
        show_json("meta", {"rankings": listed, **input_options.resegmentation.content})
    elif form in FLAT:
        show_tables([_flat_table(rankings)], form)
    else:
        tables = [ranking.table(digits=digits, title=", ".join(pairs)) for pairs, ranking in rankings]
        signatures = dict.fromkeys(ranking.signature for _, ranking in rankings)
        show_tables(tables, form, [*signatures, *input_options.resegmentation.signatures])


def _rank(
    judgments: Mapping[str, Judgments],
    statistics: Sequence[str],
    settings: Mapping[str, Any],
    threads: int | None,
    quiet: bool,
) -> Rankings:
    """Return a ranking by each statistic for each language pair, or for all of them together."""
    from refscore.meta import STATISTICS as KNOWN, rank_metrics

    rankings: Rankings = []
    for name in statistics:
        is_for_all = KNOWN[name].weigh_by_pairs and KNOWN[name].levels == ("system",)
        sets = [list(judgments)] if is_for_all else [[pair] for pair in judgments]
        for pairs in sets:
            with ProgressBar(f"{name}, {', '.join(pairs)}", "pairs of metrics", quiet=quiet) as progress:
                ranking = rank_metrics(
                    [judgments[pair] for pair in pairs],
                    name,
                    threads=threads,
                    progress=progress.show_count,
                    **settings,
                )
            rankings.append((pairs, ranking))
    return rankings


def _flat_table(rankings: Rankings) -> Table:
    """Return a table for programs: one row per ranking and metric, full precision, empty cells for missing numbers."""
    columns = ["pair", "statistic", "level", "by", "metric", "value", "low", "high", "threshold", "cluster"]
    rows = []
    for pairs, ranking in rankings:
        for metric in ranking:
            low, high = (None, None) if metric.interval is None else (metric.interval.low, metric.interval.high)
            numbers = [metric.value, low, high, metric.threshold, metric.cluster]
            cells = ["" if number is None else repr(number) for number in numbers]
            rows.append([",".join(pairs), ranking.statistic.name, ranking.level, ranking.by, metric.name, *cells])
    return Table("", [Column(title) for title in columns], rows)


def _show_average(
    metrics: Sequence[AveragedMetric], task: str, form: str, digits: int, resegmentation: ResegmentOptions
) -> None:
    """Print the average of a leaderboard and its parts."""
    if form == "json":
        content = [{"name": each.name, "value": each.value, "parts": dict(each.parts)} for each in metrics]
        show_json("meta", {"task": task, "metrics": content, **resegmentation.content})
        return
    parts = list(metrics[0].parts) if metrics else []
    columns = [Column("metric"), Column("average", "right"), *(Column(part, "right") for part in parts)]

    def number(value: float) -> str:
        return repr(value) if form in FLAT else f"{value:.{digits}f}"

    rows = [[each.name, number(each.value), *(number(each.parts[part]) for part in parts)] for each in metrics]
    show_tables([Table("", columns, rows)], form, [f"task:{task}|version:{__version__}", *resegmentation.signatures])
