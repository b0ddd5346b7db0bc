"""How papers and tools decide whether a segment is contaminated, as settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from refscore.cached import cached_property
from refscore.errors import SettingError, look_up
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import (
    MOST_ORDERS,
    HasSettings,
    OrNone,
    Share,
    WholeNumber,
    choice,
    setting,
    unknown_setting,
    whole_number,
    with_default,
)
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline
from refscore.tokenizers.settings import LOWERCASE, NORMALIZE, TOKENIZER

Measure = Literal["any", "ngrams", "tokens"]

MOST_DOCUMENTS = 254  # of the kernel
# The percentile of lengths that sets the order if there is a smallest order.
_PERCENTILE = 5


@dataclass(frozen=True, kw_only=True)
class OverlapSettings(HasSettings):
    """An overlap's settings: how text is split, which n-grams are compared, and when a segment is contaminated.

    Attributes:
        published: The settings that the paper or the source states.
        reading: The settings that refscore concluded from it.
        reference: The paper or the source.

    Example:
        >>> from refscore.overlap import PRESETS
        >>> palm = PRESETS["palm"]
        >>> palm.order, palm.measure, palm.threshold
        (8, 'ngrams', 0.7)
        >>> palm.signature.partition("|version")[0]
        'overlap|order:8|documents:all|rule:ngrams[0.7]|case:mixed|norm:none|tok:none'
    """

    name = "overlap"

    order: int = setting(13, "The number of tokens of an n-gram.", WholeNumber(1, MOST_ORDERS), key="order")
    shortest_order: int | None = setting(
        None,
        "Choose the order by the 5th percentile of the segments' lengths: at least `shortest_order`, at most `order`.",
        OrNone(WholeNumber(1, MOST_ORDERS)),
    )
    max_documents: int | None = setting(
        None,
        "Ignore n-grams that occur in more documents of the corpus.",
        OrNone(WholeNumber(1, MOST_DOCUMENTS), none="all"),
        key="documents",
    )
    measure: Measure = choice(
        "any",
        "What decides whether a segment is contaminated: one n-gram that occurs in the corpus, or the share of such "
        "n-grams, or of the tokens in them.",
        {
            "any": "one n-gram occurs",
            "ngrams": "a share of the n-grams occurs",
            "tokens": "a share of the tokens is part of n-grams that occur",
        },
        key="rule",
        companion="threshold",
    )
    threshold: float | None = setting(
        None,
        "The share from which a segment is contaminated. Without it, shares are reported and no segment is judged.",
        OrNone(Share(0.8, may_be_1=True)),
    )
    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE
    tokenizer: AnyTokenizer = with_default(TOKENIZER, "none")
    published: str = field(default="", compare=False)
    reading: str = field(default="", compare=False)
    reference: str = field(default="", compare=False)

    def _check(self) -> None:
        if self.shortest_order is not None:
            whole_number("shortest_order", self.shortest_order, 1, self.order)
        if self.measure == "any" and self.threshold is not None:
            raise SettingError('threshold needs the measure "ngrams" or "tokens"')

    @cached_property
    def pipeline(self) -> Pipeline:
        """The steps from text to tokens."""
        return Pipeline(self.tokenizer, self.lowercase, self.normalize)

    def changed(self, settings: Mapping[str, Any]) -> OverlapSettings:
        """Return these settings with some settings replaced. A given order does not depend on lengths.

        >>> OverlapSettings().changed({"order": 8}).order
        8
        """
        for name in settings.keys() - self.settings().keys():
            raise unknown_setting(type(self), name)
        fixed = {"shortest_order": None} if "order" in settings else {}
        return replace(self, **{**fixed, **settings})

    @property
    def judges(self) -> bool:
        """Whether segments are judged: the measure has a threshold, or needs none."""
        return self.measure == "any" or self.threshold is not None

    def order_for(self, lengths: NDArray[np.int64]) -> int:
        """Return the order for segments with these lengths.

        >>> import numpy as np
        >>> PRESETS["gpt3"].order_for(np.array([9, 30, 40, 50]))
        9
        """
        if self.shortest_order is None or not len(lengths):
            return self.order
        percentile = int(np.percentile(lengths, _PERCENTILE, method="lower"))
        return max(self.shortest_order, min(percentile, self.order))

    def contaminated(self, counts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each segment is contaminated, by its tokens, n-grams, matches and covered tokens."""
        if not self.judges:
            raise SettingError(
                f'the measure "{self.measure}" has no threshold: set one, such as threshold=0.8, the share from which '
                "a segment is contaminated"
            )
        tokens, ngrams, matches, covered = counts.T
        if self.measure == "any":
            return np.asarray(matches > 0)
        part, whole = (matches, ngrams) if self.measure == "ngrams" else (covered, tokens)
        return np.asarray((whole > 0) & (part / np.maximum(whole, 1) >= self.threshold))


