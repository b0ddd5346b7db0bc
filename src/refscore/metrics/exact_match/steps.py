from itertools import zip_longest

from refscore.metrics.core.steps import ScoredSegment, Written, formula, left, right, row, shortened_table
from refscore.metrics.exact_match.metric import ExactMatchScore
from refscore.steps import Heading


def explain(segment: ScoredSegment[ExactMatchScore]) -> Written:
    candidate, target = segment.candidate, segment.target
    yield from segment.token_steps()
    yield from segment.reference_steps({"match": "matches"}, segment.skipped_remarks())
    yield Heading("Comparison")
    if not candidate and not target:
        yield "Neither text has tokens, so they are equal."
    else:
        rows = []
        for position, (ours, theirs) in enumerate(zip_longest(candidate, target), 1):
            is_missing = position > len(candidate) or position > len(target)
            is_same = not is_missing and ours == theirs
            shown = ["–" if position > len(side) else str(side[position - 1]) for side in (candidate, target)]
            rows.append(row(position, *shown, "yes" if is_same else "no", mark="match" if is_same else "miss"))
        columns = right("position") + left("hypothesis", "reference", "equal")
        yield from shortened_table("Tokens by position", columns, rows)
    yield Heading("Result")
    yield formula("EM", "1 if all tokens are equal, otherwise 0", segment.score.value)
