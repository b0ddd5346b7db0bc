from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from refscore.comparison.model import SystemComparison
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.metrics import kernel_threads
from refscore.significance import Comparison, Tests
from refscore.significance.bootstrap import compare_resampled
from refscore.significance.inputs import Numbers, label_numbers, unit_numbers
from refscore.significance.power import detectable_differences
from refscore.significance.randomization import compare_swapped
from refscore.significance.results import TestName
from refscore.significance.scoring import ComparedSystems
from refscore.significance.settings import Sampling

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.settings import TestsSettings

Progress: TypeAlias = Callable[[str, int, int], object]
_NAMES: dict[str, TestName] = {"bootstrap": "paired-bootstrap", "randomization": "approximate-randomization"}


def compare_evaluation(
    evaluation: Evaluation,
    baseline: str | None = None,
    *,
    by: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[TestsSettings],
) -> SystemComparison:
    """Compare the systems of an evaluation with a baseline. Its rows must be retained.

    Args:
        evaluation: The evaluation, which may come from texts, files, frames, or scores of other programs.
        baseline: The name of the baseline; the first system by default.
        by: The name of a grouping. Each group of segments is also compared.
        threads: The number of threads; all cores by default.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings of `refscore.significance.Tests`.

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
    tests = Tests(**settings)
    kernel_threads(threads)
    systems = evaluation.systems
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location("systems"), f"has {len(systems)} system{'' if len(systems) == 1 else 's'}", fix)
    if baseline is not None:
        evaluation.run_indexes(baseline)  # raises an error for an unknown name
        systems = [baseline, *(name for name in systems if name != baseline)]
    names = (evaluation.titles, evaluation.signatures)
    units = unit_numbers(evaluation.units, evaluation.segments)
    groups = {} if by is None else evaluation.by(by)
    whole = _compare(evaluation, systems, units, tests, names, threads, progress)
    by_label: dict[Hashable, SystemComparison] = {}
    for done, (label, group) in enumerate(groups.items(), 1):
        numbers = None if group.units is None else label_numbers(group.units, group.segments, "units")[1]
        by_label[label] = _compare(group, systems, numbers, tests, names, threads)
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

    `units` has the index of each segment's unit. `titles` are the titles and the signatures of the metrics.
    """
    runs = {name: evaluation.run_indexes(name) for name in names}
    rows = {
        label: {name: tuple(evaluation.rows_of_run(label, run) for run in indexes) for name, indexes in runs.items()}
        for label in evaluation.metrics
    }
    systems = ComparedSystems(evaluation.metrics, rows, units)
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
        draws = sampling if progress is None else replace(sampling, progress=partial(progress, words[test]))
        if test == "bootstrap":
            comparisons[test] = compare_resampled(systems, tests, draws)
            continue
        if comparisons and not tests.paper:
            draws = replace(draws, count=0)  # tables show the intervals of the bootstrap
        comparisons[test] = compare_swapped(systems, tests, draws)
    return comparisons


def _untested(systems: ComparedSystems, tests: Tests) -> dict[str, dict[str, Comparison]]:
    """Return comparisons with scores and differences only, for a group with a single segment or unit."""
    outcomes = {
        label: [first, *(replace(other, difference=other.score - first.score) for other in others)]
        for label, (first, *others) in systems.outcomes().items()
    }
    return {test: systems.comparisons(outcomes, tests, resamples=None, test=_NAMES[test]) for test in tests.chosen}
