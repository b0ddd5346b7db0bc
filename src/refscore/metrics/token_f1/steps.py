"""The worked steps of token F1 for one segment."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    left,
    ngram_counts,
    ngram_rows,
    read_segment,
    right,
    shortened_table,
)
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.token_f1.metric import TokenF1, TokenF1Score


def explain(metric: TokenF1, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `TokenF1.explain`."""
    segment = read_segment(metric, hypothesis, references)
    candidate, target = segment.candidate, segment.target
    skips = metric.empty_reference == "skip" and any(segment.targets)
    sections = [
        segment.token_section,
        *segment.reference_sections(
            {"P": "precision", "R": "recall", "F1": "value"},
            ["no tokens, ignored" if skips and not text else "" for text in segment.targets],
        ),
    ]
    if not candidate or not target:
        return segment.steps(*sections, ("Result", [Paragraph(_empty_reason(candidate, target, segment.score))]))
    return segment.steps(
        *sections,
        ("Common tokens", _token_parts(candidate, target)),
        ("Result", _result_parts(candidate, target, segment.score)),
    )


def _empty_reason(candidate: Tokens, target: Tokens, score: TokenF1Score) -> str:
    which = "The hypothesis" if target else "The reference" if candidate else "Neither text"
    return f"{which} has {'tokens' if which == 'Neither text' else 'no tokens'}, so the score is {score.value:.0f}."


def _token_parts(candidate: Tokens, target: Tokens) -> list[Part]:
    counts, known = ngram_counts(candidate, 1), ngram_counts(target, 1)
    columns = left("token") + right("in hypothesis", "in reference", "common")
    note = "A token is common as often as both texts have it."
    return [
        *shortened_table("Tokens of the hypothesis", columns, ngram_rows(counts, known), note),
        formula("common", "the sum of the last column", (counts & known).total()),
    ]


def _result_parts(candidate: Tokens, target: Tokens, score: TokenF1Score) -> list[Part]:
    common = (Counter(candidate) & Counter(target)).total()
    if not common:
        return [Paragraph("The texts have no token in common, so the score is 0.")]
    return [
        formula("P", "common / tokens of the hypothesis", f"{common}/{len(candidate)}", score.precision),
        formula("R", "common / tokens of the reference", f"{common}/{len(target)}", score.recall),
        formula("F1", "2PR / (P + R)", score.value),
    ]
