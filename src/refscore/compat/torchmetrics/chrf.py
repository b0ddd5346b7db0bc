"""chrF and chrF++ as torchmetrics computes them.

They differ from sacrebleu's in four points:

- The score is all orders' mean F-score.
- A prediction's n-grams count for every order, even if the reference has none.
- A reference without a match adds nothing.
- Characters exclude whitespace at both ends and U+0020, but include other whitespace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sums import SentenceScoring, SumsMetric, counts
from refscore.errors import SettingError
from refscore.metrics import CHRF


@dataclass
class _Scoring(SentenceScoring):
    n_char_order: int = 6
    n_word_order: int = 2
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    return_sentence_level_score: bool = False

    sentence_state = "sentence_chrf_score"

    def __post_init__(self) -> None:
        for name, value, least in (("n_char_order", self.n_char_order, 1), ("n_word_order", self.n_word_order, 0)):
            if not isinstance(value, int) or value < least:
                raise SettingError(f"{name} must be a whole number of at least {least}, not {value!r}")
        if self.beta < 0:
            raise SettingError(f"beta must be at least 0, not {self.beta!r}")
        # The metric with the formula. Its epsilons vanish next to any match.
        self.metric = cached_metric(
            CHRF,
            char_order=self.n_char_order,
            word_order=self.n_word_order,
            beta=self.beta,
            smoothing="epsilon",
        )

    def attributes(self) -> dict[str, Any]:
        return {**super().attributes(), "n_order": float(self.n_char_order + self.n_word_order)}

    def sums(self) -> dict[str, Any]:
        return {
            f"total_{side}_{level}_{n}_grams": counts()
            for level, orders in (("char", self.n_char_order), ("word", self.n_word_order))
            for n in range(1, orders + 1)
            for side in ("preds", "target", "matching")  # the order of a row's columns
        }

    def rows_and_scores(self, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """Return each segment's row and score with its best reference."""
        preds, target = wrapped(preds, target)
        if lack_references(preds, target):
            target = [[""] for _ in preds]
        pairs = Pairs(*grouped(preds, target))
        if not pairs.texts:
            width = 3 * (self.n_char_order + self.n_word_order)
            return np.zeros((0, width), dtype=np.int64), np.zeros(0, np.float32)
        rows = self._rows(pairs.texts, pairs.references)
        values = self._f_scores(rows)
        best = pairs.first_best(values)
        rows, values = rows[best], values[best]
        rows[values == 0, 1::3] = 0
        return rows, values

    def score(self, row: NDArray[Any]) -> float:
        return super().score(row) if row[2::3].any() else 0.0

    def _rows(self, texts: list[str], references: list[str]) -> NDArray[Any]:
        sides = [texts, references]
        if self.lowercase:
            sides = [[text.lower() for text in side] for side in sides]
        characters = sides
        if not self.whitespace:
            characters = [[text.strip().replace(" ", "") for text in side] for side in sides]
        rows = _all_counts(self.n_char_order, 0, *characters)
        if self.n_word_order:
            rows = np.hstack([rows, _all_counts(0, self.n_word_order, *sides)])
        return rows

    def _f_scores(self, rows: NDArray[Any]) -> NDArray[np.float32]:
        """Return rows' scores in torchmetrics' precision, which decides ties between references."""
        one = np.float32(1)
        texts, references, matches = (np.asarray(rows[:, side::3], dtype=np.float32) for side in range(3))
        precision, recall = matches / np.maximum(texts, one), matches / np.maximum(references, one)
        square = np.float32(self.beta**2)
        below = np.maximum(square * precision + recall, np.float32(1e-16))
        scores = np.float32(1 + self.beta**2) * precision * recall / below
        total = np.zeros(len(rows), dtype=np.float32)
        words = np.zeros(len(rows), dtype=np.float32)
        for n in range(self.n_char_order):
            total += scores[:, n]
        for n in range(self.n_char_order, scores.shape[1]):
            words += scores[:, n]
        total += words
        total /= np.float32(scores.shape[1])
        return total


def _all_counts(char_order: int, word_order: int, texts: list[str], references: list[str]) -> NDArray[Any]:
    """Return rows with all n-grams in predictions. refscore omits orders that the reference lacks."""
    metric = cached_metric(CHRF, char_order=char_order, word_order=word_order, whitespace=True)
    rows = metric.stats(texts, references)
    lacking = np.flatnonzero((rows[:, 0::3] == 0).any(axis=1))
    if len(lacking):
        alone = [texts[i] for i in lacking]
        rows[lacking, 0::3] = metric.stats(alone, alone)[:, 0::3]
    return rows


class CHRFScore(SumsMetric, scoring=_Scoring):
    """chrF++, or chrF without word n-grams, from 0 to 1. Higher is better."""

    higher_is_better: ClassVar[bool] = True
    sentence_chrf_score = None  # no annotation: TorchScript cannot read annotations that are strings
