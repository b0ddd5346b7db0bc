"""Tables as sacrebleu prints them: in a grid of box characters, or in LaTeX's booktabs."""

from __future__ import annotations

import re
from collections.abc import Mapping

_COLOUR = re.compile(r"\x1b\[\d+m")
_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "^": r"\^{}", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "\\": r"\textbackslash{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
}  # fmt: skip


def _width(text: str) -> int:
    return len(_COLOUR.sub("", text))


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


def _centred(text: str, width: int) -> str:
    left = (width - _width(text)) // 2
    return " " * left + text + " " * (width - _width(text) - left)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers_alike(cells: list[str], digits: int) -> list[str]:
    """A column of numbers, with as many digits after the point in each if one has any."""
    shown = [cell.strip() for cell in cells]
    if not all(map(_is_number, shown)) or all(re.fullmatch(r"[+-]?\d+", cell) for cell in shown):
        return shown
    return [f"{float(cell):.{digits}f}" for cell in shown]


def _aligned(header: str, cells: list[str], is_first: bool, room: int) -> list[list[str]]:
    """The lines of the header and of each cell of a column, all of one width; the first column is flush right."""
    blocks = [block.split("\n") for block in (header, *cells)]
    width = max(_width(line) for block in blocks for line in block)
    width = max(width, _width(header) + room)
    align = _right if is_first else _centred
    return [[align(line.strip(), width) for line in block] for block in blocks]


def grid(columns: Mapping[str, list[str]], digits: int) -> str:
    """A table in box characters; cells may have several lines.

    >>> print(grid({"System": ["a.txt", "b.txt"], "BLEU": ["20.8", "9.1"]}, 1))
    ╒══════════╤════════╕
    │   System │  BLEU  │
    ╞══════════╪════════╡
    │    a.txt │  20.8  │
    ├──────────┼────────┤
    │    b.txt │  9.1   │
    ╘══════════╧════════╛
    """
    made = [
        _aligned(header, _numbers_alike(cells, digits), k == 0, 2) for k, (header, cells) in enumerate(columns.items())
    ]
    widths = [_width(column[0][0]) + 2 for column in made]

    def rule(left: str, line: str, cross: str, right: str) -> str:
        return left + cross.join(line * width for width in widths) + right

    def row(blocks: list[list[str]]) -> list[str]:
        height = max(map(len, blocks))
        filled = [block + [" " * _width(block[0])] * (height - len(block)) for block in blocks]
        return ["│" + "│".join(f" {line} " for line in lines) + "│" for lines in zip(*filled, strict=True)]

    header, *rows = [row(list(blocks)) for blocks in zip(*made, strict=True)]
    lines = [rule("╒", "═", "╤", "╕"), *header, rule("╞", "═", "╪", "╡")]
    for k, body in enumerate(rows):
        lines += [*([rule("├", "─", "┼", "┤")] if k else []), *body]
    return "\n".join([*lines, rule("╘", "═", "╧", "╛")])


def tabular(columns: Mapping[str, list[str]], digits: int) -> str:
    r"""A table in LaTeX.

    >>> print(tabular({"System": ["a_b.txt"], "BLEU": ["20.8"]}, 1))
    \begin{tabular}{rc}
    \toprule
       System &  BLEU  \\
    \midrule
      a\_b.txt &  20.8  \\
    \bottomrule
    \end{tabular}
    """
    made = [
        _aligned(header, _numbers_alike(cells, digits), k == 0, 2) for k, (header, cells) in enumerate(columns.items())
    ]
    header, *rows = ["&".join(f" {_escaped(cell[0])} " for cell in row) + r"\\" for row in zip(*made, strict=True)]
    begin = rf"\begin{{tabular}}{{r{'c' * (len(columns) - 1)}}}"
    return "\n".join([begin, r"\toprule", header, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"])


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
