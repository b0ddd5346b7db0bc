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
        """Return the variant as a string."""
        variant = str(value) if isinstance(value, (int, np.integer)) and not isinstance(value, bool) else value
        if not isinstance(variant, str) or not (variant in ("L", "Lsum") or _is_order(variant)):
            raise UnknownNameError.suggest("variant of ROUGE", value, ("1", "2", "L", "Lsum"))
        return variant


class ROUGEScore(MeanScore):
    """A ROUGE score: the means of the segments' F-scores, precisions and recalls.

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

    value = RowMean(2, "The mean F-score, from 0 to 1. For one segment, the harmonic mean of precision and recall.")
    precision = RowMean(0, "The mean precision: the share of the hypothesis that the reference has.")
    recall = RowMean(1, "The mean recall: the share of the reference that the hypothesis has.")
    parts = ("precision", "recall", "segments")

    def __str__(self) -> str:
        return (
            f"{self.metric.title} = {round(self.percent, 10):.2f} (P = {self.precision:.3f} "
            f"R = {self.recall:.3f} segments = {self.segments})"
        )


@dataclass(frozen=True, kw_only=True)
class ROUGE(TextMetric[ROUGEScore]):
    """ROUGE as rouge-score 0.1.2 computes it: precision, recall and F-score. 0..1, higher is better.

    With several references, the best F-score counts, or the first of equal ones. A corpus score is the mean of the
    segment scores. A segment without matches scores 0. An empty corpus has no score.

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
        note='"rouge" drops all characters except A to Z and digits, so most languages need "unicode", which splits '
        "words of any script.",
    )
    lowercase: Lowercase = lowercase_setting(True)
    variant: str = setting(
        "L",
        'The variant: "1", "2" or any other order of n-grams; "L" for the longest common subsequence; "Lsum" for '
        'the longest common subsequences of sentences, one per line. In token sequences, "\\n" ends a sentence.',
        VariantKind(),
        key="variant",
        title="variant",
        words={
            "1": "common words",
            "L": "the longest common subsequence of words",
            "Lsum": "the longest common subsequences of words, by sentence, with one sentence per line",
        },
        otherwise="common n-grams of {variant} words",
        other_names=("rouge_types", "rouge_keys"),
    )
    stem: bool = setting(
        False,
        "Stem words of more than three characters with NLTK's Porter stemmer, which is for English.",
        Flag(),
        key="stem",
        title="stems",
        other_names=("use_stemmer",),
        stage="text",
        words={False: "words are not stemmed", True: "words are stemmed"},
        alternatives=(True, False),
    )

    name: ClassVar[str] = "rouge"
    columns = ("precision", "recall", "f", "segments")
    row_type = FLOATS
    summary: ClassVar[str] = "ROUGE: the overlap of a summary with a reference, as Google's rouge-score computes it."
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
        """The order of the n-grams; None for variants with common subsequences."""
        return None if self.variant in ("L", "Lsum") else int(self.variant)

    @property
    def title(self) -> str:
        """The name in papers: ROUGE-1, ROUGE-L."""
        return f"ROUGE-{self.variant}"

    @classmethod
    def parse_title(cls, title: str) -> Mapping[str, Any] | None:
        """Return the variant of a title such as ROUGE-3, rouge3 or ROUGE-Lsum; None if it is not one."""
        match = re.fullmatch("rouge-?(.+)", title.lower())
        variant = {"l": "L", "lsum": "Lsum"}.get(match[1], match[1]) if match else ""
        return {"variant": variant} if variant in ("L", "Lsum") or _is_order(variant) else None

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens. For Lsum, a string may end a line, so strings cannot be mixed with others."""
        return "no strings" if self.variant == "Lsum" else "number"


def _is_order(variant: str) -> bool:
    is_number = variant.isascii() and variant.isdigit() and variant[0] != "0"
    return is_number and len(variant) <= len(str(MOST_ORDERS)) and int(variant) <= MOST_ORDERS


def rouge(
    hypotheses: Hypotheses, references: References, *, threads: int | None = None, **settings: Unpack[ROUGESettings]
) -> ROUGEScore:
    """Return the ROUGE score of a corpus, by default ROUGE-L as rouge-score computes it. 0..1, higher is better.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences.
        threads: The number of threads; all cores by default.
        **settings: Settings of `ROUGE`. `preset` selects a preset that the other settings override.

    Example:
        >>> import refscore
        >>> hypotheses = ["the cat sat on a mat", "it rains"]
        >>> references = [["the cat is on the mat", "a cat sat on a mat"], "it is raining"]
        >>> round(refscore.rouge(hypotheses, references, variant="1", stem=True).value, 4)
        0.8167
    """
    return ROUGE.with_settings(settings).corpus(hypotheses, references, threads=threads)
