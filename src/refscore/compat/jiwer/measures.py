"""jiwer's `jiwer.measures`: one function per measure."""

from __future__ import annotations

from refscore.compat.jiwer.process import (
    Sentences,
    Transform,
    count,
    error_rate,
    information_preserved,
    match_error_rate,
)
from refscore.compat.jiwer.transformations import cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]


def wer(
    reference: Sentences = None,  # type: ignore[assignment]
    hypothesis: Sentences = None,  # type: ignore[assignment]
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word error rate of all pairs: errors divided by reference words.

    0 is best, and it may exceed 1. The arguments are those of `process_words`.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.wer("hello world", "hello duck"), jiwer.wer(["a b", "c d"], ["a b", "c"])
        (0.5, 0.25)
    """
    return error_rate(count(reference, hypothesis, reference_transform, hypothesis_transform))


def mer(
    reference: Sentences = None,  # type: ignore[assignment]
    hypothesis: Sentences = None,  # type: ignore[assignment]
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the match error rate, from 0 (best) to 1: errors divided by steps of the alignments.

    The arguments are those of `process_words`.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.mer("a b", "a b c d")
        0.5
    """
    return match_error_rate(count(reference, hypothesis, reference_transform, hypothesis_transform))


def wip(
    reference: Sentences = None,  # type: ignore[assignment]
    hypothesis: Sentences = None,  # type: ignore[assignment]
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information preserved, from 0 to 1 (best).

    It is the share of reference words that are hits times the share of hypothesis words that are hits. The arguments
    are those of `process_words`.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.wip("a b", "a c")
        0.25
    """
    return information_preserved(count(reference, hypothesis, reference_transform, hypothesis_transform))


def wil(
    reference: Sentences = None,  # type: ignore[assignment]
    hypothesis: Sentences = None,  # type: ignore[assignment]
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information lost, from 0 (best) to 1: 1 minus the word information preserved.

    The arguments are those of `process_words`.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.wil("a b", "a c")
        0.75
    """
    return 1 - information_preserved(count(reference, hypothesis, reference_transform, hypothesis_transform))


def cer(
    reference: Sentences = None,  # type: ignore[assignment]
    hypothesis: Sentences = None,  # type: ignore[assignment]
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Return the character error rate of all pairs: errors divided by reference characters.

    0 is best, and it may exceed 1. The arguments are those of `process_characters`.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.cer("hello", "hallo")
        0.2
    """
    return error_rate(count(reference, hypothesis, reference_transform, hypothesis_transform))
