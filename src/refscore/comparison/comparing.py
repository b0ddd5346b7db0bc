from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Sized
from dataclasses import replace

from numpy.typing import ArrayLike

from refscore.comparison.model import SystemComparison
from refscore.errors import InputError, Location, check_instance
from refscore.evaluation import Evaluation, evaluate
from refscore.inputs import References, Sources, Systems, reusable
from refscore.metrics import DEFAULT_METRICS, MetricChoices, kernel_threads
from refscore.progress import Progress
from refscore.significance import Comparison, Tests
from refscore.significance.bootstrap import compare_resampled, detectable_differences
from refscore.significance.inputs import Numbers, check_several, label_numbers, unit_numbers
from refscore.significance.mcnemar import compare_discordant
from refscore.significance.randomization import compare_swapped
from refscore.significance.results import TestName
from refscore.significance.scoring import ComparedSystems
from refscore.significance.settings import Sampling, Units, merge_settings

_NAMES: dict[str, TestName] = {
    "bootstrap": "paired-bootstrap",
    "randomization": "approximate-randomization",
    "mcnemar": "mcnemar",
}


def compare(
    systems: Systems,
    references: References,
    metrics: MetricChoices = DEFAULT_METRICS,
    tests: Tests | None = None,
    *,
    sources: Sources = None,
    rows: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    units: Units | None = None,
    by: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> SystemComparison:
    """Test whether systems differ from a baseline by each metric. This is `refscore compare` in Python.

    Args:
        systems: The texts of each system, by name. The first system is the baseline. Token sequences also work. The
            texts from several training runs are a dictionary with one entry per run, or a list with one list per run.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        tests: The test settings, such as `refscore.significance.Tests(resamples=10_000)`.
        sources: One source per segment, for metrics that need it.
        rows: One row of statistics per segment, as an array of shape (segments, columns). By label and
            system, for metrics that do not score texts, such as `refscore.Given`. Several runs have a list of arrays.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        by: A label per segment, such as its domain. Segments with the same label are also compared.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, such as `seed=1`, which replace the ones in `tests`.

    Returns:
        The comparison. It prints as `refscore compare` does.

    Example:
        >>> import refscore
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = refscore.compare(outputs, refs, ["chrf"], test="bootstrap")
        >>> print(result)
        system   chrF2       Δ   Δ within (95 %)     wins  p boot.  verdict
        ------  ------  ------  ----------------  -------  -------  --------
        old      29.54       –                 –        –        –  baseline
        new     100.00  +70.46  [+57.10, +82.65]  100.0 %  ≤ 0.001  better
        <BLANKLINE>
        chrf|nrefs:1|case:mixed|norm:none|chars:codepoints|nc:6|nw:0|beta:2.0|space:no|smooth:none|avg:micro|version:0.1.0
        test:paired-bootstrap|resamples:1000|seed:12345|conf:0.95|units:segments|holm:no|version:0.1.0
        >>> result.verdict("chrf", "new"), round(result["chrf"]["new"].difference, 3)
        ('better', 0.705)
        >>> comet = refscore.Given("comet")
        >>> given = {"comet": {"old": comet.stats([0.5, 0.6, 0.4, 0.7]), "new": comet.stats([0.9, 0.8, 0.9, 0.8])}}
        >>> both = refscore.compare(outputs, refs, {"chrF": "chrf", "comet": comet}, rows=given)
        >>> both.verdict("comet", "new"), round(both["comet"]["new"].difference, 4)
        ('better', 0.3)
    """
    given: object = systems
    if not isinstance(given, Mapping):
        fix = 'map the name of each system to its texts, the baseline first, as in {"old": texts, "new": texts}'
        raise InputError(Location("systems"), "is not a mapping", fix)
    chosen = merge_settings(Tests, tests, settings)  # raises errors before any work
    check_several(systems, "systems")
    units, by = reusable(units), reusable(by)
    if isinstance(units, Sized):
        unit_numbers(units, len(units))  # type: ignore[arg-type]
    groups = None if by is None else {"by": by}
    evaluation = evaluate(
        systems,
        references,
        metrics,
        sources=sources,
        rows=rows,
        units=units,
        groups=groups,
        threads=threads,
        progress=progress,
    )
    name = None if by is None else "by"
    return compare_evaluation(evaluation, tests=chosen, by=name, threads=threads, progress=progress)


def compare_evaluation(
    evaluation: Evaluation,
    baseline: str | None = None,
    tests: Tests | None = None,
    *,
    by: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> SystemComparison:
    """Compare an evaluation's systems with a baseline. Its rows must be retained.

    Args:
        evaluation: The evaluation, which may come from texts, files, frames, or other programs' scores.
        baseline: The baseline, by default the first system.
        tests: The test settings.
        by: A grouping. Each group is also compared.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`.

    Returns:
        The comparison.

    Example:
        >>> import refscore
        >>> from refscore.comparison import compare_evaluation
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = compare_evaluation(refscore.evaluate(outputs, refs, "chrf"), test="bootstrap")
        >>> result.verdict("chrf", "new")
        'better'
    """
    check_instance("evaluation", evaluation, Evaluation, "pass what refscore.evaluate returns")
    chosen = merge_settings(Tests, tests, settings)
    kernel_threads(threads)
    systems = evaluation.systems
    check_several(systems, "systems")
    if baseline is not None:
        evaluation.run_indexes(baseline)  # raises an error for an unknown name
        systems = [baseline, *(name for name in systems if name != baseline)]
    names = (evaluation.titles, evaluation.signatures)
    units = unit_numbers(evaluation.units, evaluation.segments)
    groups = {} if by is None else evaluation.by(by)
    whole = _compare(evaluation, systems, units, chosen, names, threads, progress)
    by_label: dict[Hashable, SystemComparison] = {}
    for done, (label, group) in enumerate(groups.items(), 1):
        numbers = None if group.units is None else label_numbers(group.units, group.segments, "units")[1]
        by_label[label] = _compare(group, systems, numbers, chosen, names, threads)
        if progress is not None:
            progress("groups", done, len(groups))
    return replace(whole, groups=by_label, evaluation=evaluation)


def _compare(
    evaluation: Evaluation,
    names: Sequence[str],
    units: Numbers | None,
    tests: Tests,
    titles: tuple[Mapping[str, str], Mapping[str, str]],
    threads: int | None,
    progress: Progress | None = None,
) -> SystemComparison:
    """Return the comparison without groups, whose rows were checked when they entered the evaluation.

    `units` has each segment's unit as an index. `titles` are the metrics' titles and signatures.
    """
    runs = {name: evaluation.run_indexes(name) for name in names}
    rows = {
        label: {name: tuple(evaluation.rows_of_run(label, run) for run in indexes) for name, indexes in runs.items()}
        for label in evaluation.metrics
    }
    scores = None
    if evaluation.retain == "rows":  # otherwise, the rows are a sample, which has different scores
        of_runs = evaluation.scores_of_runs([run for indexes in runs.values() for run in indexes])
        scores = {label: [scored[label].value for scored in of_runs] for label in evaluation.metrics}
    systems = ComparedSystems(evaluation.metrics, rows, units, scores)
    sampling = Sampling(tests.resamples, tests.seed, tests.confidence, threads=threads)
    can_resample = systems.units > 1
    detectable: dict[str, dict[str, float]] = {}
    if tests.power is not None and can_resample:
        # Holm's method rejects whenever p is at most alpha divided by the number of systems.
        alpha = tests.alpha / (len(names) - 1 if tests.holm else 1)
        detectable = detectable_differences(systems, alpha, tests.power, sampling)
    return SystemComparison(
        metrics=evaluation.metrics,
        titles=titles[0],
        signatures=titles[1],
        tests=_run_tests(systems, tests, sampling, progress) if can_resample else _untested(systems, tests),
        alpha=tests.alpha,
        power=tests.power,
        detectable=detectable,
    )


def _run_tests(
    systems: ComparedSystems, tests: Tests, sampling: Sampling, progress: Progress | None
) -> dict[str, dict[str, Comparison]]:
    comparisons: dict[str, dict[str, Comparison]] = {}
    words = Tests.settings()["test"].words
    for test in tests.chosen:
        draws = replace(sampling, progress=progress, step=words[test])
        if test == "bootstrap":
            comparisons[test] = compare_resampled(systems, tests, draws)
            continue
        if test == "mcnemar":
            comparisons[test] = compare_discordant(systems, tests, draws)
            continue
        if comparisons and tests.formulas == "refscore":
            draws = replace(draws, count=0)  # tables show the intervals of the bootstrap
        comparisons[test] = compare_swapped(systems, tests, draws)
    return comparisons


def _untested(systems: ComparedSystems, tests: Tests) -> dict[str, dict[str, Comparison]]:
    """Return comparisons with scores and differences only, for a group with a single segment or unit."""
    outcomes = {
        label: [first, *(replace(other, difference=other.score - first.score) for other in others)]
        for label, (first, *others) in systems.outcomes.items()
    }
    return {test: systems.comparisons(outcomes, tests, resamples=None, test=_NAMES[test]) for test in tests.chosen}
