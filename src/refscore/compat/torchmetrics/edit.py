"""The character edit distance as torchmetrics computes it, within tercom's beam."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from refscore.compat.torchmetrics.inputs import paired
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, counts, torch
from refscore.errors import SettingError
from refscore.metrics import check_limits
from refscore.metrics.ter.beam import beam_distances
from refscore.settings import whole_number

_REDUCTIONS = (None, "mean", "sum", "none")


@dataclass
class _Scoring(Scoring):
    substitution_cost: int = 1
    reduction: Literal["mean", "sum", "none"] | None = "mean"

    def __post_init__(self) -> None:
        self.substitution_cost = whole_number("substitution_cost", self.substitution_cost, 0, None)
        if self.reduction not in _REDUCTIONS:
            raise SettingError(f"reduction must be one of {_REDUCTIONS}, not {self.reduction!r}")

    def states(self) -> dict[str, Any]:
        if self.reduction in (None, "none"):
            return {"edit_scores_list": []}
        return {"edit_scores": counts(), "num_elements": counts()}

    def batch(self, preds: Any, target: Any) -> Sums:
        hypotheses, references = paired(preds, target, truncates=False)
        check_limits(hypotheses, [[reference] for reference in references])
        distances = beam_distances(hypotheses, references, substitution_cost=self.substitution_cost)
        if self.reduction in (None, "none"):
            return {"edit_scores_list": np.array(distances, dtype=np.int32)}
        return {"edit_scores": sum(distances), "num_elements": len(distances)}

    def value(self, sums: Sums, results: Results) -> Any:
        if "edit_scores_list" in sums:
            return _each(sums["edit_scores_list"].tolist(), results)
        total = torch.tensor(sums["edit_scores"], device=results.device)
        return total if self.reduction == "sum" else total / sums["num_elements"]

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        sums = self.batch(preds, target)
        return _each([], results) if sums.get("num_elements") == 0 else self.value(sums, results)


def _each(distances: Sequence[int], results: Results) -> Any:
    """Return a number per segment; for no segments 0, like torchmetrics."""
    return torch.tensor(distances or 0, dtype=torch.int32, device=results.device)


class EditDistance(SumsMetric, scoring=_Scoring):
    """The number of character edits that turn a prediction into its reference. 0 is best.

    Paths stay within 25 characters from the diagonal, so very different long texts can need more edits.

    Example:
        >>> from refscore.compat.torchmetrics import EditDistance
        >>> EditDistance(reduction="none")(["rain", "lnaguaeg"], ["shine", "language"])
        tensor([3, 4], dtype=torch.int32)
    """

    higher_is_better: ClassVar[bool] = False
    plot_upper_bound = None  # type: ignore[assignment]
    edit_scores_list = None  # no annotation: TorchScript cannot read annotations that are strings
