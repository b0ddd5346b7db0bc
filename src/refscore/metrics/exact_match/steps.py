from itertools import zip_longest

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.exact_match.metric import ExactMatchScore


def explain(segment: ScoredSegment[ExactMatchScore]) -> Written:
    candidate, target = segment.candidate, segment.target
    yield from segment.token_steps()
    yield from segment.reference_steps({"match": "matches"}, segment.skipped_remarks())
    yield steps.Heading("Comparison")
    if not candidate and not target:
        yield "Neither text has tokens, so they are equal."
    else:
        rows = []
        for position, (ours, theirs) in enumerate(zip_longest(candidate, target), 1):
            is_missing = position > len(candidate) or position > len(target)
            is_same = not is_missing and ours == theirs
            shown = ["–" if position > len(side) else str(side[position - 1]) for side in (candidate, target)]
            rows.append(steps.row(position, *shown, "yes" if is_same else "no", mark="match" if is_same else "miss"))
        columns = steps.right("position") + steps.left("hypothesis", "reference", "equal")
        yield from steps.shortened_table("Tokens by position", columns, rows)
    yield steps.Heading("Result")
    yield steps.formula("EM", "1 if all tokens are equal, otherwise 0", segment.score.value)
