"""An overlap's result, as arrays, data and a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.cached import cached_property
from refscore.overlap.settings import OverlapSettings
from refscore.tables import Column, Result, Table
from refscore.text_display import counted


@dataclass(frozen=True)
class SegmentOverlap:
    """One segment's overlap.

    Attributes:
        tokens: The number of tokens.
        ngrams: The number of n-grams, 0 if the segment is shorter than the order.
        matches: The number of n-grams that occur in the corpus.
        covered: The number of tokens that are part of such an n-gram.
        contaminated: Whether the segment is contaminated, or None for settings without a threshold.

    Example:
        >>> from refscore import overlap
        >>> overlap.find(["a b c d e"], ["x b c d"], order=2)[0]
        SegmentOverlap(tokens=5, ngrams=4, matches=2, covered=3, contaminated=True)
    """

    tokens: int
    ngrams: int
    matches: int
    covered: int
    contaminated: bool | None

    @property
    def ngram_share(self) -> float:
        """The share of n-grams that occur in the corpus, 0 without n-grams."""
        return self.matches / self.ngrams if self.ngrams else 0.0

    @property
    def token_share(self) -> float:
        """The share of tokens that are part of such an n-gram, 0 without tokens."""
        return self.covered / self.tokens if self.tokens else 0.0


@dataclass(frozen=True, eq=False)
class Overlap(Result):
    """The overlap between segments and a corpus.

    Attributes:
        settings: The settings.
        order: The number of tokens in an n-gram.
        counts: A row per segment: tokens, n-grams, matches and covered tokens.
        documents: The number of documents in the corpus.
        corpus_tokens: The number of tokens in the corpus.
        false_positive_rate: The probability that an n-gram which is not in the corpus counts as a match. 0 for an exact
            search.

    Example:
        >>> from refscore import overlap
        >>> found = overlap.find(["a cat sat on the mat", "a dog"], ["my cat sat on the chair"], order=3)
        >>> print(found)
        segments  contaminated     %  too short  n-grams  matches  tokens covered
        --------  ------------  ----  ---------  -------  -------  --------------
               2             1  50.0          1        4        2          50.0 %
        >>> found.counts.tolist()
        [[6, 4, 2, 4], [2, 0, 0, 0]]
    """

    schema: ClassVar[str] = "overlap"

    settings: OverlapSettings
    order: int
    counts: NDArray[np.int64]
    documents: int
    corpus_tokens: int
    false_positive_rate: float = 0.0

    @cached_property
    def contaminated(self) -> NDArray[np.bool_]:
        """Whether each segment is contaminated."""
        return self.settings.contaminated(self.counts)

    @property
    def ngram_shares(self) -> NDArray[np.float64]:
        """The share of each segment's n-grams that occur in the corpus, 0 without n-grams."""
        return np.asarray(self.counts[:, 2] / np.maximum(self.counts[:, 1], 1))

    @property
    def token_shares(self) -> NDArray[np.float64]:
        """The share of each segment's tokens that are part of such an n-gram, 0 without tokens."""
        return np.asarray(self.counts[:, 3] / np.maximum(self.counts[:, 0], 1))

    @property
    def signature(self) -> str:
        """All settings as text."""
        return self.settings.changed({"order": self.order}).signature

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, segment: int) -> SegmentOverlap:
        flag = bool(self.contaminated[segment]) if self.settings.judges else None
        tokens, ngrams, matches, covered = map(int, self.counts[segment])
        return SegmentOverlap(tokens, ngrams, matches, covered, flag)

    def __iter__(self) -> Iterator[SegmentOverlap]:
        return (self[segment] for segment in range(len(self)))

    @property
    def summary(self) -> dict[str, Any]:
        """All segments' counts together.

        >>> from refscore import overlap
        >>> found = overlap.find(["a b c", "d e"], ["b c d e"], order=2)
        >>> found.summary["contaminated"], found.summary["ngram_share"]
        (2, 0.6666666666666666)
        """
        tokens, ngrams, matches, covered = (int(total) for total in self.counts.sum(axis=0))
        dirty = int(self.contaminated.sum()) if self.settings.judges else None
        return {
            "segments": len(self),
            "too_short": int((self.counts[:, 1] == 0).sum()),
            "contaminated": dirty,
            "contaminated_share": None if dirty is None else dirty / max(len(self), 1),
            "tokens": tokens,
            "ngrams": ngrams,
            "matches": matches,
            "covered": covered,
            "ngram_share": matches / max(ngrams, 1),
            "token_share": covered / max(tokens, 1),
            "documents": self.documents,
            "corpus_tokens": self.corpus_tokens,
            "false_positive_rate": self.false_positive_rate,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the signature, the summary, and the segments with a match, for JSON.

        >>> from refscore import overlap
        >>> overlap.find(["a b", "x"], ["a b"], order=2).to_dict()["matching"]
        [{'segment': 0, 'tokens': 2, 'ngrams': 1, 'matches': 1, 'covered': 2, 'contaminated': True}]
        """
        matching = [int(segment) for segment in np.flatnonzero(self.counts[:, 2])]
        return {
            "signature": self.signature,
            "order": self.order,
            "summary": self.summary,
            "matching": [{"segment": segment, **vars(self[segment])} for segment in matching],
        }

    def table(self, *, digits: int | None = None) -> Table:
        """Return the summary as a table. `digits` is the number of decimals, 1 by default."""
        places = 1 if digits is None else digits
        summary = self.summary
        dirty, share = summary["contaminated"], summary["contaminated_share"]
        cells = {
            "segments": f"{summary['segments']:,}",
            "contaminated": "–" if dirty is None else f"{dirty:,}",
            "%": "–" if share is None else f"{100 * share:.{places}f}",
            "too short": f"{summary['too_short']:,}",
            "n-grams": f"{summary['ngrams']:,}",
            "matches": f"{summary['matches']:,}",
            "tokens covered": f"{100 * summary['token_share']:.{places}f} %",
        }
        return Table("", [Column(title, "right") for title in cells], [[*cells.values()]])

    def flat_table(self) -> Table:
        """Return the summary with full precision, with empty cells for missing numbers."""
        summary = self.summary
        return Table("", map(Column, summary), [["" if value is None else str(value) for value in summary.values()]])

    @property
    def all_signatures(self) -> list[str]:
        """The corpus size, the rate of false matches if there are any, and all settings as text."""
        lines = [f"corpus: {self.documents:,} documents, {self.corpus_tokens:,} tokens", self.signature]
        if self.false_positive_rate:
            lines.insert(1, f"false matches: {100 * self.false_positive_rate:.2g} % of the n-grams that do not occur")
        return lines

    def __repr__(self) -> str:
        dirty = f"{int(self.contaminated.sum()):,} contaminated" if self.settings.judges else "not judged"
        return f"<overlap of {counted(len(self), 'segment')} with {counted(self.documents, 'document')}: {dirty}>"
