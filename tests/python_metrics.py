"""External metrics in pure Python."""

from dataclasses import dataclass

import refscore


@dataclass(frozen=True, kw_only=True)
class Overlap(refscore.metrics.PythonMetric):
    """Words that the hypothesis and a reference share, divided by the words of either; the best reference counts."""

    name = "overlap"
    columns = ("shared", "words")

    def row(self, hypothesis, references):
        words = set(hypothesis)
        counts = [(len(words & set(reference)), len(words | set(reference))) for reference in references]
        return max(counts, key=self.value)

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0


@dataclass(frozen=True, kw_only=True)
class Surplus(refscore.metrics.PythonMetric):
    """How much longer than its first reference an output is: below 0 for a shorter one."""

    name = "surplus"
    columns = ("surplus", "segments")
    printed_scale = 1

    def row(self, hypothesis, references):
        return len(hypothesis) - len(references[0]), 1

    def value(self, row):
        return row[0] / row[1] if row[1] else 0.0
