"""CER: the character error rate, as in speech recognition and optical character recognition.

Levenshtein (1966): Binary Codes Capable of Correcting Deletions, Insertions, and Reversals. Soviet Physics Doklady.
Morris, Maier, Green (2004): From WER and RIL to MER and WIL. Interspeech.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from refscore.metrics.error_rate.metric import ErrorRate, ErrorRateScore
from refscore.tokenizers.base import AnyTokenizer


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

    The fewest substitutions, deletions and insertions of characters (code points; white space within the text is one
    of them) that turn the reference into the hypothesis, by the characters of the reference; of several references, the
    one with the lowest rate. A corpus' rate is that of the summed counts. Without any characters in the references it
    is the number of insertions; an empty corpus has no score.

    Args:
        tokenizer: How text is split: a name (`refscore.tokenizers.available()`), a function from text to tokens, or
            an object of the packages tokenizers, tiktoken or sentencepiece.
            "char-spaces" strips both ends and counts white space within; "char" does not count it.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".

    Example:
        >>> import refscore
        >>> metric = refscore.CER()
        >>> metric.segment("a cart", "a cat").insertions
        1
        >>> metric.segments(["abc", "xy"], ["abcd", "xy"])
        array([0.25, 0.  ])
    """

    tokenizer: AnyTokenizer = "char-spaces"

    name: ClassVar[str] = "cer"
    score_type: ClassVar[type[CERScore]] = CERScore
    draws_runs: ClassVar[bool] = True

    @classmethod
    def preset(cls, name: str, **settings: Any) -> CER:
        """CER as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "jiwer" (4.0; the default settings).
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> refscore.CER.preset("jiwer", lowercase=True).segment("A B", "a b").value
            0.0
        """
        return super().preset(name, **settings)


def cer(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> CERScore:
    """The character error rate of a corpus, as jiwer computes it. 0 is best, and it may exceed 1.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `CER`, or `preset` and overrides of it.

    Returns:
        The score: that of the summed counts, not the mean of the segments' rates.

    Example:
        >>> import refscore
        >>> refscore.cer(["it rains", "cart"], ["it rains", ["car", "cat"]]).value == 1 / 11
        True
    """
    return CER.of(settings).corpus(hypotheses, references, threads=threads)
