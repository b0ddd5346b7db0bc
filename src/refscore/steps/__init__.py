"""Worked steps: how a score is computed, step by step.

`Steps` holds headings, paragraphs, formulas and tables as data. It prints as text, rich prints it in colour, and
`to_html` returns HTML. This package does not depend on metrics.
"""

from refscore.steps.model import Formula, Heading, Paragraph, Steps

__all__ = ["Formula", "Heading", "Paragraph", "Steps"]
