from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError, SettingError, check_instance, look_up
from refscore.meta.judgments import Judgments, Matrix, Vector
from refscore.significance import draws

Rule = _native.AgreementRule

Starts: TypeAlias = NDArray[np.int64]
Level: TypeAlias = Literal["segment", "system"]
Grouping: TypeAlias = Literal["none", "item", "system"]

GROUPINGS = {
    "none": "all scores together",
    "item": "the systems' scores of each segment",
    "system": "the scores of each system",
}
LEVELS = ("segment", "system")

# The most pairs of scores within groups for acc*_eq: their differences take 1 GiB of memory in a test.
_MOST_PAIRS = 2**24
# Draws of soft pairwise accuracy for the p-values of systems, as in the paper.
PERMUTATIONS = 1000
# The native product needs a multiple of this many columns.
TILE_COLUMNS = 32
# Sums that differ by less than this share of all differences are equal: another order of summation rounds differently.
_TIE = 1e-12


@dataclass(frozen=True)
class Statistic:
    """A statistic that measures agreement.

    Attributes:
        name: Its name in options and results.
        title: Its name in tables.
        summary: What it computes.
        kind: The native kind. None for acc*_eq and soft pairwise accuracy.
        by: How segments are usually grouped.
        threshold: The threshold in WMT's variant of Kendall's tau.
        weigh_by_pairs: Whether groups count by their pairs, instead of equally.
        levels: The levels at which it can be computed.
    """

    name: str
    title: str
    summary: str
    kind: str | None
    by: str = "none"
    threshold: float = 0.0
    weigh_by_pairs: bool = False
    levels: tuple[str, ...] = LEVELS

    @property
    def by_order(self) -> bool:
        """Whether only the order of a metric's scores counts."""
        return self.name not in ("pearson", "pdp", "acc-eq", "spa")

    @property
    def lowest(self) -> float:
        """The smallest value: 0 for fractions, -1 for correlations."""
        return 0.0 if self.name in ("acc-23", "acc-eq", "pairwise-accuracy", "spa") else -1.0

    def rule(self, *, zero_if_undefined: bool = False) -> Rule | None:
        """Return the rule for native code, or None for acc*_eq."""
        if self.kind is None:
            return None
        return Rule(self.kind, self.threshold, zero_if_undefined, self.weigh_by_pairs)


_ALL = (
    Statistic("pearson", "Pearson's r", "The linear correlation.", "pearson"),
    Statistic(
        "pdp",
        "pairwise difference Pearson",
        "The linear correlation of the differences between all pairs of scores within groups.",
        "pairwise_pearson",
        by="item",
        levels=("segment",),
    ),
    Statistic("spearman", "Spearman's ρ", "The linear correlation of ranks; equal scores share a rank.", "spearman"),
    Statistic("tau-b", "Kendall's τ-b", "Concordant minus discordant pairs, corrected for ties.", "tau_b"),
    Statistic("tau-c", "Kendall's τ-c", "The same, corrected for the number of distinct scores (Stuart).", "tau_c"),
    Statistic("tau-23", "τ-23", "The share of pairs that both order or tie alike, minus the others.", "tau_23", "item"),
    Statistic("acc-23", "acc-23", "The share of pairs that both order or tie alike.", "acc_23", "item"),
    Statistic(
        "acc-eq", "acc*_eq", "The same, with the threshold for ties of the metric that makes it largest.", None, "item"
    ),
    Statistic(
        "kendall-like",
        "Kendall-like τ",
        "WMT 2018 to 2020: only pairs that people rate at least 25 points apart; ties of the metric are discordant.",
        "kendall_like",
        by="item",
        threshold=25.0,
        weigh_by_pairs=True,
        levels=("segment",),
    ),
    Statistic(
        "pairwise-accuracy",
        "pairwise accuracy",
        "The share of pairs of systems that both order alike, over all language pairs.",
        "acc_23",
        weigh_by_pairs=True,
        levels=("system",),
    ),
    Statistic(
        "spa",
        "soft pairwise accuracy",
        "1 minus the mean difference between the p-values of people and of the metric, over pairs of systems.",
        None,
        levels=("system",),
    ),
)
STATISTICS: Mapping[str, Statistic] = {statistic.name: statistic for statistic in _ALL}
"""All statistics by name."""


