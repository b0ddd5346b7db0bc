from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.token_f1.metric import TokenF1Score


def explain(segment: ScoredSegment[TokenF1Score]) -> Written:
    score, candidate, target = segment.score, segment.candidate, segment.target
    yield from segment.token_steps()
    yield from segment.reference_steps({"P": "precision", "R": "recall", "F1": "value"}, segment.skipped_remarks())
    if candidate and target:
        yield steps.Heading("Common tokens")
        counts, known = steps.ngram_counts(candidate, 1), steps.ngram_counts(target, 1)
        common = (counts & known).total()
        columns = steps.left("token") + steps.right("in hypothesis", "in reference", "common")
        note = "A token is common as often as both texts have it."
        yield from steps.shortened_table("Tokens of the hypothesis", columns, steps.ngram_rows(counts, known), note)
        yield steps.formula("common", "the sum of the last column", common)
    yield steps.Heading("Result")
    if not candidate or not target:
        which = "The hypothesis has no" if target else "The reference has no" if candidate else "Neither text has"
        yield f"{which} tokens, so the score is {score.value:.0f}."
    elif not common:
        yield "The texts have no token in common, so the score is 0."
    else:
        yield steps.formula("P", "common / tokens of the hypothesis", f"{common}/{len(candidate)}", score.precision)
        yield steps.formula("R", "common / tokens of the reference", f"{common}/{len(target)}", score.recall)
        yield steps.formula("F1", "2PR / (P + R)", score.value)
