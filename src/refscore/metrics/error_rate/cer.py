from __future__ import annotations

from dataclasses import dataclass

from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class CERScore(ErrorRateScore):
    """A character error rate with edit counts and jiwer's other measures.

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
    """CER: the character error rate, as in speech recognition and optical character recognition.

    It is computed as in jiwer: the smallest number of substitutions, deletions and insertions that turn the reference
    into the hypothesis, divided by the number of characters of the reference. Characters are code points, including
    whitespace within the text. With several references, the lowest rate counts. A corpus rate is computed from the
    summed counts. If the references have no characters, the rate is the number of insertions. An empty corpus has no
    score.

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
        note='"char-spaces" strips both ends and counts whitespace within the text; "char" ignores all whitespace.',
    )

    name = "cer"
    draws_runs = True
    alignment_separator = ""


cer = corpus_function(CER)
