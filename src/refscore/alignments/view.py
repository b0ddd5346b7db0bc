from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

from refscore.alignments.text import NOTHING, LineStyle, write_lines
from refscore.errors import InputError, SettingError, UnknownNameError, check_instance
from refscore.inputs import Hypotheses, References
from refscore.metrics import Metric, MetricChoice, WordEdit, parse_metric
from refscore.tables import Column, Result, Table, verbatim
from refscore.text_display import counted, visible

Style: TypeAlias = Literal["jiwer", "sclite"]

STYLES = ("jiwer", "sclite")
KINDS = ("hit", "substitution", "deletion", "insertion")
_MARKS = {"hit": " ", "substitution": "S", "deletion": "D", "insertion": "I"}
_JIWER = LineStyle(("REF: ", "HYP: ", "     "))
_SCLITE = LineStyle(("REF:  ", "HYP:  ", "Eval: "), is_left=True, trims=False)


@dataclass(frozen=True)
class AlignedSegment:
    """One segment in a view.

    Attributes:
        index: Its index.
        edits: Its alignment, step by step.
        label: Its name, such as an audio file, or None if it has none.
        value: Its score.

    Example:
        >>> import refscore
        >>> segment = refscore.alignments.alignment_view(["a cat sat"], ["the cat"])[0]
        >>> segment.counts, segment.errors, segment.value
        ({'hit': 1, 'substitution': 1, 'deletion': 0, 'insertion': 1}, 2, 1.0)
    """

    index: int
    edits: tuple[WordEdit, ...]
    label: str | None
    value: float

    def __repr__(self) -> str:
        return f"<{self.title}: {counted(self.errors, 'error')}>"

    @property
    def counts(self) -> dict[str, int]:
        """The edit counts by kind."""
        kinds = [edit.kind for edit in self.edits]
        return {kind: kinds.count(kind) for kind in KINDS}

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(edit.kind != "hit" for edit in self.edits)

    @property
    def title(self) -> str:
        """Its number, counted from 1, and its label."""
        return f"segment {self.index + 1}" + ("" if self.label is None else f" ({visible(self.label)})")

    def to_dict(self) -> dict[str, Any]:
        """Return the segment as JSON values."""
        edits = [
            {
                "kind": edit.kind,
                "reference": None if edit.reference is None else _word(edit.reference),
                "hypothesis": None if edit.hypothesis is None else _word(edit.hypothesis),
            }
            for edit in self.edits
        ]
        return {"segment": self.index, "label": self.label, "value": self.value, "counts": self.counts, "edits": edits}


