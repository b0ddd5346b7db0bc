"""The page in a real browser, opened from a file."""

import json
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from itertools import pairwise

import pytest
import vl_convert  # noqa: F401

import refscore
from refscore.report import Reporting, build_report, render_page
from tests.python_metrics import Overlap, Surplus
from tests.report.browsers import Watched, counted, nameless, reads
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.hostile import HOSTILE, NAME, hostile_report

pytestmark = pytest.mark.slow

QUICK = Reporting(resamples=10)
CHARTS = [
    *("scores", "pairs", "distribution", "lengths", "frequencies"),
    *("precisions", "sums", "ratios", "order", "order-cells"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    report = build_report(SYSTEMS, REFERENCES, sources=[entry[1] for entry in REFERENCES])
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_page(report), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def watched(browser, address):
    opened = Watched(browser, address)
    in_test_order(opened.page)
    yield opened
    opened.close()


@pytest.fixture
def opening(browser, tmp_path):
    """Open the page of a report and check at the end of the test that it reported no errors."""
    opened = []

    def open_page(*arguments, **options):
        path = tmp_path / "report.html"
        path.write_text(render_page(build_report(*arguments, **options)), encoding="utf-8")
        opened.append(Watched(browser, path.as_uri()))
        in_test_order(opened[-1].page)
        return opened[-1]

    yield open_page
    for each in opened:
        each.close()


def choose(page, selector, label):
    page.select_option(selector, label=label)


def in_test_order(page):
    choose(page, "#sort", "order in the test set")


def test_segments_are_sorted_by_difference(browser, address):
    watched = Watched(browser, address)
    watched.status("36 of 36 segments, sorted by largest difference of A and B (BLEU)")
    metric = refscore.BLEU.preset("sacrebleu-sentence")
    alder, birch = (metric.segments(SYSTEMS[name], REFERENCES).tolist() for name in ("alder", "birch"))
    differences = [abs(round(100 * birch[i], 2) - round(100 * alder[i], 2)) for i in range(36)]
    assert watched.rows()[:8] == [i + 1 for i in sorted(range(36), key=lambda i: (-round(differences[i], 2), i))[:8]]
    watched.page.click("button:has-text('Largest spread of all systems')")
    scores = [
        [round(100 * score.value, 2) for score in scores]
        for scores in zip(
            *(
                [metric.segment(text, reference) for text, reference in zip(SYSTEMS[name], REFERENCES, strict=True)]
                for name in SYSTEMS
            ),
            strict=True,
        )
    ]
    widest = max(range(36), key=lambda i: max(scores[i]) - min(scores[i]))
    ends = min(scores[widest]), max(scores[widest])
    row = watched.page.locator("#rows .row").first.locator(".top span").all_inner_texts()
    assert row == [f"{ends[0]:.2f} to {ends[1]:.2f}", f"↕ {ends[1] - ends[0]:.2f}"]
    watched.close()


def test_it_draws_every_chart(watched):
    assert watched.page.inner_text("#status") == "36 of 36 segments, sorted by order in the test set (BLEU)"
    assert nameless(watched.page) == 0  # for screen readers
    watched.draw_all()
    drawn = watched.page.locator(".plot[data-drawn]").evaluate_all("all => all.map((plot) => plot.id)")
    assert drawn == [f"chart-{name}" for name in CHARTS]
    for name in CHARTS:
        picture = watched.page.locator(f"#chart-{name} svg")
        box = picture.bounding_box()
        assert box["width"] > 250 and box["height"] > 60
        assert picture.locator("[aria-roledescription]").count() > 1


def test_colours_change_with_the_system(watched):
    page = watched.page
    paper = "getComputedStyle(document.body).backgroundColor"
    watched.draw_all()
    before = page.inner_html("#chart-precisions")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert (sum(map(int, re.findall(r"\d+", page.evaluate(paper)))) < 200) == (scheme == "dark")
    watched.draw_all()
    deadline = time.monotonic() + 300
    while page.inner_html("#chart-precisions") == before:
        assert time.monotonic() < deadline
    page.emulate_media(media="print")
    assert not page.is_visible("#list")
    assert page.is_visible(".scores")


def test_sorting(watched):
    page = watched.page
    metric = refscore.BLEU.preset("sacrebleu-sentence")
    alder, birch = (metric.segments(SYSTEMS[name], REFERENCES).tolist() for name in ("alder", "birch"))
    page.click("button:has-text('Largest gain of B over A')")
    gains = sorted(range(36), key=lambda i: (-round(100 * birch[i] - 100 * alder[i], 2), i))
    assert watched.rows()[:8] == [i + 1 for i in gains[:8]]
    page.click("button:has-text('Largest loss of B against A')")
    losses = sorted(range(36), key=lambda i: (round(100 * birch[i] - 100 * alder[i], 2), i))
    assert watched.rows()[:8] == [i + 1 for i in losses[:8]]
    page.click("#swap")
    page.focus("#list")
    page.keyboard.press("Home")
    assert watched.rows()[:1] == [gains[0] + 1]
    choose(page, "#sort", "longest reference")
    assert watched.rows()[0] != 1
    page.click("button:has-text('Show all')")
    assert set(watched.rows()[:2]) <= {gains[0] + 1, losses[0] + 1, gains[1] + 1, losses[1] + 1}
    in_test_order(page)
    assert watched.rows()[:3] == [1, 2, 3]
    choose(page, "#metric", "TER")  # lower is better
    page.click("button:has-text('Largest gain of B over A')")
    alder, birch = (refscore.TER().segments(SYSTEMS[name], REFERENCES) for name in ("alder", "birch"))
    assert watched.rows()[0] == int((alder - birch).argmin()) + 1  # they were swapped


def test_searching(watched):
    page = watched.page
    everything = [" ".join([*REFERENCES[i], *(SYSTEMS[name][i] for name in SYSTEMS)]) for i in range(36)]

    def check(query, texts):
        page.fill("#query", "")
        watched.status("36 of 36 segments")
        page.fill("#query", query)
        wanted = [i + 1 for i, text in enumerate(texts) if re.search(query, text, re.IGNORECASE)]
        assert 0 < len(wanted) < 12
        watched.status(f"{len(wanted)} of 36 segments")
        assert watched.rows() == wanted

    check("FERRY", everything)
    page.check("#regex")
    check(r"\b\d+ (minutes|percent|degrees)", everything)
    page.fill("#query", "(")
    page.wait_for_selector("#status.wrong")
    page.fill("#query", r"^(\w+\s?)+§")
    watched.status("The search failed: the expression takes too long")
    page.click("button:has-text('Show all')")
    watched.status("36 of 36 segments")
    in_test_order(page)
    choose(page, "#scope", "output of B")
    check("FERRY", SYSTEMS["birch"])
    page.fill("#query", "no such text anywhere")
    page.wait_for_selector("text=No segments match.")
    assert page.inner_text("#status").startswith("0 of 36 segments")


def test_bars_lead_to_their_segments(watched):
    page = watched.page
    watched.draw_all()
    bar = page.locator("#chart-lengths path[aria-label*='words in the reference 5–9']").first
    bar.hover()
    page.wait_for_selector("#tooltip:not([hidden])")
    assert "6 segments" in page.inner_text("#tooltip")
    bar.click()
    watched.status("6 of 36 segments")
    page.click("#filters button")
    watched.status("36 of 36 segments")
    # The same by keyboard, from the table of numbers.
    figure = page.locator("figure", has=page.locator("#chart-distribution"))
    figure.locator("summary").click()
    row = figure.locator("tbody tr").nth(6)
    count = int(row.locator("td").nth(1).inner_text())
    row.locator("button").focus()
    page.keyboard.press("Enter")
    watched.status(f"{count} of 36 segments")


def test_words_and_cells_lead_to_their_segments(watched):
    page = watched.page
    watched.draw_all()
    words = [[word for text in entry for word in refscore.tokenize(text, "13a")] for entry in REFERENCES]
    counts = Counter(word for entry in words for word in entry)
    wanted = [i + 1 for i, entry in enumerate(words) if any(20 <= counts[word] <= 49 for word in entry)]
    page.locator("#chart-frequencies path[aria-label*='20–49']").first.click()
    watched.status(f"{len(wanted)} of 36 segments")
    assert watched.rows()[:10] == wanted[:10]

    ribes = refscore.RIBES(tokenizer="13a", lowercase=False, empty_reference="skip")
    rows = [ribes.stats(SYSTEMS[name], REFERENCES) for name in ("alder", "birch")]
    cells = [[(min(int(10 * row[1]), 9), min(int(10 * row[2]), 9)) for row in own] for own in rows]
    wanted = [i + 1 for i in range(36) if (9, 9) in (cells[0][i], cells[1][i])]
    assert wanted
    page.locator("#chart-order-cells path[aria-label*='order 0.9 to 1, words 0.9 to 1']").first.click()
    watched.status(f"{len(wanted)} of 36 segments")
    assert watched.rows()[:10] == wanted[:10]
    page.click("#filters button")
    watched.status("36 of 36 segments")
    cell = page.locator("#chart-pairs path[aria-label^='clover is worse than birch']").first
    cell.click(position={"x": 4, "y": 4})
    assert (page.input_value("#system-a"), page.input_value("#system-b")) == ("1", "2")


def test_n_grams_lead_to_their_segments(watched):
    page = watched.page
    choose(page, "#system-b", "clover")
    gram = page.locator("#contrast .gram", has_text=re.compile(r"^will$"))
    numbers = gram.locator("xpath=../..").locator("td.number").all_inner_texts()
    assert numbers == ["3", "0"]
    gram.click()
    watched.status("3 of 36 segments")
    for number in watched.rows():
        assert "will" in SYSTEMS["alder"][number - 1]


def test_the_chosen_segment(watched):
    page = watched.page
    page.locator("#rows .row", has_text="#11").click()
    detail = page.locator("#detail")
    reads(detail.locator("h3").first, "Segment 11")
    for text in [*REFERENCES[10], *(SYSTEMS[name][10] for name in SYSTEMS)]:
        assert text in detail.inner_text()
    score = refscore.BLEU.preset("sacrebleu-sentence").segment(SYSTEMS["birch"][10], REFERENCES[10])
    assert f"BLEU {score.percent:.2f}" in detail.locator("[data-system='1']").inner_text()
    steps = refscore.BLEU.preset("sacrebleu-sentence").explain(SYSTEMS["birch"][10], REFERENCES[10])
    assert steps.result in detail.locator(".explain").inner_text()
    page.click(".explain [data-metric='2']")
    assert refscore.TER().explain(SYSTEMS["birch"][10], REFERENCES[10]).result in detail.inner_text()
    page.click("[data-explain='2']")
    assert refscore.TER().explain(SYSTEMS["clover"][10], REFERENCES[10]).result in detail.inner_text()


def test_marks(watched):
    page = watched.page
    page.locator("#rows .row", has_text="#11").click()
    reference = [word for text in REFERENCES[10] for word in refscore.tokenize(text, "13a")]
    words = page.locator("[data-system='2'] .word")
    for text, kind in words.evaluate_all("all => all.map((word) => [word.textContent, word.className])"):
        assert (text in reference) == ("n0" not in kind)
    page.click("[data-mode='edits']")
    alignment = refscore.TER(lowercase=False)
    tokens = refscore.tokenize(SYSTEMS["clover"][10], "13a")
    found = min(
        (alignment.alignment(tokens, refscore.tokenize(text, "13a")) for text in REFERENCES[10]),
        key=lambda one: len(one.shifts) + sum(edit.kind != "hit" for edit in one.edits),
    )
    moved = sum(len(shift.words) for shift in found.shifts)
    counted(page.locator("[data-system='2'] .moved"), moved)
    for name, kind in (("changed", "substitution"), ("extra", "insertion"), ("missing", "deletion")):
        wanted = sum(edit.kind == kind for edit in found.edits)
        counted(page.locator(f"[data-system='2'] .{name}"), wanted)
    page.click("[data-mode='plain']")
    counted(page.locator("[data-system='2'] .word"), 0)


def test_keyboard(watched):
    page = watched.page
    page.focus("#list")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    reads(page.locator("#detail h3").first, "Segment 3")
    page.keyboard.press("End")
    reads(page.locator("#detail h3").first, "Segment 36")
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    assert page.get_attribute("#list", "aria-activedescendant") == "row-0"
    counted(page.locator("#row-0[aria-selected='true']"), 1)
    page.locator("[data-step='next']").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    reads(page.locator("#detail h3").first, "Segment 3")


def test_one_system(opening):
    opened = opening({"only": SYSTEMS["birch"]}, REFERENCES)
    opened.draw_all()
    opened.page.click("button:has-text('Worst score of A')")
    counted(opened.page.locator(".plot[data-drawn]"), len(CHARTS) - 1)
    # There is nothing to compare, and no message about it.
    assert opened.page.is_hidden("#to-ngrams")
    assert " B " not in opened.page.inner_text("#differences")
    assert "difference" not in opened.page.inner_text("#differences")


def test_metrics_from_outside(opening):
    opened = opening(SYSTEMS, REFERENCES, metrics=[Overlap(), Surplus(), "bleu"])
    page, detail = opened.page, opened.page.locator("#detail")
    assert "clover is worse than alder on OVERLAP" in page.inner_text("#verdict")
    page.locator("#rows .row", has_text="#11").click()
    reads(detail.locator("h3").first, "Segment 11")
    for index, metric in enumerate((Overlap(), Surplus())):
        choose(page, "#metric", metric.title)
        opened.draw_all()
        value = metric.segment(SYSTEMS["clover"][10], REFERENCES[10]).value
        shown = f"{metric.title} {metric.printed_scale * value:.{2 if metric.printed_scale == 100 else 4}f}"
        assert shown.replace("-", "−") in detail.locator("[data-system='2']").inner_text()
        page.click("[data-explain='2']")
        page.click(f".explain [data-metric='{index}']")
        assert metric.explain(SYSTEMS["clover"][10], REFERENCES[10]).result in detail.locator(".explain").inner_text()
    counted(page.locator(".plot[data-drawn]"), len(CHARTS))


def test_a_sample_without_steps(opening, monkeypatch):
    monkeypatch.setattr("refscore.report.segment_browser.EXPLAINED_MOST", 0)
    opened = opening(SYSTEMS, REFERENCES, reporting=Reporting(max_segments=7))
    assert "a random sample of 7 of the 36 segments" in opened.page.inner_text("#segments .note")
    number = opened.rows()[0]
    output, command = SYSTEMS["birch"][number - 1], opened.page.inner_text(".command")
    assert command.startswith("refscore explain --text --signature 'bleu|")
    printed = run_command(command)
    assert refscore.BLEU.preset("sacrebleu-sentence").explain(output, REFERENCES[number - 1]).result in printed
    score = refscore.BLEU().segment(SYSTEMS["birch"][number - 1], REFERENCES[number - 1])
    cells = opened.page.locator(".explain tbody tr").first.locator("td").all_inner_texts()
    assert cells[1:3] == [str(score.totals[0]), str(score.counts[0])]


def test_the_command_of_unusual_texts(opening, monkeypatch):
    monkeypatch.setattr("refscore.report.segment_browser.EXPLAINED_MOST", 0)
    output, reference = "-it's $HOME \\n `x`\u00a0a\u202eb\x1b", 'it\'s "here"; \\u0041 \u0085'
    opened = opening({"one": [output]}, [reference], metrics=["chrf", Overlap()])
    printed = run_command(opened.page.inner_text(".command"), "--format", "json")
    found = json.loads(printed)
    assert (found["hypothesis"], found["references"]) == (output, [reference])
    opened.page.click(".explain [data-metric='1']")  # the command line does not know this metric
    counted(opened.page.locator(".command"), 0)


def run_command(command, *options):
    """Return what a command of `refscore` prints in bash."""
    assert command.startswith("refscore explain ")
    command = command.replace(
        "refscore explain", shlex.join([sys.executable, "-m", "refscore", "explain", *options]), 1
    )
    return subprocess.run(["bash", "-c", command], capture_output=True, check=True, text=True, timeout=60).stdout


def test_touching_words_have_separate_marks(opening):
    texts = ["今天天气很好", "明天下雨"]
    opened = opening({"a": texts, "b": ["今天天气好", "明天会下雨"]}, texts, metrics=["chrf"], reporting=QUICK)
    boxes = opened.page.locator("[data-system='0'] .word").evaluate_all(
        "all => all.map((word) => word.getBoundingClientRect()).map(({ left, right }) => [left, right])"
    )
    assert len(boxes) == 6
    assert all(one[1] < other[0] for one, other in pairwise(boxes))


def test_groups_lead_to_their_segments(opening):
    by = ["news", "<b>talks</b>", "news"] * 12
    opened = opening(SYSTEMS, REFERENCES, metrics=["bleu"], reporting=QUICK, by=by)
    opened.page.click("#groups button:has-text('<b>talks</b>')")
    opened.status("12 of 36 segments")
    assert opened.rows()[:3] == [2, 5, 8]
    assert opened.page.inner_text("#detail h3 .role") == "<b>talks</b>"


def test_audio_is_played_only_on_request(opening):
    audio = ["missing.wav", None] * 18
    opened = opening(SYSTEMS, REFERENCES, metrics=["wer"], reporting=QUICK, audio=audio)
    counted(opened.page.locator("#detail audio"), 1)
    assert opened.page.locator("#errors audio").count() > 0
    opened.page.click("[data-step='next']")
    counted(opened.page.locator("#detail audio"), 0)


def test_ten_thousand_segments(opening):
    times = 278
    systems = {name: times * texts for name, texts in SYSTEMS.items() if name != "birch"}
    opened = opening(systems, times * REFERENCES, metrics=["bleu"], reporting=Reporting(max_segments=10_008))
    opened.status("10,008 of 10,008 segments")
    assert opened.page.locator("#rows .row").count() < 40
    opened.page.focus("#list")
    opened.page.keyboard.press("End")
    reads(opened.page.locator("#detail h3").first, "Segment 10,008")
    assert opened.page.locator("#rows .row").count() < 40


def test_many_systems(opening):
    systems = {f"system {k}": SYSTEMS[name] for k, name in enumerate([*SYSTEMS] * 3)}
    opened = opening(systems, REFERENCES, metrics=["bleu"])
    opened.draw_all()
    counted(opened.page.locator("[data-system]"), 6)
    opened.page.click("summary:has-text('3 other systems')")
    counted(opened.page.locator("[data-system]"), 9)
    opened.page.click("[data-step='next']")
    counted(opened.page.locator("[data-system]"), 9)


def test_hostile_text(browser, tmp_path):
    path = tmp_path / "hostile.html"
    path.write_text(render_page(hostile_report()), encoding="utf-8")
    opened = Watched(browser, path.as_uri())
    page = opened.page
    opened.draw_all()
    in_test_order(page)
    assert page.evaluate("window.broken") is None
    assert page.inner_text("h1") == "<script>alert('title')</script>"
    counted(page.locator("img, b:not(.top b), i"), 0)
    for mode in ("ngrams", "edits", "plain"):
        page.click("#list .row >> nth=0")
        page.click(f"[data-mode='{mode}']")
        for _ in HOSTILE:
            counted(page.locator("#detail script, #detail img, #detail i"), 0)
            page.click("[data-step='next']")
    page.focus("#list")
    page.keyboard.press("Home")
    page.click("[data-mode='plain']")
    assert "<script>alert(1)</script>" in page.inner_text("#detail")
    for _ in range(4):
        page.click("[data-step='next']")
    shown = page.locator("[data-system='0'] .text")
    assert shown.inner_text() == r"turned \u202eround\u202c and \u2066isolated\u2069"
    assert shown.locator(".escape").count() == 4
    page.click("[data-step='next']")
    assert shown.inner_text() == r"half a pair \ud83d and \udc00 the other"
    page.click("[data-step='next']")
    assert shown.inner_text() == r"lines\u2028and\u2029paragraphs, \x00 and \x1b[31m, tab\there"
    assert "\u202e" not in page.inner_text("body")
    assert NAME.replace("\u202e", r"\u202e") in page.inner_text("#system-b")
    opened.close()
