"""EED, the extended edit distance, as torchmetrics computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from refscore.compat.metric_cache import cached_metric
from refscore.compat.torchmetrics.inputs import grouped, lack_references, wrapped
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import EED

_PRESETS = {"en": "torchmetrics", "ja": "torchmetrics-ja"}


class NoReferencesError(InputError, IndexError):
    """Raised if `target` is empty. torchmetrics raises an IndexError."""


class NoSegmentsError(InputError, RuntimeError):
    """Raised if there are no segment scores to return. torchmetrics raises a RuntimeError."""


@dataclass
class _Scoring(Scoring):
    language: Literal["en", "ja"] = "en"
    return_sentence_level_score: bool = False
    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0

    def __post_init__(self) -> None:
        if self.language not in _PRESETS:
            raise SettingError(f"language must be 'en' or 'ja', not {self.language!r}")
        costs = {name: getattr(self, name) for name in ("alpha", "rho", "deletion", "insertion")}
        for name, cost in costs.items():
            if not isinstance(cost, float) or not cost >= 0:
                raise SettingError(f"{name} must be a float of at least 0, not {cost!r}")
        self.metric = cached_metric(EED, preset=_PRESETS[self.language], **costs)

    def states(self) -> dict[str, Any]:
        return {"sentence_eed": []}

    def batch(self, preds: Any, target: Any) -> Sums:
        preds, target = wrapped(preds, target)
        if not target:
            raise NoReferencesError(Location("target"), "is empty", "pass one entry per prediction")
        if lack_references(preds, target):
            return {"sentence_eed": np.zeros(0)}
        return {"sentence_eed": self.metric.segments(*grouped(preds, target))}

    def value(self, sums: Sums, results: Results) -> Any:
        scores = sums["sentence_eed"]
        average = results(float(scores.mean()) if len(scores) else 0.0)
        if not self.return_sentence_level_score:
            return average
        if not len(scores):
            raise NoSegmentsError(
                None, "there are no segments with references", "leave out return_sentence_level_score"
            )
        every = results(scores)
        # If all scores are 1, they are integers: torchmetrics bounds a score by the integer 1.
        return average, every.long() if bool((every == 1).all()) else every


class ExtendedEditDistance(SumsMetric, scoring=_Scoring):
    """EED: character edits with jumps, from 0 (best) to 1.

    Example:
        >>> from refscore.compat.torchmetrics import ExtendedEditDistance
        >>> ExtendedEditDistance()(["this is the prediction"], ["this is the reference"])
        tensor(0.3835)
    """

    higher_is_better: ClassVar[bool] = False
    sentence_eed = None  # no annotation: TorchScript cannot read annotations that are strings
