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
    measure, separator, is_left = style.width, style.separator, style.is_left
    rows = [[head] for head in style.heads]
    blocks = [rows]
    add_above, add_below, add_mark = (row.append for row in rows)
    begin = used = measure(style.heads[0])
    for above, below, mark in columns:
        above_width, below_width, mark_width = measure(above), measure(below), measure(mark)
        width = max(above_width, below_width, mark_width)
        if line_width is not None and used + width > line_width:
            rows = [[head] for head in style.heads]
            blocks.append(rows)
            add_above, add_below, add_mark = (row.append for row in rows)
            used = begin
        # As in jiwer, a word that is an asterisk looks like a missing word.
        if above == NOTHING:
            above, above_width = NOTHING * width, width  # noqa: PLW2901
        elif below == NOTHING:
            below, below_width = NOTHING * width, width  # noqa: PLW2901
        if is_left:
            add_above(f"{above}{' ' * (width - above_width)}{separator}")
            add_below(f"{below}{' ' * (width - below_width)}{separator}")
            add_mark(f"{mark}{' ' * (width - mark_width)}{separator}")
        else:
            add_above(f"{' ' * (width - above_width)}{above}{separator}")
            add_below(f"{' ' * (width - below_width)}{below}{separator}")
            add_mark(f"{' ' * (width - mark_width)}{mark}{separator}")
        used += width + len(separator)
    end = -len(style.separator) if style.trims and style.separator else None
    return "\n\n".join("\n".join("".join(row)[:end] for row in block) for block in blocks)
