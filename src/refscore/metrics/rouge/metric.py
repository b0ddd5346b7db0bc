"""ROUGE: the metric and its settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from refscore import _native
from refscore.errors import UnknownNameError
from refscore.metrics.core.metric import FLOATS
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.settings import MOST_ORDERS, Flag, Kind, setting
from refscore.metrics.core.text_settings import TextMetric, lowercase_setting, tokenizer_setting
from refscore.segments import Hypotheses, MixedTokens, References
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.metrics.core.text_settings import TextSettings

    class ROUGESettings(TextSettings, total=False):
        """The settings of `ROUGE`, and `preset` to start from."""

        variant: str
        stem: bool


class VariantKind(Kind):
    """A variant of ROUGE: an order of n-grams, "L" or "Lsum"."""

    def check(self, name: str, value: Any) -> str:
        """Return the variant as a text."""
        variant = str(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool) else value
        if not isinstance(variant, str) or not (variant in ("L", "Lsum") or _is_order(variant)):
            raise UnknownNameError.suggest("variant of ROUGE", value, ("1", "2", "L", "Lsum"))
        return variant


class ROUGEScore(MeanScore):
    """A ROUGE score: the means of its segments' F, precision and recall.

    Example:
        >>> import refscore
        >>> score = refscore.rouge(["the cat sat on a mat"], ["the cat is on the mat today"])
        >>> print(score)
        ROUGE-L = 61.54 (P = 0.667 R = 0.571 segments = 1)
        >>> score.signature
        'rouge|nrefs:1|case:lc|norm:none|tok:rouge|variant:L|stem:no|version:0.1.0'
    """

    __slots__ = ()

    metric: ROUGE

    value = RowMean(2, "The mean F, from 0 to 1; of one segment, the harmonic mean of its precision and recall.")
    precision = RowMean(0, "The mean share of the hypothesis that the reference has.")
    recall = RowMean(1, "The mean share of the reference that the hypothesis has.")
    parts = ("precision", "recall", "segments")

    def __str__(self) -> str:
        return (
            f"{self.metric.title} = {round(self.percent, 10):.2f} (P = {self.precision:.3f} "
            f"R = {self.recall:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class ROUGE(TextMetric[ROUGEScore]):
    """ROUGE as rouge-score 0.1.2 computes it: precision, recall and F. 0..1, higher is better.

    Of several references the one with the best F counts, the first one of equals. A corpus' score is the mean of its
    segments'. A segment without matches scores 0, and so does one whose hypothesis or reference has no words; an empty
    corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.ROUGE(variant="2", stem=True)
        >>> score = metric.segment("the cats sat down", "the cat sat")
        >>> round(score.precision, 4), round(score.recall, 4), round(score.value, 4)
        (0.6667, 1.0, 0.8)
        >>> refscore.ROUGE().segment("今天天气好", "今天天气很好").value
        0.0
        >>> round(refscore.ROUGE(tokenizer="unicode").segment("今天天气好", "今天天气很好").value, 4)
        0.9091
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "rouge",
        "rouge",
        "unicode",
        "none",
        note='"rouge" takes runs of A to Z and digits, which leaves nothing of most languages; "unicode" takes words '
        "of any script.",
    )
    lowercase: Lowercase = lowercase_setting(True)
    variant: str = setting(
        "L",
        '"1", "2" or any other order for n-grams; "L" for the longest common subsequence; "Lsum" for that of '
        "summaries whose sentences stand on lines of their own. Of tokens, a string of a line break ends a sentence.",
        VariantKind(),
        key="variant",
        title="variant",
        words={
            "1": "single words that both have",
            "L": "the longest common subsequence of words",
            "Lsum": "the longest common subsequences of words, sentence by sentence: one a line",
        },
        otherwise="runs of {variant} words that both have",
        other_names=("rouge_types", "rouge_keys"),
    )
    stem: bool = setting(
        False,
        "Whether words of more than three characters are stemmed, by Porter's rules for English as NLTK has them.",
        Flag(),
        key="stem",
        title="stems",
        other_names=("use_stemmer",),
        stage="text",
        words={False: "words as they are", True: "words by their stems"},
        alternatives=(True, False),
    )

    name: ClassVar[str] = "rouge"
    columns = ("precision", "recall", "f", "segments")
    row_type = FLOATS
    summary: ClassVar[str] = (
        "ROUGE: how much of a summary's wording is shared with a reference, as google's rouge-score computes it."
    )
    papers: ClassVar[tuple[str, ...]] = (
        "Lin (2004): ROUGE: A Package for Automatic Evaluation of Summaries. Text Summarization Branches Out.",
    )
    score_type: ClassVar[type[ROUGEScore]] = ROUGEScore
    presets: ClassVar[Mapping[str, Preset]] = {
        name: Preset({"variant": name.removeprefix("rouge")}, tool="rouge-score", version="0.1.2", part=name, scale=1)
        for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")
    }

    def _make_pipeline(self) -> Pipeline:
        return Pipeline(self.tokenizer, self.lowercase, self.normalize, stem=self.stem, lines=self.variant == "Lsum")

    def _make_kernel(self) -> _native.Rouge:
        return _native.Rouge(
            rules=self.pipeline.native,
            variant=_native.RougeVariant[self.variant] if self.order is None else _native.RougeVariant.N,
            order=self.order or 1,
        )

    @property
    def order(self) -> int | None:
        """The length of the n-grams; None where a common subsequence counts."""
        return None if self.variant in ("L", "Lsum") else int(self.variant)

    @property
    def title(self) -> str:
        """The name that papers print: ROUGE-1, ROUGE-L."""
        return f"ROUGE-{self.variant}"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the variant that a title names: ROUGE-3, rouge3, ROUGE-Lsum."""
        match = re.fullmatch("rouge-?(.+)", title.lower())
        variant = {"l": "L", "lsum": "Lsum"}.get(match[1], match[1]) if match else ""
        return {"variant": variant} if variant in ("L", "Lsum") or _is_order(variant) else None

    @property
    def mixed_tokens(self) -> MixedTokens:
        """For Lsum a string may end a line, so strings cannot be mixed with other tokens."""
        return "no strings" if self.variant == "Lsum" else "number"


def _is_order(variant: str) -> bool:
    is_number = variant.isascii() and variant.isdigit() and variant[0] != "0"
    return is_number and len(variant) <= len(str(MOST_ORDERS)) and int(variant) <= MOST_ORDERS


def rouge(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[ROUGESettings]
) -> ROUGEScore:
    """Return the ROUGE score of a corpus, by default ROUGE-L as rouge-score computes it. 0..1, higher is better.

    Takes what `ROUGE.corpus` takes, and the settings of `ROUGE`, or `preset` and overrides of it.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cat sat on a mat", "it rains"]
        >>> references = [["the cat is on the mat", "a cat sat on a mat"], "it is raining"]
        >>> round(refscore.rouge(hypotheses, references, variant="1", stem=True).value, 4)
        0.8167
    """
    return ROUGE.with_settings(settings).corpus(hypotheses, references, threads=threads)