_GPT3 = "Brown et al. (2020): Language Models are Few-Shot Learners, appendix C"

# The settings of papers and tools by name.
PRESETS: dict[str, OverlapSettings] = {
    "plain": OverlapSettings(
        reading="one 13-gram of text between whitespace, unchanged",
    ),
    "gpt2": OverlapSettings(
        order=8,
        tokenizer="unicode",
        lowercase=True,
        measure="ngrams",
        published="8-grams of lowercase alphanumeric words; the share of 8-grams is reported; the corpus is in Bloom "
        "filters with a false positive rate of at most 1e-8",
        reading="letters and digits of any script; no threshold",
        reference="Radford et al. (2019): Language Models are Unsupervised Multitask Learners, section 4",
    ),
    "gpt3": OverlapSettings(
        order=13,
        shortest_order=8,
        tokenizer="unicode",
        lowercase=True,
        published="one n-gram without punctuation and case; n is the 5th percentile of lengths, from 8 to 13",
        reading="punctuation separates words, as in the 13-grams that were released; the percentile is rounded down; "
        "segments shorter than n are not contaminated",
        reference=_GPT3,
    ),
    "gpt3-filter": OverlapSettings(
        order=13,
        tokenizer="unicode",
        lowercase=True,
        max_documents=10,
        published="one 13-gram of lowercase words without punctuation, that matches at most 10 training documents",
        reading="punctuation separates words, as in the 13-grams that were released",
        reference=f"{_GPT3}, for filtering the training data",
    ),
    "lm-eval": OverlapSettings(
        order=13,
        tokenizer="nopunct",
        lowercase="ascii",
        published="one 13-gram of text between whitespace, without ASCII punctuation, A to Z lowercased",
        reference="EleutherAI, lm-evaluation-harness: lm_eval/decontamination",
    ),
    "palm": OverlapSettings(
        order=8,
        measure="ngrams",
        threshold=0.7,
        published="70 % of the 8-grams",
        reading="words between whitespace, unchanged: the paper does not say how text is split",
        reference="Chowdhery et al. (2022): PaLM: Scaling Language Modeling with Pathways, section 8",
    ),
    "llama2": OverlapSettings(
        order=11,
        measure="tokens",
        threshold=0.8,
        published="80 % of the tokens are part of a match longer than 10 tokens, in tokens of the model; below 20 % is "
        "clean",
        reading="words between whitespace, unless you set the tokenizer of the model; refscore allows no mismatches "
        "inside a match, and the paper up to 4, so shares are lower bounds",
        reference="Touvron et al. (2023): Llama 2: Open Foundation and Fine-Tuned Chat Models, appendix A.6",
    ),
    "llama3": OverlapSettings(
        order=8,
        measure="tokens",
        published="a share of the tokens is part of an 8-gram, in tokens of the model; the share is chosen for each "
        "test set",
        reading="words between whitespace, unless you set the tokenizer of the model; no threshold",
        reference="Grattafiori et al. (2024): The Llama 3 Herd of Models, section 5.1.4",
    ),
}


def get_preset(preset: str | OverlapSettings) -> OverlapSettings:
    """Return settings by their name."""
    if isinstance(preset, OverlapSettings):
        return preset
    return look_up("preset", preset, PRESETS)
