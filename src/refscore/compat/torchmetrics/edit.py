"""The edit distance of characters as torchmetrics computes it, within tercom's beam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from refscore.compat.torchmetrics.inputs import paired
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, torch
from refscore.errors import SettingError
from refscore.metrics.ter.beam import beam_distances
from refscore.settings import whole_number

Reduction = Literal["mean", "sum", "none"] | None
_REDUCTIONS = (None, "mean", "sum", "none")


class EditDistance(SumsMetric):
    """The number of edits of characters that turn a prediction into its reference. 0 is best.

    Paths stay within 25 characters of the diagonal, so very different long texts can need more edits.

    Args:
        substitution_cost: The cost of a substitution. Insertions and deletions cost 1.
        reduction: "mean" or "sum" over segments; None or "none" for a result per segment.
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import EditDistance
        >>> EditDistance()(["rain"], ["shine"])
        tensor(3.)
    """

    higher_is_better: ClassVar[bool] = False
    plot_upper_bound = None  # type: ignore[assignment]
    edit_scores_list = None  # no annotation: TorchScript cannot read annotations that are strings

    def __init__(self, substitution_cost: int = 1, reduction: Reduction = "mean", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.substitution_cost = _checked_cost(substitution_cost)
        self.reduction = _checked_reduction(reduction)
        if reduction in (None, "none"):
            self.add_state("edit_scores_list", [], dist_reduce_fx="cat")
        else:
            self._add_sum("edit_scores")
            self._add_sum("num_elements")

    def _batch(self, preds: Any, target: Any) -> Sums:
        distances = _distances(preds, target, self.substitution_cost)
        if self.reduction in (None, "none"):
            return {"edit_scores_list": np.array(distances, dtype=np.int32)}
        return {"edit_scores": sum(distances), "num_elements": len(distances)}

    def _add(self, batch: Sums) -> None:
        if "edit_scores_list" not in batch:
            return super()._add(batch)
        self.edit_scores_list.append(  # type: ignore[attr-defined]
            torch.tensor(batch["edit_scores_list"], device=self.device)
        )
        return None

    def _score(self, sums: Sums) -> Any:
        if self.reduction in (None, "none"):
            return _each(sums["edit_scores_list"].tolist(), self.device)
        if self.reduction == "sum":
            return torch.tensor(sums["edit_scores"], device=self.device)
        return torch.tensor(sums["edit_scores"], device=self.device) / sums["num_elements"]


def edit_distance(
    preds: str | Sequence[str],
    target: str | Sequence[str],
    substitution_cost: int = 1,
    reduction: Reduction = "mean",
) -> Any:
    """Return the edit distance of predictions, each with one reference, like `EditDistance`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import edit_distance
        >>> edit_distance(["rain", "lnaguaeg"], ["shine", "language"], reduction=None)
        tensor([3, 4], dtype=torch.int32)
    """
    reduction = _checked_reduction(reduction)
    distances = _distances(preds, target, _checked_cost(substitution_cost))
    if not distances or reduction in (None, "none"):
        return _each(distances)
    total = torch.tensor(sum(distances))
    return total if reduction == "sum" else total / len(distances)


def _checked_cost(cost: Any) -> int:
    return whole_number("substitution_cost", cost, 0, None)


def _checked_reduction(reduction: Any) -> Any:
    if reduction not in _REDUCTIONS:
        raise SettingError(f"reduction must be one of {_REDUCTIONS}, not {reduction!r}")
    return reduction


def _distances(preds: Any, target: Any, cost: int) -> list[int]:
    return beam_distances(*paired(preds, target), substitution_cost=cost)


def _each(distances: Sequence[int], device: Any = None) -> Any:
    """Return a number per segment; for no segments 0, like torchmetrics."""
    return torch.tensor(list(distances) if len(distances) else 0, dtype=torch.int32, device=device)
