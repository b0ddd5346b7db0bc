"""pycocoevalcap's `pycocoevalcap.rouge.rouge`: ROUGE-L of tokenized captions, with the best precision and recall."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from refscore.compat.pycocoevalcap.captions import Captions, check_candidate, check_captions, check_texts
from refscore.metrics import ROUGE

__all__ = ["Rouge"]

# The statistics of more captions are computed at once, on all cores.
_FEW_CAPTIONS = 8


@cache
def _metric() -> ROUGE:
    return ROUGE(variant="L", tokenizer="none", lowercase=False)


class Rouge:
    """Score captions by ROUGE-L. Precision and recall are the best over all references, each on its own."""

    def __init__(self) -> None:
        self.beta = 1.2

    def calc_score(self, candidate: list[str], refs: list[str]) -> float:
        check_candidate(candidate, "candidate")
        check_texts(refs, "refs")
        return self._score(candidate[0], refs)

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, NDArray[np.float64]]:
        scores = self._scores(*check_captions(gts, res))
        return np.float64(np.mean(scores)), scores

    def _scores(self, captions: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        # Splitting at single spaces gives empty tokens, which pycocoevalcap counts.
        if len(captions) < _FEW_CAPTIONS:
            return np.array([self._score(*both) for both in zip(captions, references, strict=True)])
        hypotheses = [caption.split(" ") for caption, refs in zip(captions, references, strict=True) for _ in refs]
        pairs = [[reference.split(" ")] for refs in references for reference in refs]
        rows = _metric().stats(hypotheses, pairs)
        starts = np.cumsum([0, *map(len, references[:-1])])
        precision, recall = (np.maximum.reduceat(rows[:, column], starts) for column in (0, 1))
        weight = self.beta**2
        scores = np.zeros(len(captions))
        common = (precision != 0) & (recall != 0)
        p, r = precision[common], recall[common]
        scores[common] = (1 + weight) * p * r / (r + weight * p)
        return scores

    def _score(self, caption: str, references: Sequence[str]) -> float:
        """Return what `_scores` returns for one caption."""
        words, metric = caption.split(" "), _metric()
        precision = recall = 0.0
        for reference in references:
            found = metric.value_and_row(words, [reference.split(" ")])[1]
            precision, recall = max(precision, found[0]), max(recall, found[1])
        weight = self.beta**2
        common = precision != 0 and recall != 0
        return (1 + weight) * precision * recall / (recall + weight * precision) if common else 0.0

    def method(self) -> str:
        return "Rouge"
