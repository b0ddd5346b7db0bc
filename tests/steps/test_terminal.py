"""The terminal: text is never markup, colour is never the only signal, nothing is truncated."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Row, Table

MARKED = Table("T", (Column("w"),), (Row(("yes",), "match"), Row(("half",), "partial"), Row(("no",), "miss")))


def shown(steps: Steps, *, width: int = 100, colour: bool = False) -> str:
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=colour, color_system="standard" if colour else None).print(steps)
    return file.getvalue()


@pytest.mark.parametrize("text", ["[red]x[/red]", "[/]", "[link=http://a.b]c[/link]", ":smile:", "[bold", "<script>"])
def test_text_is_not_markup(text: str) -> None:
    table = Table(text, (Column(text),), (Row((text,), "match"),), note=text)
    steps = Steps(text, (Heading(text), Paragraph(text), Formula(text, text, text), table), text)
    assert shown(steps).count(text) == 11
    assert "\x1b" not in shown(steps)


@pytest.mark.parametrize("text", ["two\nlines", "\x00", "\x85", "\u2028", "\u202eback", "\ud800", "\x1b[2J", "\x07"])
def test_no_text_adds_a_line_or_a_control_character(text: str) -> None:
    def steps(filling: str) -> Steps:
        table = Table(filling, (Column(filling),), (Row((filling,), "miss"),), note=filling)
        return Steps(filling, (Heading(filling), Paragraph(filling), Formula(filling, filling), table), filling)

    output = shown(steps(text))
    output.encode("utf-8")
    assert len(output.splitlines()) == len(shown(steps("x")).splitlines())
    assert output.replace("\n", "").isprintable()


def test_marks_have_a_colour_and_a_sign() -> None:
    lines = shown(Steps("T", (MARKED,), "r"), colour=True).splitlines()
    for word, sign, code in (("yes", "✓", "32"), ("half", "~", "33"), ("no", "✗", "31")):
        line = next(line for line in lines if word in line)
        assert sign in line and f"\x1b[{code}m" in line


def test_signs_are_there_without_colour_and_absent_without_marks() -> None:
    assert all(sign in shown(Steps("T", (MARKED,), "r")) for sign in "✓~✗")
    unmarked = Table("T", (Column("w"),), (Row(("yes",)),))
    assert not any(sign in shown(Steps("T", (unmarked,), "r")) for sign in "✓~✗")


def test_a_narrow_terminal_folds_and_loses_nothing() -> None:
    long = "abcdefghijklmnopqrstuvwxyz"
    steps = Steps("T", (Table("T", (Column("w"),), (Row((long,), "match"),)), Formula("x", long, long)), "r")
    output = shown(steps, width=16)
    assert all(cell_len(line) <= 16 for line in output.splitlines())
    letters = "".join(char for char in output if char.islower())
    assert letters.count(long) == 3


def test_columns_line_up_with_wide_characters() -> None:
    columns = (Column("word"), Column("count", "right"))
    table = Table("T", columns, (Row(("猫が好き", "17")), Row(("cafe\u0301", "18")), Row(("cat", "19"))))
    lines = [
        line for line in shown(Steps("T", (table,), "r")).splitlines() if any(n in line for n in ("17", "18", "19"))
    ]
    assert len({cell_len(line[: line.index("1")]) for line in lines}) == 1 and len(lines) == 3
