"""pycocoevalcap's `pycocoevalcap.bleu.bleu`: BLEU of tokenized captions, for each order up to n."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat.pycocoevalcap.captions import Captions, check_captions
from refscore.errors import SettingError
from refscore.metrics import BLEU

__all__ = ["Bleu"]

# pycocoevalcap always counts n-grams up to this order.
_ORDERS = 4
# The statistics of more captions are computed at once, on all cores.
_FEW_CAPTIONS = 8


@cache
def _metric(order: int) -> tuple[BLEU, NDArray[np.intp]]:
    """Return the metric for an order, and the columns of its statistics among those of all orders."""
    columns = [0, 1, *range(2, 2 + order), *range(2 + _ORDERS, 2 + _ORDERS + order)]
    return BLEU.preset("coco-caption", tokenizer="none", max_order=order), np.array(columns)


class Bleu:
    """Score captions by BLEU-1 to BLEU-n, with n up to 4."""

    def __init__(self, n: int = 4) -> None:
        self._n = n
        self._hypo_for_image: dict[Any, Any] = {}
        self.ref_for_image: dict[Any, Any] = {}

    def compute_score(self, gts: Captions, res: Captions, verbose: int = 1) -> tuple[list[float], list[list[float]]]:
        """Return the corpus scores and the scores of all images, each by order."""
        if not isinstance(self._n, int) or not 1 <= self._n <= _ORDERS:
            raise SettingError(f"n must be from 1 to {_ORDERS}, not {self._n!r}: for more orders, use refscore.BLEU")
        captions, references = check_captions(gts, res)
        counting = _metric(_ORDERS)[0]
        if len(captions) < _FEW_CAPTIONS:
            pairs = zip(captions, references, strict=True)
            rows = np.array([counting.value_and_row(*pair)[1] for pair in pairs], dtype=np.int64)
        else:
            rows = counting.stats(captions, references)
        total = rows.sum(axis=0)
        table = np.concatenate((total[np.newaxis], rows))
        if verbose > 0:
            self._print(rows, total, references, verbose)
        bleus, by_image = [], []
        for order in range(1, self._n + 1):
            metric, columns = _metric(order)
            bleu, *scores = metric.values(table.take(columns, axis=1)).tolist()
            bleus.append(bleu)
            by_image.append(scores)
        return bleus, by_image

    def _print(self, rows: Any, total: Any, references: Any, verbose: int) -> None:
        def counts(row: Any) -> tuple[list[int], list[int]]:
            return row[2 + _ORDERS :].tolist(), row[2 : 2 + _ORDERS].tolist()

        if verbose > 1:
            for row, refs in zip(rows, references, strict=True):
                guess, correct = counts(row)
                lengths = [len(reference.split()) for reference in refs]
                print({"reflen": lengths, "testlen": int(row[0]), "guess": guess, "correct": correct}, int(row[1]))
        guess, correct = (numbers[: self._n] for numbers in counts(total))
        print({"testlen": int(total[0]), "reflen": int(total[1]), "guess": guess, "correct": correct})
        print("ratio:", (int(total[0]) + 1e-15) / (int(total[1]) + 1e-9))

    def method(self) -> str:
        return "Bleu"
