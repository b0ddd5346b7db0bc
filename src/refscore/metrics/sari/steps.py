from collections.abc import Sequence
from functools import reduce
from operator import add

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.sari.metric import OPERATIONS, SARIScore

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


def explain(segment: ScoredSegment[SARIScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    yield from segment.token_steps()
    yield steps.Heading("n-grams")
    yield _OPERATIONS
    yield _RULES[metric.counting]
    texts = [segment.source_tokens, segment.candidate, *segment.targets]
    if metric.empty_text == "token":
        texts = [text or [""] for text in texts]
    for order in range(1, min(metric.max_order, max(map(len, texts))) + 1):
        yield from _ngrams(order, texts)
    if metric.average == "corpus":
        yield steps.Heading("Counts")
        numbers = iter(score.row.tolist())
        rows = [
            steps.row(f"{order}-grams", operation, *(f"{next(numbers):g}" for _ in range(3)))
            for order in range(1, metric.max_order + 1)
            for operation in OPERATIONS
        ]
        columns = steps.left("order", "operation") + steps.right("correct", "in hypothesis", "in references")
        yield steps.Table("Changes", columns, rows)
    yield steps.Heading("Result")
    deletion = "precision" if metric.deletion == "precision" else "F-score"
    undefined = "0/0 counts as 1" if metric.undefined == "one" else "0/0 counts as 0"
    how = "the F-score of the mean precision and recall of all orders"
    if metric.order_average == "scores":
        how = "the mean over orders"
    yield f"Each operation is scored by {how}. Deletions have the {deletion}, and {undefined}."
    parts = score.keep, score.delete, score.add
    for operation, value in zip(OPERATIONS, parts, strict=True):
        yield steps.formula(operation, value)
    worked = " + ".join(f"{value:.4f}" for value in parts)
    yield steps.formula("SARI", "(keep + delete + add) / 3", f"({worked}) / 3", score.value)


def _ngrams(order: int, texts: Sequence[Tokens]) -> Written:
    in_source, in_hypothesis, *references = (steps.ngram_counts(text, order) for text in texts)
    in_references = reduce(add, references)
    rows = []
    for ngram in {**in_source, **in_hypothesis, **in_references}:
        counts = in_source[ngram], in_hypothesis[ngram], in_references[ngram]
        rows.append(steps.row(steps.joined(ngram), *counts, _operation(*counts)))
    columns = (
        steps.left("n-gram") + steps.right("in source", "in hypothesis", "in references") + steps.left("operation")
    )
    yield from steps.shortened_table(f"{order}-grams", columns, rows)


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
