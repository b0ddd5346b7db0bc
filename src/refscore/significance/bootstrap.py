"""Bootstrap: resample segments with replacement, to simulate other test sets of the same kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from refscore.errors import SettingError
from refscore.metrics import MetricChoice, Values, kernel_threads, parse_row_metric
from refscore.progress import Progress
from refscore.significance import draws, sacrebleu_formulas
from refscore.significance.draws import Matrix
from refscore.significance.inputs import MetricByLabel, Systems, check_labelled, check_runs, unit_numbers
from refscore.significance.results import Comparison, Interval, Outcome, percentile_intervals
from refscore.significance.scoring import ComparedSystems, Draw, compare, of_one_or_several, share_as_large, tie
from refscore.significance.settings import Sampling, Tests, Units, check_draws


def bootstrap(
    metric: MetricChoice,
    rows: ArrayLike,
    tests: Tests | None = None,
    *,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Interval:
    """Return a corpus score's confidence interval, on the metric's own scale.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk".
        rows: One row of statistics per segment, as an array of shape (segments, columns). `metric.stats` returns it. A
            list with one array per run (training seed) also resamples runs.
        tests: The settings, of which `resamples`, `seed`, `confidence` and `formulas` have an effect.
        units: A label per segment, such as its document. Segments with the same label are drawn together.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`.

    Example:
        >>> import refscore
        >>> from refscore.significance import bootstrap
        >>> metric = refscore.CHRF()
        >>> references = ["the cat sat on the mat", "it rained all day", "we went home early", "nobody came"]
        >>> rows = metric.stats(["the cat sat on a mat", "it rains all day", "we are home", "nobody came"], references)
        >>> interval = bootstrap(metric, rows)
        >>> interval.low < metric.score(rows.sum(0)).value < interval.high
        True
    """
    _, scorer = parse_row_metric(metric)
    runs = check_runs(scorer, rows, "rows")
    tests, sampling = check_draws(tests, settings, ["formulas"], units=units, threads=threads, progress=progress)
    systems = ComparedSystems({"": scorer}, {"": {"": runs}}, unit_numbers(sampling.units, len(runs[0])))
    if tests.formulas == "sacrebleu":
        return sacrebleu_formulas.bootstrap(systems, sampling)
    values = systems.resampled(_draw(sampling, systems), sampling)[""]
    resampled = _over_runs(values, sampling.seed, draws.BASELINE_RUNS)
    return percentile_intervals(resampled[None], sampling, systems.grouped)[0]


@of_one_or_several
def paired_bootstrap(
    metric: MetricChoice | MetricByLabel,
    systems: Systems | Mapping[str, Systems],
    tests: Tests | None = None,
    *,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Comparison | dict[str, Comparison]:
    """Compare systems with a baseline by paired bootstrap: all systems are scored on the same resamples.

    The p-value is two-sided. It is the fraction of resamples whose difference is at least as far from the observed
    difference as that is from 0. An output identical to the baseline's has p = 1.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". Several metrics in a list, or in a
            dictionary with labels.
        systems: Each system's rows, by name. The first system is the baseline. `metric.stats` returns rows. A list has
            one array per run (training seed): the score is the mean over runs, and runs are resampled like segments.
            For several metrics, a dictionary from each label to its systems.
        tests: The settings.
        units: A label per segment, such as its document. Segments with the same label are drawn together.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`.

    Returns:
        The comparison. For several metrics, a dictionary from labels to comparisons.

    Example:
        >>> import refscore
        >>> from refscore.significance import paired_bootstrap
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metrics = {"BLEU": refscore.BLEU(), "chrF": refscore.CHRF()}
        >>> rows = {
        ...     label: {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        ...     for label, metric in metrics.items()
        ... }
        >>> comparison = paired_bootstrap(metrics["chrF"], rows["chrF"])
        >>> comparison["new"].significant(), comparison["new"].win_probability
        (True, 1.0)
        >>> list(paired_bootstrap(metrics, rows))
        ['BLEU', 'chrF']
    """
    accepted = ["holm", "formulas"]
    chosen, sampling = check_draws(tests, settings, accepted, units=units, threads=threads, progress=progress)
    return compare(metric, systems, sampling.units, lambda compared: compare_resampled(compared, chosen, sampling))


def compare_resampled(systems: ComparedSystems, tests: Tests, sampling: Sampling) -> dict[str, Comparison]:
    test = sacrebleu_formulas.paired_bootstrap if tests.formulas == "sacrebleu" else resampled_outcomes
    return systems.comparisons(test(systems, sampling), tests, resamples=tests.resamples)


def all_pairs(
    metrics: MetricByLabel,
    systems: Mapping[str, Systems],
    tests: Tests | None = None,
    *,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> dict[str, list[Comparison]]:
    """Compare all systems with each other. Resamples are drawn and scored only once.

    Args:
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        systems: Each system's rows by label, as for `paired_bootstrap`.
        tests: The settings, of which `resamples`, `seed` and `confidence` have an effect.
        units: A label per segment, such as its document. Segments with the same label are drawn together.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`.

    Returns:
        For each label, one comparison per system, as `paired_bootstrap` returns it with that system first. p-values are
        not corrected for the number of pairs.

    Example:
        >>> import refscore
        >>> from refscore.significance import all_pairs
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metric = refscore.CHRF()
        >>> rows = {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        >>> old, new = all_pairs({"chrF": metric}, {"chrF": rows})["chrF"]
        >>> new.baseline.name, new["old"].difference == -old["new"].difference, new["old"].p == old["new"].p
        ('new', True, True)
    """
    tests, sampling = check_draws(tests, settings, units=units, threads=threads, progress=progress)
    compared = ComparedSystems(*check_labelled(metrics, systems, sampling.units))
    by_baseline = [
        compared.comparisons(outcomes, tests, resamples=tests.resamples)
        for outcomes in _outcomes(compared, sampling, range(len(compared.runs)))
    ]
    return {label: [comparisons[label] for comparisons in by_baseline] for label in compared.metrics}


def resampled_outcomes(systems: ComparedSystems, sampling: Sampling) -> dict[str, list[Outcome]]:
    return next(_outcomes(systems, sampling, [0]))


def _draw(sampling: Sampling, systems: ComparedSystems) -> Draw:
    threads = kernel_threads(sampling.threads)
    return lambda begin, end: draws.resamples(sampling.seed, begin, end, systems.units, threads)


def _over_runs(values: Matrix, seed: int, stream: int) -> Values:
    count, runs = values.shape
    if runs == 1:
        return values[:, 0]
    mean: Values = np.take_along_axis(values, draws.run_choices(seed, stream, count, runs), axis=1).mean(1)
    return mean


def _outcomes(
    systems: ComparedSystems, sampling: Sampling, baselines: Iterable[int]
) -> Iterator[dict[str, list[Outcome]]]:
    """Yield each metric's outcomes for each baseline: the baseline first, then the others in order."""
    values, scored = systems.resampled(_draw(sampling, systems), sampling), systems.outcomes
    for first in baselines:
        yield {
            label: _against_first(
                systems, label, [outcomes[first], *outcomes[:first], *outcomes[first + 1 :]], values[label], sampling
            )
            for label, outcomes in scored.items()
        }


def _against_first(
    systems: ComparedSystems, label: str, scored: Sequence[Outcome], values: Matrix, sampling: Sampling
) -> list[Outcome]:
    """Return the outcomes with intervals, differences and p-values. The first is the baseline."""
    resampled = _system_values(systems, [outcome.name for outcome in scored], values, sampling.seed)
    drawn = resampled[1:] - resampled[0]
    intervals = percentile_intervals(resampled, sampling, systems.grouped)
    of_differences = percentile_intervals(drawn, sampling, systems.grouped)
    outcomes, score = [replace(scored[0], interval=intervals[0])], scored[0].score
    for k, outcome in enumerate(scored[1:]):
        difference, near = outcome.score - score, tie(resampled[0], resampled[k + 1])
        better = drawn[k] > near if systems.metrics[label].higher_is_better else drawn[k] < -near
        wins = np.count_nonzero(better) + np.count_nonzero(np.abs(drawn[k]) <= near) / 2
        outcomes.append(
            replace(
                outcome,
                interval=intervals[k + 1],
                difference=difference,
                difference_interval=of_differences[k],
                p=share_as_large(drawn[k] - difference, difference, near),
                win_probability=float(wins / sampling.count),
            )
        )
    return outcomes


def _system_values(systems: ComparedSystems, names: list[str], values: Matrix, seed: int) -> Matrix:
    """Return each resample's score, with one row per system. The first name is the baseline."""
    streams = [draws.BASELINE_RUNS] + [draws.SYSTEM_RUNS] * (len(names) - 1)
    return np.array(
        [
            _over_runs(values[:, systems.columns[name]], seed, stream)
            for name, stream in zip(names, streams, strict=True)
        ]
    )


def resampled_differences(systems: ComparedSystems, sampling: Sampling) -> dict[str, dict[str, Values]]:
    values, names = systems.resampled(_draw(sampling, systems), sampling), list(systems.columns)
    differences = {}
    for label, scores in values.items():
        baseline, *others = _system_values(systems, names, scores, sampling.seed)
        differences[label] = {name: other - baseline for name, other in zip(names[1:], others, strict=True)}
    return differences


DEFAULT_POWER = 0.8


@of_one_or_several
def minimum_detectable_difference(
    metric: MetricChoice | MetricByLabel,
    systems: Systems | Mapping[str, Systems],
    tests: Tests | None = None,
    *,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Any:
    """Return the smallest true difference from the baseline that a paired test on these segments would probably show.

    The definition is (z(1 - alpha / 2) + z(power)) * s. z is the quantile function of the standard normal distribution.
    s is the difference's standard error: its standard deviation over the resamples in `paired_bootstrap`. If the
    true difference is this large, a two-sided test has p ≤ alpha with the probability `power`. This assumes that
    differences are normally distributed, and that s would be the same for a difference of this size.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". Several metrics in a list, or in a
            dictionary with labels.
        systems: Each system's rows, by name, as for `paired_bootstrap`.
        tests: The settings, of which `alpha`, `power` (0.8 by default) and the resampling settings have an effect.
            There must be at least 2 resamples.
        units: A label per segment, such as its document. Segments with the same label are drawn together.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`.

    Returns:
        The difference for each system except the baseline, by name, on the metric's own scale. For several metrics, a
        dictionary from labels to such dictionaries. A system with the baseline's output has 0.

    Example:
        >>> import refscore
        >>> from refscore.significance import minimum_detectable_difference
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metric = refscore.CHRF()
        >>> rows = {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        >>> smallest = minimum_detectable_difference(metric, {**rows, "same": rows["old"]})
        >>> list(smallest), smallest["new"] > 0, smallest["same"]
        (['new', 'same'], True, 0.0)
    """
    if getattr(tests, "power", None) is None:
        settings = {"power": DEFAULT_POWER, **settings}
    accepted = ["alpha", "power"]
    chosen, sampling = check_draws(tests, settings, accepted, units=units, threads=threads, progress=progress)
    if chosen.power is None:
        raise SettingError("power is None: pass a probability such as 0.8")
    alpha, power = chosen.alpha, chosen.power
    return compare(
        metric, systems, sampling.units, lambda compared: detectable_differences(compared, alpha, power, sampling)
    )


def detectable_differences(
    systems: ComparedSystems, alpha: float, power: float, sampling: Sampling
) -> dict[str, dict[str, float]]:
    quantile = NormalDist().inv_cdf
    factor = quantile(1 - alpha / 2) + quantile(power)
    return {
        label: {name: max(0.0, factor * float(drawn.std(ddof=1))) for name, drawn in by_system.items()}
        for label, by_system in resampled_differences(systems, sampling).items()
    }
