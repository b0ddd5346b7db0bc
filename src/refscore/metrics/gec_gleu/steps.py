from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.gec_gleu.metric import GECGLEUScore


def explain(segment: ScoredSegment[GECGLEUScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    source, candidate = segment.source_tokens, segment.candidate
    yield from segment.token_steps()
    yield steps.Heading("n-grams")
    often = "as often as the reference lacks it" if metric.penalty == "excess" else "if the reference has none of it"
    yield f"An n-gram that the hypothesis keeps from the source counts against it {often}."
    for number, target in enumerate(segment.targets, 1):
        for order in range(1, min(metric.max_order, len(candidate)) + 1):
            own, known, before = (steps.ngram_counts(text, order) for text in (candidate, target, source))
            rows = []
            for ngram, count in own.items():
                kept = max(min(count, before[ngram]) - known[ngram], 0)
                if metric.penalty == "absent" and known[ngram]:
                    kept = 0
                rows.append(
                    steps.row(steps.joined(ngram), before[ngram], count, known[ngram], min(count, known[ngram]), kept)
                )
            columns = steps.left("n-gram") + steps.right("source", "hypothesis", "reference", "common", "penalty")
            which = f", reference {number}" if len(segment.targets) > 1 else ""
            yield from steps.shortened_table(f"{order}-grams{which}", columns, rows)
    yield steps.Heading("Counts")
    if len(segment.targets) > 1:
        yield "The counts are the means over the references."
    numbers = score.row.tolist()
    orders = range(1, metric.max_order + 1)
    rows = [steps.row(f"{n}-grams", *(f"{number:g}" for number in numbers[3 * n - 3 : 3 * n])) for n in orders]
    yield steps.Table("Orders", steps.left("order") + steps.right("common", "penalty", "n-grams"), rows)
    yield steps.Heading("Result")
    if metric.smoothing == "one":
        yield "Counts of 0 are replaced by 1."
    yield steps.formula("length of the hypothesis", f"{score.hyp_len:g}")
    yield steps.formula("length of the reference", f"{score.ref_len:g}")
    how = "min(1, exp(1 − reference / hypothesis)) · geometric mean of (common − penalty) / n-grams"
    yield steps.formula(metric.title, how, score.value)