def find_statistic(name: object, level: str | None, by: str | None) -> tuple[Statistic, str, str]:
    """Return a statistic, its level and its grouping, or raise an error for an unknown name or impossible level."""
    plain = name.lower().replace("*_", "-").replace("_", "-") if isinstance(name, str) else name
    found = look_up("statistic", plain, STATISTICS)
    level = found.levels[0] if level is None else level
    if level not in LEVELS:
        raise SettingError(f"level must be segment or system, not {level!r}")
    if level not in found.levels:
        raise SettingError(f"{found.name} needs level={found.levels[0]!r}")
    if by is not None and by not in list(GROUPINGS):
        raise SettingError(f"by must be none, item or system, not {by!r}")
    if level == "system" and by not in (None, "none"):
        raise SettingError(f"scores of systems cannot be grouped by {by}")
    return found, level, "none" if level == "system" else by or found.by


@dataclass(frozen=True)
class Sample:
    """Several metrics' rated scores, in groups.

    Attributes:
        names: The metrics.
        human: The human scores.
        metrics: The metric scores in the same order, one row per metric.
        starts: Where each group starts, and where the last one ends.
    """

    names: tuple[str, ...]
    human: Vector
    metrics: Matrix
    starts: Starts

    def select(self, places: Sequence[int]) -> Sample:
        """Return the sample with only some metrics, in this order."""
        return replace(self, names=tuple(self.names[k] for k in places), metrics=self.metrics[list(places)])


def sample(judgments: Sequence[Judgments], level: str, by: str) -> Sample:
    """Return the scores that a statistic is computed from. Each set of judgments has separate groups."""
    shared = [name for name in judgments[0].metrics if all(name in each.metrics for each in judgments)]
    if level == "segment":
        shared = [name for name in shared if all(each.metrics[name].segments is not None for each in judgments)]
    if not shared:
        raise InputError(None, f"there are no metrics with scores of {level}s", "add scores with Judgments.with_scores")
    human: list[Vector] = []
    metrics: list[list[Vector]] = [[] for _ in shared]
    for each in judgments:
        scores = each.human_systems[None] if level == "system" else _by_group(each.human, by)
        places = [np.flatnonzero(np.isfinite(group)) for group in scores]
        for k, rated in enumerate(places):
            if len(rated) > 1:
                human.append(scores[k][rated])
        for column, name in zip(metrics, shared, strict=True):
            own = each.metrics[name]
            values = own.systems[None] if own.segments is None or level == "system" else _by_group(own.segments, by)
            column += [values[k][rated] for k, rated in enumerate(places) if len(rated) > 1]
    if not human:
        raise InputError(None, "no group has two human scores", "give more human scores, or group them differently")
    starts = np.cumsum([0, *map(len, human)]).astype(np.int64)
    return Sample(
        tuple(shared), np.concatenate(human), np.array([np.concatenate(column) for column in metrics]), starts
    )


def _by_group(matrix: Matrix, by: str) -> Matrix:
    return matrix.reshape(1, -1) if by == "none" else matrix.T if by == "item" else matrix


def agreements(
    found: Statistic, drawn: Sample, *, zero_if_undefined: bool, threads: int
) -> tuple[Vector, Vector | None]:
    if found.name == "acc-eq":
        check_pairs(drawn.starts)
        best = _native.calibrated_accuracy(drawn.human, drawn.metrics, drawn.starts, threads)
        return best[:, 0], best[:, 1]
    rule = found.rule(zero_if_undefined=zero_if_undefined)
    assert rule is not None
    return _native.agreement(rule, drawn.human, drawn.metrics, drawn.starts, threads), None


def tie_shares(
    found: Statistic, drawn: Sample | None, thresholds: Vector | None, threads: int
) -> tuple[Vector | None, float | None]:
    """Return the share of pairs that each metric's threshold ties, and the value if all are tied, for acc*_eq."""
    if drawn is None or thresholds is None:
        return None, None
    # If people tied all pairs, the accuracy is the share of pairs that the metric ties.
    nobody = np.zeros_like(drawn.human)

    def share(scores: Vector, threshold: float) -> float:
        rule = Rule("acc_23", threshold, False, found.weigh_by_pairs)
        return float(_native.agreement(rule, nobody, scores[None], drawn.starts, threads)[0])

    ties = [share(scores, threshold) for scores, threshold in zip(drawn.metrics, thresholds.tolist(), strict=True)]
    return np.array(ties), share(drawn.human, 0.0)


