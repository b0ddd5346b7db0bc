"""CER: the metric and its settings."""

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


class CERScore(ErrorRateScore):
    """A character error rate: its counts of edits, and the measures that jiwer makes of them.

    Example:
        >>> import refscore
        >>> score = refscore.cer(["a cart"], ["the cat"])
        >>> print(score)
        CER = 57.14 (hits = 4 substitutions = 1 deletions = 2 insertions = 1 ref_len = 7)
        >>> score.signature
        'cer|nrefs:1|case:mixed|norm:none|tok:char-spaces|version:0.1.0'
    """

    __slots__ = ()

    metric: CER


@dataclass(frozen=True, kw_only=True)
class CER(ErrorRate[CERScore]):
    """The character error rate as jiwer computes it. 0 is best, and it may exceed 1.

    The fewest substitutions, deletions and insertions of characters (code points; whitespace within the text is one
    of them) that turn the reference into the hypothesis, by the characters of the reference; of several references, the
    one with the lowest rate. A corpus' rate is that of the summed counts. Without any characters in the references it
    is the number of insertions; an empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.CER()
        >>> metric.segment("a cart", "a cat").insertions
        1
        >>> metric.segments(["abc", "xy"], ["abcd", "xy"])
        array([0.25, 0.  ])
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "char-spaces",
        "char",
        "char-spaces",
        note='"char-spaces" strips both ends and counts whitespace within; "char" does not count it.',
    )

    name: ClassVar[str] = "cer"
    summary: ClassVar[str] = (
        "CER: the character error rate, as in speech recognition and optical character recognition."
    )
    score_type: ClassVar[type[CERScore]] = CERScore
    draws_runs: ClassVar[bool] = True


def cer(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[TextSettings]
) -> CERScore:
    """Return the character error rate of a corpus, as jiwer computes it. 0 is best, and it may exceed 1.

    Takes what `CER.corpus` takes, and the settings of `CER`, or `preset` and overrides of it.

    Example:
        >>> import refscore
        >>> refscore.cer(["it rains", "cart"], ["it rains", ["car", "cat"]]).value == 1 / 11
        True
    """
    return CER.with_settings(settings).corpus(hypotheses, references, threads=threads)
