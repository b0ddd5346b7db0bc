import math
from collections.abc import Mapping
from itertools import chain
from typing import Any

from refscore.metrics.cider.metric import CIDERScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written

RULE = (
    "Each text is a vector with one number per n-gram: its count in the text times its weight. The weight is ln of the "
    "number of documents ({documents:,}) minus ln of the number of documents with the n-gram, at least 1. A document "
    "is all references of a segment that the metric was fitted on."
)
COSINE_RULE = "The cosine of two vectors is their product divided by their norms."
CLIPPED = " In the product, a number of the hypothesis counts at most as much as that of the reference."


def explain(segment: ScoredSegment[CIDERScore]) -> Written:
    score, metric, candidate = segment.score, segment.score.metric, segment.candidate
    frequencies = metric.document_frequencies
    assert frequencies is not None
    yield from segment.token_steps()
    if not candidate or not any(segment.targets):
        yield steps.Heading("Result")
        yield "The hypothesis or all references are empty, so the score is 0."
        return
    several = len(segment.targets) > 1
    targets = {f"reference {i}" if several else "reference": target for i, target in enumerate(segment.targets, 1)}
    penalties = dict.fromkeys(targets, 1.0)
    if metric.sigma:
        rows = []
        for name, target in targets.items():
            difference = len(candidate) - len(target)
            if difference:
                penalties[name] = math.exp(-(difference**2) / 2 / metric.sigma**2)
            rows.append(steps.row(name, len(candidate), len(target), difference, penalties[name]))
        yield steps.Heading("Length penalty")
        columns = steps.left("text") + steps.right("hypothesis", "reference", "difference", "penalty")
        yield steps.Table("Lengths", columns, rows, f"The penalty is exp(-difference² / (2 · {metric.sigma:g}²)).")
    yield steps.Heading("Similarity by order")
    yield RULE.format(documents=frequencies.documents)
    yield COSINE_RULE + CLIPPED * metric.clip
    for order in range(1, metric.max_order + 1):
        yield from _similarity(score, candidate, targets, penalties, order)
    yield steps.Heading("Result")
    orders = score.similarities
    terms = [f"10 · ({' + '.join(f'{value:.4f}' for value in orders)})/{len(orders)}"] * (
        len(orders) <= steps.MOST_TERMS
    )
    yield steps.formula(metric.title, "10 · mean of the similarities of all orders", *terms, score.value)


def _similarity(
    score: CIDERScore, candidate: Tokens, targets: Mapping[str, Tokens], penalties: Mapping[str, float], order: int
) -> Written:
    if len(candidate) < order:
        yield steps.missing_ngrams(order, candidate)
        return
    frequencies = score.metric.document_frequencies
    assert frequencies is not None
    own, others = (
        steps.ngram_counts(candidate, order),
        [steps.ngram_counts(target, order) for target in targets.values()],
    )
    weights = {ngram: frequencies.weight(ngram) for ngram in chain(own, *others)}
    rows = []
    for ngram, weight in weights.items():
        counts = [other[ngram] for other in others]
        mark = steps.mark_share(len(counts) - counts.count(0), len(counts)) if ngram in own else None
        rows.append(steps.row(steps.joined(ngram), weight, own[ngram], *counts, mark=mark))
    yield from steps.shortened_table(
        f"{order}-grams", steps.left("n-gram") + steps.right("weight", "hypothesis", *targets), rows
    )
    own_norm = _norm(own, weights)
    compared, terms = [], []
    for name, other in zip(targets, others, strict=True):
        product = math.fsum(
            (min(own[ngram], count) if score.metric.clip else own[ngram]) * weights[ngram] * count * weights[ngram]
            for ngram, count in other.items()
        )
        norm = _norm(other, weights)
        cosine = product / (own_norm * norm) if product else 0.0
        terms.append(cosine * penalties[name])
        compared.append(steps.row(name, product, own_norm, norm, cosine, penalties[name], terms[-1]))
    numbers = steps.right("product", "norm of hypothesis", "norm of reference", "cosine", "penalty", "similarity")
    yield steps.Table(f"Similarity of {order}-grams", steps.left("text") + numbers, compared)
    mean = steps.sum_terms(terms, f"({{}})/{len(terms)}")
    yield steps.formula(f"similarity of {order}-grams", *mean, score.similarities[order - 1])


def _norm(counts: Mapping[Any, int], weights: Mapping[Any, float]) -> float:
    return math.sqrt(math.fsum((count * weights[ngram]) ** 2 for ngram, count in counts.items()))
