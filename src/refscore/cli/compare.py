"""`refscore compare`: whether systems differ from a baseline, or whether it could be chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from refscore.cli.inputs import InputChoice, complete_file, input_options
from refscore.cli.limiting import limit_options
from refscore.cli.options import MetricChoice, metric_options, titles
from refscore.cli.output import digits_option, output_option, quiet_option, show_json, show_tables, threads_option
from refscore.cli.progress import Work
from refscore.cli.resampling import Resampling, resampling_options
from refscore.cli.score import DEFAULT_METRICS
from refscore.cli.scoring import Results, score_systems
from refscore.cli.systems import systems
from refscore.errors import InputError
from refscore.tables import Column, Highlight, Table

if TYPE_CHECKING:
    from refscore.significance import Comparison, Interval, Outcome, RowScorer

TESTS = {"bootstrap": "paired bootstrap", "randomization": "approximate randomization"}
NOTHING = "–"

# For each test, the comparison by each metric.
Comparisons: TypeAlias = "Mapping[str, Mapping[str, Comparison]]"


@click.command(
    epilog="Example: refscore compare base=a.txt new=b.txt -r ref.txt -m bleu,chrf",
)
@click.argument("hypotheses", metavar="BASELINE SYSTEM...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@metric_options
@click.option(
    "--test",
    "tests",
    type=click.Choice(["both", *TESTS]),
    default="both",
    help="The paired bootstrap, paired approximate randomization, or both (the default).",
)
@click.option(
    "--trials",
    type=click.IntRange(min=1),
    default=10_000,
    metavar="N",
    help="How many times randomization swaps outputs; 10,000 by default.",
)
@resampling_options
@click.option("--holm", is_flag=True, help="Correct p-values for the number of systems, metric by metric.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    metavar="NUMBER",
    help="The largest p that is called significant, 0.05 by default.",
)
@click.option(
    "--paper",
    is_flag=True,
    help="Give the p-values and intervals of sacrebleu's paired tests, with its generator and its formulas, to check "
    "published tables.",
)
@output_option
@digits_option
@limit_options
@threads_option
@quiet_option
def compare(
    hypotheses: tuple[str, ...],
    sources: InputChoice,
    choice: MetricChoice,
    tests: str,
    trials: int,
    resampling: Resampling,
    holm: bool,
    alpha: float,
    paper: bool,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Test whether each SYSTEM differs from BASELINE by each metric.

    Each is a file like those of references, or NAME=FILE; files of one name are several runs of one system.
    The metrics are BLEU, chrF and TER unless -m says otherwise.

    A verdict is better or worse where p is at most --alpha by every test, else unclear.
    """
    choice = choice.for_languages(sources.languages, DEFAULT_METRICS)
    metrics = choice.metrics(DEFAULT_METRICS)
    named = systems(hypotheses, runs=True)
    if len(named) == 1:
        raise InputError(None, "a comparison needs a baseline and at least one system: name two files")
    if len({system.name for system in named}) == 1:
        raise InputError(
            None,
            f"all files are called {named[0].name!r}, which makes them runs of one system: call one otherwise, as in "
            f"{named[0].name}2={named[-1].file}",
        )
    with sources.open(named, resampling.units) as inputs, Work("scoring", "segments", quiet=quiet) as work:
        results = score_systems(inputs, metrics, work, keep_rows=True, threads=threads)
    chosen = list(TESTS) if tests == "both" else [tests]
    found = _tested(results, chosen, trials, resampling, holm=holm, paper=paper, threads=threads, quiet=quiet)
    if form == "json":
        show_json("compare", _content(results, found, alpha))
        return
    if form == "tsv":
        show_tables([_flat(found, chosen, alpha)], form)
        return
    names = titles(results.metrics)
    tables = [
        _table(names[label], [found[test][label] for test in chosen], chosen, alpha, digits)
        for label in results.metrics
    ]
    signatures = [results.systems[0].scores[label].signature for label in results.metrics]
    tested = [next(iter(found[test].values())).signature for test in chosen]
    show_tables(tables, form, [*signatures, *tested])


def _tested(
    results: Results,
    tests: Sequence[str],
    trials: int,
    resampling: Resampling,
    *,
    holm: bool,
    paper: bool,
    threads: int | None,
    quiet: bool,
) -> Comparisons:
    from refscore.significance import approximate_randomization, paired_bootstrap

    rows: dict[str, dict[str, list[Any]]] = {label: {} for label in results.metrics}
    for result in results.systems:
        for label in results.metrics:
            rows[label].setdefault(result.system.name, []).append(result.rows[label])
    shared: dict[str, Any] = {
        "seed": resampling.seed,
        "confidence": resampling.confidence,
        "units": results.units,
        "holm": holm,
        "paper": paper,
        "threads": threads,
    }
    found: dict[str, Mapping[str, Comparison]] = {}
    for test in tests:
        with Work(TESTS[test], "resamples" if test == "bootstrap" else "trials", quiet=quiet) as work:

            def show(done: int, total: int, work: Work = work) -> None:
                work.show(done, done / total)

            if test == "bootstrap":
                found[test] = paired_bootstrap(
                    results.metrics, rows, resamples=resampling.resamples, progress=show, **shared
                )
            else:
                # The bootstrap has intervals of its own.
                resamples = 0 if "bootstrap" in tests and not paper else resampling.resamples
                found[test] = approximate_randomization(
                    results.metrics, rows, trials=trials, resamples=resamples, progress=show, **shared
                )
    return found


