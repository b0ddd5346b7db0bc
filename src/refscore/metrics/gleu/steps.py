from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.gleu.metric import GLEUScore


def explain(segment: ScoredSegment[GLEUScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    yield from segment.token_steps()
    if not score.total:
        yield steps.Heading("Result")
        yield f"No text has an n-gram of {metric.min_order} or more tokens, so the score is 0."
        return
    remarks = ["" if one and one.total else "no n-grams, ignored" for one in segment.scores]
    yield from segment.reference_steps({"matches": "matches", "total": "total", "GLEU": "value"}, remarks)
    candidate, target = segment.candidate, segment.target
    orders = range(metric.min_order, min(metric.max_order, max(len(candidate), len(target))) + 1)
    yield steps.Heading("Common n-grams")
    yield "An n-gram is common as often as it occurs in both texts: the smaller of its two counts."
    sums = []
    for order in orders:
        counts, known = steps.ngram_counts(candidate, order), steps.ngram_counts(target, order)
        if not counts:
            yield steps.missing_ngrams(order, candidate)
            continue
        sums.append((counts & known).total())
        columns = steps.left("n-gram") + steps.right("in hypothesis", "in reference", "common")
        yield steps.Table(f"{order}-grams", columns, steps.ngram_rows(counts, known))
    yield steps.formula("matches", *steps.sum_terms(sums), score.matches)
    yield steps.Heading("Result")
    ours, theirs = ([len(text) - order + 1 for order in orders if order <= len(text)] for text in (candidate, target))
    yield steps.formula("n-grams of the hypothesis", *steps.sum_terms(ours), sum(ours))
    yield steps.formula("n-grams of the reference", *steps.sum_terms(theirs), sum(theirs))
    yield steps.formula("total", "the larger of the two", f"max({sum(ours)}, {sum(theirs)})", score.total)
    yield steps.formula("GLEU", "matches / total", f"{score.matches}/{score.total}", score.value)
