"""HTML: well-formed, escaped, accessible, self-contained."""

import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest

from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Row, Table

HOSTILE = [
    "<script>alert(1)</script>",
    "</style></table><img src=x onerror=alert(1)>",
    "\" onload='x'",
    "&amp;&#x202e;",
    "\u202eback",
    "\ud800",
    "\x00",
    "two\nlines",
    "\x85",
    "\u2028",
]


class Page(HTMLParser):
    """Collect tags, attributes and text, and check that every tag is closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1], data))


def steps_of(text: str) -> Steps:
    table = Table(text, (Column(text), Column("n", "right")), (Row((text, "1"), "match"), Row((text, "2"))), note=text)
    return Steps(text, (Heading(text), Paragraph(text), Formula(text, text, text), table), text)


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text: str) -> None:
    html = steps_of(text).to_html()
    html.encode("utf-8")
    assert html.replace("\n", "").isprintable()
    harmless = steps_of("x").to_html()
    assert Page(html).tags == Page(harmless).tags
    assert len(html.splitlines()) == len(harmless.splitlines())


@pytest.mark.parametrize("text", ["<b>&amp;\"'", "[red]", "日本", " a  b "])
def test_visible_text_arrives_unchanged(text: str) -> None:
    texts = Page(steps_of(text).to_html()).texts
    for tag in ("h3", "h4", "p", "dt", "caption", "th", "td"):
        assert (tag, text) in texts
    assert sum(text in data for _, data in texts) == 12


def test_tables_are_accessible() -> None:
    page = Page(steps_of("x").to_html())
    heads = [attrs for tag, attrs in page.tags if tag == "th"]
    assert len(heads) == 3 and all(attrs["scope"] == "col" for attrs in heads)
    assert [tag for tag, _ in page.tags].count("caption") == 1
    assert [text for tag, text in page.texts if tag in ("th", "span")] == ["mark", "x", "n", "✓"]
    assert ("span", {"role": "img", "aria-label": "match"}) in page.tags
    assert [attrs.get("class") for tag, attrs in page.tags if tag == "tr"] == [None, "match", None]


def test_nothing_runs_and_nothing_is_fetched() -> None:
    html = steps_of("x").to_html()
    assert not re.search(r"<script|<link|<img|url\(|@import|https?:|\son\w+=|src=|href=", html)


def test_the_style_is_inlined_and_reaches_nothing_else() -> None:
    css = files("refscore.tables").joinpath("style.css").read_text(encoding="utf-8")
    assert css in steps_of("x").to_html()
    rules = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    selectors = [part.strip() for heads in re.findall(r"([^{}]+)\{", rules) for part in heads.split(",")]
    assert selectors and all(re.match(r"\.refscore(\s|$)", selector) for selector in selectors)
    assert not re.search(r"(?<!-)color:(?!\s*inherit)", rules), "text must take its colour from the page"


def test_every_class_used_has_a_rule() -> None:
    html = steps_of("x").to_html()
    used = {name for _, attrs in Page(html).tags for name in (attrs.get("class") or "").split()}
    css = files("refscore.tables").joinpath("style.css").read_text(encoding="utf-8")
    assert used and all(f".{name} " in css for name in used)
