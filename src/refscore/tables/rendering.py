"""Tables as plain text, Markdown, LaTeX, CSV, TSV or HTML."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from refscore.errors import UnknownNameError
from refscore.tables.model import SIGNS, Highlight, Table
from refscore.text_display import Align, display_width, pad, quote_formula, visible

_LATEX = str.maketrans(
    {char: rf"\{char}" for char in "{}$&#_%"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "|": r"\textbar{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "±": r"$\pm$", "−": r"$-$", "≥": r"$\geq$", "≤": r"$\leq$"}
    | {"Δ": r"$\Delta$", "↓": r"$\downarrow$", "→": r"$\to$", "✓": r"$\surd$", "✗": r"$\times$"}
    | {"∗": r"$^{\ast}$", "†": r"$^{\dagger}$"}
)
_MARKDOWN_RULES: dict[Align, str] = {"left": "---", "right": "---:", "center": ":---:"}
_MARKDOWN_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~]")
_MINUS = re.compile("−(?=[0-9])")
_HYPHEN = re.compile("(?<![0-9])-(?=[0-9])")
_NUMBERS = re.compile(r"[-+0-9.,\[\] ]*[∗†]?")


def render(table: Table, form: str, *, quote_formulas: bool = False) -> str:
    r"""Return the table as text, without a final newline.

    Highlighted cells have a star in plain text, and are bold in Markdown, LaTeX and HTML. LaTeX needs the package
    booktabs. CSV and TSV omit highlights, title and note.

    Args:
        table: The table.
        form: The format: "plain", "markdown", "latex", "csv", "tsv" or "html".
        quote_formulas: Put an apostrophe before cells of CSV and TSV that a spreadsheet would read as a formula.

    Example:
        >>> from refscore.tables import Column, Highlight, Table
        >>> columns = [Column("system"), Column("BLEU", "right")]
        >>> table = Table("", columns, [["a", "7.51"], ["b_2", Highlight("28.03")]])
        >>> print(render(table, "plain"))
        system    BLEU
        ------  ------
        a         7.51
        b_2     *28.03
        >>> print(render(table, "markdown"))
        | system | BLEU |
        |---|---:|
        | a | 7.51 |
        | b\_2 | **28.03** |
    """
    if form not in FORMATS:
        raise UnknownNameError.suggest("table format", form, FORMATS)
    if form in _FLAT:
        values = _values(table)
        return _FLAT[form]([[*map(quote_formula, row)] for row in values] if quote_formulas else values)
    return _RENDERERS[form](table)


def render_tables(
    tables: Iterable[Table], form: str, lines: Iterable[str] = (), *, quote_formulas: bool = False
) -> str:
    """Return several tables as text, with lines such as signatures below them.

    The lines are comments in LaTeX and are omitted in CSV and TSV. The arguments are those of `render`.

    Example:
        >>> from refscore.tables import Column, Table
        >>> tables = [Table("", [Column(name)], [["1"]]) for name in ("a", "b")]
        >>> print(render_tables(tables, "csv", ["not shown"]))
        a
        1
        b
        1
    """
    if form == "html":
        from refscore.tables.html import escape_text, fragment, render_table

        notes = [f'<p class="note">{escape_text(line)}</p>' for line in lines]
        return fragment(*map(render_table, tables), *notes)
    shown = ("\n" if form in _FLAT else "\n\n").join(
        render(table, form, quote_formulas=quote_formulas) for table in tables
    )
    beginnings = {"plain": "\n", "markdown": "\n- `", "latex": "\n% "}
    if form not in beginnings:
        return shown
    ends = {"markdown": "`"}
    under = "".join(f"{beginnings[form]}{visible(line)}{ends.get(form, '')}" for line in lines)
    return shown + ("\n" + under if under and form != "latex" else under)


def cell_texts(table: Table, escape: Callable[[str], str], highlight: str) -> tuple[list[Align], list[list[str]]]:
    """Return the alignments of the columns, and the texts of the header and the rows. Signs are the first column.

    `escape` escapes the text of a cell for the format. `highlight` is the format string for highlighted cells.
    """
    rows = [[escape(column.title) for column in table.columns]]
    for row in table.rows:
        texts = [(highlight if isinstance(cell, Highlight) else "{}", escape(cell)) for cell in row.cells]
        rows.append([form.format(text) for form, text in texts])
    aligns = [column.align for column in table.columns]
    if not table.marked:
        return aligns, rows
    signs = ["", *(escape(SIGNS.get(row.mark, "")) for row in table.rows)]
    return ["center", *aligns], [[sign, *texts] for sign, texts in zip(signs, rows, strict=True)]


def _plain(table: Table) -> str:
    aligns, rows = cell_texts(table, visible, "*{}")
    widths = [max(map(display_width, texts)) for texts in zip(*rows, strict=True)]
    rule = ["-" * width for width in widths]
    if table.marked:
        rule[0] = ""
    lines = [visible(table.title)] if table.title else []
    for texts in [rows[0], rule, *rows[1:]]:
        padded = [pad(text, width, align) for text, width, align in zip(texts, widths, aligns, strict=True)]
        lines.append("  ".join(padded).rstrip(" "))
    return "\n".join([*lines, visible(table.note)] if table.note else lines)


def _markdown(table: Table) -> str:
    def escape(text: str) -> str:
        return _MARKDOWN_SPECIAL.sub(r"\\\g<0>", visible(text))

    aligns, rows = cell_texts(table, escape, "**{}**")
    lines = [f"| {' | '.join(texts)} |" for texts in rows]
    lines.insert(1, f"|{'|'.join(_MARKDOWN_RULES[align] for align in aligns)}|")
    if table.title:
        lines = [f"**{escape(table.title)}**", "", *lines]
    return "\n".join([*lines, "", escape(table.note)] if table.note else lines)


def escape_latex(text: str) -> str:
    r"""Return text for LaTeX, with special and invisible characters escaped. Numbers get a minus sign.

    >>> print(escape_latex("50 % of system_2"), escape_latex("-1.5"))
    50 \% of system\_2 $-$1.5
    """
    # LaTeX prints a hyphen in text shorter than a minus sign.
    return visible(_HYPHEN.sub("−", text) if _NUMBERS.fullmatch(text) else text).translate(_LATEX)


def _latex(table: Table) -> str:
    def line(texts: Iterable[str]) -> str:
        text = " & ".join(texts) + r" \\"
        # At the start of a row, LaTeX would read these as options of the command before.
        return "{}" + text if text.startswith(("[", "*")) else text

    aligns, (head, *body) = cell_texts(table, escape_latex, r"\textbf{{{}}}")
    lines = [
        rf"\begin{{tabular}}{{{''.join(align[0] for align in aligns)}}}",
        r"\toprule",
        line(head),
        r"\midrule",
        *map(line, body),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    comments = [f"% {visible(text)}" for text in (table.title, table.note) if text]
    return "\n".join([*comments, *lines])


def _values(table: Table) -> list[list[str]]:
    # Programs parse a number with a hyphen, but not with a minus sign.
    return cell_texts(table, lambda text: _MINUS.sub("-", visible(text)), "{}")[1]


def _csv(values: list[list[str]]) -> str:
    import csv
    import io

    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(values)
    return file.getvalue().removesuffix("\n")


def _tsv(values: list[list[str]]) -> str:
    return "\n".join(map("\t".join, values))


def _html(table: Table) -> str:
    from refscore.tables.html import fragment, render_table  # slow to import, and needed only in notebooks

    return fragment(render_table(table))


_RENDERERS: dict[str, Callable[[Table], str]] = {
    "plain": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}
_FLAT: dict[str, Callable[[list[list[str]]], str]] = {"csv": _csv, "tsv": _tsv}
FORMATS = ("plain", "markdown", "latex", "csv", "tsv", "html")
