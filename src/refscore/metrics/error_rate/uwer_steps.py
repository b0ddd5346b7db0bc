from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.error_rate.uwer import UWERScore


def explain(segment: ScoredSegment[UWERScore]) -> Written:
    score = segment.score
    yield from segment.token_steps()
    yield from segment.reference_steps({"errors": "errors", "length": "ref_len", "UWER": "value"})
    yield steps.Heading("Words")
    own, known = (steps.ngram_counts(text, 1) for text in (segment.candidate, segment.target))
    rows = [
        steps.row(steps.joined(word), own[word], known[word], min(own[word], known[word])) for word in {**own, **known}
    ]
    columns = steps.left("word") + steps.right("in hypothesis", "in reference", "common")
    yield from steps.shortened_table("Words", columns, rows, "A word is common as often as both texts have it.")
    yield steps.formula("hits", "the sum of the last column", score.hits)
    yield steps.Heading("Result")
    yield steps.formula("words of the hypothesis", score.hyp_len)
    yield steps.formula("words of the reference", score.ref_len)
    longer = f"max({score.hyp_len}, {score.ref_len}) − {score.hits}"
    yield steps.formula("errors", "the words of the longer text − hits", longer, score.errors)
    if score.ref_len:
        yield steps.formula("UWER", "errors / words of the reference", f"{score.errors}/{score.ref_len}", score.value)
    else:
        yield "The reference has no words, so the rate is the number of errors."
        yield steps.formula("UWER", "errors", score.value)
