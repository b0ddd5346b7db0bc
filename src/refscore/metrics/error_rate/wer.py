"""WER: the metric and its settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from refscore.metrics.core.text_settings import tokenizer_setting
from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore
from refscore.segments import Hypotheses, References
from refscore.tokenizers.base import AnyTokenizer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings


class WERScore(ErrorRateScore):
    """A word error rate with its counts of edits and the other measures of jiwer.

    Example:
        >>> import refscore
        >>> score = refscore.wer(["a cat sat down"], ["the cat sat"])
        >>> print(score)
        WER = 66.67 (hits = 2 substitutions = 1 deletions = 0 insertions = 1 ref_len = 3)
        >>> round(score.mer, 4), round(score.wil, 4), round(score.wip, 4)
        (0.5, 0.6667, 0.3333)
        >>> score.signature
        'wer|nrefs:1|case:mixed|norm:none|tok:jiwer|version:0.1.0'
    """

    __slots__ = ()

    metric: WER


@dataclass(frozen=True, kw_only=True)
class WER(ErrorRate[WERScore]):
    """The word error rate as jiwer computes it. 0 is best, and it may exceed 1.

    The rate is the smallest number of substitutions, deletions and insertions of words that turn the reference into the
    hypothesis, divided by the number of words of the reference. With several references, the lowest rate counts. A
    corpus rate is computed from the summed counts. If the references have no words, the rate is the number of
    insertions. An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.WER()
        >>> score = metric.segment("a cat sat down", "the cat sat")
        >>> score.hits, score.substitutions, score.deletions, score.insertions
        (2, 1, 0, 1)
        >>> metric.segments(["a b c", "x y"], ["a b c d", "x y"])
        array([0.25, 0.  ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "jiwer",
        "jiwer",
        "13a",
        "unicode",
        note='"jiwer" does not split at a single tab or line break; "none" does.',
    )

    name: ClassVar[str] = "wer"
    summary: ClassVar[str] = "WER: the word error rate, as in speech recognition."
    score_type: ClassVar[type[WERScore]] = WERScore


def wer(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[TextSettings]
) -> WERScore:
    """Return the word error rate of a corpus, as jiwer computes it. 0 is best, and it may exceed 1.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `WER`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> refscore.wer(["it rains", "a cat sat down"], ["it rains", ["the cat sat", "a cat sat"]]).value
        0.2
    """
    return WER.with_settings(settings).corpus(hypotheses, references, threads=threads)
