"""BLEU as torchmetrics computes it, for words and with sacrebleu's tokenizers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import grouped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result
from refscore.errors import SettingError, UnknownNameError
from refscore.metrics import BLEU
from refscore.tokenizers import tokenize as native_tokenize

_OUR_NAMES = {"none": "none", "13a": "13a-evaluate", "zh": "zh-sacrebleu", "intl": "intl", "char": "char"}
_THEIR_NAMES = ("ja-mecab", "ko-mecab", "flores101", "flores200")
# Texts that tokenize differently if lowercased first: those that 13a unescapes or skips, letters with a lower case
# that depends on context or has two characters, and symbols that are Chinese for `zh` only in upper case.
_ORDER_MATTERS = re.compile("[&<\u0130\u03a3\u2126\u212a\u212b]").search
AVAILABLE_TOKENIZERS = ("none", "13a", "zh", "intl", "char", *_THEIR_NAMES)


class BLEUScore(SumsMetric):
    """BLEU for words split at whitespace, from 0 to 1. Higher is better.

    The score is 0 if an order has no matches, smoothed or not. If several references are equally close in length, the
    first counts.

    Args:
        n_gram: The longest n-gram order.
        smooth: Add one to the matches and n-grams of orders above 1.
        weights: One weight per order; equal by default.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import BLEUScore
        >>> BLEUScore()(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7598)
    """

    higher_is_better: ClassVar[bool] = True

    def __init__(
        self, n_gram: int = 4, smooth: bool = False, weights: Sequence[float] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        _metric(n_gram, smooth, weights, "none")  # raises errors for invalid settings now
        self.n_gram = n_gram
        self.smooth = smooth
        self.weights = weights if weights is not None else [1.0 / n_gram] * n_gram
        self.tokenizer = Tokenizer("none")
        self._add_sum("preds_len")
        self._add_sum("target_len")
        self._add_sum("numerator", (n_gram,))
        self._add_sum("denominator", (n_gram,))

    def _counting(self) -> BLEU:
        return _metric(self.n_gram, self.smooth, self.weights, self.tokenizer.native)

    def _batch(self, preds: Any, target: Any) -> Sums:
        if isinstance(preds, (list, tuple)) and not preds and isinstance(target, (list, tuple)) and not any(target):
            target = []  # the function refuses [[]] for no prediction, the class does not
        row = _counts(self._counting(), *self.tokenizer.prepared(*grouped(preds, target)))
        matches, ngrams = row[2:].reshape(2, self.n_gram)
        return {"preds_len": int(row[0]), "target_len": int(row[1]), "numerator": matches, "denominator": ngrams}

    def _score(self, sums: Sums) -> Any:
        lengths = [sums["preds_len"], sums["target_len"]]
        return self._result(_value(self._counting(), np.hstack([lengths, sums["numerator"], sums["denominator"]])))


class SacreBLEUScore(BLEUScore):
    """BLEU with sacrebleu's tokenizers and torchmetrics' formula, from 0 to 1. Higher is better.

    Arguments that are not listed are those of `BLEUScore`.

    Args:
        tokenize: "none", "13a", "zh", "intl" or "char". For "ja-mecab", "ko-mecab", "flores101" and "flores200",
            torchmetrics tokenizes with the packages that it needs.
        lowercase: Lowercase tokens.

    Example:
        >>> from refscore.compat.torchmetrics import SacreBLEUScore
        >>> metric = SacreBLEUScore(tokenize="char")
        >>> metric.update(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        >>> metric.compute()
        tensor(0.8857)
    """

    def __init__(
        self,
        n_gram: int = 4,
        smooth: bool = False,
        tokenize: str = "13a",
        lowercase: bool = False,
        weights: Sequence[float] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(n_gram=n_gram, smooth=smooth, weights=weights, **kwargs)
        self.tokenizer = Tokenizer(tokenize, lowercase)


class Tokenizer:
    """The tokenizer of `SacreBLEUScore`: refscore's tokenizer and the steps before it.

    Lowercasing is the last step, so the tokenizer sees the original text.

    Example:
        >>> from refscore.compat.torchmetrics.bleu import Tokenizer
        >>> Tokenizer("13a", lowercase=True)("A &AMP; b.")
        ['a', '&', 'amp', ';', 'b', '.']
    """

    def __init__(self, tokenize: str, lowercase: bool = False) -> None:
        if tokenize not in AVAILABLE_TOKENIZERS:
            raise UnknownNameError.suggest("tokenizer", tokenize, AVAILABLE_TOKENIZERS)
        self.tokenize = tokenize
        self.lowercase = lowercase
        self._theirs: Callable[[str], Sequence[str]] | None = None
        if tokenize in _THEIR_NAMES:
            from torchmetrics.functional.text.sacre_bleu import _SacreBLEUTokenizer

            self._theirs = _SacreBLEUTokenizer(tokenize, lowercase)

    @property
    def native(self) -> str:
        """The name of refscore's tokenizer. None of these tokenizers changes tokens."""
        return _OUR_NAMES.get(self.tokenize, "none")

    def __call__(self, line: str) -> Sequence[str]:
        """Return the tokens of a text."""
        if self._theirs is not None:
            return self._theirs(line) if line else []
        tokens = native_tokenize(_ended(line) if self.tokenize == "intl" else line, self.native)
        return " ".join(tokens).lower().split() if self.lowercase else tokens

    def prepared(self, preds: list[str], target: list[list[str]]) -> tuple[list[Any], list[list[Any]]]:
        """Return both sides as texts for refscore's tokenizer or as tokens."""
        if self.lowercase and self._theirs is None and not any(map(_ORDER_MATTERS, chain(preds, *target))):
            preds, target = [text.lower() for text in preds], [[text.lower() for text in group] for group in target]
        elif self.lowercase or self._theirs is not None:
            return [self(text) for text in preds], [[self(text) for text in group] for group in target]
        if self.tokenize == "intl":
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


def bleu_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    weights: Sequence[float] | None = None,
) -> Any:
    """Return the BLEU of one or several predictions, each with one or several references. Settings: see `BLEUScore`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import bleu_score
        >>> bleu_score(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7598)
    """
    texts = [preds] if isinstance(preds, str) else preds
    groups = target if isinstance(target, str) else [[text] if isinstance(text, str) else text for text in target]
    metric = _metric(n_gram, smooth, weights, "none")
    return result(_value(metric, _counts(metric, *grouped(texts, groups))))


