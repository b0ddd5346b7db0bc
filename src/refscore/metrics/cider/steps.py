"""The worked steps of CIDEr for one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    MOST_TERMS,
    Part,
    Tokens,
    formula,
    joined,
    left,
    mark_share,
    missing_ngrams,
    ngram_counts,
    read_segment,
    right,
    row,
    shortened_table,
    sum_terms,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.cider.metric import CIDER

RULE = (
    "Each text is a vector with one number per n-gram: its count in the text times its weight. The weight is ln of the "
    "number of documents ({documents:,}) minus ln of the number of documents with the n-gram, at least 1. A document "
    "is all references of a segment that the metric was fitted on."
)
COSINE_RULE = "The cosine of two vectors is their product divided by their norms. {clipping}"
CLIPPED = "In the product, a number of the hypothesis counts at most as much as that of the reference."
EMPTY = "The hypothesis or all references are empty, so the score is 0."


def explain(metric: CIDER, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `CIDER.explain`."""
    segment = read_segment(metric, hypothesis, references)
    score, candidate, targets = segment.score, segment.candidate, segment.targets
    frequencies = metric.document_frequencies
    assert frequencies is not None
    if not candidate or not any(targets):
        return segment.steps(segment.token_section, ("Result", [Paragraph(EMPTY)]))
    penalties = [_penalty(metric, candidate, target) for target in targets]
    clipping = CLIPPED if metric.clip else ""
    similarities: list[Part] = [
        Paragraph(RULE.format(documents=frequencies.documents)),
        Paragraph(COSINE_RULE.format(clipping=clipping).rstrip()),
    ]
    for order in range(1, metric.max_order + 1):
        value = score.similarities[order - 1]
        similarities += _order_parts(metric, candidate, targets, order, penalties, value)
    orders = score.similarities
    terms = [f"10 · ({' + '.join(f'{value:.4f}' for value in orders)})/{len(orders)}"] * (len(orders) <= MOST_TERMS)
    return segment.steps(
        segment.token_section,
        *([("Length penalty", _penalty_parts(metric, candidate, targets, penalties))] if metric.sigma else []),
        ("Similarity by order", similarities),
        ("Result", [formula(metric.title, "10 · mean of the similarities of all orders", *terms, score.value)]),
    )


def _penalty(metric: CIDER, candidate: Tokens, target: Tokens) -> float:
    difference = len(candidate) - len(target)
    if metric.sigma is None or difference == 0:
        return 1.0
    return math.exp(-(difference**2) / 2 / metric.sigma**2)


def _penalty_parts(
    metric: CIDER, candidate: Tokens, targets: Sequence[Tokens], penalties: Sequence[float]
) -> list[Part]:
    rows = [
        row(_name(i, targets), len(candidate), len(target), len(candidate) - len(target), penalty)
        for i, (target, penalty) in enumerate(zip(targets, penalties, strict=True))
    ]
    columns = left("text") + right("hypothesis", "reference", "difference", "penalty")
    note = f"The penalty is exp(-difference² / (2 · {metric.sigma:g}²))."
    return [Table("Lengths", columns, rows, note)]


def _order_parts(
    metric: CIDER, candidate: Tokens, targets: Sequence[Tokens], order: int, penalties: Sequence[float], value: float
) -> list[Part]:
    if len(candidate) < order:
        return [missing_ngrams(order, candidate)]
    frequencies = metric.document_frequencies
    assert frequencies is not None
    own, others = ngram_counts(candidate, order), [ngram_counts(target, order) for target in targets]
    weights = {ngram: frequencies.weight(ngram) for ngram in chain(own, *others)}
    rows = []
    for ngram, weight in weights.items():
        counts = [other[ngram] for other in others]
        mark = mark_share(len(counts) - counts.count(0), len(counts)) if ngram in own else None
        rows.append(row(joined(ngram), weight, own[ngram], *counts, mark=mark))
    names = [_name(i, targets) for i in range(len(targets))]
    own_norm = _norm(own, weights)
    compared, terms = [], []
    for name, other, penalty in zip(names, others, penalties, strict=True):
        product = math.fsum(
            (min(own[ngram], count) if metric.clip else own[ngram]) * weights[ngram] * count * weights[ngram]
            for ngram, count in other.items()
        )
        norm = _norm(other, weights)
        cosine = product / (own_norm * norm) if product else 0.0
        terms.append(cosine * penalty)
        compared.append(row(name, product, own_norm, norm, cosine, penalty, terms[-1]))
    numbers = right("product", "norm of hypothesis", "norm of reference", "cosine", "penalty", "similarity")
    return [
        *shortened_table(f"{order}-grams", left("n-gram") + right("weight", "hypothesis", *names), rows),
        Table(f"Similarity of {order}-grams", left("text") + numbers, compared),
        formula(f"similarity of {order}-grams", *sum_terms(terms, f"({{}})/{len(terms)}"), value),
    ]


def _norm(counts: Any, weights: Any) -> float:
    return math.sqrt(math.fsum((count * weights[ngram]) ** 2 for ngram, count in counts.items()))


def _name(index: int, targets: Sequence[Tokens]) -> str:
    return f"reference {index + 1}" if len(targets) > 1 else "reference"
