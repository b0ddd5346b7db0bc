"""The worked steps of a Python metric: the tokens, the row and its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import read_segment
from refscore.metrics.core.step_parts import formula, left, right, row
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.core.python_metric import PythonMetric
    from refscore.steps import Steps


def explain(metric: PythonMetric, hypothesis: Any, references: Any, source: Any = None) -> Steps:
    """Return the steps for one segment; see `PythonMetric.explain`."""
    segment = read_segment(metric, hypothesis, references, source)
    cells = [row(name, f"{number:g}") for name, number in segment.score.details().items()]
    return segment.steps(
        segment.token_section,
        ("Row", [Table("Row", left("column") + right("number"), cells)]),
        ("Result", [formula(metric.title, f"value({', '.join(metric.columns)})", segment.score.value)]),
    )
