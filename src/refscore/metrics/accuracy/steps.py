from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from refscore import _native
from refscore.metrics.accuracy.metric import AccuracyScore
from refscore.metrics.core import steps
from refscore.metrics.core.steps import ScoredSegment, Tokens, Written

_VOTES = 3


def explain(segment: ScoredSegment[AccuracyScore]) -> Written:
    score, metric = segment.score, segment.score.metric
    yield from segment.token_steps()
    if metric.processing == "text":
        one = replace(metric, annotators="any")
        matches = [bool(one.segment(segment.hypothesis, [reference]).value) for reference in segment.references]
    else:
        answer, *references = _processed(segment)
        matches = [answer == reference for reference in references]
        yield steps.Heading("Processed answers")
        if answer != _changed(metric.processing, _text(segment.candidate), is_plain=False):
            yield "All references are equal, so only the spaces at both ends are removed."
        names = ["hypothesis", *(f"reference {i}" for i in range(1, len(references) + 1))]
        rows = [steps.row(name, text) for name, text in zip(names, [answer, *references], strict=True)]
        yield steps.Table("Processed answers", steps.left("text", "answer"), rows)
    yield steps.Heading("References")
    rows = [
        steps.row(f"reference {i}", "yes" if is_match else "no", mark="match" if is_match else "miss")
        for i, is_match in enumerate(matches, 1)
    ]
    yield steps.Table("References", steps.left("text", "matches"), rows)
    if metric.match == "number":
        yield f"Numbers match if they differ by at most {metric.tolerance:g} times the reference."
    yield steps.Heading("Result")
    if metric.annotators == "any":
        yield steps.formula("Accuracy", "1 if a reference matches, otherwise 0", score.value)
        return
    count, votes = len(matches), sum(matches)
    yield f"Each annotator is left out once. The answer then scores min(1, votes / {_VOTES}), with the others' votes."
    yield steps.formula("votes", "matching references", votes)
    agreeing, others = min(1, max(votes - 1, 0) / _VOTES), min(1, votes / _VOTES)
    worked = f"({votes} · {agreeing:.4f} + {count - votes} · {others:.4f}) / {count}"
    yield steps.formula("Accuracy", "the mean over annotators", worked, score.value)


def _processed(segment: ScoredSegment[AccuracyScore]) -> Iterator[str]:
    """Yield the hypothesis and the references as they are compared."""
    processing = segment.score.metric.processing
    texts = [_text(segment.candidate), *map(_text, segment.targets)]
    plain = [_changed(processing, text, is_plain=True) for text in texts]
    if processing == "vqa" and len({*plain[1:]}) == 1:
        yield from plain
    else:
        yield from (_changed(processing, text, is_plain=False) for text in texts)


def _text(tokens: Tokens) -> str:
    return " ".join(map(str, tokens))


def _changed(processing: str, text: str, *, is_plain: bool) -> str:
    changed = _native.vqa_answer(text.encode("utf-8", "surrogatepass"), processing, is_plain)
    return changed.decode("utf-8", "surrogatepass")
