from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from refscore.errors import InputError
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.eed.metric import EED, EEDPath, EEDScore, EEDStep
from refscore.tables import Mark

_MARKS: dict[str, Mark] = {
    "match": "match",
    "substitution": "partial",
    "deletion": "miss",
    "insertion": "miss",
    "jump": "partial",
}


def explain(segment: ScoredSegment[EEDScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    try:
        path = metric.path(segment.candidate, segment.target)
    except InputError:  # too long
        path = None
    yield steps.Heading("Characters")
    columns = steps.left("text", "characters") + steps.right("length")
    yield steps.Table("Compared characters", columns, steps.text_rows([segment.candidate, *segment.targets], _shown))
    yield from segment.reference_steps({"distance": "distance", "coverage": "coverage", "EED": "value"})
    yield steps.Heading("The cheapest path")
    yield (
        "The path goes through the reference character by character. "
        f"A substitution costs 1, a deletion {metric.deletion:g} and an insertion {metric.insertion:g}. After a space "
        f"of the reference, a jump to any position of the hypothesis costs {metric.alpha:g}. A path that does not "
        "begin at the first character of the hypothesis costs 1 more, and so does each reference character before it."
    )
    yield from _path(metric, path, score)
    yield steps.Heading("Coverage")
    yield (
        "After each reference character, the position in the hypothesis with the lowest cost is visited. A position "
        "counts its visits after the first, or 1 if it is never visited. The position before the first character "
        "counts too."
    )
    terms = []
    if path is not None:
        visits = Counter(path.visits)
        never = len(segment.candidate) + 1 - len(visits)
        again = visits.total() - len(visits)
        yield steps.formula("never visited", never)
        yield steps.formula("visited again", again)
        terms = ["rho · (never + again)", f"{metric.rho:g} · ({never} + {again})"]
    yield steps.formula("coverage", *terms, score.coverage)
    yield steps.Heading("Result")
    length, coverage = f"{score.ref_len:.0f}", f"{score.coverage:.4f}"
    if score.ref_len + score.coverage == 0:
        yield steps.formula("EED", "1, since there is nothing to divide by")
        return
    yield steps.formula("length", "characters of the reference", length)
    numbers = f"min(1, ({score.distance:.4f} + {coverage})/({length} + {coverage}))"
    yield steps.formula("EED", "min(1, (distance + coverage) / (length + coverage))", numbers, score.value)


def _shown(tokens: Tokens) -> str:
    """Return characters as a text in quotes, which shows the spaces at both ends; longer tokens separately."""
    text = "" if all(isinstance(token, str) and len(token) == 1 for token in tokens) else " "
    return f'"{text.join(map(str, tokens))}"'


def _path(metric: EED, path: EEDPath | None, score: EEDScore) -> Written:
    if path is None:
        yield "The texts are too long to show the path."
        yield steps.formula("distance", score.distance)
        return
    rows, costs = [], list[float]()
    for kind, group in groupby(path.steps, key=lambda step: step.kind):
        run = list(group)
        cost = sum(_cost(metric, step) for step in run) if costs or kind != "jump" else 1.0
        costs.append(cost)
        target = f"to position {run[-1].position + 1}" if kind == "jump" else _run(run, "reference_character")
        name = kind if len(run) == 1 else f"{len(run)} {'matches' if kind == 'match' else kind + 's'}"
        rows.append(steps.row(name, _run(run, "character"), target, cost, mark=_MARKS[kind]))
    yield from steps.shortened_table("Steps", steps.left("step", "hypothesis", "reference") + steps.right("cost"), rows)
    yield steps.formula("distance", *steps.sum_terms([cost for cost in costs if cost]), score.distance)


def _cost(metric: EED, step: EEDStep) -> float:
    if step.kind == "insertion" and step.position == 0:
        return 1.0
    costs = {"match": 0.0, "substitution": 1.0, "deletion": metric.deletion, "insertion": metric.insertion}
    return costs.get(step.kind, metric.alpha)


def _run(run: Sequence[EEDStep], side: str) -> str:
    tokens = [getattr(step, side) for step in run]
    return "–" if tokens[0] is None else _shown(tokens)
