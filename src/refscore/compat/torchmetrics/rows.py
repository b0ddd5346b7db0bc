"""Use any refscore metric as a torchmetrics metric, and RIBES, which torchmetrics lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refscore.compat.torchmetrics.inputs import grouped, wrapped
from refscore.compat.torchmetrics.sums import Results, Scoring, Sums, SumsMetric, amount, counts
from refscore.errors import SettingError
from refscore.metrics import RIBES, Metric, sum_rows


@dataclass
class _Scoring(Scoring):
    metric: Metric[Any]

    def __post_init__(self) -> None:
        if not isinstance(self.metric, Metric):
            raise SettingError(f"metric must be one of refscore's, such as refscore.GLEU(), not {self.metric!r}")

    def attributes(self) -> dict[str, Any]:
        return {"metric": self.metric}

    def states(self) -> dict[str, Any]:
        state = counts if self.metric.row_type.kind == "i" else amount
        return {"row": state(len(self.metric.columns))}

    def batch(self, preds: Any, target: Any) -> Sums:
        return {"row": sum_rows(self.metric.stats(*grouped(*wrapped(preds, target))))}

    def value(self, sums: Sums, results: Results) -> Any:
        return results(self.metric.score(sums["row"]).value)


class _Ribes(_Scoring):
    def __init__(self, alpha: float = 0.25, beta: float = 0.10, preset: str = "official") -> None:
        super().__init__(RIBES.preset(preset, alpha=alpha, beta=beta))


class RowsScore(SumsMetric, scoring=_Scoring):
    """A refscore metric as a torchmetrics metric. Its state is its summed rows, in int64 or float64.

    Example:
        >>> import refscore
        >>> from refscore.compat.torchmetrics import RowsScore
        >>> metric = RowsScore(refscore.GLEU())
        >>> metric(["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]])
        tensor(0.7778)
        >>> metric.row
        tensor([14, 18])
    """

    @property
    def higher_is_better(self) -> bool:
        return bool(self.metric.higher_is_better)


class RIBESScore(RowsScore, scoring=_Ribes):
    """RIBES, which compares word order, from 0 to 1. Higher is better.

    Args:
        alpha: The exponent for the precision, the share of aligned words.
        beta: The exponent for the brevity penalty.
        preset: The conventions: "official", "nltk" or "nltk-3.9".
        **kwargs: Arguments for `torchmetrics.Metric`.

    Example:
        >>> from refscore.compat.torchmetrics import RIBESScore
        >>> RIBESScore()(["the book was read by the boy"], [["the boy read the book"]])
        tensor(0.1839)
    """
