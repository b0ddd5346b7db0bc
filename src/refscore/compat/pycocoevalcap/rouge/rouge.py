"""pycocoevalcap's `pycocoevalcap.rouge.rouge`: ROUGE-L of tokenized captions, with the best precision and recall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.pycocoevalcap.captions import Captions, check_candidate, check_captions, check_texts
from refscore.metrics import ROUGE

__all__ = ["Rouge"]


class Rouge:
    """Score captions by ROUGE-L. Precision and recall are the best over all references, each on its own."""

    def __init__(self) -> None:
        self.beta = 1.2

    def calc_score(self, candidate: list[str], refs: list[str]) -> float:
        check_candidate(candidate, "candidate")
        check_texts(refs, "refs")
        return float(self._scores(candidate, [refs])[0])

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, NDArray[np.float64]]:
        scores = self._scores(*check_captions(gts, res))
        return np.float64(np.mean(scores)), scores

    def _scores(self, captions: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        # Splitting at single spaces gives empty tokens, which pycocoevalcap counts.
        hypotheses = [caption.split(" ") for caption, refs in zip(captions, references, strict=True) for _ in refs]
        pairs = [[reference.split(" ")] for refs in references for reference in refs]
        rows = cached_metric(ROUGE, variant="L", tokenizer="none", lowercase=False).stats(hypotheses, pairs)
        starts = np.cumsum([0, *map(len, references[:-1])])
        precision, recall = (np.maximum.reduceat(rows[:, column], starts) for column in (0, 1))
        weight = self.beta**2
        scores = np.zeros(len(captions))
        common = (precision != 0) & (recall != 0)
        p, r = precision[common], recall[common]
        scores[common] = (1 + weight) * p * r / (r + weight * p)
        return scores

    def method(self) -> str:
        return "Rouge"
