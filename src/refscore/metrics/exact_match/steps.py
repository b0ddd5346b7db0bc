"""The worked steps of exact match for one segment."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import Part, Tokens, formula, left, read_segment, right, row, shortened_table
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.exact_match.metric import ExactMatch


def explain(metric: ExactMatch, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `ExactMatch.explain`."""
    segment = read_segment(metric, hypothesis, references)
    skips = metric.empty_reference == "skip" and any(segment.targets)
    return segment.steps(
        segment.token_section,
        *segment.reference_sections(
            {"match": "matches"},
            ["no tokens, ignored" if skips and not target else "" for target in segment.targets],
        ),
        ("Comparison", _comparison_parts(segment.candidate, segment.target)),
        ("Result", [formula("EM", "1 if all tokens are equal, otherwise 0", segment.score.value)]),
    )


def _comparison_parts(candidate: Tokens, target: Tokens) -> list[Part]:
    if not candidate and not target:
        return [Paragraph("Neither text has tokens, so they are equal.")]
    rows = []
    for position, (ours, theirs) in enumerate(zip_longest(candidate, target), 1):
        is_missing = position > len(candidate) or position > len(target)
        is_same = not is_missing and ours == theirs
        shown = ["–" if position > len(side) else str(side[position - 1]) for side in (candidate, target)]
        rows.append(row(position, *shown, "yes" if is_same else "no", mark="match" if is_same else "miss"))
    return shortened_table("Tokens by position", right("position") + left("hypothesis", "reference", "equal"), rows)
