"""The worked steps of SARI for one segment."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    joined,
    left,
    ngram_counts,
    read_segment,
    right,
    row,
    shortened_table,
)
from refscore.metrics.sari.metric import OPERATIONS
from refscore.steps import Paragraph, Steps
from refscore.tables import Row, Table

if TYPE_CHECKING:
    from refscore.metrics.sari.metric import SARI, SARIScore

_OPERATIONS = (
    "An n-gram of the source is kept if the hypothesis has it, and deleted otherwise. Other n-grams of the hypothesis "
    "are added. The references show which of these changes are correct."
)
_RULES = {
    "counts": "Counts of the source and the hypothesis are multiplied by the number of references.",
    "ratios": "Counts of the source and the hypothesis are multiplied by the number of references. Kept and deleted "
    "n-grams are scored by their ratios of correct to all, averaged over n-grams.",
    "sets": "Each n-gram counts once. Kept and deleted n-grams are weighted by the share of references that have them.",
}


def explain(metric: SARI, hypothesis: Any, references: Any, source: Any) -> Steps:
    """Return the steps for one segment; see `SARI.explain`."""
    segment = read_segment(metric, hypothesis, references, source)
    texts = [segment.source_tokens, segment.candidate, *segment.targets]
    if metric.empty_text == "token":
        texts = [text or [""] for text in texts]
    source, candidate, *targets = texts
    orders = range(1, min(metric.max_order, max(map(len, texts))) + 1)
    parts: list[Part] = [Paragraph(_OPERATIONS), Paragraph(_RULES[metric.counting])]
    for order in orders:
        parts += _ngram_table(order, source, candidate, targets)
    return segment.steps(
        segment.token_section,
        ("n-grams", parts),
        *([] if metric.average == "segments" else [("Counts", [_count_table(metric, segment.score)])]),
        ("Result", _result_parts(metric, segment.score)),
    )


def _ngram_table(order: int, source: Tokens, candidate: Tokens, targets: list[Tokens]) -> list[Part]:
    in_source, in_hypothesis = ngram_counts(source, order), ngram_counts(candidate, order)
    in_references: Counter[Any] = Counter()
    for target in targets:
        in_references += ngram_counts(target, order)
    rows: list[Row] = []
    for ngram in {**in_source, **in_hypothesis, **in_references}:
        counts = in_source[ngram], in_hypothesis[ngram], in_references[ngram]
        rows.append(row(joined(ngram), *counts, _operation(*counts)))
    columns = left("n-gram") + right("in source", "in hypothesis", "in references") + left("operation")
    return shortened_table(f"{order}-grams", columns, rows)


def _operation(in_source: int, in_hypothesis: int, in_references: int) -> str:
    """Return what the hypothesis does with an n-gram, and whether the references do the same."""
    if not in_source:
        if not in_hypothesis:
            return "not added, but a reference has it"
        return "added, as in a reference" if in_references else "added, unlike the references"
    if not in_hypothesis:
        return "deleted, but a reference has it" if in_references else "deleted, as in the references"
    partly = " in part" if in_hypothesis < in_source else ""
    return f"kept{partly}, " + ("as in a reference" if in_references else "unlike the references")


def _count_table(metric: SARI, score: SARIScore) -> Table:
    numbers = iter(score.row.tolist())
    rows = [
        row(f"{order}-grams", operation, *(f"{next(numbers):g}" for _ in range(3)))
        for order in range(1, metric.max_order + 1)
        for operation in OPERATIONS
    ]
    return Table("Changes", left("order", "operation") + right("correct", "in hypothesis", "in references"), rows)


def _result_parts(metric: SARI, score: SARIScore) -> list[Part]:
    deletion = "precision" if metric.deletion == "precision" else "F-score"
    undefined = "0/0 counts as 1" if metric.undefined == "one" else "0/0 counts as 0"
    how = "the F-score of the mean precision and recall of all orders"
    if metric.order_average == "scores":
        how = "the mean over orders"
    operations = " + ".join(f"{value:.4f}" for value in (score.keep, score.delete, score.add))
    return [
        Paragraph(f"Each operation is scored by {how}. Deletions have the {deletion}, and {undefined}."),
        formula("keep", score.keep),
        formula("delete", score.delete),
        formula("add", score.add),
        formula("SARI", "(keep + delete + add) / 3", f"({operations}) / 3", score.value),
    ]
