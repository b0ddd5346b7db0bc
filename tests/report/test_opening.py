"""A report and the form open in a real browser. The slow tests are in `test_browser.py` and `test_serve_browser.py`."""

import vl_convert  # noqa: F401
import werkzeug  # noqa: F401

import refscore
from refscore.report import Reporting, build_report, render_page
from tests.report.browsers import Watched
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.serving import served


def test_a_report(browser, tmp_path):
    path = tmp_path / "report.html"
    path.write_text(
        render_page(build_report(SYSTEMS, REFERENCES, metrics=["bleu"], reporting=Reporting(resamples=100))),
        encoding="utf-8",
    )
    opened = Watched(browser, path.as_uri())
    assert opened.page.title() == "alder and 2 other systems"
    assert "clover is worse than alder on BLEU" in opened.page.inner_text("#verdict")
    opened.status("36 of 36 segments")
    opened.close()


def test_the_form(browser):
    with served() as server:
        page = browser.new_page()
        page.goto(server.address)
        page.fill("[name='hypothesis']", "a cat sat on a mat")
        page.fill("[name='reference-1']", "the cat sat on the mat")
        page.click("button.primary")
        score = refscore.BLEU().segment("a cat sat on a mat", "the cat sat on the mat")
        assert f"{score.percent:.2f}" in page.inner_text("#result")
        page.close()
