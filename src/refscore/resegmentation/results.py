from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refscore.tables import Column, Result, Table
from refscore.text_display import counted


@dataclass(frozen=True)
class Resegmentation(Result):
    """A hypothesis in the segments of its references.

    Attributes:
        segments: One segment per entry of the references: a part of the text without outer whitespace, or a list of
            tokens.
        cost: The number of edits of all segments together.
        costs: The edit distance of each segment to the closest of its references, in tokens.
        boundaries: The begin and end of each segment in `text`.
        text: The hypothesis as one text, or as one list of tokens. Documents follow in the order of the references.
        signature: All settings as text.

    Example:
        >>> import refscore
        >>> cut = refscore.resegmentation.resegment("so we left it was late", ["So we left.", "It was very late."])
        >>> cut.segments, cut.cost
        (['so we left', 'it was late'], 3)
        >>> cut.boundaries
        [(0, 10), (11, 22)]
    """

    segments: list[Any]
    cost: int
    costs: list[int]
    boundaries: list[tuple[int, int]]
    text: Any
    signature: str

    def table(self, *, digits: int | None = None) -> Table:
        """Return a table of segments and their costs."""
        columns = [Column("segment", "right"), Column("edits", "right"), Column("text")]
        texts = [text if isinstance(text, str) else " ".join(map(str, text)) for text in self.segments]
        rows = [[str(n), str(cost), text] for n, (cost, text) in enumerate(zip(self.costs, texts, strict=True), 1)]
        return Table("", columns, rows)

    def __repr__(self) -> str:
        return f"<{counted(len(self.segments), 'segment')} of references, {counted(self.cost, 'edit')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the segments, costs, boundaries and settings, ready for JSON if the tokens are.

        >>> import refscore
        >>> refscore.resegmentation.resegment("a b", ["a", "b"]).to_dict()["segments"][1]
        {'text': 'b', 'cost': 0, 'begin': 2, 'end': 3}
        """
        return {
            "signature": self.signature,
            "cost": self.cost,
            "segments": [
                {"text": segment, "cost": cost, "begin": begin, "end": end}
                for segment, cost, (begin, end) in zip(self.segments, self.costs, self.boundaries, strict=True)
            ],
        }
