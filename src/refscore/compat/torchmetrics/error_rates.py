"""The error rates of speech recognition as torchmetrics computes them: of words, split at white space, or characters.

Without any words in the references the rates are infinite, or not a number.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.torchmetrics.inputs import paired
from refscore.compat.torchmetrics.summed import Summed, Sums, result
from refscore.metrics import WER

_WORDS = WER(tokenizer="none")
_CHARACTERS = WER()  # of ids, so that no tokenizer has a say


class _Rate(Summed):
    """Errors over a total, both summed over segments."""

    higher_is_better: ClassVar[bool] = False

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._add_sum("errors")
        self._add_sum("total")

    def _counts(self, preds: Any, target: Any) -> tuple[int, int]:
        raise NotImplementedError

    def _batch(self, preds: Any, target: Any) -> Sums:
        errors, total = self._counts(preds, target)
        return {"errors": errors, "total": total}

    def _score(self, sums: Sums) -> Any:
        return self._result(_ratio(sums["errors"], sums["total"]))


class WordErrorRate(_Rate):
    """The word error rate: errors by words of the references. 0 is best, and it may exceed 1.

    Args:
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import WordErrorRate
        >>> metric = WordErrorRate()
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> metric(predictions, ["this is the reference", "there is another one"])
        tensor(0.5000)
    """

    def _counts(self, preds: Any, target: Any) -> tuple[int, int]:
        return _wer(preds, target)


class CharErrorRate(_Rate):
    """The character error rate: errors by characters of the references, white space included. 0 is best.

    Args:
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import CharErrorRate
        >>> metric = CharErrorRate()
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> metric(predictions, ["this is the reference", "there is another one"])
        tensor(0.3415)
    """

    def _counts(self, preds: Any, target: Any) -> tuple[int, int]:
        return _cer(preds, target)


class MatchErrorRate(_Rate):
    """The match error rate: errors by the words of the longer side of each segment. From 0, which is best, to 1.

    Args:
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import MatchErrorRate
        >>> metric = MatchErrorRate()
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> metric(predictions, ["this is the reference", "there is another one"])
        tensor(0.4444)
    """

    def _counts(self, preds: Any, target: Any) -> tuple[int, int]:
        return _mer(preds, target)


class _Information(Summed):
    """What both measures of word information sum: errors less the longer sides, and the words of either side."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._add_sum("errors")
        self._add_sum("target_total")
        self._add_sum("preds_total")

    def _batch(self, preds: Any, target: Any) -> Sums:
        return dict(zip(("errors", "target_total", "preds_total"), _information(preds, target), strict=True))

    def _preserved(self, sums: Sums) -> float:
        return _preserved(sums["errors"], sums["target_total"], sums["preds_total"])


class WordInfoPreserved(_Information):
    """Word information preserved, from 0 to 1, which is best.

    Args:
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import WordInfoPreserved
        >>> metric = WordInfoPreserved()
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> metric(predictions, ["this is the reference", "there is another one"])
        tensor(0.3472)
    """

    higher_is_better: ClassVar[bool] = False  # as torchmetrics says it

    def _score(self, sums: Sums) -> Any:
        return self._result(self._preserved(sums))


class WordInfoLost(_Information):
    """Word information lost: 1 less what is preserved, from 0, which is best, to 1.

    Args:
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import WordInfoLost
        >>> metric = WordInfoLost()
        >>> predictions = ["this is the prediction", "there is an other sample"]
        >>> metric(predictions, ["this is the reference", "there is another one"])
        tensor(0.6528)
    """

    higher_is_better: ClassVar[bool] = False

    def _score(self, sums: Sums) -> Any:
        return self._result(1 - self._preserved(sums))


def word_error_rate(preds: str | list[str], target: str | list[str]) -> Any:
    """The word error rate.

    Args:
        preds: The predictions, or one.
        target: A reference for each.

    Returns:
        Errors by words of the references, a tensor: 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_error_rate
        >>> word_error_rate("a cat sat down", "the cat sat")
        tensor(0.6667)
    """
    return result(_ratio(*_wer(preds, target)))


def char_error_rate(preds: str | list[str], target: str | list[str]) -> Any:
    """The character error rate, white space included.

    Args:
        preds: The predictions, or one.
        target: A reference for each.

    Returns:
        Errors by characters of the references, a tensor: 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.torchmetrics.functional import char_error_rate
        >>> char_error_rate("a cart", "a cat")
        tensor(0.2000)
    """
    return result(_ratio(*_cer(preds, target)))


def match_error_rate(preds: str | list[str], target: str | list[str]) -> Any:
    """The match error rate.

    Args:
        preds: The predictions, or one.
        target: A reference for each.

    Returns:
        Errors by the words of the longer side of each segment, a tensor from 0, which is best, to 1.

    Example:
        >>> from refscore.compat.torchmetrics.functional import match_error_rate
        >>> match_error_rate("a cat sat down", "the cat sat")
        tensor(0.5000)
    """
    return result(_ratio(*_mer(preds, target)))


def word_information_preserved(preds: str | list[str], target: str | list[str]) -> Any:
    """Word information preserved.

    Args:
        preds: The predictions, or one.
        target: A reference for each.

    Returns:
        A tensor from 0 to 1, which is best.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_information_preserved
        >>> word_information_preserved("a cat sat down", "the cat sat")
        tensor(0.3333)
    """
    return result(_preserved(*_information(preds, target)))


def word_information_lost(preds: str | list[str], target: str | list[str]) -> Any:
    """Word information lost: 1 less what is preserved.

    Args:
        preds: The predictions, or one.
        target: A reference for each.

    Returns:
        A tensor from 0, which is best, to 1.

    Example:
        >>> from refscore.compat.torchmetrics.functional import word_information_lost
        >>> word_information_lost("a cat sat down", "the cat sat")
        tensor(0.6667)
    """
    return result(1 - _preserved(*_information(preds, target)))


def _ratio(part: int, whole: int) -> float:
    if whole:
        return part / whole
    return math.copysign(math.inf, part) if part else math.nan


def _preserved(errors: int, target_total: int, preds_total: int) -> float:
    return _ratio(errors, target_total) * _ratio(errors, preds_total)


def _of_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Of each segment its errors, and the tokens of the reference and of the prediction."""
    hits, substitutions, deletions, insertions = rows.T
    common = hits + substitutions
    return substitutions + deletions + insertions, common + deletions, common + insertions


def _wer(preds: Any, target: Any) -> tuple[int, int]:
    errors, target_len, _ = _of_rows(_WORDS.stats(*paired(preds, target)))
    return int(errors.sum()), int(target_len.sum())


def _mer(preds: Any, target: Any) -> tuple[int, int]:
    errors, target_len, preds_len = _of_rows(_WORDS.stats(*paired(preds, target)))
    return int(errors.sum()), int(np.maximum(target_len, preds_len).sum())


def _information(preds: Any, target: Any) -> tuple[int, int, int]:
    errors, target_len, preds_len = _of_rows(_WORDS.stats(*paired(preds, target)))
    return (
        int(errors.sum() - np.maximum(target_len, preds_len).sum()),
        int(target_len.sum()),
        int(preds_len.sum()),
    )


def _cer(preds: Any, target: Any) -> tuple[int, int]:
    texts, references = paired(preds, target)
    rows = _CHARACTERS.stats([_code_points(text) for text in texts], [[_code_points(text)] for text in references])
    errors, target_len, _ = _of_rows(rows)
    return int(errors.sum()), int(target_len.sum())


def _code_points(text: str) -> NDArray[Any]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<i4")
