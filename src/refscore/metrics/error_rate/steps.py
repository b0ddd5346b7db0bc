from __future__ import annotations

from itertools import groupby
from typing import Any

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written

MARKS: dict[str, Any] = {"hit": "match", "substitution": "partial", "deletion": "miss", "insertion": "miss"}


def explain(segment: ScoredSegment[Any]) -> Written:
    score, metric = segment.score, segment.score.metric
    edits = metric.alignment(segment.candidate, segment.target)
    yield from segment.token_steps()
    yield from segment.reference_steps({"errors": "errors", "length": "ref_len", metric.title: "value"})
    yield steps.Heading("Alignment")
    if not edits:
        yield "Neither the hypothesis nor the reference has tokens, so there is nothing to align."
    else:
        rows = []
        for _, group in groupby(edits, key=lambda edit: edit.kind if metric.draws_runs else id(edit)):
            run = list(group)
            kind = run[0].kind
            reference = "–" if kind == "insertion" else "".join(str(edit.reference) for edit in run)
            hypothesis = "–" if kind == "deletion" else "".join(str(edit.hypothesis) for edit in run)
            rows.append(
                steps.row(reference, hypothesis, kind if len(run) == 1 else f"{len(run)} {kind}s", mark=MARKS[kind])
            )
        yield from steps.shortened_table("Edits", steps.left("reference", "hypothesis", "edit"), rows)
    yield steps.Heading("Result")
    hits, substitutions, deletions, insertions = score.hits, score.substitutions, score.deletions, score.insertions
    errors, length = score.errors, score.ref_len
    yield steps.formula("errors", "S + D + I", f"{substitutions} + {deletions} + {insertions}", errors)
    yield steps.formula("length", "H + S + D", f"{hits} + {substitutions} + {deletions}", length)
    if length:
        yield steps.formula(metric.title, "errors / length", f"{errors}/{length}", score.value)
    else:
        yield "The reference has no tokens, so the rate is the number of errors."
        yield steps.formula(metric.title, "errors", score.value)
    if length + insertions:
        yield steps.formula("MER", "errors / (length + I)", f"{errors}/{length + insertions}", score.mer)
    if length and score.hyp_len:
        yield steps.formula("WIP", "H/length · H/hypothesis", f"{hits}/{length} · {hits}/{score.hyp_len}", score.wip)
    yield steps.formula("WIL", "1 − WIP", f"1 − {score.wip:.4f}", score.wil)
