"""The pages of `refscore serve` in a real browser: they reload, keep choices, and score texts."""

import re

import pytest
import vl_convert  # noqa: F401
import werkzeug  # noqa: F401
from playwright.sync_api import expect

import refscore
from refscore.report import build_report, render_page
from refscore.report.live_reload import WatchedPage
from tests.report.browsers import nameless
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.serving import served

pytestmark = pytest.mark.slow

HOSTILE = "<script>window.broken = 1</script></textarea><img src=x onerror='window.broken = 1'>\u202e"


@pytest.fixture
def page(browser):
    opened = browser.new_page(viewport={"width": 1400, "height": 900})
    opened.set_default_timeout(120_000)
    opened.complaints = []
    opened.on("console", lambda message: opened.complaints.append(message.text))
    opened.on("pageerror", lambda error: opened.complaints.append(str(error)))
    yield opened
    opened.close()
    assert opened.complaints == []


@pytest.fixture
def folder(tmp_path):
    for name in ("alder", "birch"):
        (tmp_path / name).write_text("\n".join(SYSTEMS[name]), encoding="utf-8")
    return tmp_path


@pytest.fixture
def live(folder):
    files = [folder / name for name in ("alder", "birch")]

    def make(version, first):
        systems = {path.name: path.read_text(encoding="utf-8").split("\n") for path in files}
        return render_page(build_report(systems, REFERENCES, metrics=["bleu", "chrf"]), live=version)

    with served(WatchedPage(make, [str(path) for path in files], pause=0.1)) as server:
        yield server


def ready(page):
    page.wait_for_selector("html[data-ready]", state="attached")


# The server is listed before the page in each test, so it ends after it: a page without its server reports errors.


def test_it_reloads_and_keeps_the_choices(live, page, folder):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(live.address)
    ready(page)
    page.select_option("#metric", label="chrF2")
    page.select_option("#system-a", label="birch")
    page.fill("#query", "ferry")
    page.locator("#status", has_text=re.compile("^[1-9] of 36 segments")).wait_for()
    page.locator("#rows .row").nth(1).click()
    chosen = page.inner_text("#detail h3 >> nth=0")
    version = page.evaluate("JSON.parse(document.getElementById('summary').textContent).live")
    score = f"{refscore.CHRF().corpus(SYSTEMS['clover'], REFERENCES).percent:.2f}"
    assert score not in page.inner_text("#scores")

    (folder / "birch").write_text("\n".join(SYSTEMS["clover"]), encoding="utf-8")
    page.locator("#scores", has_text=score).wait_for()
    ready(page)
    page.locator("#status", has_text=re.compile(r"^[1-9] of 36 segments.*chrF2\)$")).wait_for()
    assert page.evaluate("JSON.parse(document.getElementById('summary').textContent).live") != version
    assert page.input_value("#query") == "ferry"
    assert page.input_value("#system-a") == "1"
    assert page.input_value("#system-b") == "0"
    page.locator("#detail h3", has_text=chosen).first.wait_for()
    assert {url.removeprefix(live.address) for url in asked if not url.startswith("blob:")} == {"", "state"}


def test_files_that_cannot_be_compared(live, page, folder):
    page.goto(live.address)
    ready(page)
    page.evaluate("window.same = true")
    (folder / "birch").write_text(HOSTILE, encoding="utf-8")
    page.locator(".live", has_text="This page is out of date: the files have changed").wait_for()
    assert "36 segments" in page.inner_text("header")
    assert page.evaluate("window.same") is True  # it asked the server and was not reloaded
    (folder / "birch").write_text("\n".join(SYSTEMS["birch"]), encoding="utf-8")
    page.locator(".live").wait_for(state="hidden")


def test_a_server_that_has_ended(browser, folder):
    watched = WatchedPage(
        lambda version, first: render_page(build_report({"a": SYSTEMS["alder"]}, REFERENCES), live=version), []
    )
    with served(watched) as server:
        opened = browser.new_page()
        opened.goto(server.address)
        ready(opened)
    opened.locator(".live", has_text="refscore serve has stopped").wait_for(timeout=120_000)
    opened.close()


