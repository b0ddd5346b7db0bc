import pytest

from refscore import UnknownNameError
from refscore.tables import FORMATS, Cell, Column, Table, render

COLUMNS = [Column("system"), Column("BLEU", "right")]


def test_a_row_of_another_width_is_an_error():
    with pytest.raises(ValueError, match=r"rows\[1\] has 1 cells, but there are 2 columns"):
        Table(COLUMNS, [["a", "1"], ["b"]])


def test_an_unknown_form_is_an_error():
    with pytest.raises(UnknownNameError, match="did you mean 'latex'"):
        render(Table(COLUMNS, []), "latx")


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_text_stays_in_its_cell(form):
    text = render(Table(COLUMNS, [["a\tb\nc\u202e\ud800", "1"]]), form)
    assert r"a\tb\nc\u202e\ud800" in text.replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")
    assert text.encode()
    assert len(text.splitlines()) == len(render(Table(COLUMNS, [["a", "1"]]), form).splitlines())


def test_markup_of_the_form_is_escaped():
    table = Table(COLUMNS, [["a|b*c_d", Cell("1", "best")]])
    assert r"| a\|b\*c\_d | **1** |" in render(table, "markdown")
    assert r"a\%b\&c\_\{\}\textbackslash{}" in render(Table(COLUMNS, [["a%b&c_{}\\", "1"]]), "latex").replace(
        r"\textbackslash{}\textbackslash{}", r"\textbackslash{}"
    )


def test_latex_takes_no_cell_for_an_option():
    lines = render(Table(COLUMNS, [["[a]", "1"], ["*b", "2"], ["c|d → e", "3"]]), "latex").splitlines()
    assert lines[4:7] == [r"{}[a] & 1 \\", r"{}*b & 2 \\", r"c\textbar{}d $\to$ e & 3 \\"]


def test_latex_has_minus_signs():
    lines = render(Table(COLUMNS, [["t-5", "[-1.50, +2.00]"], ["2024-01-02", "-3"]]), "latex").splitlines()
    assert lines[4:6] == [r"t-5 & [$-$1.50, +2.00] \\", r"2024-01-02 & $-$3 \\"]


def test_numbers_between_tabs_have_a_sign_that_programs_read():
    assert render(Table(COLUMNS, [["a − b", "−1.50"]]), "tsv").splitlines()[1] == "a − b\t-1.50"


def test_wide_characters_keep_columns_in_line():
    lines = render(Table(COLUMNS, [["日本", "1"], ["ab", Cell("10", "best")]]), "plain").splitlines()
    assert lines == ["system  BLEU", "------  ----", "日本       1", "ab       *10"]


def test_titles_and_notes():
    table = Table(COLUMNS, [["a", "1"]], title="T", note="N 5%")
    assert render(table, "plain").splitlines()[0] == "T"
    assert render(table, "plain").splitlines()[-1] == "N 5%"
    assert render(table, "markdown").splitlines()[0] == "**T**"
    assert render(table, "latex").splitlines()[:2] == ["% T", "% N 5%"]
    assert render(table, "tsv") == "system\tBLEU\na\t1"