def sacre_bleu_score(
    preds: Sequence[str],
    target: Sequence[Sequence[str]],
    n_gram: int = 4,
    smooth: bool = False,
    tokenize: str = "13a",
    lowercase: bool = False,
    weights: Sequence[float] | None = None,
) -> Any:
    """Return the BLEU of predictions, each with a list of references. Settings: see `SacreBLEUScore`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import sacre_bleu_score
        >>> sacre_bleu_score(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7598)
    """
    tokenizer = Tokenizer(tokenize, lowercase)
    metric = _metric(n_gram, smooth, weights, tokenizer.native)
    return result(_value(metric, _counts(metric, *tokenizer.prepared(*grouped(preds, target)))))


def _metric(n_gram: int, smooth: bool, weights: Sequence[float] | None, tokenizer: str) -> BLEU:
    if weights is not None and len(weights) != n_gram:
        raise SettingError(f"weights has {len(weights)} entries, but n_gram is {n_gram}: pass one per order")
    return cached_metric(
        BLEU,
        tokenizer=tokenizer,
        max_order=n_gram,
        weights=None if weights is None else tuple(weights),
        smoothing="add-k" if smooth else "none",
        reference_length="closest-first",
    )


def _counts(metric: BLEU, preds: list[Any], target: list[list[Any]]) -> NDArray[Any]:
    """Return the sum of the rows."""
    return metric.corpus(preds, target).row if preds else np.zeros(len(metric.columns), dtype=np.int64)


def _value(metric: BLEU, row: NDArray[Any]) -> float:
    return metric.score(row).value if row[2 : 2 + metric.max_order].min() > 0 else 0.0
