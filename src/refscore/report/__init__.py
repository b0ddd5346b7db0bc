"""A report: one HTML file that shows how systems differ, opens anywhere and sends nothing."""

from refscore.report.model import Report, build_report
from refscore.report.verdicts import Resampling

__all__ = ["Report", "Resampling", "build_report"]
