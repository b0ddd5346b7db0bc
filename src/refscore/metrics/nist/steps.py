import math

from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written
from refscore.metrics.nist.metric import NISTScore

RULE = (
    "The weight of an n-gram is its information in the references that the metric was fitted on: log2 of the count of "
    "the n-gram without its last token, divided by the count of the n-gram. An n-gram matches as often as it occurs in "
    "both texts."
)
SEVERAL_RULE = " For each order, the reference with the most matching information counts, or the longest of equal ones."


def explain(segment: ScoredSegment[NISTScore]) -> Written:
    score, targets = segment.score, segment.targets
    several = len(targets) > 1
    yield from segment.token_steps()
    if not segment.candidate:
        yield steps.Heading("Result")
        yield "An empty hypothesis scores 0."
        return
    yield steps.Heading("Information of the matches")
    yield RULE + SEVERAL_RULE * several
    rows = [one.row for one in segment.scores if one is not None]
    lengths = []
    for order in range(1, score.metric.max_order + 1):
        best = max(range(len(targets)), key=lambda i: (rows[i][1 + order], len(targets[i]), -i))
        lengths.append(len(targets[best]))
        note = f"Reference {best + 1} counts for this order." if several else None
        yield from _information(score, segment.candidate, targets[best], order, note)
    yield steps.Heading("Length penalty")
    c, r = score.hyp_len, score.ref_len
    rule = ["length of the reference"]
    if several:
        rule = ["mean length of the references that counted", *steps.sum_terms(lengths, f"({{}})/{len(lengths)}")]
    yield steps.formula("c", "length of the hypothesis", c)
    yield steps.formula("r", *rule, f"{r:g}")
    if c >= r:
        yield steps.formula("penalty", "1, since c ≥ r")
    else:
        beta = math.log(0.5) / math.log(1.5) ** 2
        yield steps.formula("beta", "ln(1/2) / ln(3/2)²", beta)
        numbers = f"exp({beta:.4f} · ln({c}/{r:g})²)"
        yield steps.formula("penalty", "exp(beta · ln(c/r)²)", numbers, score.length_penalty)
    yield steps.Heading("Result")
    terms = " + ".join(f"{value:.4f}" for value in score.information)
    worked = [f"({terms}) · {score.length_penalty:.4f}"] if len(score.information) <= steps.MOST_TERMS else []
    yield steps.formula("NIST", "sum of the information of all orders · penalty", *worked, score.value)


def _information(score: NISTScore, candidate: Tokens, target: Tokens, order: int, note: str | None) -> Written:
    if len(candidate) < order:
        yield steps.missing_ngrams(order, candidate)
        return
    information = score.metric.information
    assert information is not None
    counts, known = steps.ngram_counts(candidate, order), steps.ngram_counts(target, order)
    rows, terms = [], []
    for ngram, counted in zip(counts, steps.ngram_rows(counts, known), strict=True):
        weight = information.weight(ngram)
        product = min(counts[ngram], known[ngram]) * weight
        rows.append(steps.row(*counted.cells, weight, product, mark=counted.mark))
        if ngram in known:
            terms.append(product)
    columns = steps.left("n-gram") + steps.right("in hypothesis", "in reference", "common", "weight", "product")
    yield steps.Table(f"{order}-grams", columns, rows, note)
    total, summed = score.totals[order - 1], score.row[1 + order].item()
    shown = *steps.sum_terms(terms, f"({{}})/{total}"), f"{summed:.4f}/{total}"
    yield steps.formula(f"information of {order}-grams", *shown, score.information[order - 1])
