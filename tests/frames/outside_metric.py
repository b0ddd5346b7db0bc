"""A metric in Python, as in a package outside refscore."""

from dataclasses import dataclass

import refscore


@dataclass(frozen=True, kw_only=True)
class Surplus(refscore.metrics.PythonMetric):
    """Tokens that a hypothesis has more than its shortest reference, per token; less than 0 if it is shorter."""

    name = "surplus"
    columns = ("surplus", "ref_len")

    def row(self, hypothesis, references):
        shortest = min(len(reference) for reference in references)
        return len(hypothesis) / 3 - shortest / 3, shortest

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0
