"""BLEU's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, Tokens, joined, ngram_counts, read_segment, token_table
from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.bleu.metric import BLEU, BLEUScore

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

SMOOTHING_RULES = {
    "exp": "exp: the k-th order without a match counts 1/2ᵏ matches",
    "nltk-3": "NLTK's method 3: the k-th order without a match counts 1/2ᵏ matches",
    "floor": "floor: an order without a match counts {value:g} matches",
    "nltk-1": "NLTK's method 1: an order without a match counts {value:g} matches",
    "floor-segments": "floor: every segment without a match of the order adds {value:g} matches",
    "add-k": "add-k: {value:g} is added to matches and n-grams of the orders above 1",
    "nltk-2": "NLTK's method 2: 1 is added to matches and n-grams of the orders above 1",
    "add-k-all": "add-k: {value:g} is added to matches and n-grams of every order",
    "coco": "coco-caption: 1e-15 is added to matches, 1e-9 to n-grams, so that nothing is divided by 0",
    "nltk-0": "NLTK's method 0: the smallest normal number stands in for 0",
    "nltk-4": "NLTK's method 4: the k-th order without a match counts ln(c) / (2ᵏ · {value:g}) matches",
    "nltk-5": "NLTK's method 5: each precision is averaged with its neighbours",
    "nltk-6": "NLTK's method 6: above order 2, precisions are interpolated with what lower ones let expect ({value:g})",
    "nltk-7": "NLTK's method 7: method 4 with k = {value:g}, then method 5",
}
LENGTH_RULES = {
    "closest": "the one of the reference lengths {lengths} closest to c, the shorter of two equally close ones",
    "closest-first": "the one of the reference lengths {lengths} closest to c, the first of two equally close ones",
    "shortest": "the shortest of the reference lengths {lengths}",
    "average": "the mean of the reference lengths {lengths}",
}


def explain(metric: BLEU, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `BLEU.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    parts: list[Part] = [
        Paragraph(f"Settings: {metric.signature}"),
        Heading("1. Tokens"),
        token_table(candidate, targets),
        Heading("2. n-gram precisions"),
    ]
    for order in range(1, metric.max_order + 1):
        parts += _order_parts(score, candidate, targets, order)
    parts += _smoothing_parts(score)
    parts += [Heading("3. Brevity penalty"), *_length_parts(score, targets), Heading("4. Result"), *_mean_parts(score)]
    return Steps("BLEU, step by step", tuple(parts), f"BLEU = {score.value:.4f} ({score.percent:.2f} %)")


def _p(order: int) -> str:
    return "p" + str(order).translate(SUBSCRIPTS)


def _order_parts(score: BLEUScore, candidate: Tokens, targets: Sequence[Tokens], order: int) -> list[Part]:
    name = f"{order}-grams"
    if len(candidate) < order:
        return [Paragraph(f"{name}: the hypothesis has only {len(candidate)} tokens, so it has none.")]
    counts = ngram_counts(candidate, order)
    in_targets = [ngram_counts(target, order) for target in targets]
    rows = []
    for ngram, count in counts.items():
        most = max(found[ngram] for found in in_targets)
        clipped = min(count, most)
        mark: Mark = "match" if clipped == count else "partial" if clipped else "miss"
        rows.append(Row((joined(ngram), str(count), str(most), str(clipped)), mark))
    columns = (
        Column("n-gram"),
        Column("in hypothesis", "right"),
        Column("most in one reference", "right"),
        Column("clipped", "right"),
    )
    matches, total = score.counts[order - 1], score.totals[order - 1]
    clipped_sum = " + ".join(row.cells[3] for row in rows) if 1 < len(rows) <= 12 else None
    steps = [f"{matches}/{total}"] if clipped_sum is None else [f"({clipped_sum})/{total}", f"{matches}/{total}"]
    return [Table(name, columns, tuple(rows)), Formula.chain(_p(order), *steps, f"{matches / total:.4f}")]


def _smoothing_parts(score: BLEUScore) -> list[Part]:
    """What smoothing and short segments made of the raw fractions, where they made something of them."""
    metric = score.metric
    parts: list[Part] = []
    if score.hyp_len == 0 or _unmatched(score) is not None:
        return parts
    missing = [order for order, total in enumerate(score.totals, 1) if total == 0]
    if missing:
        named = ", ".join(f"{order}-grams" for order in missing)
        parts.append(Paragraph(f"The hypothesis is too short for {named}: {_missing_rule(score, missing)}."))
    smoothed = [
        order
        for order, (matches, total, precision) in enumerate(
            zip(score.counts, score.totals, score.precisions, strict=True), 1
        )
        if _exists(score, order) and precision != (matches / total if total else 0)
    ]
    if smoothed:
        parts.append(
            Paragraph(f"Smoothing, {SMOOTHING_RULES[metric.smoothing].format(value=metric.smoothing_value or 0)}.")
        )
    zeros = 0
    for order in range(1, metric.max_order + 1):
        zeros += _exists(score, order) and score.counts[order - 1] == 0
        if order in smoothed:
            precision = f"{score.precisions[order - 1]:.6g}"
            parts.append(Formula(_p(order), _smoothed_fraction(score, order, zeros), precision))
    return parts


def _missing_rule(score: BLEUScore, missing: list[int]) -> str:
    metric = score.metric
    if metric.short_order == "pad":
        return "they count as one n-gram without a match"
    if any(_exists(score, order) for order in missing):
        return "they have what smoothing adds"
    if metric.effective_order:
        return "they are left out of the mean (effective order)"
    return f"they count as precision {1 if metric.short_order == 'perfect' else 0}"


def _smoothed_fraction(score: BLEUScore, order: int, zeros: int) -> str:
    """How the smoothed precision comes about; `zeros` counts the orders without a match up to this one."""
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
        "nltk-0": "the smallest normal number",
        "coco": f"({matches} + 1e-15)/({padded} + 1e-9)",
    }
    if metric.smoothing in ("add-k", "add-k-all", "nltk-2"):
        k = 1 if value is None else value
        return f"({matches} + {k:g})/({padded} + {k:g})"
    return fractions.get(metric.smoothing, "smoothed")


def _length_parts(score: BLEUScore, targets: Sequence[Tokens]) -> list[Part]:
    c, r = score.hyp_len, score.ref_len
    parts: list[Part] = [Formula("c", "length of the hypothesis", str(c))]
    rule = "length of the reference"
    if len(targets) > 1:
        lengths = ", ".join(str(len(target)) for target in targets)
        rule = LENGTH_RULES[score.metric.reference_length].format(lengths=lengths)
    parts.append(Formula("r", rule, f"{r:g}"))
    if score.metric.smoothing == "coco" and c <= r:
        smoothed = f"exp(1 − ({r:g} + 1e-9)/({c} + 1e-15))"
        parts.append(Formula.chain("BP", "exp(1 − (r + 1e-9)/(c + 1e-15))", smoothed, f"{score.brevity_penalty:.4f}"))
    elif c >= r:
        parts.append(Formula("BP", "1, since c ≥ r"))
    elif c == 0:
        parts.append(Formula("BP", "0, since the hypothesis is empty"))
    else:
        parts.append(Formula.chain("BP", "exp(1 − r/c)", f"exp(1 − {r:g}/{c})", f"{score.brevity_penalty:.4f}"))
    return parts


def _mean_parts(score: BLEUScore) -> list[Part]:
    metric = score.metric
    if score.hyp_len == 0:
        return [Paragraph("An empty hypothesis scores 0.")]
    unmatched = _unmatched(score)
    if unmatched is not None:
        what = "token" if unmatched == 1 else f"{unmatched}-gram"
        return [Paragraph(f"Not a single {what} matches: the score is 0, whatever the smoothing.")]
    if score.value == 0:
        weighted = zip(score.precisions, metric.weights or (1.0,) * metric.max_order, strict=True)
        zero = next((order for order, (precision, weight) in enumerate(weighted, 1) if weight and precision == 0), None)
        reason = "The product" if zero is None else f"{_p(zero)} is 0, so the product"
        return [Paragraph(f"{reason} of the precisions is 0, and so is the score.")]
    weights = dict(enumerate(metric.weights or (1 / metric.max_order,) * metric.max_order, 1))
    if metric.effective_order:
        kept = {order: weight for order, weight in weights.items() if _exists(score, order)}
        weights = {order: weight * sum(weights.values()) / sum(kept.values()) for order, weight in kept.items()}
    used = {order: weight for order, weight in weights.items() if score.precisions[order - 1] > 0}
    products = {order: weight * math.log(score.precisions[order - 1]) for order, weight in used.items()}
    rows = [
        Row(
            (
                _p(order),
                f"{score.precisions[order - 1]:.6g}",
                f"{math.log(score.precisions[order - 1]):.4f}",
                f"{weight:.4g}",
                f"{products[order]:.4f}",
            )
        )
        for order, weight in used.items()
    ]
    columns = ("precision", "value", "ln", "weight", "product")
    table = Table(
        "Logarithms",
        tuple(Column(title, "left" if i == 0 else "right") for i, title in enumerate(columns)),
        tuple(rows),
    )
    mean = math.fsum(products.values())
    penalty = score.brevity_penalty
    return [
        table,
        Formula("mean", "sum of the products", f"{mean:.4f}"),
        Formula.chain("BLEU", "BP · exp(mean)", f"{penalty:.4f} · exp({mean:.4f})", f"{score.value:.4f}"),
    ]


def _unmatched(score: BLEUScore) -> int | None:
    """The first order without a match, if such a one makes the score 0 whatever the smoothing."""
    required = {"zero": 1, "smooth": 0, "zero-if-any": score.metric.max_order}[score.metric.no_match]
    return next((order for order in range(1, required + 1) if score.counts[order - 1] == 0), None)


def _exists(score: BLEUScore, order: int) -> bool:
    """Whether the order has a denominator, be it a padded or an added one."""
    metric = score.metric
    added = metric.smoothing in ("add-k-all", "coco") or (metric.smoothing in ("add-k", "nltk-2") and order > 1)
    return score.totals[order - 1] > 0 or metric.short_order == "pad" or (added and metric.smoothing_value != 0)
