from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from refscore.comparison import AgreementByDifference, PairsOfSystems
from refscore.errors import InputError, look_up
from refscore.meta.judgments import Judgments
from refscore.meta.statistics import as_list
from refscore.text_display import counted

# In each power of ten, differences that people can read.
_STEPS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
# The fewest pairs of systems in a row.
_LEAST_PAIRS = 10


def agreement_by_difference(
    judgments: Judgments | Sequence[Judgments],
    names: Iterable[str] | None = None,
    *,
    conditions: str = "",
    signatures: Mapping[str, str] | None = None,
) -> AgreementByDifference:
    """Return the share of system pairs with at least a difference that people order like a metric, by the difference.

    A pair consists of two systems of the same judgments. People order systems by their mean scores. A pair that people
    tie does not agree.

    Args:
        judgments: Human scores and metric scores, or a list for several language pairs.
        names: The metrics, by default all that all language pairs have.
        conditions: The systems and the human scores, in words.
        signatures: The signatures of refscore's metrics, without the version.

    Example:
        >>> from refscore.meta import Judgments, agreement_by_difference
        >>> people = {name: [quality] for name, quality in zip("abcdef", [1, 2, 4, 3, 5, 6])}
        >>> scores = {name: [10 * place] for place, name in enumerate("abcdef")}
        >>> found = agreement_by_difference(Judgments.from_scores(people, {"m": scores}))
        >>> [(row.difference, row.pairs, row.agreeing) for row in found.metrics["m"]][:2]
        [(0.0, 15, 14), (0.1, 15, 14)]
    """
    listed = as_list(judgments)
    shared = [name for name in listed[0].metrics if all(name in each.metrics for each in listed)]
    chosen = shared if names is None else [look_up("metric", name, dict.fromkeys(shared, name)) for name in names]
    if not chosen:
        raise InputError(None, "there are no metric scores", "add scores with Judgments.with_scores")
    metrics = {}
    for name in chosen:
        pairs = []
        for each in listed:
            people, scores = each.human_systems, each.metrics[name].systems
            rated = [k for k in range(len(people)) if math.isfinite(people[k]) and math.isfinite(scores[k])]
            for one, other in combinations(rated, 2):
                human, metric = people[one] - people[other], scores[one] - scores[other]
                pairs.append((abs(float(metric)), bool(human * metric > 0)))
        if len(pairs) < _LEAST_PAIRS:
            problem = f"there are only {counted(len(pairs), 'pair')} of systems"
            raise InputError(None, problem, f"people must have scored enough systems for {_LEAST_PAIRS} pairs")
        metrics[name] = tuple(_rows(pairs))
    return AgreementByDifference(conditions, metrics, dict(signatures or {}))


def _rows(pairs: Sequence[tuple[float, bool]]) -> list[PairsOfSystems]:
    sizes = np.array([size for size, _ in pairs])
    agree = np.array([agrees for _, agrees in pairs])
    rows = []
    for difference in _differences(float(sizes.max())):
        # A difference such as 0.3 may be the rounded result of a subtraction.
        large = sizes >= difference * (1 - 1e-12)
        if large.sum() >= _LEAST_PAIRS:
            rows.append(PairsOfSystems(difference, int(large.sum()), int(agree[large].sum())))
    return rows


def _differences(largest: float) -> list[float]:
    """Return 0 and round numbers up to the largest difference, from about a 1000th of it."""
    if largest == 0:
        return [0.0]
    top = math.floor(math.log10(largest))
    numbers = [float(f"{step}e{power}") for power in range(top - 2, top + 1) for step in _STEPS]
    return [0.0, *(number for number in numbers if number <= largest)]
