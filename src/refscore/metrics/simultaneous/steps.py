from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Written
from refscore.metrics.simultaneous.metric import LatencyScore


def explain(segment: ScoredSegment[LatencyScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    instance = metric.instance(" ".join(map(str, segment.candidate)))
    yield steps.Heading("Instance")
    if instance is None or not score.instances:
        yield "The instance has no words that count, so it is skipped."
        return
    lengths = [
        steps.row("words of the hypothesis", len(instance.times)),
        steps.row("words of the reference", instance.reference_length),
    ]
    if metric.measure != "atd":
        lengths.append(steps.row("source", instance.source_length))
    yield steps.Table("Lengths", steps.left("side") + steps.right("length"), lengths)
    yield steps.Heading("Times")
    yield _RULES[metric.measure]
    numbers = steps.right("word", "time")
    yield steps.Table("Times", numbers, [steps.row(i, time) for i, time in enumerate(instance.times, 1)])
    yield steps.Heading("Result")
    yield steps.formula(metric.title, score.value)


_LAGGING = (
    "A word lags behind a translation that spreads its words evenly over the source: its time minus (words before it) "
    "× (length of the source) / (words of the {}). The latency is the mean of the lags, up to the first word {}."
)
_RULES = {
    "al": _LAGGING.format("reference", "that appears after the source"),
    "laal": _LAGGING.format("longer text", "that appears after the source"),
    "yaal": _LAGGING.format("longer text", "that appears after the end, which does not count"),
    "ap": "The latency is the sum of the times, divided by the lengths of the source and of the reference.",
    "dal": (
        "A word appears at least (length of the source) / (words of the hypothesis) after the word before. The latency "
        "is the mean lag behind words that are spread evenly over the source."
    ),
    "atd": "The latency is the mean time from the end of a word of the source to the word with the same number.",
}
