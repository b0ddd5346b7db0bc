"""Settings that all metrics of text share: tokenizer, case and normalizer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from refscore.cached import cached_property
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score
from refscore.normalizers import builtin as builtin_normalizers, registry as normalizers
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import Choice, Kind, Number, setting, with_default
from refscore.tokenizers import registry as tokenizers
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import OFFERS
from refscore.tokenizers.pipeline import Lowercase

S = TypeVar("S", bound=Score)

# The most common tokenizers in papers.
COMMON_TOKENIZERS = ("13a", "none", "intl", "zh", "char")


class RegisteredKind(Kind):
    """A tokenizer or a normalizer: a name, a function, or an object of another package.

    Args:
        registry: The module that resolves and names them.
    """

    def __init__(self, registry: Any) -> None:
        self._registry = registry

    def check(self, name: str, value: Any) -> Any:
        """Return the value in the form that compares, hashes and pickles by content."""
        return self._registry.resolve(value)[0]

    def write(self, value: Any) -> str:
        """Return the name of the tokenizer or normalizer."""
        name: str = self._registry.get(value).name
        return name

    show = write


class _TokenizerWords(Mapping[Any, str]):
    """Descriptions of the named tokenizers, created on first use."""

    @cached_property
    def _words(self) -> dict[str, str]:
        summaries = {name: tokenizer.summary for name, tokenizer in BUILTIN.items()}
        summaries |= {name: offer.summary for name, offer in OFFERS.items()}
        return {name: f"{{tokenizer}} {summary}" for name, summary in summaries.items()}

    def __getitem__(self, name: Any) -> str:
        return self._words[name]

    def __iter__(self) -> Any:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


TOKENIZER = setting(
    "13a",
    "The tokenizer: a name from `refscore.tokenizers.available()`, a function from text to tokens, or an object from "
    "tokenizers, tiktoken or sentencepiece.",
    RegisteredKind(tokenizers),
    key="tok",
    title="tokenizer",
    stage="text",
    words=_TokenizerWords(),
    otherwise="text is split by {tokenizer}",
    alternatives=COMMON_TOKENIZERS,
    other_names=("tokenize", "tok", "trg_lang", "normalized", "no_punct", "asian_support"),
)

LOWERCASE = setting(
    False,
    'Lowercase the text: True for `str.lower`, "ascii" for A to Z only.',
    Choice({True: "lc", False: "mixed", "ascii": "lc-ascii"}),
    key="case",
    title="case",
    stage="text",
    words={False: "case is kept", True: "all letters are lowercased", "ascii": "only A to Z are lowercased"},
    alternatives=(True, False),
    other_names=("case_sensitive", "ignore_case"),
)

NORMALIZE = setting(
    "none",
    "The normalizer: a name from `refscore.normalizers.available()`, or a function from text to text.",
    RegisteredKind(normalizers),
    key="norm",
    title="normalizer",
    stage="text",
    words={
        "none": "characters stay as they are written",
        "NFC": "letters and their accents are joined (NFC)",
        "NFKC": "letters and accents are joined, and variants such as wide letters are replaced (NFKC)",
        **{
            name: f"{{normalize}} {normalizer.summary}"
            for name, normalizer in builtin_normalizers.BUILTIN.items()
            if name not in ("none", "NFC", "NFKC")
        },
    },
    otherwise="text is normalized by {normalize}",
    other_names=("normalizer", "normalization", "transform", "reference_transform", "hypothesis_transform"),
)


@dataclass(frozen=True, kw_only=True)
class TextMetric(Metric[S]):
    """A metric with the settings of this module. Subclasses may change their defaults."""

    tokenizer: AnyTokenizer = TOKENIZER
    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE


def formula_setting(
    default: float, meaning: str, otherwise: str, key: str, *, most: float | None = None, title: str = ""
) -> Any:
    """Declare a number of at least 0 in the formula of a metric."""
    return setting(default, meaning, Number(0, most), key=key, title=title or key, stage="formula", otherwise=otherwise)


def tokenizer_setting(default: Any, *alternatives: str, note: str = "") -> Any:
    """Declare the setting `tokenizer` with a default, common alternatives, and a note for the metric."""
    meaning = TOKENIZER.metadata["setting"].meaning
    return with_default(
        TOKENIZER, default, alternatives=alternatives or COMMON_TOKENIZERS, meaning=f"{meaning} {note}".strip()
    )


def lowercase_setting(default: Any, note: str = "") -> Any:
    """Declare the setting `lowercase` with a default, and a note for the metric."""
    meaning = LOWERCASE.metadata["setting"].meaning
    return with_default(LOWERCASE, default, meaning=f"{meaning} {note}".strip())
