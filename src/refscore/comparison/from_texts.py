"""Score the texts of systems, and compare them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from refscore.comparison.from_rows import compare_rows
from refscore.comparison.model import SystemComparison
from refscore.comparison.settings import Progress, Settings, TestChoice
from refscore.data_warnings import is_checked, issue
from refscore.errors import InputError, Location, relocated
from refscore.inputs import Input, References, Sources, read_side, reusable
from refscore.metrics import (
    Metric,
    MetricChoices,
    PreparedReferences,
    Reading,
    Rows,
    check_data,
    check_scores,
    metric_titles,
    parse_metrics,
    rows_and_counts,
    sum_rows,
    with_zeros,
)
from refscore.significance.inputs import Units, check_given_rows, label_numbers, unit_numbers


def compare(
    systems: Mapping[str, Any],
    references: References,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    sources: Sources = None,
    rows: Mapping[str, Mapping[str, Any]] | None = None,
    test: TestChoice = "both",
    resamples: int = 1000,
    trials: int = 10_000,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Units | None = None,
    holm: bool = False,
    alpha: float = 0.05,
    paper: bool = False,
    by: Units | None = None,
    power: float | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> SystemComparison:
    """Test whether systems differ from a baseline by each metric. This is `refscore compare` in Python.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. Token sequences also work. The
            texts of several training runs are a dictionary with one entry per run, or a list of lists of texts.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source of each segment, for metrics that need it.
        rows: One row of statistics per segment, as an array of shape (segments, columns). By the labels of metrics that
            do not score texts, such as `refscore.Given`, and by system. Several runs have a list of arrays.
        test: The tests to run: "both", "bootstrap" or "randomization". With both, the paired bootstrap decides.
        resamples: The number of resamples.
        trials: The number of random swaps of the randomization test.
        seed: The seed of the random numbers. The same seed gives the same result.
        confidence: The confidence of intervals.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        holm: Correct p-values for the number of systems, by Holm's method. Each metric is corrected separately.
        alpha: The largest significant p-value.
        paper: Compute sacrebleu's intervals and p-values, with its random generator and formulas.
        by: A label per segment, such as its domain. Each group of segments with the same label is also compared.
        power: Also compute the smallest difference that the tests show with this probability, such as 0.8. See
            `refscore.significance.minimum_detectable_difference`. With `holm`, its alpha is divided by the number of
            systems.
        threads: The number of threads; all cores by default.
        progress: A function called with the name of the current step, the amount of work done and the total.

    Returns:
        The comparison. It prints the tables of `refscore compare`.

    Example:
        >>> import refscore
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = refscore.compare(outputs, refs, ["chrf"], test="bootstrap")
        >>> print(result)
        system   chrF2       Δ   Δ within (95 %)     wins   p boot.  verdict
        ------  ------  ------  ----------------  -------  --------  --------
        old      29.54       –                 –        –         –  baseline
        new     100.00  +70.46  [+57.10, +82.65]  100.0 %  *≤ 0.001  better
        <BLANKLINE>
        chrf|nrefs:1|case:mixed|norm:none|units:codepoints|nc:6|nw:0|beta:2.0|space:no|smooth:none|avg:micro|version:0.1.0
        test:paired-bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|holm:no|version:0.1.0
        >>> result.verdict("chrf", "new"), round(result["chrf"]["new"].difference, 3)
        ('better', 0.705)
        >>> comet = refscore.Given("comet")
        >>> given = {"comet": {"old": comet.stats([0.5, 0.6, 0.4, 0.7]), "new": comet.stats([0.9, 0.8, 0.9, 0.8])}}
        >>> both = refscore.compare(outputs, refs, {"chrF": "chrf", "comet": comet}, rows=given)
        >>> both.verdict("comet", "new"), round(both["comet"]["new"].difference, 4)
        ('better', 0.3)
    """
    # Iterators could be read only once.
    units, by = map(reusable, (units, by))
    settings = Settings(
        test, resamples, trials, seed, confidence, units, holm, alpha, paper, by, power, threads, progress
    )
    chosen = parse_metrics(metrics)
    titles = {label: label for label in chosen} if isinstance(metrics, Mapping) else metric_titles(chosen)
    entries: Any = reusable(references)
    runs = _check_systems(systems, entries)
    unit_numbers(units, len(entries))
    if by is not None:
        label_numbers(by, len(entries), "by")
    counts_of_runs = {name: len(of_runs) for name, of_runs in runs.items()}
    given = check_given_rows(rows or {}, chosen, counts_of_runs, len(entries))
    fitted = {label: metric.fit(entries) if metric.needs_fit else metric for label, metric in chosen.items()}
    scoring = _Scoring(entries, reusable(sources), threads)
    tables: dict[str, dict[str, list[Rows]]] = {
        label: given[label] if label in given else {name: [] for name in runs} for label in fitted
    }
    signatures = {label: chosen[label].signature for label in given}
    scored = [label for label in fitted if label not in given]
    tasks = [(label, name, side, texts) for label in scored for name in runs for side, texts in runs[name]]
    for done, (label, name, side, texts) in enumerate(tasks, 1):
        metric = fitted[label]
        with relocated(partial(Location.on_sides, hypotheses=side)):
            table, counts = scoring.rows(metric, texts)
        tables[label][name].append(table)
        if label not in signatures and len(table):
            signatures[label] = metric.score(sum_rows(table), references=counts).signature
        if progress is not None:
            progress("scoring", done, len(tasks))
    if is_checked():
        outputs = {name: of_runs[0][1] for name, of_runs in runs.items()}
        totals = (fitted[label].score(sum_rows(tables[label][name][0])) for label in scored for name in runs)
        found = check_data([fitted[label] for label in scored], outputs, entries)
        issue(with_zeros(found, check_scores(totals, len(entries))))
    return compare_rows(fitted, tables, titles=titles, signatures=signatures, **vars(settings))


class _Scoring:
    """Compute rows. Metrics that read text in the same way share the tokenized references."""

    def __init__(self, references: Any, sources: Any, threads: int | None) -> None:
        self._references = references
        self._sources = sources
        self._threads = threads
        self._prepared: dict[Reading, PreparedReferences] = {}

    def rows(self, metric: Metric[Any], texts: Any) -> tuple[Rows, tuple[int, int]]:
        """Return the rows, and the smallest and largest number of references per segment."""
        references = self._references
        if not read_side(references).is_prepared:
            if metric.reading not in self._prepared:
                self._prepared[metric.reading] = metric.prepare(references, sources=self._sources)
            references = self._prepared[metric.reading]
        return rows_and_counts(metric, Input(texts, references), self._threads)


def _check_systems(systems: Any, references: Any) -> dict[str, list[tuple[str, Any]]]:
    """Return the texts of each run of each system, with the name of the argument for errors."""
    if not isinstance(systems, Mapping):
        fix = "map the name of each system to its texts, the baseline first"
        raise InputError(Location("systems"), "is not a mapping", fix)
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location("systems"), f"has {len(systems)} system{'' if len(systems) == 1 else 's'}", fix)
    if not hasattr(references, "__len__"):
        raise InputError(Location("references"), f"must be a sequence, not {type(references).__name__}")
    runs: dict[str, list[tuple[str, Any]]] = {}
    for name, texts in systems.items():
        if not isinstance(name, str) or not name:
            raise InputError(Location("systems"), f"has the name {name!r}", "use non-empty strings as names")
        runs[name] = _check_runs(texts, references, f"systems[{name!r}]")
    return runs


def _check_runs(texts: Any, references: Any, side: str) -> list[tuple[str, Any]]:
    if isinstance(texts, Mapping):
        runs = [(f"{side}[{run!r}]", each) for run, each in texts.items()]
    elif _is_list_of_runs(texts, references):
        runs = [(f"{side}[{k}]", each) for k, each in enumerate(texts)]
    else:
        runs = [(side, texts)]
    if not runs:
        raise InputError(Location(side), "is empty", "pass the texts of at least one run")
    checked = []
    for place, each in runs:
        hypotheses = reusable(each)
        if isinstance(hypotheses, str) or not hasattr(hypotheses, "__len__"):
            problem = f"must be a list of texts, not {type(hypotheses).__name__}"
            raise InputError(Location(place), problem, "pass one text per segment")
        if len(hypotheses) != len(references):
            problem = f"has {len(hypotheses)} texts for {len(references)} segments"
            raise InputError(Location(place), problem, "pass one per segment")
        checked.append((place, hypotheses))
    return checked


def _is_list_of_runs(texts: Any, references: Any) -> bool:
    """Return whether texts are lists of texts. They could be token sequences only if references were tokens, too."""

    def first(value: Any) -> Any:
        return value[0] if isinstance(value, (list, tuple)) and value else None

    entry = first(references)
    is_text = isinstance(entry, str) or any(isinstance(item, str) for item in entry or ())
    return is_text and isinstance(first(texts), (list, tuple)) and isinstance(first(first(texts)), str)