def check_pairs(starts: Starts) -> None:
    sizes = np.diff(starts)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > _MOST_PAIRS:
        problem = f"there are {pairs:,} pairs of scores to calibrate ties with, more than {_MOST_PAIRS:,}"
        raise InputError(None, problem, "group them by item")


def as_list(judgments: Judgments | Sequence[Judgments]) -> list[Judgments]:
    """Return checked judgments, with systems and segments in an order that depends only on their scores."""
    single = isinstance(judgments, Judgments) or not isinstance(judgments, Iterable)
    listed: list[Judgments] = [judgments] if single else [*judgments]  # type: ignore[list-item, misc]
    for each in listed:
        check_instance("judgments", each, Judgments, "pass Judgments.from_scores(human, metrics)")
    if not listed:
        raise InputError(None, "there are no judgments", "pass Judgments.from_scores(human, metrics)")
    return [_in_order_of_scores(each) for each in listed]


def _in_order_of_scores(judgments: Judgments) -> Judgments:
    """Order systems and segments by their human scores, and equal ones by their metric scores.

    Draws belong to places, and sums round by their order. So the order in which scores are given must not count.
    """
    if not judgments.human.size:
        return judgments
    metrics = [judgments.metrics[name] for name in sorted(judgments.metrics)]
    matrices = [judgments.human, *(each.segments for each in metrics if each.segments is not None)]
    # A system's scores without the order of segments.
    profiles = [np.sort(matrix, axis=1) for matrix in matrices]
    whole = np.array([judgments.human_systems, *(each.systems for each in metrics)]).T
    systems = np.lexsort(np.concatenate([*profiles, whole], axis=1).T[::-1])
    segments = np.lexsort(np.concatenate([matrix[systems] for matrix in matrices])[::-1])
    return judgments.select([judgments.systems[k] for k in systems]).select_segments(segments)


class SoftPairs:
    """Soft pairwise accuracy (Thompson et al., 2024): do people and a metric find two systems equally different?

    It uses segments that people rated for all systems, and draws that swap systems in segments. A pair's p-value is the
    fraction of draws in which the summed score differences are at least the observed sum. All pairs share their draws.
    """

    def __init__(self, judgments: Judgments, seed: int, threads: int) -> None:
        rated: NDArray[np.bool_] = np.isfinite(judgments.human).all(axis=0)  # type: ignore[assignment]
        if not rated.any() or len(judgments.systems) < 2:
            problem = "soft pairwise accuracy needs two systems, and segments that people rated for all systems"
            raise InputError(None, problem, "leave out systems with few ratings, or choose a different statistic")
        self._threads = threads
        self.signs = 1 - 2 * draws.swaps(seed, 0, PERMUTATIONS, int(rated.sum()), threads)()
        self.rated = rated
        self._one, self._other = np.triu_indices(len(judgments.systems), 1)
        self.human = self.p_values([judgments.human[:, rated]])[0]

    def p_values(self, scores: Sequence[Matrix]) -> Matrix:
        """Return each pair's p-value, for each matrix of systems × rated segments."""
        systems = len(scores[0])
        # The differences do not depend on a shift. Sums of smaller numbers round less.
        scores = [matrix - matrix.mean() for matrix in scores]
        table = np.zeros((self.signs.shape[1], -(-systems * len(scores) // TILE_COLUMNS) * TILE_COLUMNS))
        table[:, : systems * len(scores)] = np.concatenate(scores).T
        sums = np.zeros((len(self.signs), table.shape[1]))
        _native.add_products(self.signs, table, sums, self._threads)
        values = []
        for k, matrix in enumerate(scores):
            drawn = sums[:, k * systems : (k + 1) * systems]
            observed = matrix.sum(axis=1)
            scale = np.abs(matrix).sum(axis=1)
            near = _TIE * (scale[self._one] + scale[self._other])
            differences = drawn[:, self._one] - drawn[:, self._other]
            values.append((differences >= (observed[self._one] - observed[self._other] - near)).mean(axis=0))
        return np.array(values)

    def accuracies(self, scores: Sequence[Matrix]) -> Vector:
        accuracies: Vector = 1 - np.abs(self.p_values(scores) - self.human).mean(axis=1)
        return accuracies
