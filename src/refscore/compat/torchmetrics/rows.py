"""Use any refscore metric as a torchmetrics metric, and RIBES, which torchmetrics lacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refscore.compat.torchmetrics.inputs import grouped, wrapped
from refscore.compat.torchmetrics.sums import Sums, SumsMetric, result, torch
from refscore.errors import SettingError
from refscore.metrics import RIBES, Metric, sum_rows


class RowsScore(SumsMetric):
    """A refscore metric as a torchmetrics metric. Its state is the sum of its rows, in int64 or float64.

    Keyword arguments are those of `torchmetrics.Metric`.

    Example:
        >>> import refscore
        >>> from refscore.compat.torchmetrics import RowsScore
        >>> metric = RowsScore(refscore.GLEU())
        >>> metric(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7778)
        >>> metric.row
        tensor([14, 18])
    """

    def __init__(self, metric: Metric[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(metric, Metric):
            raise SettingError(f"metric must be one of refscore's, such as refscore.GLEU(), not {metric!r}")
        self.metric = metric
        dtype = torch.int64 if metric.row_type.kind == "i" else torch.float64
        self._add_sum("row", (len(metric.columns),), dtype)

    @property
    def higher_is_better(self) -> bool:
        """Whether higher scores are better."""
        return self.metric.higher_is_better

    def _batch(self, preds: Any, target: Any) -> Sums:
        return {"row": sum_rows(self.metric.stats(*grouped(*wrapped(preds, target))))}

    def _score(self, sums: Sums) -> Any:
        return self._result(self.metric.score(sums["row"]).value)


class RIBESScore(RowsScore):
    """RIBES, which compares word order, from 0 to 1. Higher is better.

    Args:
        alpha: The exponent of the precision, the share of aligned words.
        beta: The exponent of the brevity penalty.
        preset: The conventions: "official", "nltk" or "nltk-3.9".
        **kwargs: The arguments of `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import RIBESScore
        >>> RIBESScore()(["the book was read by the boy"], [["the boy read the book"]])
        tensor(0.1839)
    """

    def __init__(self, alpha: float = 0.25, beta: float = 0.10, preset: str = "official", **kwargs: Any) -> None:
        super().__init__(RIBES.preset(preset, alpha=alpha, beta=beta), **kwargs)


def ribes_score(
    preds: str | Sequence[str],
    target: Sequence[str | Sequence[str]],
    alpha: float = 0.25,
    beta: float = 0.10,
    preset: str = "official",
) -> Any:
    """Return the RIBES of one or several predictions, each with one or several references. Settings: see `RIBESScore`.

    Example:
        >>> from refscore.compat.torchmetrics.functional import ribes_score
        >>> ribes_score(["the book was read by the boy"], ["the boy read the book"])
        tensor(0.1839)
    """
    metric = RIBES.preset(preset, alpha=alpha, beta=beta)
    return result(metric.score(sum_rows(metric.stats(*grouped(*wrapped(preds, target))))).value)
