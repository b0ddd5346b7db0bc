"""The settings of reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from refscore.settings import Flag, WholeNumber, setting
from refscore.significance import Resampling
from refscore.significance.settings import ALPHA

if TYPE_CHECKING:
    from refscore.significance.settings import ResamplingSettings

    class ReportingSettings(ResamplingSettings, total=False):
        """The settings of `Reporting`."""

        alpha: float
        holm: bool
        max_segments: int


@dataclass(frozen=True, kw_only=True)
class Reporting(Resampling):
    """The settings of reports.

    Example:
        >>> from refscore.report import Reporting
        >>> Reporting(max_segments=100).alpha
        0.05
    """

    name = "report"

    alpha: float = ALPHA
    holm: bool = setting(
        False,
        "Correct p-values for the number of systems, by Holm's method. Only comparisons with the baseline are "
        "corrected.",
        Flag(),
        key="holm",
    )
    max_segments: int = setting(
        10_000,
        "The largest number of segments on the page. More are sampled at random. Scores, tests and charts of scores "
        "always use all segments.",
        WholeNumber(1, 100_000),
    )
