"""TER's worked steps: what a teacher would write on the board for one segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, Tokens, joined, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.ter.metric import TER, TERAlignment, TERScore

# Beyond this a sum explains less than its length.
MOST_TERMS = 20

_MARKS: dict[str, Mark] = {"match": "match", "substitute": "partial", "insert": "miss", "delete": "miss"}


def explain(metric: TER, hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `TER.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference, is_reference=True) for reference in entry]
    counts = [metric.segment(item, [reference]).edits for reference in entry]
    best = counts.index(score.edits)
    alignment = metric.alignment(candidate, targets[best])
    sections: list[tuple[str, list[Part]]] = [("Tokens", _token_parts(metric, candidate, targets))]
    if len(targets) > 1:
        sections.append(("The best reference", _reference_parts(counts, targets, best)))
    sections += [
        ("Moves", _move_parts(candidate, targets[best], alignment)),
        ("Word by word", _word_parts(alignment)),
        ("Edits", _count_parts(alignment)),
        ("Result", _result_parts(score, targets)),
    ]
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps("TER, step by step", tuple(parts), f"TER = {score.value:.4f} ({score.percent:.2f} %)")


def _token_parts(metric: TER, candidate: Tokens, targets: Sequence[Tokens]) -> list[Part]:
    parts: list[Part] = [token_table(candidate, targets)]
    if metric.pipeline.references_twice:
        said = "As in sacrebleu, references are tokenized, and then what came out once more; the hypothesis only once."
        parts.append(Paragraph(said))
    return parts


def _reference_parts(counts: Sequence[int], targets: Sequence[Tokens], best: int) -> list[Part]:
    rows = [
        Row((f"reference {i + 1}", str(count), str(len(target)), "counts" if i == best else ""), _best(i == best))
        for i, (count, target) in enumerate(zip(counts, targets, strict=True))
    ]
    columns = (Column("text"), Column("edits", "right"), Column("length", "right"), Column(""))
    first = " is the first of those that need the fewest" if counts.count(counts[best]) > 1 else " needs the fewest"
    return [
        Paragraph("The edits are those of the reference that needs the fewest; the length is the mean of all."),
        Table("References", columns, tuple(rows)),
        Paragraph(f"Reference {best + 1}{first}: the moves and edits that follow are those to reference {best + 1}."),
    ]


def _best(chosen: bool) -> Mark | None:
    return "match" if chosen else None


def _move_parts(candidate: Tokens, target: Tokens, alignment: TERAlignment) -> list[Part]:
    if not candidate or not target:
        empty = "hypothesis" if not candidate else "reference"
        return [Paragraph(f"The {empty} is empty, so there is nothing to move.")]
    parts: list[Part] = [
        Paragraph(
            "A block of at most 10 words that the reference has elsewhere, at most 50 words away, may be moved there. "
            "Each time that move is made after which the fewest other edits are left, as long as they become fewer and "
            "less than 1000 moves have been looked at."
        )
    ]
    if not alignment.shifts:
        return [*parts, Paragraph("There is no such move.")]
    words = list(candidate)
    rows = []
    for number, shift in enumerate(alignment.shifts, 1):
        del words[shift.begin : shift.begin + len(shift.words)]
        words[shift.to : shift.to] = shift.words
        places = (_places(shift.begin, len(shift.words)), _places(shift.to, len(shift.words)))
        rows.append(Row((str(number), joined(shift.words), *places, joined(words), str(shift.distance))))
    columns = (
        Column("move", "right"),
        Column("words"),
        Column("from"),
        Column("to"),
        Column("the hypothesis then"),
        Column("other edits left", "right"),
    )
    note = "Positions are counted from 1, in the hypothesis as the moves before have left it."
    return [*parts, Table("Moves", columns, tuple(rows), note)]


def _places(begin: int, length: int) -> str:
    return str(begin + 1) if length == 1 else f"{begin + 1}–{begin + length}"


def _word_parts(alignment: TERAlignment) -> list[Part]:
    if not alignment.edits:
        return [Paragraph("There is no word on either side.")]
    rows = []
    place = 0
    for edit in alignment.edits:
        inserted, deleted = edit.operation == "insert", edit.operation == "delete"
        place += not inserted
        cells = (
            "–" if inserted else str(place),
            "–" if inserted else str(edit.word),
            edit.operation,
            "–" if deleted else str(edit.reference_word),
            "–" if edit.reference_position is None else str(edit.reference_position + 1),
        )
        rows.append(Row(cells, _MARKS[edit.operation]))
    columns = (
        Column("position", "right"),
        Column("hypothesis"),
        Column("edit"),
        Column("reference"),
        Column("position", "right"),
    )
    moved = " after the moves" if alignment.shifts else ""
    said = (
        f"The words of the hypothesis{moved} beside those of the reference. A word that the reference lacks is "
        "deleted, one that only the reference has is inserted."
    )
    return [Paragraph(said), Table("Words", columns, tuple(rows))]


def _count_parts(alignment: TERAlignment) -> list[Part]:
    counts = Counter(edit.operation for edit in alignment.edits)
    numbers = [len(alignment.shifts), counts["substitute"], counts["insert"], counts["delete"]]
    names = ("moves", "substitutions", "insertions", "deletions")
    return [
        *(Formula(name, str(number)) for name, number in zip(names, numbers, strict=True)),
        Formula.chain("edits", " + ".join(names), " + ".join(map(str, numbers)), str(sum(numbers))),
    ]


def _result_parts(score: TERScore, targets: Sequence[Tokens]) -> list[Part]:
    parts: list[Part] = []
    length = f"{score.ref_len:.10g}"
    if len(targets) > 1:
        lengths = [len(target) for target in targets]
        sums = [f"({' + '.join(map(str, lengths))})/{len(lengths)}"] if len(lengths) <= MOST_TERMS else []
        parts.append(Formula.chain("length", "mean length of the references", *sums, length))
    else:
        parts.append(Formula("length", "length of the reference", length))
    if score.ref_len == 0:
        value = "1, since there are edits but no words" if score.edits else "0, since there are neither edits nor words"
        return [*parts, Formula("TER", value)]
    return [*parts, Formula.chain("TER", "edits / length", f"{score.edits}/{length}", f"{score.value:.4f}")]
