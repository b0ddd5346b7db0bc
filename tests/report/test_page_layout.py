"""The page at several widths: link targets, alignment, and no overlapping text."""

import re

import pytest
import vl_convert  # noqa: F401

import refscore
from refscore.metrics import METRICS
from refscore.report import Reporting, build_report, render_page
from refscore.tables import Column, Table, render
from tests.report.browsers import Watched, reads
from tests.report.example import REFERENCES, SYSTEMS

QUICK = Reporting(resamples=10)

pytestmark = pytest.mark.slow

WIDTHS = (1400, 1000, 700, 400)
NAMES = [f"a long-name_of.system-{k} & more" if k % 3 else f"RWTH-nmt-ensemble.49{k}" for k in range(12)]
# Names that break into lines after punctuation, and one that does not break.
LONG_NAMES = [
    "x" * 80,
    "newstest2020.en-de.transformer_big.beam5.alpha0.6.detok",
    "transformer-big-ensemble-with-back-translation-and-noisy-channel-reranking",
]
SOURCES = [entry[1] for entry in REFERENCES]
MANY = {name: [*SYSTEMS.values()][k % 3] for k, name in enumerate(NAMES)}


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    reports = {
        "three": build_report(SYSTEMS, REFERENCES),
        "many": build_report(MANY, REFERENCES, reporting=QUICK),
        "wide": build_report(SYSTEMS, REFERENCES, sources=SOURCES, metrics=[*METRICS], reporting=QUICK),
        "long": build_report(
            dict(zip(LONG_NAMES, [*SYSTEMS.values()][::-1], strict=True)), REFERENCES, reporting=QUICK
        ),
        "one-system": build_report({"only": SYSTEMS["birch"]}, REFERENCES, reporting=QUICK),
        "one-segment": build_report({name: texts[:1] for name, texts in SYSTEMS.items()}, REFERENCES[:1]),
    }
    for name, report in reports.items():
        (folder / f"{name}.html").write_text(render_page(report), encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in reports}


@pytest.fixture
def opening(browser):
    """Open a page and check at the end of the test that it reported no errors."""
    opened = []

    def open_page(address, width=1400):
        options = {"viewport": {"width": width, "height": 800}, "reduced_motion": "reduce"}
        opened.append(Watched(browser, address, permissions=["clipboard-read", "clipboard-write"], **options))
        return opened[-1]

    yield open_page
    for each in opened:
        each.close()


def box(page, selector):
    return page.locator(selector).first.evaluate("element => element.getBoundingClientRect().toJSON()")


@pytest.mark.parametrize(("name", "width"), [*(("three", width) for width in WIDTHS), ("many", 400)])
def test_links_land_on_their_targets(opening, addresses, name, width):
    for target in ("differences", "ngrams", "segments", "settings"):
        page = opening(addresses[name], width).page  # no chart is drawn yet
        page.click(f"nav a[href='#{target}']")
        page.wait_for_timeout(500)  # charts near the screen are drawn
        head, bar = box(page, f"#{target} h2"), box(page, "#controls")
        at_end = page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2")
        assert bar["bottom"] <= head["top"], target
        assert at_end or head["top"] <= bar["bottom"] + 60, target
    page = opening(f"{addresses[name]}#segments", width).page
    assert box(page, "#controls")["bottom"] <= box(page, "#segments h2")["top"] <= box(page, "#controls")["bottom"] + 60


