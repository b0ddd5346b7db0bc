from __future__ import annotations

from itertools import groupby
from typing import Any

from refscore.metrics.core.steps import ScoredSegment, Written, formula, left, row, shortened_table
from refscore.steps import Heading

MARKS: dict[str, Any] = {"hit": "match", "substitution": "partial", "deletion": "miss", "insertion": "miss"}


def explain(segment: ScoredSegment[Any]) -> Written:
    score, metric = segment.score, segment.score.metric
    edits = metric.alignment(segment.candidate, segment.target)
    yield from segment.token_steps()
    yield from segment.reference_steps({"errors": "errors", "length": "ref_len", metric.title: "value"})
    yield Heading("Alignment")
    if not edits:
        yield "Neither the hypothesis nor the reference has tokens, so there is nothing to align."
    else:
        rows = []
        for _, group in groupby(edits, key=lambda edit: edit.kind if metric.draws_runs else id(edit)):
            run = list(group)
            kind = run[0].kind
            reference = "–" if kind == "insertion" else "".join(str(edit.reference) for edit in run)
            hypothesis = "–" if kind == "deletion" else "".join(str(edit.hypothesis) for edit in run)
            rows.append(row(reference, hypothesis, kind if len(run) == 1 else f"{len(run)} {kind}s", mark=MARKS[kind]))
        yield from shortened_table("Edits", left("reference", "hypothesis", "edit"), rows)
    yield Heading("Result")
    hits, substitutions, deletions, insertions = score.hits, score.substitutions, score.deletions, score.insertions
    errors, length = score.errors, score.ref_len
    yield formula("errors", "S + D + I", f"{substitutions} + {deletions} + {insertions}", errors)
    yield formula("length", "H + S + D", f"{hits} + {substitutions} + {deletions}", length)
    if length:
        yield formula(metric.title, "errors / length", f"{errors}/{length}", score.value)
    else:
        yield "The reference has no tokens, so the rate is the number of errors."
        yield formula(metric.title, "errors", score.value)
    if length + insertions:
        yield formula("MER", "errors / (length + I)", f"{errors}/{length + insertions}", score.mer)
    if length and score.hyp_len:
        yield formula("WIP", "H/length · H/hypothesis", f"{hits}/{length} · {hits}/{score.hyp_len}", score.wip)
    yield formula("WIL", "1 − WIP", f"1 − {score.wip:.4f}", score.wil)
