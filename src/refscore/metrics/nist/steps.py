"""The worked steps of NIST for one segment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    MOST_TERMS,
    Part,
    Tokens,
    formula,
    left,
    missing_ngrams,
    ngram_counts,
    ngram_rows,
    read_segment,
    right,
    row,
    sum_terms,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.nist.metric import NIST, NISTScore

RULE = (
    "The weight of an n-gram is its information in the references that the metric was fitted on: log2 of the count of "
    "the n-gram without its last token, divided by the count of the n-gram. An n-gram matches as often as it occurs in "
    "both texts."
)
SEVERAL_RULE = " For each order, the reference with the most matching information counts, or the longest of equal ones."


def explain(metric: NIST, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `NIST.explain`."""
    segment = read_segment(metric, hypothesis, references)
    score, targets = segment.score, segment.targets
    if not segment.candidate:
        return segment.steps(segment.token_section, ("Result", [Paragraph("An empty hypothesis scores 0.")]))
    rows = [one.row for one in segment.scores if one is not None]
    matches: list[Part] = [Paragraph(RULE + SEVERAL_RULE * (len(targets) > 1))]
    lengths = []
    for order in range(1, metric.max_order + 1):
        best = max(range(len(targets)), key=lambda i: (rows[i][1 + order], len(targets[i]), -i))
        lengths.append(len(targets[best]))
        note = f"Reference {best + 1} counts for this order." if len(targets) > 1 else None
        matches += _order_parts(score, segment.candidate, targets[best], order, note)
    return segment.steps(
        segment.token_section,
        ("Information of the matches", matches),
        ("Length penalty", _length_parts(score, lengths, len(targets) > 1)),
        ("Result", [_result(score)]),
    )


def _order_parts(score: NISTScore, candidate: Tokens, target: Tokens, order: int, note: str | None) -> list[Part]:
    if len(candidate) < order:
        return [missing_ngrams(order, candidate)]
    information = score.metric.information
    assert information is not None
    counts, known = ngram_counts(candidate, order), ngram_counts(target, order)
    rows, terms = [], []
    for ngram, counted in zip(counts, ngram_rows(counts, known), strict=True):
        weight = information.weight(ngram)
        product = min(counts[ngram], known[ngram]) * weight
        rows.append(row(*counted.cells, weight, product, mark=counted.mark))
        if ngram in known:
            terms.append(product)
    columns = left("n-gram") + right("in hypothesis", "in reference", "common", "weight", "product")
    total, summed = score.totals[order - 1], score.row[1 + order].item()
    return [
        Table(f"{order}-grams", columns, rows, note),
        formula(
            f"information of {order}-grams",
            *sum_terms(terms, f"({{}})/{total}"),
            f"{summed:.4f}/{total}",
            score.information[order - 1],
        ),
    ]


def _length_parts(score: NISTScore, lengths: Sequence[int], several: bool) -> list[Part]:
    c, r = score.hyp_len, score.ref_len
    rule = ["length of the reference"]
    if several:
        rule = ["mean length of the references that counted", *sum_terms(lengths, f"({{}})/{len(lengths)}")]
    parts: list[Part] = [formula("c", "length of the hypothesis", c), formula("r", *rule, f"{r:g}")]
    if c >= r:
        return [*parts, formula("penalty", "1, since c ≥ r")]
    beta = math.log(0.5) / math.log(1.5) ** 2
    numbers = f"exp({beta:.4f} · ln({c}/{r:g})²)"
    return [
        *parts,
        formula("beta", "ln(1/2) / ln(3/2)²", beta),
        formula("penalty", "exp(beta · ln(c/r)²)", numbers, score.length_penalty),
    ]


def _result(score: NISTScore) -> Part:
    terms = " + ".join(f"{value:.4f}" for value in score.information)
    numbers = [f"({terms}) · {score.length_penalty:.4f}"] if len(score.information) <= MOST_TERMS else []
    return formula("NIST", "sum of the information of all orders · penalty", *numbers, score.value)
