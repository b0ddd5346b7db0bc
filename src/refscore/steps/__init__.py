"""Worked steps: how a number is computed, as a teacher writes it on the board.

An explanation is data: headings, paragraphs, formulas and tables in a `Steps`. It prints as text, rich prints it in
colour, and `to_html` returns HTML. Nothing in this package knows a metric.
"""

from refscore.steps.model import Formula, Heading, Paragraph, Steps

__all__ = ["Formula", "Heading", "Paragraph", "Steps"]
