"""TER as torchmetrics computes it.

Unlike sacrebleu, it edits the reference into the prediction, so a prediction without words needs no edits. It also
tokenizes references only once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sentences import SentenceScoring
from refscore.compat.torchmetrics.sums import Results, SumsMetric, amount
from refscore.errors import SettingError
from refscore.metrics import TER
from refscore.metrics.ter.metric import tercom_tokenizer


@dataclass
class _Scoring(SentenceScoring):
    normalize: bool = False
    no_punctuation: bool = False
    lowercase: bool = True
    asian_support: bool = False
    return_sentence_level_score: bool = False

    sentence_state = "sentence_ter"

    def __post_init__(self) -> None:
        for name in ("normalize", "no_punctuation", "lowercase", "asian_support"):
            if not isinstance(getattr(self, name), bool):
                raise SettingError(f"{name} must be True or False, not {getattr(self, name)!r}")
        tokenizer = tercom_tokenizer(
            normalized=self.normalize, no_punct=self.no_punctuation, asian_support=self.asian_support
        )
        self.metric = cached_metric(TER, tokenizer=tokenizer, lowercase=self.lowercase, references_twice=False)

    def attributes(self) -> dict[str, Any]:
        return {"return_sentence_level_score": self.return_sentence_level_score}

    def sums(self) -> dict[str, Any]:
        return {"total_num_edits": amount(), "total_tgt_len": amount()}

    def rows_and_scores(self, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        rows = self._rows(preds, target)
        return rows, self.metric.values(rows)

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        result = super().call(preds, target, results)
        return (result[0], list(result[1][:, None])) if isinstance(result, tuple) else result

    def _rows(self, preds: Any, target: Any) -> NDArray[np.float64]:
        """Return each segment's fewest edits from a reference to the prediction, and its mean reference length."""
        preds, target = wrapped(preds, target)
        if lack_references(preds, target):
            return np.zeros((len(preds), 2))
        pairs = Pairs(*grouped(preds, target))
        swapped = self.metric.stats(pairs.references, pairs.texts)
        edits = np.where(swapped[:, 1] > 0, swapped[:, 0], 0.0)
        # Against an empty text, all words are edits.
        lengths = self.metric.stats(pairs.references, [""] * len(pairs.references))[:, 0]
        edits = np.minimum.reduceat(edits, pairs.begins)
        lengths = np.add.reduceat(lengths, pairs.begins) / pairs.counts
        return np.column_stack([edits, lengths])


class TranslationEditRate(SumsMetric, scoring=_Scoring):
    """TER: edits, including moves, divided by reference words. 0 is best, and it may exceed 1.

    Example:
        >>> from refscore.compat.torchmetrics import TranslationEditRate
        >>> TranslationEditRate()(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.1538)
    """

    higher_is_better: ClassVar[bool] = False
    sentence_ter = None  # no annotation: TorchScript cannot read annotations that are strings