OVERLAPS = """figure => {
    const texts = [...figure.querySelectorAll("svg text")].filter(
        (text) => text.textContent.trim() && getComputedStyle(text).opacity !== "0");
    const boxes = texts.map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }));
    const edge = figure.querySelector("svg").getBoundingClientRect();
    const isCut = (box) => box.left < edge.left - 1 || box.right > edge.right + 1
        || box.top < edge.top - 1 || box.bottom > edge.bottom + 1;
    const cut = boxes.filter(isCut);
    const pairs = boxes.flatMap((one, k) => boxes.slice(k + 1).filter((two) =>
        one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 2 && two.top < one.bottom - 2
    ).map((two) => `${one.text} | ${two.text}`));
    return [...pairs, ...cut.map(({ text }) => `cut: ${text}`)];
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["three", "many", "long", "one-segment"])
def test_no_label_covers_another(opening, addresses, name, width):
    watched = opening(addresses[name], width)
    watched.draw_all()
    for figure in watched.page.locator("figure").all():
        assert figure.evaluate(OVERLAPS) == [], figure.locator("h3").inner_text()
        plot = figure.locator(".plot").evaluate("plot => [plot.clientHeight, plot.scrollHeight]")
        assert plot[0] == plot[1]  # the reserved height equals the picture's
    if name == "many":  # names wrap as wholes
        parts = watched.page.locator(".sentences .whole")
        lines = parts.evaluate_all("all => all.map((part) => part.getClientRects().length)")
        assert len(lines) > 20 and set(lines) == {1}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["three", "long", "one-system", "one-segment"])
def test_the_grid_has_no_hole(opening, addresses, name, width):
    page = opening(addresses[name], width).page
    rows = {}
    grid = box(page, "#difference-charts")
    for figure in page.locator("#difference-charts > figure").all():
        each = figure.evaluate("figure => figure.getBoundingClientRect().toJSON()")
        rows.setdefault(round(each["top"]), []).append(each)
    assert len(rows) > 2
    for row in rows.values():
        assert max(each["right"] for each in row) == pytest.approx(grid["right"], abs=1)
        assert min(each["left"] for each in row) == pytest.approx(grid["left"], abs=1)
        assert sum(each["width"] for each in row) + 20 * (len(row) - 1) == pytest.approx(grid["width"], abs=2)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_table_and_the_intervals_are_side_by_side(opening, addresses):
    for width, beside in ((1400, True), (1000, True), (700, False), (400, False)):
        page = opening(addresses["three"], width).page
        table, chart = box(page, "table.scores"), box(page, "#chart-scores")
        assert (table["right"] < chart["left"] and chart["top"] < table["bottom"]) == beside
        assert beside or table["bottom"] < chart["top"]
    wide = opening(addresses["wide"]).page  # a table that needs the whole width gets it
    assert box(wide, "table.scores")["bottom"] < box(wide, "#chart-scores")["top"]


@pytest.mark.parametrize("width", WIDTHS)
def test_long_names_are_centred_on_their_rows_and_beside_their_points(opening, addresses, width):
    watched = opening(addresses["long"], width)
    watched.draw_all()
    middles = (
        "all => all.map((each) => { const { top, bottom } = each.getBoundingClientRect(); return (top + bottom) / 2; })"
    )
    labels = watched.page.locator("#chart-scores .role-axis-label text").filter(has_text=re.compile("[.-]|x{20}"))
    points = watched.page.locator("#chart-scores .mark-symbol.role-mark path")
    assert labels.evaluate_all(middles) == pytest.approx(points.evaluate_all(middles), abs=3)
    names = watched.page.locator("#chart-order .mark-text.role-mark text").all_text_contents()
    assert sorted(name[:5] for name in names) == sorted(name[:5] for name in LONG_NAMES)


def test_as_numbers_names_its_chart(opening, addresses):
    page = opening(addresses["three"]).page
    page.select_option("#metric", label="TER")
    names = page.locator("figure summary").evaluate_all("all => all.map((summary) => summary.textContent)")
    assert names == [f"As numbers: {title}" for title in page.locator("figure h3").all_text_contents()]
    assert "As numbers: TER by length" in names


def copied(page, selector):
    """Return the clipboard after a button was pressed by keyboard."""
    button = page.locator(selector).first
    button.focus()
    page.keyboard.press("Enter")
    reads(button.locator("xpath=..").locator("[role='status']"), "Copied")
    assert button.evaluate("button => button === document.activeElement")
    return page.evaluate("navigator.clipboard.readText()")


def test_scores_are_copied(opening, addresses):
    page = opening(addresses["three"]).page
    head, *rows = (line.split("\t") for line in copied(page, "#scores [data-copy='TSV']").splitlines())
    assert head[:7] == ["system", "BLEU", *(f"BLEU {name}" for name in ("low", "high", "difference", "p", "verdict"))]
    metrics = [refscore.BLEU(), refscore.CHRF(), refscore.TER()]
    scores = {
        name: [f"{metric.corpus(texts, REFERENCES).percent:.2f}" for metric in metrics]
        for name, texts in SYSTEMS.items()
    }
    assert {row[0]: row[1::6] for row in rows} == scores
    assert rows[2][4].startswith("-") and rows[2][5:7] == ["≤ 0.001", "worse"]
    latex = copied(page, "#scores [data-copy='LaTeX']")
    bleu, chrf, ter = scores["clover"]
    assert f"\nclover & {bleu}$^{{\\dagger}}$ & {chrf}$^{{\\dagger}}$ & {ter}$^{{\\dagger}}$ \\\\\n" in latex
    assert "% ‡/†: significantly better/worse than alder (p ≤ 0.05)\n" in latex
    assert "\nalder & " + " & ".join(rf"\textbf{{{score}}}" for score in scores["alder"]) + " \\\\\n" in latex
    assert f"% {metrics[2].corpus(SYSTEMS['alder'], REFERENCES).signature}\n" in latex


@pytest.mark.parametrize("has_clipboard", [True, False])
def test_numbers_are_copied_as_the_tables_of_python_are_rendered(opening, addresses, has_clipboard):
    page = opening(addresses["many"]).page
    if not has_clipboard:  # the fallback copies the selection
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    figure = "figure:has(#chart-pairs)"
    page.click(f"{figure} summary")
    page.locator(f"{figure} thead").wait_for()
    head = page.locator(f"{figure} thead th").all_inner_texts()
    cells = [row.locator("td").all_inner_texts() for row in page.locator(f"{figure} tbody tr").all()[:40]]
    columns = [Column(title, "right" if k else "left") for k, title in enumerate(head)]
    for form in ("LaTeX", "TSV"):
        lines = render(Table("", columns, cells), form.lower()).splitlines()
        wanted = lines[: len(lines) - 2] if form == "LaTeX" else lines
        assert copied(page, f"{figure} [data-copy='{form}']").splitlines()[: len(wanted)] == wanted


def test_copied_latex_has_the_marks_of_the_command(opening, tmp_path):
    systems = {"clover": SYSTEMS["clover"], "alder": SYSTEMS["alder"]}
    path = tmp_path / "report.html"
    path.write_text(render_page(build_report(systems, REFERENCES)), encoding="utf-8")
    latex = copied(opening(path.as_uri()).page, "#scores [data-copy='LaTeX']").splitlines()
    wanted = refscore.compare(systems, REFERENCES, test="bootstrap").to_latex().splitlines()
    assert "$^{\\ddagger}$" in latex[-3]
    for line in latex[1:-2]:
        assert line.startswith(("%", "System")) or line in wanted


def test_one_segment(opening, addresses):
    watched = opening(addresses["one-segment"])
    watched.draw_all()
    assert watched.page.locator("#chart-pairs").count() == 0
    assert "only one segment" in watched.page.inner_text("#verdict")
    assert copied(watched.page, "#scores [data-copy='TSV']").startswith("system\tBLEU\tchrF2\tTER\n")


def test_legends_say_what_is_marked(opening, addresses):
    page = opening(addresses["three"]).page
    assert page.inner_text(".legend").endswith(
        "1 word, 2 words, 3 words, 4 or more. Underlined words are in no reference. "
        "In the references, dotted words are missing from the output of birch."
    )
    page.click("[data-mode='edits']")
    assert "replace, delete, ‸insert, move." in page.inner_text(".legend").replace("⇄", "")
