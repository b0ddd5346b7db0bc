from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, overload

from refscore.metrics import MetricChoice
from refscore.significance.bootstrap import resampled_differences
from refscore.significance.inputs import MetricByLabel, Systems
from refscore.significance.scoring import ComparedSystems, compare
from refscore.significance.settings import Sampling, Tests, check_draws

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.settings import DrawSettings

DEFAULT_POWER = 0.8


@overload
def minimum_detectable_difference(
    metric: MetricChoice,
    systems: Systems,
    *,
    alpha: float = ...,
    power: float = ...,
    **settings: Unpack[DrawSettings],
) -> dict[str, float]: ...
@overload
def minimum_detectable_difference(
    metric: MetricByLabel,
    systems: Mapping[str, Systems],
    *,
    alpha: float = ...,
    power: float = ...,
    **settings: Unpack[DrawSettings],
) -> dict[str, dict[str, float]]: ...
def minimum_detectable_difference(
    metric: MetricChoice | MetricByLabel,
    systems: Systems | Mapping[str, Systems],
    *,
    alpha: float = Tests.alpha,
    power: float = DEFAULT_POWER,
    **settings: Unpack[DrawSettings],
) -> Any:
    """Return the smallest true difference from the baseline that a paired test on these segments would probably show.

    The definition is (z(1 - alpha / 2) + z(power)) * s. z is the quantile function of the standard normal distribution.
    s is the standard error of the difference: its standard deviation over the resamples of `paired_bootstrap`. If the
    true difference is this large, a two-sided test has p ≤ alpha with the probability `power`. This assumes that
    differences are normally distributed, and that s would be the same for a difference of this size.

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". Several metrics in a list, or in a
            dictionary with labels.
        systems: The rows of statistics of each system, by name, as for `paired_bootstrap`.
        alpha: The largest significant p-value.
        power: The probability that the test shows the difference.
        **settings: As for `bootstrap`. There must be at least 2 resamples.

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
    tests, sampling = check_draws({**settings, "alpha": alpha, "power": power}, "alpha", "power")
    return compare(
        metric, systems, sampling.units, lambda compared: detectable_differences(compared, tests.alpha, power, sampling)
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
