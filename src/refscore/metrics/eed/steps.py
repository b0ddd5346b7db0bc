"""The worked steps of EED for one segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError
from refscore.metrics.core.steps import (
    Part,
    Tokens,
    formula,
    left,
    read_segment,
    right,
    row,
    shortened_table,
    sum_terms,
    text_rows,
)
from refscore.steps import Paragraph, Steps
from refscore.tables import Mark, Table

if TYPE_CHECKING:
    from refscore.metrics.eed.metric import EED, EEDPath, EEDScore, EEDStep

_MARKS: dict[str, Mark] = {
    "match": "match",
    "substitution": "partial",
    "deletion": "miss",
    "insertion": "miss",
    "jump": "partial",
}


def explain(metric: EED, hypothesis: Any, references: Any) -> Steps:
    """Return the steps for one segment; see `EED.explain`."""
    segment = read_segment(metric, hypothesis, references)
    try:
        path = metric.path(segment.candidate, segment.target)
    except InputError:  # too long
        path = None
    columns = left("text", "characters") + right("length")
    texts = Table("Compared characters", columns, text_rows([segment.candidate, *segment.targets], _shown))
    return segment.steps(
        ("Characters", [texts]),
        *segment.reference_sections({"distance": "distance", "coverage": "coverage", "EED": "value"}),
        ("The cheapest path", _path_parts(metric, path, segment.score)),
        ("Coverage", _coverage_parts(metric, path, segment.score, len(segment.candidate))),
        ("Result", _result_parts(segment.score)),
    )


def _shown(tokens: Tokens) -> str:
    """Return characters as a text in quotes, which shows the spaces at both ends; longer tokens separately."""
    text = "" if all(isinstance(token, str) and len(token) == 1 for token in tokens) else " "
    return f'"{text.join(map(str, tokens))}"'


def _path_parts(metric: EED, path: EEDPath | None, score: EEDScore) -> list[Part]:
    rule = Paragraph(
        "The path goes through the reference character by character. "
        f"A substitution costs 1, a deletion {metric.deletion:g} and an insertion {metric.insertion:g}. After a space "
        f"of the reference, a jump to any position of the hypothesis costs {metric.alpha:g}. A path that does not "
        "begin at the first character of the hypothesis costs 1 more, and so does each reference character before it."
    )
    if path is None:
        return [rule, Paragraph("The texts are too long to show the path."), formula("distance", score.distance)]
    rows, costs = [], list[float]()
    for kind, group in groupby(path.steps, key=lambda step: step.kind):
        run = list(group)
        cost = sum(_cost(metric, step) for step in run) if costs or kind != "jump" else 1.0
        costs.append(cost)
        target = f"to position {run[-1].position + 1}" if kind == "jump" else _run(run, "reference_character")
        name = kind if len(run) == 1 else f"{len(run)} {'matches' if kind == 'match' else kind + 's'}"
        rows.append(row(name, _run(run, "character"), target, cost, mark=_MARKS[kind]))
    table = shortened_table("Steps", left("step", "hypothesis", "reference") + right("cost"), rows)
    return [rule, *table, formula("distance", *sum_terms([cost for cost in costs if cost]), score.distance)]


def _cost(metric: EED, step: EEDStep) -> float:
    if step.kind == "insertion" and step.position == 0:
        return 1.0
    costs = {"match": 0.0, "substitution": 1.0, "deletion": metric.deletion, "insertion": metric.insertion}
    return costs.get(step.kind, metric.alpha)


def _run(run: Sequence[EEDStep], side: str) -> str:
    tokens = [getattr(step, side) for step in run]
    return "–" if tokens[0] is None else _shown(tokens)


def _coverage_parts(metric: EED, path: EEDPath | None, score: EEDScore, length: int) -> list[Part]:
    rule = Paragraph(
        "After each reference character, the position in the hypothesis with the lowest cost is visited. A position "
        "counts its visits after the first, or 1 if it is never visited. The position before the first character "
        "counts too."
    )
    if path is None:
        return [rule, formula("coverage", score.coverage)]
    visits = Counter(path.visits)
    never = length + 1 - len(visits)
    again = sum(visits.values()) - len(visits)
    return [
        rule,
        formula("never visited", never),
        formula("visited again", again),
        formula("coverage", "rho · (never + again)", f"{metric.rho:g} · ({never} + {again})", score.coverage),
    ]


def _result_parts(score: EEDScore) -> list[Part]:
    length, coverage = f"{score.ref_len:.0f}", f"{score.coverage:.4f}"
    if score.ref_len + score.coverage == 0:
        return [formula("EED", "1, since there is nothing to divide by")]
    return [
        formula("length", "characters of the reference", length),
        formula(
            "EED",
            "min(1, (distance + coverage) / (length + coverage))",
            f"min(1, ({score.distance:.4f} + {coverage})/({length} + {coverage}))",
            score.value,
        ),
    ]
