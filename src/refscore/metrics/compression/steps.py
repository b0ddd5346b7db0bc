from refscore.metrics.compression.metric import CompressionRatioScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written


def explain(segment: ScoredSegment[CompressionRatioScore]) -> Written:
    score = segment.score
    yield steps.Heading("Compression")
    rows = [steps.row("UTF-8", score.bytes), steps.row("compressed by zlib", score.compressed)]
    yield steps.Table("Bytes of the text", steps.left("form") + steps.right("bytes"), rows)
    yield steps.Heading("Result")
    yield steps.formula(score.metric.title, "bytes / compressed", f"{score.bytes}/{score.compressed}", score.value)
    side = "above" if score.above else "not above"
    yield f"The ratio is {side} the threshold of {score.metric.threshold:g}."
