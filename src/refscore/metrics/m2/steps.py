from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.m2.metric import M2Score


def explain(segment: ScoredSegment[M2Score]) -> Written:
    score, metric = segment.score, segment.score.metric
    source, candidate = segment.source_tokens, segment.candidate
    yield from segment.token_steps()
    columns = {"correct": "correct", "proposed": "proposed", "gold": "gold", "M2": "value"}
    yield from segment.reference_steps(columns)
    yield steps.Heading("Edits")
    texts = (" ".join(map(str, tokens)) for tokens in (candidate, segment.target, source))
    hypothesis, reference, origin = texts
    found = metric.edits(hypothesis, reference, source=origin)
    if found:
        yield "Of all ways to turn the source into the hypothesis, this one has the most edits of the annotator."
        rows = [
            steps.row(
                f"{begin}–{end}" if end > begin else str(begin),
                steps.joined(source[begin:end]) or "–",
                text or "–",
                "yes" if is_correct else "no",
                mark="match" if is_correct else "miss",
            )
            for begin, end, text, is_correct in found
        ]
        titles = steps.left("words", "source", "hypothesis", "correct")
        yield steps.Table("Edits of the hypothesis", titles, rows)
    else:
        yield "The hypothesis has no edits."
    yield steps.Heading("Result")
    yield steps.formula("P", "correct / edits of the hypothesis", f"{score.correct}/{score.proposed}", score.precision)
    yield steps.formula("R", "correct / edits of the annotator", f"{score.correct}/{score.gold}", score.recall)
    if not score.proposed or not score.gold:
        yield "Without edits, precision and recall are 1."
    yield steps.formula("M2", "(1 + β²) P R / (β² P + R)", score.value)
