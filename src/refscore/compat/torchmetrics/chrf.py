"""chrF and chrF++ as torchmetrics computes them.

They differ from sacrebleu's in four points:

- The score is the mean of all orders' F-scores.
- A prediction's n-grams count for every order, even if the reference has none of that order.
- A reference without a match adds nothing.
- Characters exclude whitespace at both ends and U+0020, but include other whitespace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result
from refscore.errors import SettingError
from refscore.metrics import CHRF, sum_rows

_SIDES = ("preds", "target", "matching")  # the order of a row's columns


class CHRFScore(SumsMetric):
    """chrF++, or chrF without word n-grams, from 0 to 1. Higher is better.

    Args:
        n_char_order: The longest character n-gram order, 1 or more.
        n_word_order: The longest word n-gram order; 0 for chrF.
        beta: The weight of recall relative to precision.
        lowercase: Lowercase text.
        whitespace: Count whitespace as characters.
        return_sentence_level_score: Also return the scores of all segments.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import CHRFScore
        >>> CHRFScore()(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.8640)
    """

    higher_is_better: ClassVar[bool] = True
    sentence_chrf_score = None  # no annotation: TorchScript cannot read annotations that are strings

    def __init__(
        self,
        n_char_order: int = 6,
        n_word_order: int = 2,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._settings = _Settings.checked(n_char_order, n_word_order, beta, lowercase, whitespace)
        self.n_char_order = n_char_order
        self.n_word_order = n_word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.return_sentence_level_score = return_sentence_level_score
        self.n_order = float(n_char_order + n_word_order)
        for name in self._settings.state_names():
            self._add_sum(name)
        if return_sentence_level_score:
            self.add_state("sentence_chrf_score", [], dist_reduce_fx="cat")

    def _batch(self, preds: Any, target: Any) -> Sums:
        rows, values = _best(self._settings, preds, target)
        sums = dict(zip(self._settings.state_names(), sum_rows(rows).tolist(), strict=True))
        return sums | {"sentence_chrf_score": values} if self.return_sentence_level_score else sums

    def _score(self, sums: Sums) -> Any:
        row = np.array([sums[name] for name in self._settings.state_names()])
        value = self._result(_value(self._settings, row))
        return (value, self._result(sums["sentence_chrf_score"])) if self.return_sentence_level_score else value


def chrf_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    n_char_order: int = 6,
    n_word_order: int = 2,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    return_sentence_level_score: bool = False,
) -> Any:
    """Return the chrF++ of one or several predictions, each with one or several references, like `CHRFScore`.

    The other arguments are those of `CHRFScore`. With `return_sentence_level_score`, also return a tensor of segment
    scores.

    Example:
        >>> from refscore.compat.torchmetrics.functional import chrf_score
        >>> chrf_score(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.8640)
    """
    settings = _Settings.checked(n_char_order, n_word_order, beta, lowercase, whitespace)
    rows, values = _best(settings, preds, target)
    value = result(_value(settings, sum_rows(rows)))
    if return_sentence_level_score and len(values):
        return value, result(values)
    return value


class _Settings(NamedTuple):
    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool

    @classmethod
    def checked(cls, char_order: Any, word_order: Any, beta: Any, lowercase: Any, whitespace: Any) -> _Settings:
        if not isinstance(char_order, int) or char_order < 1:
            raise SettingError(f"n_char_order must be a whole number of at least 1, not {char_order!r}")
        if not isinstance(word_order, int) or word_order < 0:
            raise SettingError(f"n_word_order must be a whole number of at least 0, not {word_order!r}")
        if beta < 0:
            raise SettingError(f"beta must be at least 0, not {beta!r}")
        settings = cls(char_order, word_order, beta, bool(lowercase), bool(whitespace))
        _metric(settings)  # raises errors for the other settings
        return settings

    def state_names(self) -> Iterator[str]:
        """Yield torchmetrics' names of the counts, in the order of a row's columns."""
        for level, orders in (("char", self.char_order), ("word", self.word_order)):
            for n in range(1, orders + 1):
                yield from (f"total_{side}_{level}_{n}_grams" for side in _SIDES)


def _metric(settings: _Settings) -> CHRF:
    """Return the metric with the formula. Its epsilons vanish next to any match."""
    return cached_metric(
        CHRF,
        char_order=settings.char_order,
        word_order=settings.word_order,
        beta=settings.beta,
        smoothing="epsilon",
    )


def _best(settings: _Settings, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Return the row and score of each segment with its best reference."""
    preds, target = wrapped(preds, target)
    if lack_references(preds, target):
        target = [[""] for _ in preds]
    pairs = Pairs(*grouped(preds, target))
    if not pairs.texts:
        return np.zeros((0, 3 * (settings.char_order + settings.word_order)), dtype=np.int64), np.zeros(0, np.float32)
    rows = _rows(settings, pairs.texts, pairs.references)
    values = _f_scores(settings, rows)
    if not pairs.one_each:
        best = pairs.first_best(values)
        rows, values = rows[best], values[best]
    rows[values == 0, 1::3] = 0
    return rows, values


def _rows(settings: _Settings, texts: list[str], references: list[str]) -> NDArray[Any]:
    sides = [texts, references]
    if settings.lowercase:
        sides = [[text.lower() for text in side] for side in sides]
    characters = sides
    if not settings.whitespace:
        characters = [[text.strip().replace(" ", "") for text in side] for side in sides]
    rows = _all_counts(settings.char_order, 0, *characters)
    if settings.word_order:
        rows = np.hstack([rows, _all_counts(0, settings.word_order, *sides)])
    return rows


def _all_counts(char_order: int, word_order: int, texts: list[str], references: list[str]) -> NDArray[Any]:
    """Return rows with all n-grams of the predictions. refscore omits orders that the reference lacks."""
    metric = cached_metric(CHRF, char_order=char_order, word_order=word_order, whitespace=True)
    rows = metric.stats(texts, references)
    lacking = np.flatnonzero((rows[:, 0::3] == 0).any(axis=1))
    if len(lacking):
        alone = [texts[i] for i in lacking]
        rows[lacking, 0::3] = metric.stats(alone, alone)[:, 0::3]
    return rows


def _f_scores(settings: _Settings, rows: NDArray[Any]) -> NDArray[np.float32]:
    """Return the scores of rows in torchmetrics' precision, which decides ties between references."""
    one = np.float32(1)
    texts, references, matches = (np.asarray(rows[:, side::3], dtype=np.float32) for side in range(3))
    precision, recall = matches / np.maximum(texts, one), matches / np.maximum(references, one)
    square = np.float32(settings.beta**2)
    below = np.maximum(square * precision + recall, np.float32(1e-16))
    scores = np.float32(1 + settings.beta**2) * precision * recall / below
    total = np.zeros(len(rows), dtype=np.float32)
    words = np.zeros(len(rows), dtype=np.float32)
    for n in range(settings.char_order):
        total += scores[:, n]
    for n in range(settings.char_order, scores.shape[1]):
        words += scores[:, n]
    total += words
    total /= np.float32(scores.shape[1])
    return total


def _value(settings: _Settings, row: NDArray[Any]) -> float:
    return _metric(settings).score(row).value if row[2::3].any() else 0.0
