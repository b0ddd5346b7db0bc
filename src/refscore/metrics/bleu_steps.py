"""BLEU's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from refscore.steps import Column, Formula, Heading, Paragraph, Row, Steps, Table
from refscore.steps.table import Mark

if TYPE_CHECKING:
    from refscore.metrics.bleu import BLEU, BLEUScore

Tokens = Sequence[Hashable]
Part = Heading | Paragraph | Formula | Table

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

ZERO_RULES = {
    "exp": "exp: the k-th order without a match counts 1/2ᵏ matches",
    "nltk-3": "NLTK's method 3: the k-th order without a match counts 1/2ᵏ matches",
    "floor": "floor: an order without a match counts {value:g} matches",
    "nltk-1": "NLTK's method 1: an order without a match counts {value:g} matches",
    "floor-segments": "floor: every segment without a match of the order adds {value:g} matches",
    "add-k": "add-k: {value:g} is added to matches and n-grams of the orders above 1",
    "nltk-2": "NLTK's method 2: 1 is added to matches and n-grams of the orders above 1",
    "add-k-all": "add-k: {value:g} is added to matches and n-grams of every order",
    "nltk-0": "NLTK's method 0: the smallest normal number stands in for 0",
    "nltk-4": "NLTK's method 4: the k-th order without a match counts ln(c) / (2ᵏ · {value:g}) matches",
    "nltk-5": "NLTK's method 5: each precision is averaged with its neighbours",
    "nltk-6": "NLTK's method 6: above order 2, precisions are interpolated with what lower ones let expect ({value:g})",
    "nltk-7": "NLTK's method 7: method 4 with k = {value:g}, then method 5",
}
LENGTH_RULES = {
    "closest": "closest to the hypothesis; of two equally close ones the shorter",
    "closest-first": "closest to the hypothesis; of two equally close ones the first",
    "shortest": "the shortest",
    "average": "the mean",
}


def explain_bleu(metric: BLEU, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `BLEU.explain`."""
    score = metric.segment(hypothesis, references)
    candidate, targets = _tokens(metric, hypothesis, references)
    parts: list[Part] = [Heading("1. Tokens"), _token_table(candidate, targets), Heading("2. n-gram precisions")]
    for order in range(1, metric.max_order + 1):
        parts += _order_parts(score, candidate, targets, order)
    parts += _smoothing_parts(score)
    parts += [Heading("3. Brevity penalty"), *_length_parts(score, targets), Heading("4. Result"), *_mean_parts(score)]
    return Steps(
        "BLEU, step by step", tuple(parts), f"BLEU = {score.value:.4f} ({score.percent:.2f} %); {metric.signature}"
    )


def _tokens(metric: BLEU, hypothesis: Any, references: Any) -> tuple[Tokens, list[Tokens]]:
    """The tokens as they are counted, in the form in which they came."""
    if isinstance(hypothesis, str):
        entry = [references] if isinstance(references, str) else [text for text in references if text is not None]
        return metric.pipeline.tokens(hypothesis), [metric.pipeline.tokens(text) for text in entry]
    return list(hypothesis), [list(reference) for reference in references if reference is not None]


def _ngrams(tokens: Tokens, order: int) -> Counter[tuple[Hashable, ...]]:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def _joined(tokens: Sequence[Hashable]) -> str:
    return " ".join(str(token) for token in tokens)


def _p(order: int) -> str:
    return "p" + str(order).translate(SUBSCRIPTS)


def _token_table(candidate: Tokens, targets: list[Tokens]) -> Table:
    rows = [Row(("hypothesis", _joined(candidate), str(len(candidate))))]
    for number, target in enumerate(targets, 1):
        name = "reference" if len(targets) == 1 else f"reference {number}"
        rows.append(Row((name, _joined(target), str(len(target)))))
    return Table("What is compared", (Column("text"), Column("tokens"), Column("length", "right")), tuple(rows))


