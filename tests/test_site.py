"""The documentation builds without warnings, and its pages load nothing from other servers."""

import importlib
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.children import printed_by

ROOT = Path(__file__).parents[1]
for package in ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "latex2mathml"):
    importlib.import_module(package)

pytestmark = pytest.mark.slow


class Loads(HTMLParser):
    """Collect the addresses that a browser loads for a page, not links."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.formulas = 0

    def handle_starttag(self, tag, attrs):
        self.formulas += tag == "math"
        given = dict(attrs)
        if tag == "link" and given.get("rel") not in ("stylesheet", "icon", "preload", "preconnect", "manifest"):
            return
        if tag != "a":
            self.found += [given[name] for name in ("src", "srcset", "href", "data", "action") if given.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", folder / "doctrees"]
    proxies = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    printed_by("-m", "sphinx", *options, ROOT / "docs", folder / "html", timeout=600, environment=proxies)
    return folder / "html"


def test_pages_load_nothing_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        assert [address for address in loads.found if re.match(r"(?:\w+:)?//", address)] == [], page.name
    for style in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:https?:)?//", style.read_text(encoding="utf-8")) == [], style.name


def test_formulas_are_drawn_without_a_script(site):
    for name in ("bleu", "chrf", "cider", "gleu", "meteor", "nist", "ribes", "rouge", "sari", "ter", "token_f1", "wer"):
        loads = Loads()
        text = (site / "reference" / "metrics" / f"{name}.html").read_text(encoding="utf-8")
        loads.feed(text)
        assert loads.formulas > 0
        assert "mathjax" not in text.lower()
        assert "\\frac" not in text


def test_the_reference_has_examples(site):
    folder = site / "reference" / "api"
    assert 'id="refscore.metrics.Metric"' in (folder / "metrics.html").read_text(encoding="utf-8")
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "metrics").glob("*.html")}
    assert 'id="refscore.BLEU"' in pages["bleu"]
    assert all("&gt;&gt;&gt; " in page for page in pages.values())


def test_the_contents_for_language_models(site):
    text = (site / "llms.txt").read_text(encoding="utf-8")
    listed = re.findall(r"^ *- \[[^\]]+\]\(([^)]+)\): .+$", text, re.MULTILINE)
    assert len(listed) == len(set(listed)) == len([*(ROOT / "docs").rglob("*.md")]) - 1
    assert [address for address in listed if not (site / address).exists()] == []


@pytest.fixture
def page(browser):
    """A page as wide as a phone that records what it asks for and what it complains about."""
    found = browser.new_page(viewport={"width": 400, "height": 800})
    found.requests, found.errors = [], []
    found.on("request", lambda request: found.requests.append(request.url))
    found.on("console", lambda message: found.errors.append(message.text) if message.type == "error" else None)
    found.on("pageerror", lambda error: found.errors.append(str(error)))
    yield found
    found.close()


SEARCHES = {
    "brevity penalty": "BLEU",
    "--holm": "Command line",
    "refscore.BLEU": "BLEU",
    "chrF++": "chrF and chrF++",
    "ROUGE-L": "ROUGE",
    "WER": "WER and CER",
    "smoothing": "Why numbers differ",
    "glossary": "Glossary",
}


@pytest.mark.parametrize(("words", "title"), SEARCHES.items(), ids=SEARCHES)
def test_the_search_works_without_a_server(site, page, words, title):
    page.goto(f"{(site / 'search.html').as_uri()}?q={quote(words)}")
    page.wait_for_selector("#search-results li")
    page.wait_for_function(
        "document.querySelector('.search-summary, #search-results p')?.textContent.includes('found')"
    )
    assert title in page.locator("#search-results li > a").all_inner_texts()[:5]
    assert page.errors == []
    assert [address for address in page.requests if not address.startswith("file:")] == []


def test_pages_fit_a_phone(site, page):
    wide = []
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > 400:
            wide.append(path.relative_to(site).as_posix())
    assert wide == []
    assert page.errors == []


def test_pages_follow_the_dark_mode_of_the_system(site, browser):
    shades = {}
    for scheme in ("light", "dark"):
        dark = browser.new_page(color_scheme=scheme)
        dark.goto((site / "index.html").as_uri())
        colours = dark.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        shades[scheme] = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in colours]
        dark.close()
    assert shades["light"][0] > shades["light"][1]
    assert shades["dark"][0] < shades["dark"][1]
