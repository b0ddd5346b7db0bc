from __future__ import annotations

import re
from types import ModuleType
from typing import Any

from refscore.errors import SignatureError
from refscore.normalizers import builtin as builtin_normalizers, registry as normalizers
from refscore.settings import Choice, Kind, setting, with_default
from refscore.tokenizers import registry
from refscore.tokenizers.builtin import BUILTIN
from refscore.tokenizers.external import OFFERS
from refscore.tokenizers.models import FILE_IN_SIGNATURE, KINDS

# The most common tokenizers in papers.
COMMON_TOKENIZERS = ("13a", "none", "intl", "zh", "char")


class FunctionKind(Kind):
    """A tokenizer or a normalizer: a name, a function, or an object of another package."""

    registry: ModuleType

    def check(self, name: str, value: Any) -> Any:
        return self.registry.resolve(value)[0]

    def write(self, value: Any) -> str:
        name: str = self.registry.get(value).name  # with versions and digests, which the setting may lack
        return name

    show = write


class TokenizerKind(FunctionKind):
    registry = registry

    def read(self, text: str) -> str:
        """Return the tokenizer's name. Raise an error if it names a folder, because signatures may be untrusted."""
        kind, _, file = text.partition(":")
        if kind in KINDS and not re.fullmatch(FILE_IN_SIGNATURE, file):
            raise SignatureError(
                f"the tokenizer {text!r} of a signature names a file in a folder: pass the metric with this tokenizer"
            )
        return text

    def parse(self, text: str) -> str:
        return text


class NormalizerKind(FunctionKind):
    registry = normalizers


TOKENIZER = setting(
    "13a",
    "The tokenizer: a name from `refscore.tokenizers.available()`, a function from text to tokens, or an object from "
    "tokenizers, tiktoken or sentencepiece.",
    TokenizerKind(),
    key="tok",
    title="tokenizer",
    stage="text",
    words={name: f"{{tokenizer}} {each.summary}" for offers in (BUILTIN, OFFERS) for name, each in offers.items()},
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
    NormalizerKind(),
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


def tokenizer_setting(default: Any, *alternatives: str, note: str = "") -> Any:
    meaning = TOKENIZER.metadata["setting"].meaning
    return with_default(
        TOKENIZER, default, alternatives=alternatives or COMMON_TOKENIZERS, meaning=f"{meaning} {note}".strip()
    )


def lowercase_setting(default: Any, note: str = "") -> Any:
    meaning = LOWERCASE.metadata["setting"].meaning
    return with_default(LOWERCASE, default, meaning=f"{meaning} {note}".strip())
