"""The settings of rankings of metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from refscore.settings import Choice, WholeNumber, setting, with_default
from refscore.significance import Resampling
from refscore.significance.settings import ALPHA, MOST_DRAWS

Resampled: TypeAlias = Literal["segments", "systems", "both"]

if TYPE_CHECKING:
    from refscore.significance.settings import ResamplingSettings

    class RankingSettings(ResamplingSettings, total=False):
        """The settings of `Ranking`."""

        resample: Resampled
        trials: int
        alpha: float


@dataclass(frozen=True, kw_only=True)
class Ranking(Resampling):
    """The settings of tests and intervals of `rank_metrics`.

    Example:
        >>> from refscore.meta import Ranking
        >>> Ranking(seed=1).trials
        1000
    """

    name = "ranking"

    resamples: int = with_default(
        Resampling.__dataclass_fields__["resamples"],
        0,
        meaning="The number of resamples. They give confidence intervals; 0 for none.",
        kind=WholeNumber(0, MOST_DRAWS),
    )
    resample: Resampled = setting("segments", "What is resampled.", Choice(("segments", "systems", "both")))
    trials: int = setting(1000, "The number of draws of the test; 0 for no test.", WholeNumber(0, MOST_DRAWS))
    alpha: float = ALPHA