@dataclass(frozen=True)
class AlignmentView(Result, Sequence[AlignedSegment]):
    r"""Aligned segments, as `alignment_view` returns them. They print as text in jiwer's style.

    Attributes:
        segments: The segments.
        separator: The text between tokens.

    Example:
        >>> import refscore
        >>> view = refscore.alignments.alignment_view(["i saw a cat", "hello"], ["i saw the big dog", "hello"])
        >>> print(view.with_errors())
        === SEGMENT 1 ===
        <BLANKLINE>
        REF: i saw the big dog
        HYP: i saw   a cat ***
                     S   S   D
        >>> for line in view.worst(1).to_text("sclite").split("\n"):
        ...     print(line.rstrip())
        id: (1)
        Scores: (#C #S #D #I) 2 2 1 0
        REF:  i saw THE BIG DOG
        HYP:  i saw A   CAT ***
        Eval:       S   S   D
    """

    segments: tuple[AlignedSegment, ...]
    separator: str = " "

    def __len__(self) -> int:
        return len(self.segments)

    def __iter__(self) -> Iterator[AlignedSegment]:
        return iter(self.segments)

    @overload
    def __getitem__(self, index: SupportsIndex) -> AlignedSegment: ...
    @overload
    def __getitem__(self, index: slice) -> AlignmentView: ...
    def __getitem__(self, index: SupportsIndex | slice) -> AlignedSegment | AlignmentView:
        if isinstance(index, slice):
            return AlignmentView(self.segments[index], self.separator)
        return self.segments[index]

    def with_errors(self) -> AlignmentView:
        """Return the segments that have errors."""
        return AlignmentView(tuple(segment for segment in self.segments if segment.errors), self.separator)

    def worst(self, most: int) -> AlignmentView:
        """Return the segments with the most errors, the worst first. Of equals, the first comes first."""
        ranked = sorted(self.with_errors().segments, key=lambda segment: -segment.errors)
        return AlignmentView(tuple(ranked[:most]), self.separator)

    def to_text(self, style: Style = "jiwer", *, line_width: int | None = None) -> str:
        """Return the alignments as text. Columns are as wide as on a terminal, also for CJK and combining characters.

        Args:
            style: "jiwer", or "sclite" for the lines of `sclite -o pralign`: errors in upper case, aligned at the left.
            line_width: The largest line width, unless a single word is wider, or None for no limit.
        """
        if style not in STYLES:
            raise UnknownNameError.suggest("style", style, STYLES)
        if line_width is not None and (isinstance(line_width, bool) or not isinstance(line_width, int)):
            raise SettingError(f"line_width must be a whole number or None, not {line_width!r}")
        write = _sclite if style == "sclite" else partial(_jiwer, separator=self.separator)
        return "\n\n".join(write(segment, line_width) for segment in self.segments)

    @property
    def details(self) -> tuple[StyledAlignments]:
        """The alignments in jiwer's style."""
        return (StyledAlignments(self),)

    def __repr__(self) -> str:
        errors = sum(segment.errors for segment in self.segments)
        return f"<alignments of {counted(len(self), 'segment')}: {counted(errors, 'error')}>"

    def to_html(self) -> str:
        """Return the alignments as an HTML fragment, with all text escaped."""
        from refscore.alignments.html import fragment

        return fragment(self)

    def flat_table(self) -> Table:
        """Return one row per pair of aligned tokens for programs. Segments count from 1, as in other tables."""
        names = ("kind", "reference", "hypothesis")
        rows = [
            [str(segment.index + 1), segment.label or "", *(edit[name] or "" for name in names)]
            for segment in self.segments
            for edit in segment.to_dict()["edits"]
        ]
        return Table("", map(Column, ("segment", "label", *names)), rows)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the alignments as JSON values."""
        return [segment.to_dict() for segment in self.segments]


@dataclass(frozen=True)
class StyledAlignments:
    """Alignments that a result shows below its tables, in a style."""

    view: AlignmentView
    style: Style = "jiwer"
    line_width: int | None = None

    def render_as(self, form: str) -> str:
        """Return the alignments as "text", "markdown", "latex" or "html"."""
        if form == "html":
            return self.view.to_html()
        return verbatim(self.view.to_text(self.style, line_width=self.line_width), form)

    def __rich__(self) -> Any:
        from refscore.tables.terminal import unwrapped

        return unwrapped(self.render_as("text"))


def alignment_view(
    hypotheses: Hypotheses,
    references: References,
    metric: MetricChoice = "wer",
    *,
    labels: Sequence[str] | None = None,
    threads: int | None = None,
) -> AlignmentView:
    """Return a view on all segments' alignments.

    Args:
        hypotheses: One text or token sequence per segment, or a padded batch of token ids.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Of several
            references, the one that counts is aligned.
        metric: A metric with alignments, such as `WER` or `CER`, or its name.
        labels: Segment names, such as audio files.
        threads: The number of threads, by default all cores.

    Example:
        >>> import refscore
        >>> print(refscore.alignments.alignment_view(["short one"], ["a short won"]))
        === SEGMENT 1 ===
        <BLANKLINE>
        REF: a short won
        HYP: * short one
             D         S
    """
    if labels is not None:
        check_instance("labels", labels, Iterable, "pass one label per segment")
    chosen = aligning_metric(metric)
    edits = chosen.word_alignments(hypotheses, references, threads=threads)
    values = chosen.segments(hypotheses, references, threads=threads).tolist()
    names = [None] * len(edits) if labels is None else list(labels)
    if len(names) != len(edits):
        raise InputError(None, f"{len(edits)} hypotheses but {len(names)} labels", "pass one label per segment")
    parts = enumerate(zip(edits, names, values, strict=True))
    return AlignmentView(tuple(AlignedSegment(index, *part) for index, part in parts), chosen.alignment_separator)


def aligning_metric(metric: MetricChoice) -> Any:
    """Return the metric if it has alignments, or raise an error."""
    chosen = metric if isinstance(metric, Metric) else parse_metric(metric)[1]
    if not chosen.has_alignments:
        raise SettingError(f"{chosen.title} has no alignments of words: choose wer or cer")
    return chosen


def _word(word: Any) -> str:
    return visible(word if isinstance(word, str) else repr(word))


def _cells(edit: WordEdit) -> list[str]:
    above = NOTHING if edit.kind == "insertion" else _word(edit.reference)
    return [above, NOTHING if edit.hypothesis is None else _word(edit.hypothesis), _MARKS[edit.kind]]


def _jiwer(segment: AlignedSegment, line_width: int | None, separator: str) -> str:
    style = _JIWER if separator else LineStyle(_JIWER.heads, separator)
    label = "" if segment.label is None else f" ({visible(segment.label)})"
    return f"=== SEGMENT {segment.index + 1}{label} ===\n\n{write_lines(map(_cells, segment.edits), style, line_width)}"


def _sclite(segment: AlignedSegment, line_width: int | None) -> str:
    columns = [
        [cell.upper() for cell in _cells(edit)] if edit.kind != "hit" else _cells(edit) for edit in segment.edits
    ]
    name = segment.index + 1 if segment.label is None else visible(segment.label)
    counts = " ".join(map(str, segment.counts.values()))
    return f"id: ({name})\nScores: (#C #S #D #I) {counts}\n{write_lines(columns, _SCLITE, line_width)}"
