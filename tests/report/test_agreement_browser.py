"""The charts of agreement with people in a real browser."""

import re

import numpy as np
import pytest
import vl_convert  # noqa: F401

from refscore.meta import Judgments
from refscore.report import Reporting, build_report, render_page
from tests.report.browsers import Watched, nameless
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.test_page_layout import OVERLAPS

pytestmark = pytest.mark.slow

CHARTS = ["people-0", "people-1", "people-2", "people-bins"]


@pytest.fixture(scope="module")
def human():
    return np.random.default_rng(4).normal(70, 20, (3, len(REFERENCES))).round()


@pytest.fixture(scope="module")
def address(tmp_path_factory, human):
    report = build_report(SYSTEMS, REFERENCES, human=human, reporting=Reporting(resamples=10))
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_page(report), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opening(browser, address):
    opened = []

    def open_page(width=1400, scheme="light"):
        options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
        opened.append(Watched(browser, address, permissions=["clipboard-read", "clipboard-write"], **options))
        return opened[-1]

    yield open_page
    for each in opened:
        each.close()  # fails if the page reported an error or asked for anything external


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (1000, "dark"), (400, "light"), (400, "dark")])
def test_charts_fit(opening, width, scheme):
    watched = opening(width, scheme)
    watched.draw_all()
    figures = watched.page.locator("#agreement-charts > figure")
    drawn = figures.locator(".plot[data-drawn]").evaluate_all("all => all.map((plot) => plot.id)")
    assert drawn == [f"chart-{name}" for name in CHARTS]
    for figure in figures.all():
        assert figure.evaluate(OVERLAPS) == [], figure.locator("h3").inner_text()
        plot = figure.locator(".plot").evaluate("plot => [plot.clientHeight, plot.scrollHeight]")
        assert plot[0] == plot[1]  # the reserved height equals the picture's
        title, note = figure.locator("h3").inner_text(), figure.locator("figcaption p").inner_text()
        assert figure.locator("[role='graphics-document']").get_attribute("aria-label") == f"{title}. {note}"
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    assert nameless(watched.page) == 0


def test_points_and_means(opening):
    watched = opening()
    watched.draw_all()
    shapes = watched.page.locator("#chart-people-0 .mark-symbol.role-mark")
    assert shapes.nth(0).locator("path").count() == 3 * len(REFERENCES)
    means = shapes.nth(1).locator("path").evaluate_all("all => all.map((path) => path.getAttribute('aria-label'))")
    assert [label.split(",")[0] for label in means] == ["clover", "birch", "alder"]  # A is drawn last
    lines = watched.page.locator("#chart-people-bins .mark-line path[aria-roledescription]")
    assert lines.count() == 3


def test_colours_follow_the_scheme(opening):
    inks = []
    for scheme in ("light", "dark"):
        watched = opening(scheme=scheme)
        watched.draw_all()
        inks.append(watched.page.locator("#chart-people-0 .mark-symbol.role-mark path").last.get_attribute("stroke"))
    assert inks == ["#1b1f24", "#e8eaed"]


def test_the_keyboard_reaches_segments(opening, human):
    page = opening().page
    figure = page.locator("figure:has(#chart-people-1)")
    figure.locator("summary").focus()
    page.keyboard.press("Enter")
    rows = figure.locator("tbody tr")
    rows.first.wait_for()
    assert rows.count() == 3 + 20
    cells = [row.locator("td").all_inner_texts() for row in rows.all()]
    assert cells[1][:2] == ["birch, mean", f"{human[1].mean():.2f}"]
    assert figure.locator("tbody button").count() == 20  # means are not segments
    button = figure.locator("tbody button").first
    number = button.inner_text().split()[-1]
    button.focus()
    page.keyboard.press("Enter")
    page.locator(f"#detail h3:has-text('{number}')").wait_for()


def test_the_selected_metric_is_named(opening):
    page = opening().page
    page.select_option("#metric", label="TER")
    note = page.locator("figure:has(#chart-people-bins) figcaption p").inner_text()
    assert note.endswith("The line with circles is TER, the metric selected above.")
    figure = page.locator("figure:has(#chart-people-2)")
    assert "lower is better" in figure.locator("figcaption p").inner_text()


