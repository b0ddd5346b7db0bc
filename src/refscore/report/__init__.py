"""Reports: one self-contained HTML file that shows how systems differ."""

from refscore.report.agreement import Agreement
from refscore.report.model import Report, Reporting, build_report
from refscore.report.page import render_page, report_evaluation, write_report

__all__ = [
    "Agreement",
    "Report",
    "Reporting",
    "build_report",
    "render_page",
    "report_evaluation",
    "write_report",
]
