from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from refscore._version import __version__
from refscore.errors import UnknownNameError
from refscore.tables.model import SIGNS, BestHighlight, Highlight, Result, Table, encode_json
from refscore.text_display import Align, align, all_visible, quote_formula, visible

_LATEX = str.maketrans(
    {char: rf"\{char}" for char in "{}$&#_%"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "|": r"\textbar{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "±": r"$\pm$", "−": r"$-$", "≥": r"$\geq$", "≤": r"$\leq$"}
    | {"Δ": r"$\Delta$", "↓": r"$\downarrow$", "→": r"$\to$", "✓": r"$\surd$", "✗": r"$\times$"}
    | {"‡": r"$^{\ddagger}$", "†": r"$^{\dagger}$"}
)
_MARKDOWN_RULES: dict[Align, str] = {"left": "---", "right": "---:", "center": ":---:"}
_MARKDOWN_SPECIAL = re.compile(r"[\\`*_{}\[\]<>#|~]")
_MINUS = re.compile("−(?=[0-9])")
_HYPHEN = re.compile("(?<![0-9])-(?=[0-9])")
_NUMBERS = re.compile(r"[-+0-9.,\[\] ]*[‡†]?")


def render(
    result: Result,
    form: str,
    *,
    digits: int | None = None,
    hints: Iterable[str] = (),
    notes: Mapping[str, Any] | None = None,
    quote_formulas: bool = False,
) -> str:
    r"""Return a table, or a different result, as text without a final newline.

    Text, Markdown and LaTeX have the tables, then the signatures (as comments in LaTeX), then the details. HTML is a
    fragment with the same. CSV and TSV are one table with full precision, without title, note and signatures.

    Highlighted cells are bold in Markdown, LaTeX and HTML. In text, a star marks the best cell of a column. LaTeX needs
    the package booktabs.

    Args:
        result: The result.
        form: A format in `FORMATS`.
        digits: The decimals in tables, by default each number's.
        hints: Lines above the signatures in text, Markdown and LaTeX.
        notes: Further settings by name. They are members in the JSON object, and texts among them follow the
            signatures, except in HTML.
        quote_formulas: In CSV and TSV, put an apostrophe before cells that a spreadsheet would read as a formula.

    Example:
        >>> from refscore.tables import BestHighlight, Column, Table
        >>> columns = [Column("system"), Column("BLEU", "right")]
        >>> table = Table("", columns, [["a", "7.51"], ["b_2", BestHighlight("28.03")]])
        >>> print(render(table, "text"))
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
        raise UnknownNameError.suggest("format", form, FORMATS)
    if form == "json":
        content = result.to_dict()
        if isinstance(content, dict):  # not the list of an `AlignmentView`
            header = {"schema": f"refscore.{result.schema}/1", "version": __version__} if result.schema else {}
            content = {**header, **content, **(notes or {})}
        return encode_json(content, indent=2)
    if form in _FLAT:
        values = _values(result.flat_table())
        return _FLAT[form]([[*map(quote_formula, row)] for row in values] if quote_formulas else values)
    details = [detail.render_as(form) for detail in result.details]
    if form == "html":
        return "\n".join([*_html(result, digits), *details])
    lines = signature_lines(result, hints, notes)
    if form == "latex":
        tables, gap = result.latex_tables(digits=digits), "\n"
    else:
        tables, gap = "\n\n".join(map(_RENDERERS[form], result.tables(digits=digits))), "\n\n"
    if tables:
        below = "\n".join(_LINES[form].format(line) for line in lines)
        tables = gap.join(filter(None, [tables, below]))
    else:
        tables = "\n".join(filter(None, [result.if_empty, *lines]))
    return "\n\n".join(filter(None, [tables, *details]))


def signature_lines(result: Result, hints: Iterable[str], notes: Mapping[str, Any] | None) -> list[str]:
    """Return the lines below a result's tables: hints, signatures, and the texts among the notes."""
    lines = [*hints, *result.all_signatures, *(notes or {}).values()]
    return all_visible([line for line in lines if isinstance(line, str)])


def verbatim(text: str, form: str) -> str:
    r"""Return text that keeps its line breaks and spaces, as "text", "markdown" or "latex".

    >>> print(verbatim("a  b", "latex"))
    \begin{verbatim}
    a  b
    \end{verbatim}
    """
    return _VERBATIM[form].format(text)


def _html(result: Result, digits: int | None) -> list[str]:
    from refscore.tables.html import escape_text, fragment, render_table  # slow to import, and needed only in notebooks

    blocks = [render_table(table) for table in result.tables(digits=digits)]
    blocks += [f'<p class="note">{escape_text(line)}</p>' for line in result.all_signatures]
    return [fragment(*blocks)] if blocks or not result.details else []


def cell_texts(
    table: Table, escape: Callable[[Iterable[str]], list[str]], highlight: str, kind: type[Highlight] = Highlight
) -> tuple[list[Align], list[list[str]]]:
    """Return the columns' alignments, and the texts in the header and the rows. Signs are the first column.

    `escape` escapes texts. `highlight` is the format string for highlighted cells of the given kind.
    """
    cells = [[column.title for column in table.columns], *(row.cells for row in table.rows)]
    texts = iter(escape([cell for row in cells for cell in row]))
    rows = [
        [highlight.format(text) if isinstance(cell, kind) else text for cell, text in zip(row, texts)]  # noqa: B905
        for row in cells
    ]
    aligns = [column.align for column in table.columns]
    if not table.marked:
        return aligns, rows
    signs = escape(["", *(SIGNS.get(row.mark, "") for row in table.rows)])
    return ["center", *aligns], [[sign, *texts] for sign, texts in zip(signs, rows, strict=True)]


def _text(table: Table) -> str:
    aligns, rows = cell_texts(table, all_visible, "*{}", BestHighlight)
    widths, padded = align(rows, aligns)
    rule = ["-" * width for width in widths]
    if len(rule) > len(table.columns):  # the signs have no title
        rule[0] = " " * widths[0]
    lines = ["  ".join(texts).rstrip(" ") for texts in [padded[0], rule, *padded[1:]]]
    before, after = ([visible(text)] if text else [] for text in (table.title, table.note))
    return "\n".join([*before, *lines, *after])


def _markdown(table: Table) -> str:
    def escape(text: str) -> str:
        return _MARKDOWN_SPECIAL.sub(r"\\\g<0>", visible(text))

    aligns, rows = cell_texts(table, lambda texts: [*map(escape, texts)], "**{}**")
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


def render_latex(table: Table) -> str:
    """Return a table as LaTeX, with its title and note as comments."""

    def line(texts: Iterable[str]) -> str:
        text = " & ".join(texts) + r" \\"
        # At the start of a row, LaTeX would read these as options of the command before.
        return "{}" + text if text.startswith(("[", "*")) else text

    aligns, (head, *body) = cell_texts(table, lambda texts: [*map(escape_latex, texts)], r"\textbf{{{}}}")
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
    return cell_texts(table, lambda texts: [_MINUS.sub("-", text) for text in all_visible(texts)], "{}")[1]


def _csv(values: list[list[str]]) -> str:
    import csv
    import io

    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(values)
    return file.getvalue().removesuffix("\n")


def _tsv(values: list[list[str]]) -> str:
    return "\n".join(map("\t".join, values))


_RENDERERS: dict[str, Callable[[Table], str]] = {"text": _text, "markdown": _markdown, "latex": render_latex}
_VERBATIM = {"text": "{}", "markdown": "```\n{}\n```", "latex": "\\begin{{verbatim}}\n{}\n\\end{{verbatim}}"}
_LINES = {"text": "{}", "markdown": "- `{}`", "latex": "% {}"}
_FLAT: dict[str, Callable[[list[list[str]]], str]] = {"csv": _csv, "tsv": _tsv}
FORMATS = ("text", "markdown", "latex", "json", "csv", "tsv", "html")
