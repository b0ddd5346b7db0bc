"""BLEU with a Counter per order, with every setting written out.

A segment becomes a row of counts, rows are added by column, and ``score`` reads one row. Tokens are any hashable
objects, compared by Python's equality (``1 == 1.0 == True``).
"""

import math
import sys
from collections import Counter
from dataclasses import dataclass

DEFAULT_VALUES = {
    "floor": 0.1,
    "add-k": 1,
    "floor-segments": 0.1,
    "add-k-all": 1,
    "nltk-1": 0.1,
    "nltk-4": 5,
    "nltk-6": 5,
    "nltk-7": 5,
}
SMOOTHINGS = (
    *("none", "exp", "floor", "add-k", "floor-segments", "add-k-all", "coco"),
    *(f"nltk-{i}" for i in range(8)),
)
# After these, an order with precision 0 is omitted from the mean instead of making it 0.
SKIPS_ZEROS = frozenset(f"nltk-{i}" for i in range(1, 8))


@dataclass(frozen=True)
class Settings:
    max_order: int = 4
    weights: tuple | None = None
    smoothing: str = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False
    reference_length: str = "closest"
    short_order: str = "zero"
    no_match: str = "zero"

    @property
    def counted_orders(self):
        return max(self.max_order, 5) if self.smoothing in ("nltk-5", "nltk-7") else self.max_order

    @property
    def value(self):
        return DEFAULT_VALUES.get(self.smoothing) if self.smoothing_value is None else self.smoothing_value

    @property
    def columns(self):
        groups = ["correct", "total"]
        if self.short_order == "pad":
            groups.append("short")
        if self.smoothing == "floor-segments":
            groups.append("unmatched")
        numbered = [f"{group}_{n}" for group in groups for n in range(1, self.counted_orders + 1)]
        return ("hyp_len", "ref_len", *numbered)


@dataclass(frozen=True)
class Score:
    value: float
    precisions: tuple
    brevity_penalty: float


PRESETS = {
    "sacrebleu": Settings(),
    "sacrebleu-sentence": Settings(effective_order=True),
    "nltk": Settings(smoothing="nltk-0", short_order="pad"),
    "r": Settings(smoothing="none", reference_length="closest-first", short_order="pad", no_match="smooth"),
    "mteval": Settings(short_order="perfect", no_match="smooth"),
    "textbook": Settings(smoothing="none"),
    "multi-bleu": Settings(smoothing="none"),
    "evaluate": Settings(smoothing="none", reference_length="shortest"),
    "evaluate-smooth": Settings(smoothing="add-k-all", reference_length="shortest", no_match="smooth"),
    "torchmetrics": Settings(smoothing="none", reference_length="closest-first"),
    "torchmetrics-smooth": Settings(smoothing="add-k", reference_length="closest-first", no_match="zero-if-any"),
    "coco-caption": Settings(smoothing="coco", no_match="smooth"),
}


def ngrams(tokens, n):
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped_matches(hypothesis, references, n):
    """Count the n-grams of the hypothesis that match, each at most as often as in the reference with most of it."""
    available = Counter()
    for reference in references:
        available |= ngrams(reference, n)
    return sum((ngrams(hypothesis, n) & available).values())


def reference_length(rule, hyp_len, lengths):
    if rule == "closest":
        return min(lengths, key=lambda length: (abs(length - hyp_len), length))
    if rule == "closest-first":
        return min(lengths, key=lambda length: abs(length - hyp_len))
    if rule == "shortest":
        return min(lengths)
    return sum(lengths) / len(lengths)


def row(settings, hypothesis, references):
    """Return the statistics of one segment, as named by ``settings.columns``."""
    hypothesis, references = list(hypothesis), [list(reference) for reference in references]
    orders = range(1, settings.counted_orders + 1)
    correct = [clipped_matches(hypothesis, references, n) for n in orders]
    total = [max(0, len(hypothesis) - n + 1) for n in orders]
    lengths = [len(reference) for reference in references]
    result = [len(hypothesis), reference_length(settings.reference_length, len(hypothesis), lengths), *correct, *total]
    if settings.short_order == "pad":
        result += [int(len(hypothesis) < n) for n in orders]
    if settings.smoothing == "floor-segments":
        result += [int(matches == 0) for matches in correct]
    return result


def rows(settings, hypotheses, references):
    return [row(settings, hypothesis, refs) for hypothesis, refs in zip(hypotheses, references, strict=True)]


def corpus(settings, hypotheses, references):
    return score(settings, [sum(column) for column in zip(*rows(settings, hypotheses, references), strict=True)])