def _table(title: str, comparisons: Sequence[Comparison], tests: Sequence[str], alpha: float, digits: int) -> Table:
    """One row a system; what the tests share stands there once, each has its own p."""
    first = comparisons[0]
    scale = first.printed_scale

    def number(value: float | None, sign: str = "") -> str:
        return NOTHING if value is None else f"{scale * value:{sign}.{digits}f}"

    def interval(found: Interval | None, sign: str = "") -> str:
        return NOTHING if found is None else f"[{number(found.low, sign)}, {number(found.high, sign)}]"

    percent = f"{100 * (first.confidence or 0):g} %"
    # sacrebleu has intervals of scores only; where there are intervals of differences, they are what counts.
    of_scores = all(outcome.difference_interval is None for outcome in first.systems)
    shared: dict[str, Callable[[Outcome], str]] = {
        title + ("" if first.metric.higher_is_better else " ↓"): lambda outcome: number(outcome.score),
        f"{percent} interval": lambda outcome: interval(outcome.interval) if of_scores else NOTHING,
        "Δ": lambda outcome: number(outcome.difference, "+"),
        f"Δ within ({percent})": lambda outcome: interval(outcome.difference_interval, "+"),
        "wins": lambda outcome: (
            NOTHING if outcome.win_probability is None else f"{100 * outcome.win_probability:.1f} %"
        ),
    }
    columns = [Column("system"), *(Column(name, "right") for name in shared)]
    columns += [Column(f"p {test[:4]}.{' Holm' if first.holm else ''}", "right") for test in tests]
    columns.append(Column("verdict"))
    rows = []
    for index, outcome in enumerate(first.systems):
        cells = [outcome.name, *(text(outcome) for text in shared.values())]
        outcomes = [comparison.systems[index] for comparison in comparisons]
        cells += [_p(each, alpha) for each in outcomes]
        cells.append("baseline" if index == 0 else _verdict(first.metric, outcomes, alpha))
        rows.append(cells)
    kept = [i for i in range(len(columns)) if any(row[i] != NOTHING for row in rows)]
    return Table("", [columns[i] for i in kept], [[row[i] for i in kept] for row in rows])


def _flat(found: Comparisons, tests: Sequence[str], alpha: float) -> Table:
    """One row for each metric and system, for programs: full precision, empty where there is nothing."""
    columns = ["metric", "system", "score", "low", "high", "difference", "difference_low", "difference_high", "wins"]
    rows = []
    for label in found[tests[0]]:
        comparisons = [found[test][label] for test in tests]
        scale = comparisons[0].printed_scale
        for index, outcome in enumerate(comparisons[0].systems):
            outcomes = [comparison.systems[index] for comparison in comparisons]
            scaled = [outcome.score, *_ends(outcome.interval), outcome.difference, *_ends(outcome.difference_interval)]
            numbers = [None if value is None else scale * value for value in scaled]
            ps = [each.p_value for each in outcomes]
            cells = ["" if value is None else repr(value) for value in [*numbers, outcome.win_probability, *ps]]
            verdict = "baseline" if index == 0 else _verdict(comparisons[0].metric, outcomes, alpha)
            rows.append([label, outcome.name, *cells, verdict])
    return Table("", [Column(title) for title in [*columns, *(f"p_{test}" for test in tests), "verdict"]], rows)


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _p(outcome: Outcome, alpha: float) -> str:
    if outcome.p_value is None:
        return NOTHING
    text = f"{outcome.p_value:.4f}"
    return Highlight(text) if outcome.significant(alpha) else text


def _verdict(metric: RowScorer, outcomes: Sequence[Outcome], alpha: float) -> str:
    """In a word: only what all tests say."""
    difference = outcomes[0].difference or 0.0
    if all(outcome.p == 1 for outcome in outcomes) and difference == 0:
        return "equal"
    if not all(outcome.significant(alpha) for outcome in outcomes):
        return "unclear"
    return "better" if (difference > 0) == metric.higher_is_better else "worse"


def _content(results: Results, found: Comparisons, alpha: float) -> dict[str, Any]:
    some = next(iter(found.values()))
    return {
        "segments": results.segments,
        "baseline": next(iter(some.values())).baseline.name,
        "alpha": alpha,
        "files": [{"name": result.system.name, "file": result.system.file} for result in results.systems],
        "metrics": {
            label: {
                "name": metric.name,
                "title": metric.title,
                "higher_is_better": metric.higher_is_better,
                "signature": results.systems[0].scores[label].signature,
            }
            for label, metric in results.metrics.items()
        },
        "comparisons": [
            {**comparison.to_dict(), "verdicts": _verdicts(comparison, alpha)}
            for by_metric in found.values()
            for comparison in by_metric.values()
        ],
    }


def _verdicts(comparison: Comparison, alpha: float) -> dict[str, str]:
    return {outcome.name: _verdict(comparison.metric, [outcome], alpha) for outcome in comparison.systems[1:]}
