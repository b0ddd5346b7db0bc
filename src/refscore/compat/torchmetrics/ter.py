"""TER as torchmetrics computes it.

Unlike sacrebleu, it edits the reference into the prediction, so a prediction without words needs no edits. It also
tokenizes references only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import Pairs, grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result, torch
from refscore.errors import SettingError
from refscore.metrics import TER, sum_rows
from refscore.metrics.ter.metric import tercom_tokenizer


class TranslationEditRate(SumsMetric):
    """TER: edits, including moves of phrases, divided by reference words. 0 is best, and it may exceed 1.

    Args:
        normalize: Unescape entities, and separate punctuation from words.
        no_punctuation: Remove punctuation.
        lowercase: Lowercase text.
        asian_support: Apply `normalize` and `no_punctuation` to Chinese and Japanese too.
        return_sentence_level_score: Also return the scores of all segments.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import TranslationEditRate
        >>> TranslationEditRate()(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.1538)
    """

    higher_is_better: ClassVar[bool] = False
    sentence_ter = None  # no annotation: TorchScript cannot read annotations that are strings

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
        self._ter = _metric(
            normalize=normalize, no_punctuation=no_punctuation, lowercase=lowercase, asian_support=asian_support
        )
        self.return_sentence_level_score = return_sentence_level_score
        self._add_sum("total_num_edits", dtype=torch.float64)
        self._add_sum("total_tgt_len", dtype=torch.float64)
        if return_sentence_level_score:
            self.add_state("sentence_ter", [], dist_reduce_fx="cat")

    def _batch(self, preds: Any, target: Any) -> Sums:
        rows = _rows(self._ter, preds, target)
        edits, length = sum_rows(rows).tolist()
        sums = {"total_num_edits": edits, "total_tgt_len": length}
        return sums | {"sentence_ter": self._ter.values(rows)} if self.return_sentence_level_score else sums

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
    """Return the TER of one or several predictions, each with one or several references, like `TranslationEditRate`.

    The other arguments are those of `TranslationEditRate`. With `return_sentence_level_score`, also return a list with
    one tensor per segment.

    Example:
        >>> from refscore.compat.torchmetrics.functional import translation_edit_rate
        >>> translation_edit_rate(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.1538)
    """
    metric = _metric(
        normalize=normalize, no_punctuation=no_punctuation, lowercase=lowercase, asian_support=asian_support
    )
    rows = _rows(metric, preds, target)
    value = result(metric.score(sum_rows(rows)).value)
    if return_sentence_level_score and len(rows):
        return value, [result([each]) for each in metric.values(rows)]
    return value


def _metric(**settings: Any) -> TER:
    for name, value in settings.items():
        if not isinstance(value, bool):
            raise SettingError(f"{name} must be True or False, not {value!r}")
    tokenizer = tercom_tokenizer(
        normalized=settings["normalize"],
        no_punct=settings["no_punctuation"],
        asian_support=settings["asian_support"],
    )
    return cached_metric(TER, tokenizer=tokenizer, lowercase=settings["lowercase"], references_twice=False)


def _rows(metric: TER, preds: Any, target: Any) -> NDArray[np.float64]:
    """Return the fewest edits from a reference to the prediction and the mean reference length, for each segment."""
    preds, target = wrapped(preds, target)
    if lack_references(preds, target):
        return np.zeros((len(preds), 2))
    pairs = Pairs(*grouped(preds, target))
    swapped = metric.stats(pairs.references, pairs.texts)
    edits = np.where(swapped[:, 1] > 0, swapped[:, 0], 0.0)
    lengths = metric.stats(pairs.references, [""] * len(pairs.references))[
        :, 0
    ]  # against an empty text, all words are edits
    if pairs.one_each:
        return np.column_stack([edits, lengths])
    return np.column_stack(
        [np.minimum.reduceat(edits, pairs.begins), np.add.reduceat(lengths, pairs.begins) / pairs.counts]
    )
