import csv
import io
import os
import pickle
import re
from unittest import mock

import pytest
from rich.cells import cell_len
from rich.console import Console

from refscore.errors import UnknownNameError
from refscore.tables import FORMATS, BadHighlight, BestHighlight, Column, Highlight, Result, Row, Table, render
from refscore.tables.terminal import TerminalTable, print_result

COLUMNS = [Column("system"), Column("BLEU", "right")]


def table(*rows, title="", note=None):
    return Table(title, COLUMNS, rows, note)


def on_terminal(shown, width):
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(TerminalTable(shown))
    return file.getvalue().splitlines()


@pytest.mark.parametrize("cells", [(), ("a",), ("a", "1", "2")])
def test_a_row_must_fit_the_columns(cells):
    with pytest.raises(ValueError, match=r"'Words'.*rows\[1\]"):
        Table("Words", COLUMNS, [Row(("a", "1")), cells])
    with pytest.raises(ValueError, match="'T'"):
        Table("T", [], [])


def test_tables_are_values():
    one = Table("T", COLUMNS, [Row(("a", Highlight("1")), "dim")], "N")
    assert one == pickle.loads(pickle.dumps(one)) and hash(one) == hash(pickle.loads(pickle.dumps(one)))
    assert isinstance(pickle.loads(pickle.dumps(one)).rows[0].cells[1], Highlight)
    assert (repr([one]), one._repr_html_()) == (f"[{one}]", render(one, "html"))


def test_an_unknown_form_is_an_error():
    with pytest.raises(UnknownNameError, match="'latex'"):
        render(table(), "latx")


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_text_stays_in_its_cell(form):
    text = render(table(["a\tb\nc\u202e\ud800", "1"]), form)
    assert r"a\tb\nc\u202e\ud800" in text.replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")
    assert text.encode()
    assert len(text.splitlines()) == len(render(table(["a", "1"]), form).splitlines())


def test_markup_of_the_form_is_escaped():
    assert r"| a\|b\*c\_d | **1** |" in render(table(["a|b*c_d", Highlight("1")]), "markdown")
    assert r"a\%b\&c\_\{\}\textbackslash{}" in render(table(["a%b&c_{}\\", "1"]), "latex").replace(
        r"\textbackslash{}\textbackslash{}", r"\textbackslash{}"
    )
    assert '<td class="left">&lt;b&gt;</td><td class="right"><strong>1</strong></td>' in render(
        table(["<b>", Highlight("1")]), "html"
    )


