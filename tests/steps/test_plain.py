"""Plain text: columns are aligned by display width, and no text leaves its line."""

import pytest

from refscore.steps import Formula, Heading, Paragraph, Steps
from refscore.tables import Column, Mark, Row, Table
from refscore.text_display import Align, display_width

HOSTILE = ["two\nlines", "\x00", "\x85", "\u2028", "\u202eback", "\ud800", "\x1b[2J", "\r", "\t"]


def table_lines(table: Table) -> list[str]:
    """Return only the lines of the table, without its title."""
    return str(Steps("T", (table,), "r")).split("\n\n")[1].split("\n")[1:]


@pytest.mark.parametrize("word", ["cat", "猫", "猫が好き", "cafe\u0301", "👍🏽", "한국어", *HOSTILE])
@pytest.mark.parametrize("mark", [None, "match"])
def test_a_right_column_ends_where_its_header_ends(word: str, mark: Mark | None) -> None:
    columns = (Column("word"), Column("middle", "center"), Column("count", "right"))
    lines = table_lines(Table("T", columns, (Row((word, word, "1"), mark), Row(("a longer word", "b", "12345678")))))
    assert len(lines) == 4
    assert len({display_width(line) for line in lines}) == 1


def test_center_is_between_left_and_right() -> None:
    def start(align: Align) -> int:
        return table_lines(Table("T", (Column("12345", align),), (Row(("x",)),)))[2].index("x")

    assert (start("left"), start("center"), start("right")) == (0, 2, 4)


def test_marks_have_signs_in_a_column_of_their_own() -> None:
    rows = (Row(("a",), "match"), Row(("b",), "partial"), Row(("c",), "miss"), Row(("d",)))
    assert table_lines(Table("T", (Column("w"),), rows))[2:] == ["✓  a", "~  b", "✗  c", "   d"]
    assert table_lines(Table("T", (Column("w"),), (Row(("d",)),)))[2:] == ["d"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_adds_a_line_or_a_control_character(text: str) -> None:
    def steps(filling: str) -> Steps:
        table = Table(filling, (Column(filling),), (Row((filling,), "miss"),), note=filling)
        formula = Formula(filling, filling, filling)
        return Steps(filling, (Heading(filling), Paragraph(filling), formula, table), filling)

    output = str(steps(text))
    output.encode("utf-8")
    assert len(output.splitlines()) == len(str(steps("x")).splitlines())
    assert output.replace("\n", "").isprintable()


def test_formulas_are_aligned_at_the_equals_sign() -> None:
    formulas = (Formula("BP", "1", None), Formula("猫", "2"), Formula("log p", "3/4", "0.75"))
    lines = str(Steps("T", formulas, "r")).split("\n\n")[1].split("\n")
    assert len({display_width(line[: line.index("=")]) for line in lines}) == 1
    assert lines[2] == "log p = 3/4 = 0.75"


def test_every_row_and_the_note_are_shown() -> None:
    rows = tuple(Row((f"token{index}",)) for index in range(1000))
    lines = table_lines(Table("T", (Column("w"),), rows, note="all of them"))
    assert [line for line in lines if line.startswith("token")] == [row.cells[0] for row in rows]
    assert lines[-1] == "all of them"


def test_an_empty_table_keeps_its_head() -> None:
    assert table_lines(Table("T", (Column("word"),), ())) == ["word", "----"]
