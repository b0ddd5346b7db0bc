import math
from collections.abc import Sequence
from functools import reduce
from operator import or_

from refscore.metrics.bleu.metric import BLEUScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.settings import settings_by_name

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

LENGTH_RULES = {
    "closest": "the closest to c of the reference lengths {lengths}, the shorter of two equally close ones",
    "closest-first": "the closest to c of the reference lengths {lengths}, the first of two equally close ones",
    "shortest": "the shortest of the reference lengths {lengths}",
    "average": "the mean of the reference lengths {lengths}",
}


def explain(segment: ScoredSegment[BLEUScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    yield from segment.token_steps()
    yield steps.Heading("n-gram precisions")
    if metric.ngram_rule:
        yield metric.ngram_rule
    for order in range(1, metric.max_order + 1):
        yield from _precision(score, segment.candidate, segment.targets, order)
    if score.hyp_len and _unmatched(score) is None:
        yield from _smoothing(score)
    yield steps.Heading("Brevity penalty")
    yield from _brevity_penalty(score, segment.targets)
    yield steps.Heading("Result")
    yield from _result(score)


def _p(order: int) -> str:
    return "p" + str(order).translate(SUBSCRIPTS)


def _precision(score: BLEUScore, candidate: Tokens, targets: Sequence[Tokens], order: int) -> Written:
    if len(candidate) < order:
        yield steps.missing_ngrams(order, candidate)
        return
    most = reduce(or_, (steps.ngram_counts(target, order) for target in targets))
    counts = steps.ngram_counts(candidate, order)
    ignored = [ngram for ngram in counts if score.metric.ignores(ngram)]
    for ngram in ignored:
        del counts[ngram]
    if ignored:
        named = ", ".join(map(steps.joined, ignored[: steps.MOST_TERMS]))
        yield f"Ignored: {named}{' …' * (len(ignored) > steps.MOST_TERMS)}."
    matches, total = score.counts[order - 1], score.totals[order - 1]
    if not total:
        yield f"{order}-grams: all of the hypothesis are ignored."
        return
    rows = steps.ngram_rows(counts, most)
    yield steps.Table(
        f"{order}-grams", steps.left("n-gram") + steps.right("in hypothesis", "most in one reference", "clipped"), rows
    )
    clipped = steps.sum_terms([row.cells[3] for row in rows], f"({{}})/{total}")
    yield steps.formula(_p(order), *clipped, f"{matches}/{total}", matches / total)


def _smoothing(score: BLEUScore) -> Written:
    """Yield how smoothing and short segments change the raw fractions."""
    metric = score.metric
    missing = [order for order, total in enumerate(score.totals, 1) if total == 0]
    if missing:
        named = ", ".join(f"{order}-grams" for order in missing)
        yield f"The hypothesis is too short for {named}: {_missing_rule(score, missing)}."
    formulas = []
    zeros = 0
    fractions = zip(score.counts, score.totals, score.precisions, strict=True)
    for order, (matches, total, precision) in enumerate(fractions, 1):
        if not _exists(score, order):
            continue
        zeros += matches == 0
        if precision != (matches / total if total else 0):
            formulas.append(steps.formula(_p(order), _smoothed_fraction(score, order, zeros), f"{precision:.6g}"))
    if formulas:
        yield f"Smoothing, {metric.smoothing}: {metric.settings()['smoothing'].describe(settings_by_name(metric))}."
        yield from formulas


def _missing_rule(score: BLEUScore, missing: list[int]) -> str:
    metric = score.metric
    if metric.short_order == "pad":
        return "they count as one n-gram without a match"
    if any(_exists(score, order) for order in missing):
        return "they have only the counts that smoothing adds"
    if metric.effective_order:
        return "the mean omits them (effective order)"
    return f"they count as precision {1 if metric.short_order == 'perfect' else 0}"


def _smoothed_fraction(score: BLEUScore, order: int, zeros: int) -> str:
    """Return a smoothed precision's formula; `zeros` counts the orders without a match up to this one."""
    metric, matches, total = score.metric, score.counts[order - 1], score.totals[order - 1]
    value = metric.smoothing_value
    ngrams = max(total, 1)
    padded = ngrams if metric.short_order == "pad" else total
    fractions = {
        "exp": f"(1/2^{zeros})/{ngrams}",
        "nltk-3": f"(1/2^{zeros})/{ngrams}",
        "floor": f"{value}/{ngrams}",
        "nltk-1": f"{value}/{ngrams}",
        "floor-segments": f"({matches} + {value})/{ngrams}",
        "nltk-4": f"(ln({score.hyp_len})/(2^{zeros} · {value}))/{ngrams}",
        "nltk-0": "the smallest normal float",
        "coco": f"({matches} + 1e-15)/({padded} + 1e-9)",
    }
    if metric.smoothing in ("add-k", "add-k-all", "nltk-2"):
        k = 1 if value is None else value
        return f"({matches} + {k:g})/({padded} + {k:g})"
    return fractions.get(metric.smoothing, "smoothed")


def _brevity_penalty(score: BLEUScore, targets: Sequence[Tokens]) -> Written:
    c, r, penalty = score.hyp_len, score.ref_len, score.brevity_penalty
    rule = "length of the reference"
    if len(targets) > 1:
        lengths = ", ".join(str(len(target)) for target in targets)
        rule = LENGTH_RULES[score.metric.reference_length].format(lengths=lengths)
    yield steps.formula("c", "length of the hypothesis", c)
    yield steps.formula("r", rule, f"{r:g}")
    if score.metric.smoothing == "coco" and c <= r:
        yield steps.formula("BP", "exp(1 − (r + 1e-9)/(c + 1e-15))", f"exp(1 − ({r:g} + 1e-9)/({c} + 1e-15))", penalty)
    elif c >= r:
        yield steps.formula("BP", "1, since c ≥ r")
    elif c == 0:
        yield steps.formula("BP", "0, since the hypothesis is empty")
    else:
        yield steps.formula("BP", "exp(1 − r/c)", f"exp(1 − {r:g}/{c})", penalty)


def _result(score: BLEUScore) -> Written:
    metric, unmatched = score.metric, _unmatched(score)
    weights = dict(enumerate(metric.weights or (1 / metric.max_order,) * metric.max_order, 1))
    if score.hyp_len == 0:
        yield "An empty hypothesis scores 0."
        return
    if unmatched is not None:
        what = "token" if unmatched == 1 else f"{unmatched}-gram"
        yield f"No {what} matches, so the score is 0 in spite of smoothing."
        return
    if score.value == 0:
        zero = next((order for order in weights if weights[order] and score.precisions[order - 1] == 0), None)
        reason = "The product" if zero is None else f"{_p(zero)} is 0, so the product"
        yield f"{reason} of the precisions is 0, and so is the score."
        return
    if metric.effective_order:
        existing = {order: weight for order, weight in weights.items() if _exists(score, order)}
        weights = {order: weight * sum(weights.values()) / sum(existing.values()) for order, weight in existing.items()}
    rows, products = [], []
    for order, weight in weights.items():
        precision = score.precisions[order - 1]
        if precision > 0:
            logarithm = math.log(precision)
            products.append(weight * logarithm)
            rows.append(steps.row(_p(order), f"{precision:.6g}", logarithm, f"{weight:.4g}", products[-1]))
    mean = math.fsum(products)
    yield steps.Table("Logarithms", steps.left("precision") + steps.right("value", "ln", "weight", "product"), rows)
    yield steps.formula("mean", "sum of the products", mean)
    yield steps.formula(metric.title, "BP · exp(mean)", f"{score.brevity_penalty:.4f} · exp({mean:.4f})", score.value)


def _unmatched(score: BLEUScore) -> int | None:
    """Return the first order without a match, if that makes the score 0 in spite of smoothing."""
    required = {"zero": 1, "smooth": 0, "zero-if-any": score.metric.max_order}[score.metric.no_match]
    return next((order for order in range(1, required + 1) if score.counts[order - 1] == 0), None)


def _exists(score: BLEUScore, order: int) -> bool:
    """Return whether the order has a denominator, counted, padded or added by smoothing."""
    metric = score.metric
    added = metric.smoothing in ("add-k-all", "coco") or (metric.smoothing in ("add-k", "nltk-2") and order > 1)
    return score.totals[order - 1] > 0 or metric.short_order == "pad" or (added and metric.smoothing_value != 0)
