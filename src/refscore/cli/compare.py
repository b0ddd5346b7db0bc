"""`refscore compare`: test whether systems differ from a baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from refscore.cli.bootstrap_options import BootstrapOptions, alpha_option, bootstrap_options, holm_option
from refscore.cli.input_options import InputOptions, complete_file, input_options
from refscore.cli.limits_options import limits_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import count_option
from refscore.cli.output import FLAT, digits_option, quiet_option, show_json, show_tables, table_options, threads_option
from refscore.cli.progress import ProgressBar
from refscore.cli.score import metric_content
from refscore.cli.system_scores import Results, score_systems
from refscore.cli.systems import parse_systems
from refscore.errors import InputError
from refscore.metrics.core.selection import metric_titles
from refscore.tables import Column, Table

if TYPE_CHECKING:
    from refscore.significance import Comparison, Interval, Outcome

TESTS = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}
NOTHING = "–"

# The comparison by each metric, for each test.
Comparisons: TypeAlias = "Mapping[str, Mapping[str, Comparison]]"


@click.command(epilog="Example: refscore compare base=a.txt new=b.txt -r ref.txt -m bleu,chrf")
@click.argument("hypotheses", metavar="BASELINE SYSTEM...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@metric_options
@click.option("--test", type=click.Choice(["both", *TESTS]), default="both", help="The paired tests to run.")
@count_option("--trials", default=10_000, help="The number of trials of the randomization test.")
@bootstrap_options
@holm_option
@alpha_option
@click.option(
    "--paper",
    is_flag=True,
    help="Reproduce sacrebleu's p-values and intervals, to check published tables.",
)
@table_options
@digits_option
@limits_options
@threads_option
@quiet_option
def compare(
    hypotheses: tuple[str, ...],
    input_options: InputOptions,
    metric_options: MetricOptions,
    test: str,
    trials: int,
    bootstrap: BootstrapOptions,
    holm: bool,
    alpha: float,
    paper: bool,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Test whether each SYSTEM differs from BASELINE by each metric.

    BASELINE and SYSTEM are files with one segment per line, or NAME=FILE. Files with the same name are runs of one
    system. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML or SGML file; - is standard input. The default
    metrics are BLEU, chrF and TER.

    The verdict is better or worse if p is at most --alpha, and unclear otherwise. It uses the p-value of the paired
    bootstrap, unless you run only the randomization test.
    """
    metrics = metric_options.metrics(languages=input_options.languages)
    systems = parse_systems(hypotheses, runs=True)
    if len(systems) == 1:
        raise InputError(None, "there is only one system", "name a baseline and at least one other file")
    if len({system.name for system in systems}) == 1:
        name = systems[0].name
        problem = f"all files are runs of one system, {name!r}"
        raise InputError(None, problem, f"give one a different name, as in {name}2={systems[-1].file}")
    with (
        input_options.open(systems, bootstrap.units) as inputs,
        ProgressBar("scoring", "segments", quiet=quiet) as progress,
    ):
        results = score_systems(inputs, metrics, progress, keep_rows=True, threads=threads)
    tests = list(TESTS) if test == "both" else [test]
    shared = {"holm": holm, "paper": paper, "threads": threads}
    comparisons = _run_tests(results, tests, trials, bootstrap, quiet, shared)
    if form == "json":
        show_json("compare", _content(results, comparisons, alpha))
        return
    if form in FLAT:
        show_tables([_flat_table(comparisons, tests, alpha)], form)
        return
    titles = metric_titles(results.metrics)
    tables = [
        _table(titles[label], [comparisons[test][label] for test in tests], tests, alpha, digits)
        for label in results.metrics
    ]
    signatures = [results.systems[0].scores[label].signature for label in results.metrics]
    test_signatures = [next(iter(comparisons[test].values())).signature for test in tests]
    show_tables(tables, form, [*signatures, *test_signatures])


def _run_tests(
    results: Results,
    tests: Sequence[str],
    trials: int,
    options: BootstrapOptions,
    quiet: bool,
    shared: Mapping[str, Any],
) -> Comparisons:
    from refscore.significance import approximate_randomization, paired_bootstrap

    rows: dict[str, dict[str, list[Any]]] = {label: {} for label in results.metrics}
    for result in results.systems:
        for label in results.metrics:
            rows[label].setdefault(result.system.name, []).append(result.rows[label])
    comparisons: dict[str, Mapping[str, Comparison]] = {}
    for test in tests:
        with ProgressBar(TESTS[test], "resamples" if test == "bootstrap" else "trials", quiet=quiet) as progress:
            settings = {**shared, **options.draws, "units": results.units, "progress": progress.show_count}
            if test == "bootstrap":
                comparisons[test] = paired_bootstrap(results.metrics, rows, **settings)
                continue
            if "bootstrap" in tests and not shared["paper"]:
                settings["resamples"] = 0  # the table shows the intervals of the bootstrap
            comparisons[test] = approximate_randomization(results.metrics, rows, trials=trials, **settings)
    return comparisons


