from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from refscore.tables import html as tables
from refscore.tables.html import escape_text
from refscore.text_display import shown_word

if TYPE_CHECKING:
    from refscore.alignments.view import AlignedSegment, AlignmentView

_SPOKEN = {"substitution": "became", "deletion": "missing", "insertion": "extra"}


@cache
def style() -> str:
    """Return the style sheet. A Content-Security-Policy may need its hash."""
    return "\n" + files("refscore.alignments").joinpath("style.css").read_text(encoding="utf-8")


def fragment(view: AlignmentView) -> str:
    parts = (f"<h4>{escape_text(segment.title)}</h4>\n{render_alignment(segment)}" for segment in view)
    return tables.fragment(*parts, name="refscore-alignments", css=style())


def render_alignment(segment: AlignedSegment) -> str:
    """Return a segment's words, each reference word above its hypothesis word."""
    if not segment.edits:
        return '<p class="aligned">no words</p>'
    columns = "".join(_column(edit) for edit in segment.edits)
    return f'<p class="aligned" dir="auto">{columns}</p>'


def _column(edit: Any) -> str:
    above = "" if edit.reference is None else _escaped(edit.reference)
    below = "" if edit.hypothesis is None else _escaped(edit.hypothesis)
    if edit.kind == "hit":
        return f'<span class="hit"><span>{above}</span></span> '
    spoken = f'<span class="spoken">{_SPOKEN[edit.kind]}: </span>'
    if edit.kind == "substitution":
        cells = f"<del>{above}</del>{spoken}<ins>{below}</ins>"
    else:
        cells = spoken + (f"<del>{above}</del>" if edit.kind == "deletion" else f"<ins>{below}</ins>")
    return f'<span class="{edit.kind}" title="{edit.kind}">{cells}</span> '


def _escaped(word: Any) -> str:
    return escape_text(shown_word(word) if isinstance(word, str) else repr(word))
