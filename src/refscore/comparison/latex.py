"""A comparison as one LaTeX table, ready for a paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from refscore.comparison.tables import caption
from refscore.tables import escape_latex, render

if TYPE_CHECKING:
    from refscore.comparison.model import SystemComparison


def latex_table(comparison: SystemComparison, digits: int | None) -> str:
    """Return a table environment with a caption."""
    table = comparison.table(digits=digits)
    tabular = render(replace(table, note=None), "latex").split("\n")
    first = tabular.index(r"\midrule") + 1
    for row in reversed(range(len(comparison.systems), len(table.rows), len(comparison.systems))):
        tabular.insert(first + row, r"\midrule")  # between groups
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        *tabular,
        rf"\caption{{{escape_latex(caption(comparison, digits, highlight='Bold'))}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)
