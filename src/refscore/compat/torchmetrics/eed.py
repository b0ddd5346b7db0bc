"""EED, the extended edit distance, as torchmetrics computes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result
from refscore.errors import SettingError
from refscore.metrics import EED

_PRESETS = {"en": "torchmetrics", "ja": "torchmetrics-ja"}
Language = Literal["en", "ja"]


class ExtendedEditDistance(SumsMetric):
    """EED: edits of characters with jumps, from 0 (best) to 1.

    Args:
        language: "en" or "ja", which selects the rules for punctuation and characters.
        return_sentence_level_score: Also return the scores of all segments.
        alpha: The cost of a jump.
        rho: The weight of the coverage.
        deletion: The cost of a character that only the prediction has.
        insertion: The cost of a character that only the reference has.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import ExtendedEditDistance
        >>> preds = ["this is the prediction", "here is an other sample"]
        >>> ExtendedEditDistance()(preds, ["this is the reference", "here is another one"])
        tensor(0.3078)
    """

    higher_is_better: ClassVar[bool] = False
    sentence_eed = None  # no annotation: TorchScript cannot read annotations that are strings

    def __init__(
        self,
        language: Language = "en",
        return_sentence_level_score: bool = False,
        alpha: float = 2.0,
        rho: float = 0.3,
        deletion: float = 0.2,
        insertion: float = 1.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._eed = _metric(language, alpha=alpha, rho=rho, deletion=deletion, insertion=insertion)
        self.language = language
        self.return_sentence_level_score = return_sentence_level_score
        self.alpha, self.rho, self.deletion, self.insertion = alpha, rho, deletion, insertion
        self.add_state("sentence_eed", [], dist_reduce_fx="cat")

    def _batch(self, preds: Any, target: Any) -> Sums:
        return {"sentence_eed": _scores(self._eed, preds, target)}

    def _score(self, sums: Sums) -> Any:
        scores = sums["sentence_eed"]
        average = self._result(_mean(scores))
        return (average, _as_original(self._result(scores))) if self.return_sentence_level_score else average


def extended_edit_distance(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    language: Language = "en",
    return_sentence_level_score: bool = False,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
) -> Any:
    """Return the EED of one or several predictions, each with one or several references, like `ExtendedEditDistance`.

    The other arguments are those of `ExtendedEditDistance`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import extended_edit_distance
        >>> extended_edit_distance(["this is the prediction"], ["this is the reference"])
        tensor(0.3835)
    """
    metric = _metric(language, alpha=alpha, rho=rho, deletion=deletion, insertion=insertion)
    scores = _scores(metric, preds, target)
    average = result(_mean(scores))
    return (average, _as_original(result(scores))) if return_sentence_level_score else average


def _as_original(scores: Any) -> Any:
    """Return scores that are all 1 as integers: torchmetrics bounds a score by the integer 1."""
    return scores.long() if len(scores) and bool((scores == 1).all()) else scores


def _metric(language: Any, **costs: Any) -> EED:
    if language not in _PRESETS:
        raise SettingError(f"language must be 'en' or 'ja', not {language!r}")
    for name, cost in costs.items():
        if not isinstance(cost, float) or not cost >= 0:
            raise SettingError(f"{name} must be a float of at least 0, not {cost!r}")
    return cached_metric(EED, preset=_PRESETS[language], **costs)


def _scores(metric: EED, preds: Any, target: Any) -> NDArray[np.float64]:
    """Return the score of each segment; none if there are no predictions or no references."""
    preds, target = wrapped(preds, target)
    if lack_references(preds, target):
        return np.zeros(0)
    return metric.segments(*grouped(preds, target))


def _mean(scores: NDArray[Any]) -> float:
    return float(scores.mean()) if len(scores) else 0.0
