"""The worked steps of a metric in Python: the tokens it sees, the row it returns, and the value of that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.core.python_metric import PythonMetric


def explain(metric: PythonMetric, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `PythonMetric.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    pipeline = metric.pipeline
    tokens = token_table(pipeline.words(item), [pipeline.words(text, is_reference=True) for text in entry])
    cells = [Row((name, f"{number:g}")) for name, number in score.details().items()]
    row = Table("Row", (Column("column"), Column("number", "right")), tuple(cells))
    names = ", ".join(metric.columns)
    value = Formula(metric.title, f"value({names})", f"{score.value:.4f}")
    sections: list[tuple[str, list[Any]]] = [("Tokens", [tokens]), ("Row", [row]), ("Result", [value])]
    result = f"{metric.title} = {score.value:.4f}"
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps(f"{metric.title}, step by step", tuple(parts), result)
