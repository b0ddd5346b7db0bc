"""The worked steps of the word and the character error rate: the alignment, drawn, and what is counted in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.segment_steps import Part, numbered, read_segment, token_table
from refscore.steps import Formula, Paragraph, Steps
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore, WordEdit

# Beyond this a drawing explains less than its length.
MOST_ROWS = 200
MARKS: dict[str, Any] = {"hit": "match", "substitution": "partial", "deletion": "miss", "insertion": "miss"}


def explain(metric: ErrorRate[Any], hypothesis: Any, references: Any) -> Steps:
    """The steps for one segment; see `ErrorRate.explain`."""
    score, item, entry = read_segment(metric, hypothesis, references)
    candidate = metric.pipeline.words(item)
    targets = [metric.pipeline.words(reference) for reference in entry]
    name = metric.name.upper()
    sections: list[tuple[str, list[Part]]] = [("Tokens", [token_table(candidate, targets)])]
    scores = [metric.segment(item, [one]) for one in entry]
    best = min(range(len(scores)), key=lambda i: scores[i].value)
    if len(targets) > 1:
        sections.append(("The best reference", [_reference_table(name, scores, best)]))
    sections.append(("Alignment", _alignment_parts(metric, metric.alignment(candidate, targets[best]))))
    sections.append(("Result", _result_parts(name, score)))
    parts = [Paragraph(f"Settings: {metric.signature}"), *numbered(sections)]
    return Steps(f"{name}, step by step", tuple(parts), f"{name} = {score.value:.4f} ({score.percent:.2f} %)")


def _reference_table(name: str, scores: Sequence[ErrorRateScore], best: int) -> Table:
    rows = [
        Row(
            (f"reference {i + 1}", str(score.errors), str(score.ref_len), f"{score.value:.4f}", "counts" * (i == best)),
            "match" if i == best else None,
        )
        for i, score in enumerate(scores)
    ]
    titles = ("errors", "length", name)
    columns = (Column("text"), *(Column(title, "right") for title in titles), Column(""))
    return Table("Each reference", columns, tuple(rows), "The lowest rate counts, the first one of equals.")


def _alignment_parts(metric: ErrorRate[Any], edits: Sequence[WordEdit]) -> list[Part]:
    if not edits:
        return [Paragraph("Neither the hypothesis nor the reference has any tokens: there is nothing to align.")]
    runs = [list(run) for _, run in groupby(edits, key=lambda edit: edit.kind if metric.draws_runs else id(edit))]
    rows = []
    for run in runs[:MOST_ROWS]:
        kind = run[0].kind
        reference = "–" if kind == "insertion" else "".join(str(edit.reference) for edit in run)
        hypothesis = "–" if kind == "deletion" else "".join(str(edit.hypothesis) for edit in run)
        named = kind if len(run) == 1 else f"{len(run)} {kind}s"
        rows.append(Row((reference, hypothesis, named), MARKS[kind]))
    parts: list[Part] = [Table("Drawn", (Column("reference"), Column("hypothesis"), Column("edit")), tuple(rows))]
    if len(runs) > len(rows):
        parts.append(Paragraph(f"… and {len(runs) - len(rows)} more rows."))
    return parts


def _result_parts(name: str, score: ErrorRateScore) -> list[Part]:
    hits, errors, length, own = score.hits, score.errors, score.ref_len, score.hyp_len
    parts: list[Part] = [
        Formula.chain(
            "errors", "S + D + I", f"{score.substitutions} + {score.deletions} + {score.insertions}", str(errors)
        ),
        Formula.chain("length", "H + S + D", f"{hits} + {score.substitutions} + {score.deletions}", str(length)),
    ]
    if length:
        parts.append(Formula.chain(name, "errors / length", f"{errors}/{length}", f"{score.value:.4f}"))
    else:
        parts += [
            Paragraph("The reference has no tokens: the errors themselves are the rate."),
            Formula.chain(name, "errors", f"{score.value:.4f}"),
        ]
    if length + score.insertions:
        parts.append(
            Formula.chain("MER", "errors / (length + I)", f"{errors}/{length + score.insertions}", f"{score.mer:.4f}")
        )
    if length and own:
        parts.append(
            Formula.chain("WIP", "H/length · H/hypothesis", f"{hits}/{length} · {hits}/{own}", f"{score.wip:.4f}")
        )
    parts.append(Formula.chain("WIL", "1 − WIP", f"1 − {score.wip:.4f}", f"{score.wil:.4f}"))
    return parts