def test_tables_are_copied(opening):
    page = opening().page
    page.locator("#agreement-copies [data-copy='TSV']").click()
    page.locator("#agreement-copies [role='status']:has-text('Copied')").wait_for()
    head, *rows = (line.split("\t") for line in page.evaluate("navigator.clipboard.readText()").splitlines())
    assert head[:3] == ["metric", "acc*_eq, segments, by item", "acc*_eq, segments, by item, cluster"]
    shown = page.locator("#agreement-table tbody tr")
    for row, texts in zip(rows, shown.all(), strict=True):
        values = texts.locator(".value").all_inner_texts()
        assert row[1::2] == [value.replace("−", "-") for value in values]


@pytest.fixture(scope="module")
def address_of_many(tmp_path_factory):
    generator = np.random.default_rng(8)
    words = [(entry if isinstance(entry, str) else entry[0]).split() for entry in REFERENCES]
    systems = {
        f"system {k}": [" ".join(w for w in line if generator.random() > 0.06 * k) or "x" for line in words]
        for k in range(9)
    }
    human = Judgments.from_scores(
        {name: (80 - k + generator.normal(0, 8, len(words))).tolist() for k, name in enumerate(systems)}
    )
    second = human.human + generator.normal(0, 6, human.human.shape)
    report = build_report(
        systems, REFERENCES, human=human.with_annotator("second", second), reporting=Reporting(resamples=10)
    )
    path = tmp_path_factory.mktemp("many") / "report.html"
    path.write_text(render_page(report), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (1400, "dark"), (400, "light"), (400, "dark")])
def test_what_a_difference_means(browser, address_of_many, width, scheme):
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
    watched = Watched(browser, address_of_many, permissions=["clipboard-read", "clipboard-write"], **options)
    watched.draw_all()
    figure = watched.page.locator("figure", has=watched.page.locator("#chart-people-differences"))
    assert figure.locator("h3").inner_text() == "What a difference in BLEU means"
    assert figure.evaluate(OVERLAPS) == []
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
    labels = figure.locator(".mark-symbol path").evaluate_all(
        "all => all.map((path) => path.getAttribute('aria-label'))"
    )
    assert "people agree in" in labels[0] and "36 pairs" in labels[0]
    note = figure.locator("figcaption p").inner_text()
    assert re.search(
        r"A and B differ by [\d.]+: people agree in \d+ % of the \d+ pairs that differ by at least [\d.]+\.$", note
    )
    figure.locator("summary").click()
    figure.locator("tbody tr").first.wait_for()
    assert figure.locator("tbody tr").count() == len(labels)
    rows = watched.page.locator("#agreement-table tr").all_inner_texts()
    assert rows[-1].startswith("second\nannotator")
    watched.page.locator("#agreement-copies [data-copy='TSV']").click()
    watched.page.locator("#agreement-copies [role='status']:has-text('Copied')").wait_for()
    text = watched.page.evaluate("navigator.clipboard.readText()")
    assert "annotator second" in text
    watched.close()


def test_equal_systems(browser, tmp_path):
    """No metric has a value in any quarter of human scores, and differences are all 0."""
    systems = {f"s{k}": [entry if isinstance(entry, str) else entry[0] for entry in REFERENCES] for k in range(5)}
    human = np.random.default_rng(1).normal(0, 1, (5, len(REFERENCES)))
    page = render_page(
        build_report(systems, REFERENCES, metrics=["bleu"], human=human, reporting=Reporting(resamples=10))
    )
    (tmp_path / "report.html").write_text(page, encoding="utf-8")
    watched = Watched(browser, (tmp_path / "report.html").as_uri())
    watched.draw_all()
    assert watched.page.locator("#chart-people-bins").count() == 0
    assert "people agree in 0 % of the 10 pairs" in watched.page.locator("#agreement-charts").inner_text()
    watched.close()
