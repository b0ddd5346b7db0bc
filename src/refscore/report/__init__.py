"""A report: one HTML file that shows how systems differ, opens anywhere and loads nothing."""

from refscore.report.model import Report, build_report
from refscore.report.page import render_page, write_report

__all__ = ["Report", "build_report", "render_page", "write_report"]
