"""BLEU as torchmetrics computes it, for words and with sacrebleu's tokenizers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from torchmetrics.functional.text.sacre_bleu import _SacreBLEUTokenizer

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import grouped
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, counts
from refscore.errors import SettingError, UnknownNameError
from refscore.metrics import BLEU
from refscore.tokenizers import tokenize as native_tokenize

_OUR_NAMES = {"none": "none", "13a": "13a-evaluate", "zh": "zh-sacrebleu", "intl": "intl", "char": "char"}
_THEIR_NAMES = ("ja-mecab", "ko-mecab", "flores101", "flores200")
# Texts that tokenize differently if lowercased first: those that 13a unescapes or skips, letters with a lower case
# that depends on context or has two characters, and symbols that are Chinese for `zh` only in upper case.
_ORDER_MATTERS = re.compile("[&<\u0130\u03a3\u2126\u212a\u212b]").search
AVAILABLE_TOKENIZERS = ("none", "13a", "zh", "intl", "char", *_THEIR_NAMES)


class Tokenizer(_SacreBLEUTokenizer):
    """The tokenizer for `SacreBLEUScore`: refscore's tokenizer and the steps before it."""

    def __init__(self, tokenize: str, lowercase: bool = False) -> None:
        if tokenize not in AVAILABLE_TOKENIZERS:
            raise UnknownNameError.suggest("tokenizer", tokenize, AVAILABLE_TOKENIZERS)
        super().__init__(tokenize, lowercase)
        self.is_ours = tokenize in _OUR_NAMES
        self.name = tokenize

    @property
    def native(self) -> str:
        """The name that refscore has for the tokenizer. No such tokenizer changes tokens."""
        return _OUR_NAMES.get(self.name, "none")

    def __call__(self, line: str) -> Sequence[str]:
        if not self.is_ours:
            tokens: list[str] = super().__call__(line) if line else []
            return tokens
        tokens = native_tokenize(_ended(line) if self.name == "intl" else line, self.native)
        return " ".join(tokens).lower().split() if self.lowercase else tokens

    def prepared(self, preds: list[str], target: list[list[str]]) -> tuple[list[Any], list[list[Any]]]:
        """Return both sides as texts for refscore's tokenizer or as tokens."""
        if self.lowercase and self.is_ours and not any(map(_ORDER_MATTERS, chain(preds, *target))):
            preds, target = [text.lower() for text in preds], [[text.lower() for text in group] for group in target]
        elif self.lowercase or not self.is_ours:
            return [self(text) for text in preds], [[self(text) for text in group] for group in target]
        if self.name == "intl":
            return [_ended(text) for text in preds], [[_ended(text) for text in group] for group in target]
        return preds, target


def _ended(text: str) -> str:
    """Return a text that refscore's `intl` splits like torchmetrics, even though refscore strips the end first.

    In torchmetrics, punctuation before trailing whitespace is a separate token, even after a digit.
    """
    core = text.rstrip() if text[-1:].isspace() else ""
    if core and unicodedata.category(core[-1]).startswith("P"):
        return f"{core[:-1]} {core[-1]}"
    return text


@dataclass
class _Scoring(Scoring):
    n_gram: int = 4
    smooth: bool = False
    tokenize: str = "13a"
    lowercase: bool = False
    weights: Sequence[float] | None = None

    def __post_init__(self) -> None:
        weights = self.weights
        if weights is not None and len(weights) != self.n_gram:
            raise SettingError(f"weights has {len(weights)} entries, but n_gram is {self.n_gram}: pass one per order")
        self.tokenizer = Tokenizer(self.tokenize, self.lowercase)
        self.metric = cached_metric(
            BLEU,
            tokenizer=self.tokenizer.native,
            max_order=self.n_gram,
            weights=None if weights is None else tuple(weights),
            smoothing="add-k" if self.smooth else "none",
            reference_length="closest-first",
        )

    def attributes(self) -> dict[str, Any]:
        weights = self.weights if self.weights is not None else [1.0 / self.n_gram] * self.n_gram
        return {"n_gram": self.n_gram, "smooth": self.smooth, "weights": weights, "tokenizer": self.tokenizer}

    def states(self) -> dict[str, Any]:
        lengths = {"preds_len": counts(), "target_len": counts()}
        return {**lengths, "numerator": counts(self.n_gram), "denominator": counts(self.n_gram)}

    def batch(self, preds: Any, target: Any) -> Sums:
        if isinstance(preds, (list, tuple)) and not preds and isinstance(target, (list, tuple)) and not any(target):
            target = []  # the function refuses [[]] for no prediction, the class does not
        row = self._row(preds, target, truncates=True)
        matches, ngrams = row[2:].reshape(2, self.n_gram)
        return {"preds_len": int(row[0]), "target_len": int(row[1]), "numerator": matches, "denominator": ngrams}

    def value(self, sums: Sums, results: Results) -> Any:
        lengths = [sums["preds_len"], sums["target_len"]]
        return results(self._value(np.hstack([lengths, sums["numerator"], sums["denominator"]])))

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        return results(self._value(self._row(preds, target, truncates=False)))

    def _row(self, preds: Any, target: Any, truncates: bool) -> NDArray[Any]:
        texts, groups = self.tokenizer.prepared(*grouped(preds, target, truncates))
        if len(texts) == 1:  # many programs score one segment per call
            return np.array(self.metric.value_and_row(texts[0], groups[0])[1])
        return self.metric.corpus(texts, groups).row if texts else np.zeros(len(self.metric.columns), dtype=np.int64)

    def _value(self, row: NDArray[Any]) -> float:
        return self.metric.score(row).value if row[2 : 2 + self.n_gram].min() > 0 else 0.0


@dataclass
class _OfWords(_Scoring):
    tokenize: str = field(default="none", init=False)
    lowercase: bool = field(default=False, init=False)

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        texts = [preds] if isinstance(preds, str) else preds
        groups = target if isinstance(target, str) else [[text] if isinstance(text, str) else text for text in target]
        return super().call(texts, groups, results)


class BLEUScore(SumsMetric, scoring=_OfWords):
    """BLEU for words split at whitespace, from 0 to 1. Higher is better."""

    higher_is_better: ClassVar[bool] = True


class SacreBLEUScore(BLEUScore, scoring=_Scoring):
    """BLEU with sacrebleu's tokenizers and torchmetrics' formula, from 0 to 1. Higher is better."""