def test_the_form(live, page):
    page.goto(live.address)
    page.click("text=Score your own text")
    assert page.inner_text("h1") == "Score your own text"
    page.fill("[name='hypothesis']", "\n".join(SYSTEMS["birch"]))
    page.fill("[name='reference-1']", "\n".join(entry[0] for entry in REFERENCES))
    page.click("summary:has-text('More references')")
    page.fill("[name='reference-2']", "\n".join(entry[1] for entry in REFERENCES))
    page.check("[name='metrics'][value='ter']")
    page.click("button.primary")
    page.wait_for_selector("#result")
    assert nameless(page) == 0  # for screen readers
    for width in (1400, 400):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    for metric in (refscore.BLEU(), refscore.TER()):
        assert f"{metric.corpus(SYSTEMS['birch'], REFERENCES).percent:.2f}" in page.inner_text("#result")
    page.click("[aria-label='Explain segment 11']")
    page.wait_for_selector("h2:has-text('Segment 11, step by step')")
    expect(page.locator("#explained")).to_be_in_viewport()
    steps = refscore.BLEU.preset("sacrebleu-sentence").explain(SYSTEMS["birch"][10], REFERENCES[10])
    assert steps.result in page.inner_text(".explained >> nth=0")
    page.click(".explained summary:has-text('TER')")
    assert refscore.TER().explain(SYSTEMS["birch"][10], REFERENCES[10]).result in page.inner_text(".explained >> nth=1")
    page.click("text=Report")
    ready(page)


def test_an_example_and_its_downloads(page):
    with served() as server:
        page.goto(server.address)
        page.click("text=Try an example")
        page.wait_for_selector("#result .sentences")
        assert nameless(page) == 0
        for width in (1400, 400):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        with page.expect_download() as found:
            page.click("text=Scores (CSV)")
        assert found.value.suggested_filename == "refscore.csv"
        assert page.input_value("[name='name-2']") == "two"  # the page stays


def test_uploads_and_hostile_text(page, folder):
    text = f"{HOSTILE}\na cat\n"
    (folder / "hypothesis.txt").write_text(text, encoding="utf-8")
    (folder / "reference.txt").write_text(text, encoding="utf-8")
    with served() as server:
        page.goto(server.address)
        page.set_input_files("[name='hypothesis-file']", folder / "hypothesis.txt")
        page.set_input_files("[name='reference-1-file']", folder / "reference.txt")
        page.click("summary:has-text('More references')")
        page.set_input_files("[name='source-file']", folder / "reference.txt")
        for box in page.locator("[type='checkbox']").all():
            box.check()
        page.click("button.primary")
        page.wait_for_selector("#result")
        assert page.evaluate("window.broken") is None
        assert page.locator("img, script").count() == 0
        assert page.input_value("[name='hypothesis']") == text
        page.click("[aria-label='Explain segment 2']")
        page.wait_for_selector("h2:has-text('Segment 2, step by step')")


def test_mistakes_in_the_form(browser, tmp_path):
    opened = browser.new_page()  # its console reports the status 400 or 413
    with served(max_bytes=3_000_000) as server:
        opened.goto(server.address)
        opened.fill("[name='hypothesis']", "one\ntwo")
        opened.fill("[name='reference-1']", "one")
        opened.click("button.primary")
        assert "reference 1 has 1 line" in opened.inner_text(".problem")
        assert opened.input_value("[name='hypothesis']") == "one\ntwo"
        (tmp_path / "large.txt").write_bytes(b"x" * 4_000_000)
        opened.set_input_files("[name='hypothesis-file']", tmp_path / "large.txt")
        opened.click("button.primary")
        opened.wait_for_selector("text=have more than 3,000,000 bytes")
    opened.close()


def test_other_pages_can_send_and_read_nothing(browser, tmp_path):
    with served() as server:
        path = tmp_path / "evil.html"
        path.write_text(
            f"<form method=post action='{server.address}form'><input name=hypothesis value=a>"
            f"<input name=reference-1 value=a><input name=metrics value=bleu><button>go</button></form>"
            f"<iframe src='{server.address}'></iframe>",
            encoding="utf-8",
        )
        opened = browser.new_page()
        opened.goto(path.as_uri())
        assert opened.frames[1].locator("textarea").count() == 0
        assert opened.evaluate(f"fetch('{server.address}').then(() => 'read', () => 'refused')") == "refused"
        opened.click("button")
        opened.wait_for_selector("text=only forms on this server's pages are accepted")
        opened.close()