def segment(settings, hypothesis, references):
    return score(settings, row(settings, hypothesis, references))


def score(settings, row):
    named = dict(zip(settings.columns, row, strict=True))
    hyp_len, ref_len = named["hyp_len"], named["ref_len"]
    nothing = (0.0,) * settings.max_order
    if hyp_len == 0:
        return Score(0.0, nothing, 1.0 if ref_len == 0 and settings.smoothing != "coco" else 0.0)
    penalty = 1.0 if hyp_len > ref_len else math.exp(1 - ref_len / hyp_len)
    if settings.smoothing == "coco":
        ratio = (hyp_len + 1e-15) / (ref_len + 1e-9)
        penalty = min(1.0, math.exp(1 - 1 / ratio))
    required = {"zero": 1, "smooth": 0, "zero-if-any": settings.max_order}[settings.no_match]
    if any(named[f"correct_{n}"] == 0 for n in range(1, required + 1)):
        return Score(0.0, nothing, penalty)
    precisions, exists = smoothed(settings, named)
    return Score(penalty * weighted_mean(settings, precisions, exists), tuple(precisions), penalty)


def weighted_mean(settings, precisions, exists):
    """Return the geometric mean. effective_order redistributes the weight of missing orders proportionally."""
    weights = list(settings.weights or [1 / settings.max_order] * settings.max_order)
    if settings.effective_order:
        kept = [weight if there else 0.0 for weight, there in zip(weights, exists, strict=True)]
        weights = [weight * sum(weights) / sum(kept) for weight in kept]
    logs = []
    for weight, precision in zip(weights, precisions, strict=True):
        if weight == 0:
            continue
        if precision > 0:
            logs.append(weight * math.log(precision))
        elif settings.smoothing not in SKIPS_ZEROS:
            return 0.0
    # Without any order, NLTK's product is 1.
    return math.exp(math.fsum(logs)) if logs or precisions[0] > 0 else 0.0


def smoothed(settings, named):
    """Return the precisions of orders 1..max_order, and which of these orders have a denominator."""
    counted = range(1, settings.counted_orders + 1)
    numerators = [named[f"correct_{n}"] for n in counted]
    totals = [named[f"total_{n}"] for n in counted]
    denominators = [total + named.get(f"short_{n}", 0) for n, total in zip(counted, totals, strict=True)]
    smoothing, value = settings.smoothing, settings.value

    added = {"add-k": value, "add-k-all": value, "nltk-2": 1}.get(smoothing, 0)
    for i in range(0 if smoothing == "add-k-all" else 1, len(numerators)):
        numerators[i] += added
        denominators[i] += added
    if smoothing == "coco":
        numerators = [m + 1e-15 for m in numerators]
        denominators = [d + 1e-9 for d in denominators]
    if smoothing == "floor-segments":
        numerators = [m + value * named[f"unmatched_{n}"] for n, m in zip(counted, numerators, strict=True)]

    absent = 1.0 if settings.short_order == "perfect" else 0.0
    plain = [m / d if d else absent for m, d in zip(numerators, denominators, strict=True)]
    precisions = plain[: settings.max_order]

    zeros = 0
    for i, (m, d) in enumerate(zip(numerators[: settings.max_order], denominators, strict=False)):
        if m != 0 or d == 0:
            continue
        zeros += 1
        if smoothing in ("exp", "nltk-3"):
            precisions[i] = 1 / (2**zeros * d)
        elif smoothing in ("floor", "nltk-1"):
            precisions[i] = value / d
        elif smoothing == "nltk-0":
            precisions[i] = sys.float_info.min
        elif smoothing in ("nltk-4", "nltk-7") and named["hyp_len"] > 1:
            precisions[i] = math.log(named["hyp_len"]) / (2**zeros * value * d)

    if smoothing in ("nltk-5", "nltk-7"):
        precisions = neighbour_average(precisions, plain[4])
    elif smoothing == "nltk-6":
        for i in range(2, len(precisions)):
            before, last = precisions[i - 2], precisions[i - 1]
            prior = last**2 / before if before else 0.0
            precisions[i] = (numerators[i] + value * prior) / (totals[i] + value)
    return precisions, [d > 0 for d in denominators[: settings.max_order]]


def neighbour_average(precisions, fifth):
    """Average each order with the new one below and the old one above; above the last order is always order 5."""
    result = []
    below = precisions[0] + 1
    for own, above in zip(precisions, [*precisions[1:], fifth], strict=True):
        below = (below + own + above) / 3
        result.append(below)
    return result
