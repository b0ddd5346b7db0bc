from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from refscore import _native
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.text_settings import TextMetric
from refscore.metrics.error_rate.metric import ErrorRateScore
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class UWERScore(ErrorRateScore):
    """An unordered word error rate with its counts.

    Example:
        >>> import refscore
        >>> score = refscore.uwer(["second column first column"], ["first column second line"])
        >>> print(score)
        UWER = 25.00 (hits = 3 substitutions = 1 deletions = 0 insertions = 0 ref_len = 4)
        >>> score.signature
        'uwer|nrefs:1|case:mixed|norm:none|tok:none|version:0.1.0'
    """

    __slots__ = ()

    metric: UWER


@dataclass(frozen=True, kw_only=True)
class UWER(TextMetric[UWERScore]):
    """UWER: the word error rate without the order of words, as in optical character recognition.

    A word is a hit as often as both texts have it. Words that are left on both sides are substitutions, and words that
    are left on one side are deletions or insertions. The rate does not count errors in the order of columns and
    paragraphs. With several references, the lowest rate counts. A corpus rate is computed from the summed counts.

    Example:
        >>> import refscore
        >>> metric = refscore.UWER()
        >>> metric.segment("right left", "left right").value
        0.0
        >>> score = metric.segment("a a b x y", "a b b z")
        >>> score.hits, score.substitutions, score.deletions, score.insertions
        (2, 2, 0, 1)
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none", "none", "jiwer", "unicode", "13a")

    name = "uwer"
    kernel_type = _native.UnorderedErrorRate
    steps_module = "refscore.metrics.error_rate.uwer_steps"
    papers = (
        "Carrasco (2014): An Open-Source OCR Evaluation Tool. DATeCH.",
        "Neudecker, Baierer, Gerber, Clausner, Antonacopoulos, Pletschacher (2021): A Survey of OCR Evaluation Tools "
        "and Metrics. HIP.",
    )
    columns = ("hits", "substitutions", "deletions", "insertions")
    higher_is_better = False
    is_bounded = False
    presets: ClassVar[Mapping[str, Preset]] = {
        "ocrevaluation": Preset({}, tool="ocrevalUAtion", part="WER (order independent)", scale=1)
    }


uwer = corpus_function(UWER)
