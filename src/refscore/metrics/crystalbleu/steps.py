"""The worked steps of CrystalBLEU for one segment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refscore.metrics.bleu import steps
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.crystalbleu.metric import CrystalBLEU


def explain(metric: CrystalBLEU, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `CrystalBLEU.explain`."""
    metric.check_fitted()
    count = len(metric.ignored or ())
    rule = (
        f"The {count:,} most frequent n-grams of the texts that the metric was fitted on are ignored: they count "
        "neither as matches nor as n-grams of the hypothesis."
    )
    return steps.explain(metric, hypothesis, references, [Paragraph(rule)])
