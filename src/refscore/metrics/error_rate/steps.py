"""The worked steps of the word and character error rates for one segment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from refscore.metrics.core.steps import Part, formula, left, read_segment, row, shortened_table
from refscore.steps import Paragraph, Steps

if TYPE_CHECKING:
    from refscore.metrics.core.alignments import WordEdit
    from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore

MARKS: dict[str, Any] = {"hit": "match", "substitution": "partial", "deletion": "miss", "insertion": "miss"}


def explain(metric: ErrorRate[Any], hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `ErrorRate.explain`."""
    segment = read_segment(metric, hypothesis, references)
    edits = metric.alignment(segment.candidate, segment.target)
    return segment.steps(
        segment.token_section,
        *segment.reference_sections({"errors": "errors", "length": "ref_len", metric.title: "value"}),
        ("Alignment", _alignment_parts(metric, edits)),
        ("Result", _result_parts(metric.title, segment.score)),
    )


def _alignment_parts(metric: ErrorRate[Any], edits: Sequence[WordEdit]) -> list[Part]:
    if not edits:
        return [Paragraph("Neither the hypothesis nor the reference has tokens, so there is nothing to align.")]
    rows = []
    for _, group in groupby(edits, key=lambda edit: edit.kind if metric.draws_runs else id(edit)):
        run = list(group)
        kind = run[0].kind
        reference = "–" if kind == "insertion" else "".join(str(edit.reference) for edit in run)
        hypothesis = "–" if kind == "deletion" else "".join(str(edit.hypothesis) for edit in run)
        rows.append(row(reference, hypothesis, kind if len(run) == 1 else f"{len(run)} {kind}s", mark=MARKS[kind]))
    return shortened_table("Edits", left("reference", "hypothesis", "edit"), rows)


def _result_parts(name: str, score: ErrorRateScore) -> list[Part]:
    hits, substitutions, deletions, insertions = score.hits, score.substitutions, score.deletions, score.insertions
    errors, length = score.errors, score.ref_len
    parts: list[Part] = [
        formula("errors", "S + D + I", f"{substitutions} + {deletions} + {insertions}", errors),
        formula("length", "H + S + D", f"{hits} + {substitutions} + {deletions}", length),
    ]
    if length:
        parts.append(formula(name, "errors / length", f"{errors}/{length}", score.value))
    else:
        parts += [
            Paragraph("The reference has no tokens, so the rate is the number of errors."),
            formula(name, "errors", score.value),
        ]
    if length + insertions:
        parts.append(formula("MER", "errors / (length + I)", f"{errors}/{length + insertions}", score.mer))
    if length and score.hyp_len:
        parts.append(formula("WIP", "H/length · H/hypothesis", f"{hits}/{length} · {hits}/{score.hyp_len}", score.wip))
    return [*parts, formula("WIL", "1 − WIP", f"1 − {score.wip:.4f}", score.wil)]