def _table(title: str, comparisons: Sequence[Comparison], tests: Sequence[str], alpha: float, digits: int) -> Table:
    """Return a table with one row per system and one column of p-values per test."""
    first = comparisons[0]
    scale = first.printed_scale

    def number(value: float | None, sign: str = "") -> str:
        return NOTHING if value is None else f"{scale * value:{sign}.{digits}f}"

    def bounds(interval: Interval | None, sign: str = "") -> str:
        return NOTHING if interval is None else f"[{number(interval.low, sign)}, {number(interval.high, sign)}]"

    percent = f"{100 * (first.confidence or 0):g} %"
    # Intervals of differences say more than intervals of scores, but sacrebleu's tests have only the latter.
    of_scores = all(outcome.difference_interval is None for outcome in first.systems)
    shared: dict[str, Callable[[Outcome], str]] = {
        title + ("" if first.metric.higher_is_better else " ↓"): lambda outcome: number(outcome.score),
        f"{percent} interval": lambda outcome: bounds(outcome.interval) if of_scores else NOTHING,
        "Δ": lambda outcome: number(outcome.difference, "+"),
        f"Δ within ({percent})": lambda outcome: bounds(outcome.difference_interval, "+"),
        "wins": lambda outcome: (
            NOTHING if outcome.win_probability is None else f"{100 * outcome.win_probability:.1f} %"
        ),
    }
    columns = [Column("system"), *(Column(name, "right") for name in shared)]
    columns += [Column(f"p {test[:4]}.{' Holm' if first.holm else ''}", "right") for test in tests]
    columns.append(Column("verdict"))
    rows = []
    for outcome in first.systems:
        cells = [outcome.name, *(text(outcome) for text in shared.values())]
        name = outcome.name
        cells += [each.highlight_p(name, each.format_p(name), alpha) for each in comparisons]
        rows.append([*cells, first.verdict(name, alpha)])
    used = [i for i in range(len(columns)) if any(row[i] != NOTHING for row in rows)]
    return Table("", [columns[i] for i in used], [[row[i] for i in used] for row in rows])


def _flat_table(comparisons: Comparisons, tests: Sequence[str], alpha: float) -> Table:
    """Return a table for programs: one row per metric and system, full precision, empty cells for missing numbers."""
    columns = ["metric", "system", "score", "low", "high", "difference", "difference_low", "difference_high", "wins"]
    rows = []
    for label in comparisons[tests[0]]:
        by_test = [comparisons[test][label] for test in tests]
        first = by_test[0]
        for index, outcome in enumerate(first.systems):
            outcomes = [comparison.systems[index] for comparison in by_test]
            intervals = [outcome.interval, outcome.difference_interval]
            bounds = [(None, None) if each is None else (each.low, each.high) for each in intervals]
            scores = [outcome.score, *bounds[0], outcome.difference, *bounds[1]]
            numbers = [None if value is None else first.printed_scale * value for value in scores]
            numbers += [outcome.win_probability, *(each.p_value for each in outcomes)]
            cells = ["" if value is None else repr(value) for value in numbers]
            rows.append([label, outcome.name, *cells, first.verdict(outcome.name, alpha)])
    return Table("", [Column(title) for title in [*columns, *(f"p_{test}" for test in tests), "verdict"]], rows)


def _content(results: Results, comparisons: Comparisons, alpha: float) -> dict[str, Any]:
    def verdicts(comparison: Comparison) -> dict[str, str]:
        return {outcome.name: comparison.verdict(outcome.name, alpha) for outcome in comparison.systems[1:]}

    first = next(iter(next(iter(comparisons.values())).values()))
    return {
        "segments": results.segments,
        "baseline": first.baseline.name,
        "alpha": alpha,
        "files": [{"name": result.system.name, "file": result.system.file} for result in results.systems],
        "metrics": {label: metric_content(results, label) for label in results.metrics},
        "comparisons": [
            {**comparison.to_dict(), "verdicts": verdicts(comparison)}
            for by_metric in comparisons.values()
            for comparison in by_metric.values()
        ],
    }
