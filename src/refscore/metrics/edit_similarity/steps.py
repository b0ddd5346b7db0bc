from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.edit_similarity.metric import EditSimilarityScore


def explain(segment: ScoredSegment[EditSimilarityScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    similarity, edits, longer, segments = score.row.tolist()
    yield from segment.token_steps()
    columns = {"edits": "edits", "longer": "longer", metric.title: "value"}
    yield from segment.reference_steps(columns)
    yield steps.Heading("Result")
    lengths = f"max({len(segment.candidate)}, {len(segment.target)})"
    yield steps.formula("length", "the length of the longer text", lengths, int(longer))
    yield steps.formula("edits", "substitutions + deletions + insertions", int(edits))
    if not longer:
        yield "Both texts are empty, so they are equal." + ("" if segments else " The segment does not count.")
        yield steps.formula(metric.title, score.value)
        return
    plain = 1 - edits / longer
    terms = "1 − edits / length", f"1 − {int(edits)}/{int(longer)}"
    if not metric.threshold:
        yield steps.formula(metric.title, *terms, score.value)
        return
    yield steps.formula("similarity", *terms, plain)
    relation = "=" if plain == metric.threshold else "<" if plain < metric.threshold else ">"
    outcome = "counts" if similarity else "scores 0"
    yield f"The similarity is {relation} the threshold, {metric.threshold:g}, so the segment {outcome}."
    yield steps.formula(metric.title, score.value)
