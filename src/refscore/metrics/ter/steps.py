"""The worked steps of TER for one segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    left,
    move_parts,
    read_segment,
    reference_table,
    right,
    row,
    sum_terms,
    token_table,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Mark, Table

if TYPE_CHECKING:
    from refscore.metrics.ter.metric import TER, TERAlignment, TERScore

MARKS: dict[str, Mark] = {"match": "match", "substitute": "partial", "insert": "miss", "delete": "miss"}
# Which moves are made.
MOVE_RULE = (
    "A block of at most 10 words can move to where the reference has the same words, at most 50 words away. Each "
    "step makes the move that leaves the fewest other edits. The search ends if no move leaves fewer edits, or "
    "after 1000 moves have been tried."
)


def explain(metric: TER, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `TER.explain`."""
    segment = read_segment(metric, hypothesis, references)
    score, candidate, targets = segment.score, segment.candidate, segment.targets
    # Not segment.best: the length is the mean over all references, so no single reference has the row of the score.
    counts = [one.edits for one in segment.scores if one is not None]
    best = counts.index(score.edits)
    alignment = metric.alignment(candidate, targets[best])
    tokens: list[Part] = [token_table(candidate, targets)]
    if metric.pipeline.references_twice:
        twice = "As in sacrebleu, references are tokenized twice, and the hypothesis once."
        tokens.append(Paragraph(twice))
    return segment.steps(
        ("Tokens", tokens),
        *([("The best reference", _reference_parts(counts, targets, best))] if len(targets) > 1 else []),
        ("Moves", move_parts(candidate, targets[best], alignment.shifts, MOVE_RULE, "other edits")),
        ("Word by word", _word_parts(alignment)),
        ("Edits", _count_parts(alignment)),
        ("Result", _result_parts(score, targets)),
    )


def _reference_parts(counts: Sequence[int], targets: Sequence[Tokens], best: int) -> list[Part]:
    first = "is the first that needs" if counts.count(counts[best]) > 1 else "needs"
    cells = zip(counts, map(len, targets), strict=True)
    return [
        Paragraph("The reference that needs the fewest edits counts. The length is the mean over all references."),
        reference_table(("edits", "length"), cells, best),
        Paragraph(f"Reference {best + 1} {first} the fewest edits. The next steps use it."),
    ]


def _word_parts(alignment: TERAlignment) -> list[Part]:
    if not alignment.edits:
        return [Paragraph("Neither side has words.")]
    rows = []
    position = 0
    for edit in alignment.edits:
        inserted, deleted = edit.operation == "insert", edit.operation == "delete"
        position += not inserted
        hypothesis = ("–", "–") if inserted else (position, str(edit.word))
        reference = "–" if deleted else str(edit.reference_word)
        reference_position = "–" if edit.reference_position is None else edit.reference_position + 1
        rows.append(row(*hypothesis, edit.operation, reference, reference_position, mark=MARKS[edit.operation]))
    columns = right("position") + left("hypothesis", "edit", "reference") + right("position")
    moved = " after the moves" if alignment.shifts else ""
    rule = (
        f"The words of the hypothesis{moved}, beside the words of the reference. A word that only the hypothesis has "
        "is deleted, and a word that only the reference has is inserted."
    )
    return [Paragraph(rule), Table("Words", columns, rows)]


def _count_parts(alignment: TERAlignment) -> list[Part]:
    edits = Counter(edit.operation for edit in alignment.edits)
    counts = {
        "moves": len(alignment.shifts),
        "substitutions": edits["substitute"],
        "insertions": edits["insert"],
        "deletions": edits["delete"],
    }
    return [
        *(formula(name, count) for name, count in counts.items()),
        formula("edits", " + ".join(counts), *sum_terms([*counts.values()]), sum(counts.values())),
    ]


def _result_parts(score: TERScore, targets: Sequence[Tokens]) -> list[Part]:
    length = f"{score.ref_len:.10g}"
    rule = ["length of the reference"]
    if len(targets) > 1:
        rule = ["mean length of the references", *sum_terms([*map(len, targets)], f"({{}})/{len(targets)}")]
    parts: list[Part] = [formula("length", *rule, length)]
    if score.ref_len == 0:
        value = "1, since there are edits but no words" if score.edits else "0, since there are neither edits nor words"
        return [*parts, formula("TER", value)]
    return [*parts, formula("TER", "edits / length", f"{score.edits}/{length}", score.value)]
