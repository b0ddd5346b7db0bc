"""Alignments as lines of text: the reference above the hypothesis, and marks for the errors below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from refscore.text_display import display_width

NOTHING = "*"


@dataclass(frozen=True)
class LineStyle:
    """How alignments are written. `heads` begin the three lines: reference, hypothesis, marks."""

    heads: tuple[str, str, str]
    separator: str = " "
    is_left: bool = False
    trims: bool = True  # the last separator of a line
    width: Callable[[str], int] = display_width  # or len


def write_lines(columns: Iterable[Sequence[str]], style: LineStyle, line_width: int | None = None) -> str:
    """Return the lines of an alignment, in blocks of at most `line_width` unless a single word is wider.

    Args:
        columns: Each step's reference word, hypothesis word and mark. `NOTHING` stands for a
            missing word and fills its column.
        style: How to write them.
        line_width: The largest line width, or None for no limit.
    """
    blocks: list[list[list[str]]] = [[[head] for head in style.heads]]
    used = style.width(style.heads[0])
    for column in columns:
        cells = list(column)
        width = max(map(style.width, cells))
        if line_width is not None and used + width > line_width:
            blocks.append([[head] for head in style.heads])
            used = style.width(style.heads[0])
        # As in jiwer, a word that is an asterisk looks like a missing word.
        if NOTHING in cells[:2]:
            cells[0 if cells[0] == NOTHING else 1] = NOTHING * width
        for row, cell in zip(blocks[-1], cells, strict=True):
            spaces = " " * (width - style.width(cell))
            row.append(f"{cell}{spaces}{style.separator}" if style.is_left else f"{spaces}{cell}{style.separator}")
        used += width + len(style.separator)
    end = -len(style.separator) if style.trims and style.separator else None
    return "\n\n".join("\n".join("".join(row)[:end] for row in block) for block in blocks)
