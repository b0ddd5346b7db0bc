"""TER as torchmetrics computes it.

It takes the sides the other way round than sacrebleu: the reference is edited into the prediction, so that a prediction
without words needs no edits; and it tokenizes references once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.torchmetrics.inputs import Pairs, grouped, wrapped
from refscore.compat.torchmetrics.needed import torch
from refscore.compat.torchmetrics.summed import Summed, Sums, result
from refscore.errors import SettingError
from refscore.metrics import TER


class TranslationEditRate(Summed):
    """TER: edits, moves of phrases among them, by reference words. 0 is best, and it may exceed 1.

    Args:
        normalize: Unescape entities, and separate punctuation from words.
        no_punctuation: Remove punctuation.
        lowercase: Whether text is lowercased.
        asian_support: Whether the two settings before treat Chinese and Japanese too.
        return_sentence_level_score: Whether the scores of all segments are returned too.
        **kwargs: Those of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import TranslationEditRate
        >>> metric = TranslationEditRate()
        >>> metric(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.1538)
    """

    higher_is_better: ClassVar[bool] = False
    sentence_ter: Any = None

    def __init__(
        self,
        normalize: bool = False,
        no_punctuation: bool = False,
        lowercase: bool = True,
        asian_support: bool = False,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._ter = _checked(normalize, no_punctuation, lowercase, asian_support)
        self.return_sentence_level_score = return_sentence_level_score
        self._add_sum("total_num_edits", dtype=torch.float64)
        self._add_sum("total_tgt_len", dtype=torch.float64)
        if return_sentence_level_score:
            self.add_state("sentence_ter", [], dist_reduce_fx="cat")

    def _batch(self, preds: Any, target: Any) -> Sums:
        rows = _rows(self._ter, preds, target)
        edits, length = rows.sum(0).tolist()
        sums = {"total_num_edits": edits, "total_tgt_len": length}
        return sums | {"sentence_ter": _values(self._ter, rows)} if self.return_sentence_level_score else sums

    def _score(self, sums: Sums) -> Any:
        value = self._result(self._ter.score([sums["total_num_edits"], sums["total_tgt_len"]]).value)
        return (value, self._result(sums["sentence_ter"])) if self.return_sentence_level_score else value


def translation_edit_rate(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    normalize: bool = False,
    no_punctuation: bool = False,
    lowercase: bool = True,
    asian_support: bool = False,
    return_sentence_level_score: bool = False,
) -> Any:
    """TER: edits, moves of phrases among them, by reference words.

    Args:
        preds: The predictions, or one.
        target: For each of them a list of references, or one.
        normalize: Unescape entities, and separate punctuation from words.
        no_punctuation: Remove punctuation.
        lowercase: Whether text is lowercased.
        asian_support: Whether the two settings before treat Chinese and Japanese too.
        return_sentence_level_score: Whether the scores of all segments are returned too.

    Returns:
        The rate, a tensor: 0 is best, and it may exceed 1; with `return_sentence_level_score` also a list of tensors,
        one for each segment.

    Example:
        >>> from refscore.compat.torchmetrics.functional import translation_edit_rate
        >>> translation_edit_rate(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.1538)
    """
    metric = _checked(normalize, no_punctuation, lowercase, asian_support)
    rows = _rows(metric, preds, target)
    value = result(metric.score(rows.sum(0)).value)
    if return_sentence_level_score and len(rows):
        return value, [result([each]) for each in _values(metric, rows)]
    return value


def _checked(normalize: Any, no_punctuation: Any, lowercase: Any, asian_support: Any) -> TER:
    given = {
        "normalize": normalize,
        "no_punctuation": no_punctuation,
        "lowercase": lowercase,
        "asian_support": asian_support,
    }
    for name, value in given.items():
        if not isinstance(value, bool):
            raise SettingError(f"{name} must be True or False, not {value!r}")
    return _metric(normalize, no_punctuation, lowercase, asian_support)


@lru_cache(maxsize=16)
def _metric(normalize: bool, no_punctuation: bool, lowercase: bool, asian_support: bool) -> TER:
    return TER(
        normalized=normalize,
        no_punct=no_punctuation,
        case_sensitive=not lowercase,
        asian_support=asian_support,
        references_twice=False,
    )


def _rows(metric: TER, preds: Any, target: Any) -> NDArray[np.float64]:
    """Of each segment the fewest edits that make a reference the prediction, and the mean length of its references."""
    pairs = Pairs(*grouped(*wrapped(preds, target)))
    if not pairs.texts:
        return np.zeros((0, 2))
    swapped = metric.stats(pairs.references, pairs.texts)
    edits = np.where(swapped[:, 1] > 0, swapped[:, 0], 0.0)
    lengths = metric.stats(pairs.references, [""] * len(pairs.references))[:, 0]  # all words are edits then
    if pairs.one_each:
        return np.column_stack([edits, lengths])
    return np.column_stack(
        [np.minimum.reduceat(edits, pairs.begins), np.add.reduceat(lengths, pairs.begins) / pairs.counts]
    )


def _values(metric: TER, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([metric.score(row).value for row in rows])