def _order_parts(score: BLEUScore, candidate: Tokens, targets: list[Tokens], order: int) -> list[Part]:
    name = f"{order}-grams"
    if len(candidate) < order:
        return [Paragraph(f"{name}: the hypothesis has only {len(candidate)} tokens, so it has none.")]
    counts = _ngrams(candidate, order)
    in_targets = [_ngrams(target, order) for target in targets]
    rows = []
    for ngram, count in counts.items():
        most = max(found[ngram] for found in in_targets)
        clipped = min(count, most)
        mark: Mark = "match" if clipped == count else "partial" if clipped else "miss"
        rows.append(Row((_joined(ngram), str(count), str(most), str(clipped)), mark))
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
    if score.hyp_len == 0 or (metric.require_match and score.counts[0] == 0):
        return parts
    changed = [
        order
        for order, (matches, total, precision) in enumerate(
            zip(score.counts, score.totals, score.precisions, strict=True), 1
        )
        if total == 0 or precision != matches / total
    ]
    missing = [order for order in changed if score.totals[order - 1] == 0]
    smoothed = [order for order in changed if score.precisions[order - 1] not in (0.0, 1.0) or order not in missing]
    if smoothed and metric.smoothing in ZERO_RULES:
        parts.append(Paragraph(f"Smoothing, {ZERO_RULES[metric.smoothing].format(value=metric.smoothing_value or 0)}."))
        parts += [Formula(_p(order), "smoothed", f"{score.precisions[order - 1]:.6g}") for order in smoothed]
    if missing:
        named = ", ".join(f"{order}-grams" for order in missing)
        rule = "count as precision 0"
        if metric.effective_order and not any(score.precisions[order - 1] for order in missing):
            rule = "are left out of the mean (effective order)"
        elif metric.short_order == "perfect":
            rule = "count as precision 1"
        elif metric.short_order == "pad":
            rule = "count as one n-gram without a match"
        elif any(score.precisions[order - 1] for order in missing):
            rule = "have the smoothed precision"
        parts.append(Paragraph(f"The hypothesis is too short for {named}: they {rule}."))
    return parts


def _length_parts(score: BLEUScore, targets: list[Tokens]) -> list[Part]:
    c, r = score.hyp_len, score.ref_len
    parts: list[Part] = [Formula("c", "length of the hypothesis", str(c))]
    if len(targets) == 1:
        parts.append(Formula("r", "length of the reference", f"{r:g}"))
    else:
        lengths = ", ".join(str(len(target)) for target in targets)
        parts.append(
            Formula("r", f"of the reference lengths {lengths}: {LENGTH_RULES[score.metric.reference_length]}", f"{r:g}")
        )
    if c >= r:
        parts.append(Formula("BP", "c ≥ r, no penalty", "1"))
    elif c == 0:
        parts.append(Formula("BP", "the hypothesis is empty", "0"))
    else:
        parts.append(Formula.chain("BP", "exp(1 − r/c)", f"exp(1 − {r:g}/{c})", f"{score.brevity_penalty:.4f}"))
    return parts


def _mean_parts(score: BLEUScore) -> list[Part]:
    metric = score.metric
    if score.hyp_len == 0:
        return [Paragraph("An empty hypothesis scores 0.")]
    if metric.require_match and score.counts[0] == 0:
        return [Paragraph("Not a single token matches: the score is 0, whatever the smoothing.")]
    if score.value == 0:
        zero = next((order for order, precision in enumerate(score.precisions, 1) if precision == 0), None)
        reason = "The product" if zero is None else f"{_p(zero)} is 0, so the product"
        return [Paragraph(f"{reason} of the precisions is 0, and so is the score.")]
    orders = [order for order, precision in enumerate(score.precisions, 1) if precision > 0]
    weights = {order: 1.0 if metric.weights is None else metric.weights[order - 1] for order in orders}
    rows = []
    for order in orders:
        precision = score.precisions[order - 1]
        logarithm = math.log(precision)
        rows.append(
            Row(
                (
                    _p(order),
                    f"{precision:.6g}",
                    f"{logarithm:.4f}",
                    f"{weights[order]:g}",
                    f"{weights[order] * logarithm:.4f}",
                )
            )
        )
    table = Table(
        "Logarithms",
        (
            Column("precision"),
            Column("value", "right"),
            Column("ln", "right"),
            Column("weight", "right"),
            Column("product", "right"),
        ),
        tuple(rows),
    )
    total = sum(weights[order] * math.log(score.precisions[order - 1]) for order in orders)
    divisor = 1.0
    if metric.effective_order:
        divisor = sum(weights.values())
    elif metric.weights is None:
        divisor = float(metric.max_order)
    mean = Formula.chain("mean", f"{total:.4f} / {divisor:g}", f"{total / divisor:.4f}")
    penalty = score.brevity_penalty
    result = Formula.chain(
        "BLEU", "BP · exp(mean)", f"{penalty:.4f} · exp({total / divisor:.4f})", f"{score.value:.4f}"
    )
    return [table, mean, result]
