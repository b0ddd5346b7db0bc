"""pycocoevalcap's `pycocoevalcap.cider.cider`: CIDEr-D of tokenized captions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.pycocoevalcap.captions import Captions, check_captions
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import CIDER

__all__ = ["Cider"]

# pycocoevalcap always counts n-grams up to this order.
_ORDERS = 4


class Cider:
    """Score captions by CIDEr-D, with the document frequencies of their references. Orders above 4 count as 0."""

    def __init__(self, test: Any = None, refs: Any = None, n: int = 4, sigma: float = 6.0) -> None:
        self._n = n
        self._sigma = sigma

    def compute_score(self, gts: Captions, res: Captions) -> tuple[np.float64, NDArray[np.float64]]:
        if not isinstance(self._n, int) or self._n < _ORDERS:
            raise SettingError(f"n must be at least {_ORDERS}, not {self._n!r}: for fewer orders, use refscore.CIDER")
        captions, references = check_captions(gts, res)
        metric = cached_metric(CIDER, preset="coco-caption", tokenizer="none", sigma=float(self._sigma)).fit(references)
        assert metric.document_frequencies is not None
        if len(metric.document_frequencies) == 0:
            raise InputError(Location("gts"), "has no words", "pass tokenized captions")
        scores = metric.segments(captions, references) * (_ORDERS / self._n)
        return np.float64(np.mean(scores)), scores

    def method(self) -> str:
        return "CIDEr"
