"""jiwer's `jiwer.measures`: each measure by a function of its own."""

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
    """The word error rate: 0 is best, and it may exceed 1.

    Args:
        reference: The reference, or a list of them.
        hypothesis: The hypothesis, or as many as there are references.
        reference_transform: What makes lists of words of references.
        hypothesis_transform: The same for hypotheses.

    Returns:
        Errors by words of the references, of all pairs together.

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
    """The match error rate, from 0 to 1: 0 is best.

    Args:
        reference: The reference, or a list of them.
        hypothesis: The hypothesis, or as many as there are references.
        reference_transform: What makes lists of words of references.
        hypothesis_transform: The same for hypotheses.

    Returns:
        Errors by steps of the alignments.

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
    """Word information preserved, from 0 to 1: 1 is best.

    Args:
        reference: The reference, or a list of them.
        hypothesis: The hypothesis, or as many as there are references.
        reference_transform: What makes lists of words of references.
        hypothesis_transform: The same for hypotheses.

    Returns:
        Hits by words of the references, times hits by words of the hypotheses.

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
    """Word information lost, from 0 to 1: 0 is best.

    Args:
        reference: The reference, or a list of them.
        hypothesis: The hypothesis, or as many as there are references.
        reference_transform: What makes lists of words of references.
        hypothesis_transform: The same for hypotheses.

    Returns:
        1 less what is preserved.

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
    """The character error rate: 0 is best, and it may exceed 1.

    Args:
        reference: The reference, or a list of them.
        hypothesis: The hypothesis, or as many as there are references.
        reference_transform: What makes lists of characters of references.
        hypothesis_transform: The same for hypotheses.

    Returns:
        Errors by characters of the references, of all pairs together.

    Example:
        >>> from refscore.compat import jiwer
        >>> jiwer.cer("hello", "hallo")
        0.2
    """
    return error_rate(count(reference, hypothesis, reference_transform, hypothesis_transform))
