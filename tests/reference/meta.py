"""Agreement between metric scores and human scores, written down from the definitions; None is a missing score."""

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction


def rated(human, metric):
    """Return the pairs of scores where the human score is there."""
    return [(h, m) for h, m in zip(human, metric, strict=True) if h is not None]


def pearson(human, metric):
    """Return Pearson's r; NaN if one side is constant."""
    if len(set(human)) < 2 or len(set(metric)) < 2:
        return math.nan
    human_mean, metric_mean = math.fsum(human) / len(human), math.fsum(metric) / len(metric)
    human, metric = [h - human_mean for h in human], [m - metric_mean for m in metric]
    product = math.fsum(h * m for h, m in zip(human, metric, strict=True))
    return product / math.sqrt(math.fsum(h * h for h in human)) / math.sqrt(math.fsum(m * m for m in metric))


def ranks(values):
    """Return ranks from 1; equal values share their mean rank."""
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


def spearman(human, metric):
    return pearson(ranks(human), ranks(metric))


def pair_counts(human, metric, epsilon=0.0):
    """Return the number of pairs: concordant, discordant, tied only by the metric, only by people, and by both."""
    counts = [0, 0, 0, 0, 0]
    for (h1, m1), (h2, m2) in itertools.combinations(zip(human, metric, strict=True), 2):
        metric_ties, human_ties = abs(m1 - m2) <= epsilon, h1 == h2
        if metric_ties or human_ties:
            kind = 4 if metric_ties and human_ties else 2 if metric_ties else 3
        else:
            kind = 0 if (h1 > h2) == (m1 > m2) else 1
        counts[kind] += 1
    return counts


def tau_b(human, metric):
    concordant, discordant, metric_only, human_only, both = pair_counts(human, metric)
    pairs = concordant + discordant + metric_only + human_only + both
    by_metric, by_human = pairs - metric_only - both, pairs - human_only - both
    if by_metric == 0 or by_human == 0:
        return math.nan
    return (concordant - discordant) / math.sqrt(by_metric) / math.sqrt(by_human)


def tau_c(human, metric):
    concordant, discordant, *_ = pair_counts(human, metric)
    classes = min(len(set(human)), len(set(metric)))
    if classes < 2:
        return math.nan
    return 2 * (concordant - discordant) / (len(human) ** 2 * (classes - 1) / classes)


def tau_23(human, metric, epsilon=0.0):
    """Deutsch, Foster and Freitag (2023): ties of both count as agreement, ties of one as disagreement."""
    concordant, discordant, metric_only, human_only, both = counts = pair_counts(human, metric, epsilon)
    return (concordant + both - discordant - metric_only - human_only) / sum(counts)


def acc_23(human, metric, epsilon=0.0):
    """The share of pairs that metric and people order, or tie, alike."""
    concordant, _, _, _, both = counts = pair_counts(human, metric, epsilon)
    return (concordant + both) / sum(counts)


def kendall_like(human, metric, threshold=25):
    """WMT 2020: pairs that people rate at least `threshold` apart; ties of the metric are discordant.

    Returns the value and the number of pairs.
    """
    signs = []
    for (h1, m1), (h2, m2) in itertools.combinations(zip(human, metric, strict=True), 2):
        if abs(h1 - h2) >= threshold:
            signs.append(1 if (h1 > h2 and m1 > m2) or (h1 < h2 and m1 < m2) else -1)
    return (sum(signs) / len(signs) if signs else 0.0), len(signs)


def groups(scores, by):
    """Return the groups of a matrix of systems × segments: everything, one per system, or one per item (segment)."""
    if by == "none":
        return [[score for row in scores for score in row]]
    return [list(row) for row in (scores if by == "system" else zip(*scores, strict=True))]


def grouped(statistic, human, metric, by):
    """Return the mean of a statistic over groups with at least two ratings where it is defined; NaN without any."""
    values = []
    for pairs in map(rated, groups(human, by), groups(metric, by)):
        if len(pairs) >= 2:
            values.append(statistic(*map(list, zip(*pairs, strict=True))))
    values = [value for value in values if not math.isnan(value)]
    return math.fsum(values) / len(values) if values else math.nan


def acc_eq(human, metric, by):
    """Return the best mean accuracy over all thresholds for ties of the metric, and the smallest such threshold."""
    pairs = [rated(*group) for group in zip(groups(human, by), groups(metric, by), strict=True)]
    pairs = [group for group in pairs if len(group) > 1]
    thresholds = {0.0} | {abs(m1 - m2) for group in pairs for (_, m1), (_, m2) in itertools.combinations(group, 2)}
    means = {}
    for epsilon in thresholds:
        counts = [pair_counts(*zip(*group, strict=True), epsilon) for group in pairs]
        means[epsilon] = sum(Fraction(each[0] + each[4], sum(each)) for each in counts) / len(counts)
    best = max(means.values())
    return float(best), min(epsilon for epsilon, mean in means.items() if mean == best)