def test_latex():
    rows = [["a", "7.51"], ["b_2", Highlight("28.03")], ["[a]", "1"], ["*b", "2"], ["c|d → e", "3"]]
    rows += [["t-5", "[-1.50, +2.00]"], ["2024-01-02", "-3"]]
    assert render(table(*rows), "latex").splitlines() == [
        r"\begin{tabular}{lr}", r"\toprule", r"system & BLEU \\", r"\midrule",
        r"a & 7.51 \\", r"b\_2 & \textbf{28.03} \\",
        r"{}[a] & 1 \\", r"{}*b & 2 \\", r"c\textbar{}d $\to$ e & 3 \\",  # no option of the line before
        r"t-5 & [$-$1.50, +2.00] \\", r"2024-01-02 & $-$3 \\",
        r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip


def test_numbers_for_programs_have_a_sign_that_they_read():
    rows = table(["a − b", "−1.50"], ['say "a", b', Highlight("2")])
    assert render(rows, "tsv").splitlines()[1:] == ["a − b\t-1.50", 'say "a", b\t2']
    assert list(csv.reader(io.StringIO(render(rows, "csv"))))[1:] == [["a − b", "-1.50"], ['say "a", b', "2"]]


def test_titles_and_notes():
    titled = table(["a", "1"], title="T", note="N 5%")
    assert render(titled, "text").splitlines()[0] == "T"
    assert render(titled, "text").splitlines()[-1] == "N 5%"
    assert render(titled, "markdown").splitlines()[0] == "**T**"
    assert render(titled, "latex").splitlines()[:2] == ["% T", "% N 5%"]
    assert render(titled, "tsv") == "system\tBLEU\na\t1"
    assert "<caption>T</caption>" in render(titled, "html") and '<p class="note">N 5%</p>' in render(titled, "html")


def test_signs_are_the_first_column_in_every_form():
    marked = table(Row(("a", "1"), "match"), Row(("b", "2"), "miss"), Row(("c", "3"), "dim"))
    assert render(marked, "text").splitlines()[2:] == ["✓  a          1", "✗  b          2", "   c          3"]
    assert render(marked, "markdown").splitlines()[1:3] == ["|:---:|---|---:|", "| ✓ | a | 1 |"]
    assert render(marked, "latex").splitlines()[4] == r"$\surd$ & a & 1 \\"
    assert render(marked, "tsv").splitlines() == ["\tsystem\tBLEU", "✓\ta\t1", "✗\tb\t2", "\tc\t3"]
    assert on_terminal(marked, 40)[2:] == ["✓  a          1", "✗  b          2", "   c          3"]


def test_highlights_and_wide_characters_keep_columns_in_line():
    rows = table(["日本", "7.51"], ["b", BestHighlight("28.03")])
    for lines, rule in ((on_terminal(rows, 40), "──────────────"), (str(rows).splitlines(), "------  ------")):
        assert lines == ["system    BLEU", rule, "日本      7.51", "b       *28.03"]


def test_good_news_is_green_and_bad_news_is_not():
    file = io.StringIO()
    shown = table(["good", Highlight("1.5")], ["bad", BadHighlight("2.5")])
    Console(file=file, width=40, force_terminal=True, color_system="standard").print(TerminalTable(shown))
    assert "\x1b[1;32m 1.5" in file.getvalue()
    assert "\x1b[1;31m 2.5" in file.getvalue()


def test_alike_tables_of_a_result_have_the_same_columns(capsys):
    class Both(Result):
        def tables(self, *, digits=None):
            columns = [Column("system"), Column("p", "right", is_optional=True), Column("verdict")]
            texts = [["a", "1", "x"]], [["a longer name", "≤ 0.0001", "a verdict"]]
            other = Table("", COLUMNS, [["b", "1"]])
            return [Table("", columns, texts[0]), other, Table("", columns, texts[1])]

    for width, titles in ((40, ["system", "p", "verdict"]), (24, ["system", "verdict"])):
        with mock.patch.dict(os.environ, COLUMNS=str(width)):
            print_result(Both())
        first, _, _, _, other, _, _, _, second, *rest = capsys.readouterr().out.splitlines()
        assert first == second and first.split() == titles and other.split() == ["system", "BLEU"]
        assert " ".join(rest).count("Not shown, for lack of  width: p") == (width == 24)


def test_a_terminal_folds_the_longest_texts_only():
    columns = [Column("system"), Column("verdict")]
    lines = on_terminal(Table("", columns, [["a_long_name_of_a_system", "baseline"]]), 20)
    assert [line.rstrip() for line in lines[2:]] == ["a_long_nam  baseline", "e_of_a_sys", "tem"]
    # Numbers are never folded.
    wide = table(["a_long_name_of_a_system", "27.5123456789"])
    assert TerminalTable(wide).least_widths(8) == [8, 13]
    lines = on_terminal(wide, 23)
    assert lines[2].startswith("a_long_n") and lines[2].endswith("27.5123456789") and len(lines) == 5
    narrow = on_terminal(wide, 22)
    assert "27.5123456789" in "".join(narrow) and all(cell_len(line) <= 22 for line in narrow)


NAME = "sys.LMU-nmt-reranked.4934.txt"


def test_a_narrow_terminal_hides_optional_columns():
    columns = [Column("system"), Column("BLEU", "right"), Column("wins", "right", is_optional=True), Column("verdict")]
    shown = Table("", columns, [[NAME, "27.11", "100.0 %", "better"]], "A note.")
    assert on_terminal(shown, 80)[0].split() == ["system", "BLEU", "wins", "verdict"]
    head, _, row, note = (line.rstrip() for line in on_terminal(shown, 48))
    assert (head.split(), row.split()) == (["system", "BLEU", "verdict"], [NAME, "27.11", "better"])
    assert note == "A note. Not shown, for lack of width: wins"


def test_a_narrow_terminal_stacks_columns_and_breaks_no_name():
    columns = [Column("system"), *(Column("BLEU", "right"), Column("95 % interval", "right", is_joined=True)) * 3]
    shown = Table("Scores", columns, [[NAME, *("27.11", "[26.20, 27.73]") * 3]])
    lines = on_terminal(shown, 80)
    assert all(cell_len(line) <= 80 for line in lines)
    heads = [line.split("  ") for line in lines if line.startswith("system")]
    assert [[text.strip() for text in head].count("BLEU") for head in heads] == [2, 1]
    assert [line.split()[0] for line in lines if "27.11" in line] == [NAME] * 2
    assert [line.strip() for line in lines].count("Scores") == 1


def test_the_columns_that_name_a_row_are_repeated():
    columns = [Column("group"), Column("segments", "right"), Column("system"), *[Column("BLEU", "right")] * 9]
    lines = on_terminal(Table("", columns, [["news", "12", "base", *["27.11"] * 9]], keys=3), 60)
    parts = [line.split()[:3] for line in lines if "27.11" in line]
    assert len(parts) > 1 and parts == [["news", "12", "base"]] * len(parts)


def test_headings_of_numbers_wrap_before_columns_are_hidden():
    columns = [Column("system"), Column("detectable (80 %)", "right", is_optional=True)]
    lines = on_terminal(Table("", columns, [["a", "1.5"]]), 18)
    assert [re.split(" {2,}", line.strip()) for line in lines[:2]] == [["detectable"], ["system", "(80 %)"]]


def test_a_title_may_be_wider_than_its_table():
    shown = table(["a", "1"], title="Substitutions (3,890 of 5,829 errors)", note="These are only some of them.")
    lines = on_terminal(shown, 80)
    assert (lines[0], lines[-1]) == (shown.title, shown.note)
