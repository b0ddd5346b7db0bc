"""The worked steps of a given score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refscore.steps import Formula, Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.given.metric import Given


def explain(metric: Given, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one number; see `Given.explain`."""
    score = metric.segment(hypothesis)
    parts = (
        Paragraph(f"Settings: {metric.signature}"),
        Paragraph("A different program computed this score. A corpus score is the mean over segments."),
        Formula(metric.title, "sum / weight", f"{score.value:.4f}"),
    )
    return Steps(f"{metric.title}, step by step", parts, f"{metric.title} = {score.value:.4f}")
