"""Error rates for speech recognition as torchmetrics computes them, for words (split at whitespace) or characters.

If the references have no words, the rates are infinite or NaN. The keyword arguments of the classes are those of
`torchmetrics.Metric`.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.torchmetrics.inputs import paired
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result
from refscore.metrics import WER, sum_rows

Texts = str | list[str]

_WORDS = WER(tokenizer="none")
_CHARACTERS = WER()  # reads ids, which no tokenizer changes


class _ErrorRate(SumsMetric):
    """A rate computed from numbers that are summed over segments."""

    higher_is_better: ClassVar[bool] = False
    _states: ClassVar[tuple[str, ...]] = ("errors", "total")
    _counts: ClassVar[Any]  # a function from predictions and references to the numbers of a batch

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        for name in self._states:
            self._add_sum(name)

    def _batch(self, preds: Any, target: Any) -> Sums:
        return dict(zip(self._states, self._counts(preds, target), strict=True))

    def _score(self, sums: Sums) -> Any:
        return self._result(self._rate(*(sums[name] for name in self._states)))

    def _rate(self, *counts: int) -> float:
        return _ratio(*counts)


def _sums(rows: NDArray[Any]) -> tuple[int, int, int, int]:
    """Return the sums of errors, reference tokens, prediction tokens, and tokens of the longer side of each segment."""
    hits, substitutions, deletions, insertions = sum_rows(rows).tolist()
    common = hits + substitutions
    longer = common + int(np.maximum(rows[:, 2], rows[:, 3]).sum())
    return substitutions + deletions + insertions, common + deletions, common + insertions, longer


def _wer_counts(preds: Any, target: Any) -> tuple[int, int]:
    return _sums(_WORDS.stats(*paired(preds, target)))[:2]


def _mer_counts(preds: Any, target: Any) -> tuple[int, int]:
    errors, _, _, longer = _sums(_WORDS.stats(*paired(preds, target)))
    return errors, longer


def _information_counts(preds: Any, target: Any) -> tuple[int, int, int]:
    """Return the errors minus the words of the longer sides, and the words of both sides."""
    errors, target_len, preds_len, longer = _sums(_WORDS.stats(*paired(preds, target)))
    return errors - longer, target_len, preds_len


def _cer_counts(preds: Any, target: Any) -> tuple[int, int]:
    texts, references = paired(preds, target)
    rows = _CHARACTERS.stats([_code_points(text) for text in texts], [[_code_points(text)] for text in references])
    return _sums(rows)[:2]


def _code_points(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")


def _ratio(part: int, whole: int) -> float:
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else math.nan


def _preserved(errors: int, target_total: int, preds_total: int) -> float:
    return _ratio(errors, target_total) * _ratio(errors, preds_total)


class WordErrorRate(_ErrorRate):
    """The word error rate: errors divided by reference words. 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.torchmetrics import WordErrorRate
        >>> WordErrorRate()("a cat sat down", "the cat sat")
        tensor(0.6667)
    """

    _counts = staticmethod(_wer_counts)


class CharErrorRate(_ErrorRate):
    """The character error rate: errors divided by reference characters, including whitespace. 0 is best.

    Example:
        >>> from refscore.compat.torchmetrics import CharErrorRate
        >>> CharErrorRate()("a cart", "a cat")
        tensor(0.2000)
    """

    _counts = staticmethod(_cer_counts)


class MatchErrorRate(_ErrorRate):
    """The match error rate: errors divided by words of the longer side of each segment, from 0 (best) to 1.

    Example:
        >>> from refscore.compat.torchmetrics import MatchErrorRate
        >>> MatchErrorRate()("a cat sat down", "the cat sat")
        tensor(0.5000)
    """

    _counts = staticmethod(_mer_counts)


class _InformationRate(_ErrorRate):
    """A rate computed from `_information_counts`. torchmetrics declares the same direction for both subclasses."""

    _states = ("errors", "target_total", "preds_total")
    _counts = staticmethod(_information_counts)


class WordInfoPreserved(_InformationRate):
    """The word information preserved, from 0 to 1 (best).

    Example:
        >>> from refscore.compat.torchmetrics import WordInfoPreserved
        >>> WordInfoPreserved()("a cat sat down", "the cat sat")
        tensor(0.3333)
    """

    def _rate(self, *counts: int) -> float:
        return _preserved(*counts)


class WordInfoLost(_InformationRate):
    """The word information lost, from 0 (best) to 1: 1 minus the word information preserved.

    Example:
        >>> from refscore.compat.torchmetrics import WordInfoLost
        >>> WordInfoLost()("a cat sat down", "the cat sat")
        tensor(0.6667)
    """

    def _rate(self, *counts: int) -> float:
        return 1 - _preserved(*counts)


def word_error_rate(preds: Texts, target: Texts) -> Any:
    """Return the word error rate of predictions, each with one reference, like `WordErrorRate`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_error_rate
        >>> word_error_rate("a cat sat down", "the cat sat")
        tensor(0.6667)
    """
    return result(_ratio(*_wer_counts(preds, target)))


def char_error_rate(preds: Texts, target: Texts) -> Any:
    """Return the character error rate of predictions, each with one reference, like `CharErrorRate`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import char_error_rate
        >>> char_error_rate("a cart", "a cat")
        tensor(0.2000)
    """
    return result(_ratio(*_cer_counts(preds, target)))


def match_error_rate(preds: Texts, target: Texts) -> Any:
    """Return the match error rate of predictions, each with one reference, like `MatchErrorRate`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import match_error_rate
        >>> match_error_rate("a cat sat down", "the cat sat")
        tensor(0.5000)
    """
    return result(_ratio(*_mer_counts(preds, target)))


def word_information_preserved(preds: Texts, target: Texts) -> Any:
    """Return the word information preserved by predictions, each with one reference, like `WordInfoPreserved`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_information_preserved
        >>> word_information_preserved("a cat sat down", "the cat sat")
        tensor(0.3333)
    """
    return result(_preserved(*_information_counts(preds, target)))


def word_information_lost(preds: Texts, target: Texts) -> Any:
    """Return the word information lost by predictions, each with one reference, like `WordInfoLost`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_information_lost
        >>> word_information_lost("a cat sat down", "the cat sat")
        tensor(0.6667)
    """
    return result(1 - _preserved(*_information_counts(preds, target)))
