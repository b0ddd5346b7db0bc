"""jiwer's `jiwer.measures`: one function per measure."""

from __future__ import annotations

from collections.abc import Callable

from refscore.compat.jiwer.process import (
    Counts,
    Sentences,
    Transform,
    count,
    error_rate,
    information_preserved,
    match_error_rate,
)
from refscore.compat.jiwer.transformations import cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]


def _measure(
    name: str, summary: str, value: Callable[[Counts], float], example: str, transform: Transform = wer_default
) -> Callable[..., float]:
    """Return a measure's function: `value` of all pairs' counts. `example` has arguments and a result."""

    def measure(
        reference: Sentences = None,  # type: ignore[assignment]
        hypothesis: Sentences = None,  # type: ignore[assignment]
        reference_transform: Transform = transform,
        hypothesis_transform: Transform = transform,
    ) -> float:
        return value(count(reference, hypothesis, reference_transform, hypothesis_transform))

    arguments, result = example.split(" -> ")
    measure.__name__ = measure.__qualname__ = name
    measure.__doc__ = f"""Return {summary}

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.{name}({arguments})
        {result}
    """
    return measure


wer = _measure(
    "wer",
    "the word error rate of all pairs: errors divided by reference words. 0 is best, and it may exceed 1.",
    error_rate,
    '["a b", "c d"], ["a b", "c"] -> 0.25',
)
mer = _measure(
    "mer",
    "the match error rate, from 0 (best) to 1: errors divided by steps of the alignments.",
    match_error_rate,
    '"a b", "a b c d" -> 0.5',
)
wip = _measure(
    "wip",
    "the word information preserved: hits per reference word times hits per hypothesis word, from 0 to 1 (best).",
    information_preserved,
    '"a b", "a c" -> 0.25',
)
wil = _measure(
    "wil",
    "the word information lost, from 0 (best) to 1: 1 minus the word information preserved.",
    lambda counts: 1 - information_preserved(counts),
    '"a b", "a c" -> 0.75',
)
cer = _measure(
    "cer",
    "the character error rate of all pairs: errors divided by reference characters. 0 is best, and it may exceed 1.",
    error_rate,
    '"hello", "hallo" -> 0.2',
    cer_default,
)
