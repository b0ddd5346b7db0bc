"""Token F1: the metric and its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from refscore import _native
from refscore.inputs import Hypotheses, References
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric, lowercase_setting, tokenizer_setting
from refscore.settings import choice
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class TokenF1Settings(TextSettings, total=False):
        """The settings of `TokenF1`, and `preset` to start from."""

        both_empty: Literal["zero", "one"]
        empty_reference: Literal["count", "skip"]


class TokenF1Score(MeanScore):
    """A token F1: the means of the segments' F1, precision and recall.

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

    def __str__(self) -> str:
        return (
            f"F1 = {round(self.percent, 10):.2f} (P = {self.precision:.3f} R = {self.recall:.3f} "
            f"EM = {self.exact_match:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class TokenF1(TextMetric[TokenF1Score]):
    """Token F1: the overlap of an answer with a reference, as bags of tokens. 0..1, higher is better.

    A token counts as often as both texts have it. With several references, the best F1 counts, or the first of equal
    ones. A corpus score is the mean of the segment scores. By default, text is split as in SQuAD 1.1: in lowercase,
    without ASCII punctuation, and without the words a, an and the.

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
        'The score of a hypothesis and a reference that both have no tokens: "zero" as in SQuAD 1.1, or "one" as in '
        "SQuAD 2, where they mean that a question has no answer.",
        {
            "zero": "a text without tokens scores 0",
            "one": "a hypothesis without tokens scores 1 if the reference has none either",
        },
        key="both",
        title="two empty texts",
        stage="formula",
    )
    empty_reference: Literal["count", "skip"] = choice(
        "count",
        'How to treat a reference without tokens: "count" compares it like others; "skip" ignores it if the segment '
        "has a reference with tokens.",
        {
            "count": "a reference without tokens counts like others",
            "skip": "a reference without tokens is ignored, unless there is no other",
        },
        key="empty",
        title="empty references",
    )

    name: ClassVar[str] = "token_f1"
    display_name: ClassVar[str] = "F1"
    columns = ("f1", "precision", "recall", "exact", "segments")
    row_type = FLOATS
    summary: ClassVar[str] = "F1 of tokens: the overlap of an answer with a reference, as in SQuAD."
    papers: ClassVar[tuple[str, ...]] = (
        "Rajpurkar, Zhang, Lopyrev, Liang (2016): SQuAD: 100,000+ Questions for Machine Comprehension of Text. EMNLP.",
        "Rajpurkar, Jia, Liang (2018): Know What You Don't Know: Unanswerable Questions for SQuAD. ACL.",
    )
    score_type: ClassVar[type[TokenF1Score]] = TokenF1Score
    presets: ClassVar[Mapping[str, Preset]] = {
        "squad": Preset({}, tool="SQuAD", version="1.1", part="f1", scale=100),
        "squad_v2": Preset(
            {"both_empty": "one", "empty_reference": "skip"}, tool="SQuAD", version="2.0", part="f1", scale=100
        ),
        "torchmetrics": Preset({"both_empty": "one"}, tool="torchmetrics", version="1.9.0", part="SQuAD", scale=100),
        "mlqa-zh": Preset({"tokenizer": "mlqa-zh"}, tool="MLQA", version="1.0", part="f1 for Chinese", scale=100),
    }

    def _make_kernel(self) -> _native.TokenF1:
        return _native.TokenF1(
            rules=self.pipeline.native,
            skip_empty=self.empty_reference == "skip",
            both_empty=self.both_empty == "one",
        )


def token_f1(
    hypotheses: Hypotheses,
    references: References,
    *,
    threads: int | None = None,
    **settings: Unpack[TokenF1Settings],
) -> TokenF1Score:
    """Return the token F1 of a corpus, by default as SQuAD 1.1 computes it. 0..1, higher is better.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `TokenF1`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> refscore.token_f1(["the cat sat", "dogs"], [["cat", "The cat sat down."], "a dog"]).value
        0.4
        >>> refscore.token_f1(["", "a cat"], ["", "a cat"], preset="squad_v2").value
        1.0
    """
    return TokenF1.with_settings(settings).corpus(hypotheses, references, threads=threads)
