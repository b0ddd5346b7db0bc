from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from refscore import _native
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import EMPTY_REFERENCE, TextMetric
from refscore.settings import choice
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting


class TokenF1Score(MeanScore):
    """A token F1: mean F1, precision and recall over segments.

    Example:
        >>> import refscore
        >>> score = refscore.token_f1(["in the 10th century"], ["10th and 11th centuries"])
        >>> print(score)
        F1 = 28.57 (P = 0.333 R = 0.250 EM = 0.000 segments = 1)
        >>> score.signature
        'token_f1|nrefs:1|case:lc|norm:none|tok:squad|both:zero|empty:count|version:0.1.0'
    """

    __slots__ = ()

    metric: TokenF1

    value = RowMean(0, "The mean F1, from 0 to 1. For one segment, the harmonic mean of precision and recall.")
    precision = RowMean(1, "The mean precision: the share of the hypothesis's tokens that the best reference has.")
    recall = RowMean(2, "The mean recall: the share of the best reference's tokens that the hypothesis has.")
    exact_match = RowMean(3, "The share of hypotheses with the same tokens as a reference, like `ExactMatch`.")
    parts = ("precision", "recall", "exact_match", "segments")
    parts_text = "P = {0.precision:.3f} R = {0.recall:.3f} EM = {0.exact_match:.3f} segments = {0.segments}"


@dataclass(frozen=True, kw_only=True)
class TokenF1(TextMetric[TokenF1Score]):
    """F1 of tokens: the overlap of an answer with a reference, as in SQuAD.

    Texts are compared as token bags. A token counts as often as both texts have it. With several references, the
    best F1 counts, or the first if several are equal. A corpus score averages the segment scores. By default, text is
    split as in SQuAD 1.1: in lowercase, without ASCII punctuation, and without the words a, an and the.

    Example:
        >>> import refscore
        >>> metric = refscore.TokenF1()
        >>> metric.segments(["the cat sat", "a dog"], [["cat", "The cat sat down."], "two dogs"])
        array([0.8, 0. ])
        >>> round(refscore.TokenF1(tokenizer="unicode").segment("東京タワー", "東京の塔").value, 4)
        0.4444
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "squad",
        "squad",
        "none",
        "unicode",
        "mlqa-zh",
        note='For Chinese and Japanese use "unicode", in which each ideograph and kana is a token.',
    )
    lowercase: Lowercase = lowercase_setting(True)
    both_empty: Literal["zero", "one"] = choice(
        "zero",
        "The score of two texts without tokens. In SQuAD 2, they mean that a question has no answer.",
        {
            "zero": "a text without tokens scores 0",
            "one": "a hypothesis without tokens scores 1 if the reference has none either",
        },
        key="both",
        title="two empty texts",
        stage="formula",
    )
    empty_reference: Literal["count", "skip"] = EMPTY_REFERENCE

    name = "token_f1"
    kernel_type = _native.TokenF1
    compares_answers = True
    display_name = "F1"
    columns = ("f1", "precision", "recall", "exact", "segments")
    row_type = FLOATS
    papers = (
        "Rajpurkar, Zhang, Lopyrev, Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP.",
        "Rajpurkar, Jia, Liang (2018): Know What You Don't Know: Unanswerable Questions for SQuAD. ACL.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {
        "squad": Preset({}, tool="SQuAD", version="1.1", part="f1", scale=100),
        "squad_v2": Preset(
            {"both_empty": "one", "empty_reference": "skip"}, tool="SQuAD", version="2.0", part="f1", scale=100
        ),
        "torchmetrics": Preset({"both_empty": "one"}, tool="torchmetrics", version="1.9.0", part="SQuAD", scale=100),
        "mlqa-zh": Preset({"tokenizer": "mlqa-zh"}, tool="MLQA", version="1.0", part="f1 for Chinese", scale=100),
    }


token_f1 = corpus_function(TokenF1)
