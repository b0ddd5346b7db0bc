"""The worked steps of GLEU for one segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    left,
    missing_ngrams,
    ngram_counts,
    ngram_rows,
    read_segment,
    right,
    sum_terms,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.gleu.metric import GLEU, GLEUScore


def explain(metric: GLEU, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `GLEU.explain`."""
    segment = read_segment(metric, hypothesis, references)
    score, candidate = segment.score, segment.candidate
    if not score.total:
        reason = f"No text has an n-gram of {metric.min_order} or more tokens, so the score is 0."
        return segment.steps(segment.token_section, ("Result", [Paragraph(reason)]))
    longest = max(len(candidate), len(segment.target))
    orders = range(metric.min_order, min(metric.max_order, longest) + 1)
    return segment.steps(
        segment.token_section,
        *segment.reference_sections(
            {"matches": "matches", "total": "total", "GLEU": "value"},
            ["" if one and one.total else "no n-grams, ignored" for one in segment.scores],
        ),
        ("Common n-grams", _ngram_parts(orders, candidate, segment.target, score)),
        ("Result", _result_parts(orders, candidate, segment.target, score)),
    )


def _ngram_parts(orders: range, candidate: Tokens, target: Tokens, score: GLEUScore) -> list[Part]:
    parts: list[Part] = [
        Paragraph("An n-gram is common as often as it occurs in both texts: the smaller of its two counts.")
    ]
    sums = []
    for order in orders:
        counts, known = ngram_counts(candidate, order), ngram_counts(target, order)
        if not counts:
            parts.append(missing_ngrams(order, candidate))
            continue
        sums.append((counts & known).total())
        columns = left("n-gram") + right("in hypothesis", "in reference", "common")
        parts.append(Table(f"{order}-grams", columns, ngram_rows(counts, known)))
    return [*parts, formula("matches", *sum_terms(sums), score.matches)]


def _result_parts(orders: range, candidate: Tokens, target: Tokens, score: GLEUScore) -> list[Part]:
    ours, theirs = ([len(text) - order + 1 for order in orders if order <= len(text)] for text in (candidate, target))
    return [
        formula("n-grams of the hypothesis", *sum_terms(ours), sum(ours)),
        formula("n-grams of the reference", *sum_terms(theirs), sum(theirs)),
        formula("total", "the larger of the two", f"max({sum(ours)}, {sum(theirs)})", score.total),
        formula("GLEU", "matches / total", f"{score.matches}/{score.total}", score.value),
    ]