def pairwise_accuracy(human, metric):
    """Kocmi et al. (2021): the share of pairs of systems whose difference has the same sign. Takes system scores."""
    signs = [
        ((h1 > h2) - (h1 < h2), (m1 > m2) - (m1 < m2))
        for (h1, m1), (h2, m2) in itertools.combinations(zip(human, metric, strict=True), 2)
    ]
    return sum(h == m for h, m in signs) / len(signs)


def swap_p_values(scores, signs):
    """Return the p-value of each pair of systems, "the first is better", by a paired permutation test.

    `signs` has a row of 1 and -1 per draw: -1 swaps the two systems in this segment.
    """
    values = {}
    for one, other in itertools.combinations(range(len(scores)), 2):
        differences = [a - b for a, b in zip(scores[one], scores[other], strict=True)]
        observed = math.fsum(differences)
        drawn = [math.fsum(sign * d for sign, d in zip(row, differences, strict=True)) for row in signs]
        values[one, other] = sum(value >= observed for value in drawn) / len(signs)
    return values


def soft_pairwise_accuracy(human, metric, signs):
    """Thompson et al. (2024): 1 minus the mean difference between the p-values of people and of the metric."""
    by_human, by_metric = swap_p_values(human, signs), swap_p_values(metric, signs)
    return 1 - math.fsum(abs(by_human[pair] - by_metric[pair]) for pair in by_human) / len(by_human)


def standardized(values):
    """Return values with mean 0 and standard deviation 1 (dividing by n)."""
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [(value - mean) / deviation for value in values]


def perm_both(statistic, human, first, second, swaps, tolerance=1e-12):
    """Deutsch, Dror and Roth (2021): the p-value of "the second metric agrees better with people than the first".

    All arguments are flat lists; `statistic(human, metric)` groups them. `swaps` has a row of booleans per draw: where
    the scores of the two metrics change places. Differences closer than `tolerance` are equal but for rounding.
    """
    first, second = standardized(first), standardized(second)
    observed = statistic(human, second) - statistic(human, first)
    larger = 0
    for row in swaps:
        mixed = [(b, a) if swap else (a, b) for a, b, swap in zip(first, second, row, strict=True)]
        one, other = map(list, zip(*mixed, strict=True))
        larger += statistic(human, other) - statistic(human, one) >= observed - tolerance
    return (larger + 1) / (len(swaps) + 1)


def exact_standardized(values):
    """Return standardized values as fractions with 40 digits: equal numbers are equal."""
    with localcontext() as context:
        context.prec = 60
        numbers = [Decimal(value) for value in values]
        mean = sum(numbers) / len(numbers)
        deviation = (sum((number - mean) ** 2 for number in numbers) / len(numbers)).sqrt()
        return [Fraction(round((number - mean) / deviation, 40)) for number in numbers]


def enumerated_leads(statistic, human, first, second):
    """Return how much better the second metric agrees than the first one, for every set of swapped scores.

    The statistic gets exact scores, whose equality does not depend on the scales of the metrics. The key of a set is a
    tuple of booleans.
    """
    first, second = exact_standardized(first), exact_standardized(second)
    leads = {}
    for swaps in itertools.product([False, True], repeat=len(human)):
        mixed = [(b, a) if swap else (a, b) for a, b, swap in zip(first, second, swaps, strict=True)]
        one, other = map(list, zip(*mixed, strict=True))
        leads[swaps] = statistic(human, other) - statistic(human, one)
    return leads


def pairwise_pearson(human, metric, by):
    """Return Pearson's r of the differences between all pairs of rated scores in the same group, in both directions."""
    differences = [
        (h1 - h2, m1 - m2)
        for group in zip(groups(human, by), groups(metric, by), strict=True)
        for (h1, m1), (h2, m2) in itertools.permutations(rated(*group), 2)
    ]
    return pearson(*map(list, zip(*differences, strict=True))) if differences else math.nan


def swapped_comparisons(human, first, second, thresholds, swaps):
    """Return the lead of the second metric in acc-23, as observed and in each draw, which swaps comparisons.

    Args:
        human: The human scores of each group.
        first: The scores of the first metric.
        second: The scores of the second metric.
        thresholds: The largest difference that counts as a tie, for each metric.
        swaps: A row of booleans per draw. Its comparisons are those of the smallest groups first.
    """
    order = sorted(range(len(human)), key=lambda g: len(human[g]))
    leads = []
    for row in [None, *swaps]:
        lead, place = 0, 0
        for g in order:
            pairs = [*itertools.combinations(range(len(human[g])), 2)]
            for i, j in pairs:
                agrees = []
                for scores, threshold in zip((first[g], second[g]), thresholds, strict=True):
                    sign = (
                        0
                        if abs(scores[i] - scores[j]) <= threshold
                        else (scores[i] > scores[j]) - (scores[i] < scores[j])
                    )
                    agrees.append(sign == (human[g][i] > human[g][j]) - (human[g][i] < human[g][j]))
                sign = -1 if row is not None and row[place] else 1
                lead += Fraction(sign * (agrees[1] - agrees[0]), len(pairs) * len(human))
                place += 1
        leads.append(lead)
    return leads
