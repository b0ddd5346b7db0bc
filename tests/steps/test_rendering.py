"""Plain text, terminal and HTML: no text becomes markup or leaves its line, and nothing is lost."""

import io
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
from rich.cells import cell_len
from rich.console import Console

from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Row, Table
from refscore.text_display import display_width

HOSTILE = [
    *("<script>alert(1)</script>", "</style></table><img src=x onerror=alert(1)>", "\" onload='x'", "&amp;&#x202e;"),
    *("\u202eback", "\ud800", "\x00", "two\nlines", "\x85", "\u2028", "\x1b[2J", "\r", "\t", "\x07"),
    *("[red]x[/red]", "[/]", "[link=http://a.b]c[/link]", ":smile:", "[bold"),
]
CSS = files("refscore.tables").joinpath("style.css").read_text(encoding="utf-8")


def steps_of(text: str) -> Steps:
    table = Table(text, (Column(text), Column("n", "right")), (Row((text, "1"), "match"), Row((text, "2"))), note=text)
    return Steps(text, (Heading(text), Paragraph(text), Formula(text, text, text), table), text)


def on_terminal(steps: Steps, *, width: int = 200, colour: bool = False) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=colour, color_system="standard" if colour else None).print(steps)
    return file.getvalue()


def table_lines(table: Table) -> list[str]:
    """Return only the lines of the table in plain text, without its title."""
    return str(Steps("T", (table,), "r")).split("\n\n")[1].split("\n")[1:]


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


@pytest.mark.parametrize("render", [str, on_terminal, Steps.to_html])
@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text: str, render) -> None:
    shown, harmless = render(steps_of(text)), render(steps_of("x"))
    shown.encode("utf-8")
    assert len(shown.splitlines()) == len(harmless.splitlines())
    assert shown.replace("\n", "").isprintable()
    if render is Steps.to_html:
        assert Page(shown).tags == Page(harmless).tags
    elif text.isprintable() and "\u202e" not in text:
        assert shown.count(text) == 12


@pytest.mark.parametrize("text", ["<b>&amp;\"'", "[red]", "日本", " a  b "])
def test_visible_text_arrives_unchanged_in_html(text: str) -> None:
    texts = Page(steps_of(text).to_html()).texts
    for tag in ("h3", "h4", "p", "dt", "caption", "th", "td"):
        assert (tag, text) in texts
    assert sum(text in data for _, data in texts) == 12


def test_html_is_accessible_and_fetches_nothing() -> None:
    html = steps_of("x").to_html()
    page = Page(html)
    heads = [attrs for tag, attrs in page.tags if tag == "th"]
    assert len(heads) == 3 and all(attrs["scope"] == "col" for attrs in heads)
    assert [tag for tag, _ in page.tags].count("caption") == 1
    assert [text for tag, text in page.texts if tag in ("th", "span")] == ["mark", "x", "n", "✓"]
    assert ("span", {"role": "img", "aria-label": "match"}) in page.tags
    assert [attrs.get("class") for tag, attrs in page.tags if tag == "tr"] == [None, "match", None]
    assert not re.search(r"<script|<link|<img|url\(|@import|https?:|\son\w+=|src=|href=", html)


def test_the_style_is_inlined_and_reaches_nothing_else() -> None:
    html = steps_of("x").to_html()
    assert CSS in html
    rules = re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)
    selectors = [part.strip() for heads in re.findall(r"([^{}]+)\{", rules) for part in heads.split(",")]
    assert selectors and all(re.match(r"\.refscore(\s|$)", selector) for selector in selectors)
    assert not re.search(r"(?<!-)color:(?!\s*inherit)", rules), "text must take its colour from the page"
    used = {name for _, attrs in Page(html).tags for name in (attrs.get("class") or "").split()}
    assert used and all(f".{name} " in CSS for name in used)


@pytest.mark.parametrize("word", ["cat", "猫が好き", "cafe\u0301", "👍🏽", "한국어", "\x00", "\u202eback", "\ud800"])
@pytest.mark.parametrize("mark", [None, "match"])
def test_a_right_column_ends_where_its_header_ends(word: str, mark) -> None:
    columns = (Column("word"), Column("middle", "center"), Column("count", "right"))
    table = Table("T", columns, (Row((word, word, "1"), mark), Row(("a longer word", "b", "12345678"))), note="N")
    *lines, note = table_lines(table)
    assert (len(lines), note) == (4, "N")
    assert len({display_width(line) for line in lines}) == 1
    rows = [line for line in on_terminal(Steps("T", (table,), "r")).splitlines() if line.endswith(("1", "8"))]
    assert len(rows) == 2 and len({cell_len(line) for line in rows}) == 1


def test_center_is_between_left_and_right() -> None:
    aligned = [Table("T", (Column("12345", align),), (Row(("x",)),)) for align in ("left", "center", "right")]
    assert [table_lines(table)[2].index("x") for table in aligned] == [0, 2, 4]


def test_formulas_are_aligned_at_the_equals_sign() -> None:
    formulas = (Formula("BP", "1", None), Formula("猫", "2"), Formula("log p", "3/4", "0.75"))
    lines = str(Steps("T", formulas, "r")).split("\n\n")[1].split("\n")
    assert len({display_width(line[: line.index("=")]) for line in lines}) == 1
    assert lines[2] == "log p = 3/4 = 0.75"


def test_marks_have_a_sign_and_on_a_terminal_a_colour() -> None:
    signs = {"match": ("✓", "32"), "partial": ("~", "33"), "miss": ("✗", "31")}
    marked = Table("T", (Column("w"),), [Row((name,), name) for name in signs] + [Row(("none",))])
    assert table_lines(marked)[2:] == ["✓  match", "~  partial", "✗  miss", "   none"]
    lines = on_terminal(Steps("T", (marked,), "r"), colour=True).splitlines()
    for name, (sign, code) in signs.items():
        line = next(line for line in lines if name in line)
        assert sign in line and f"\x1b[{code}m" in line
    unmarked = Table("T", (Column("w"),), (Row(("none",)),))
    assert table_lines(unmarked) == ["w", "----", "none"]
    assert not any(sign in on_terminal(Steps("T", (unmarked,), "r")) for sign in "✓~✗")


def test_a_narrow_terminal_folds_and_loses_nothing() -> None:
    long = "abcdefghijklmnopqrstuvwxyz"
    steps = Steps("T", (Table("T", (Column("w"),), (Row((long,), "match"),)), Formula("x", long, long)), "r")
    output = on_terminal(steps, width=16)
    assert all(cell_len(line) <= 16 for line in output.splitlines())
    letters = "".join(char for char in output if char.islower())
    assert letters.count(long) == 3
