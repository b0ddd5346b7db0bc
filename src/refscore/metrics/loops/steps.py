from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.loops.metric import RepetitionScore


def explain(segment: ScoredSegment[RepetitionScore]) -> Written:
    score, candidate = segment.score, segment.candidate
    metric = score.metric
    yield from segment.token_steps()
    yield steps.Heading("Loops")
    found = metric.loops(candidate)
    if found:
        rows = [
            steps.row(loop.begin + 1, loop.end, (loop.end - loop.begin) // len(loop.ngram), steps.joined(loop.ngram))
            for loop in found
        ]
        columns = steps.right("from", "to", "times") + steps.left("n-gram")
        note = f"The same n-gram occurs at least {metric.repeats} times in a row."
        yield from steps.shortened_table("Loops by their first and last token", columns, rows, note)
    else:
        yield f"No n-gram of at most {metric.max_order} tokens occurs {metric.repeats} times in a row."
    yield steps.Heading("Result")
    if metric.unit == "segments":
        yield steps.formula("Repetition", "1 if there is a loop, otherwise 0", score.value)
    elif not score.tokens:
        yield "There are no tokens, so the score is 0."
    else:
        parts = f"{score.looped_tokens}/{score.tokens}"
        yield steps.formula("Repetition", "tokens inside loops / tokens", parts, score.value)
